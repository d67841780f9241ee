"""The books as a SAF-T Financial file of Norway (version 1.30, schema of 1 March 2024): one company, one currency, every line.

The company's particulars are those of the network file, groups of accounts those of the chart: what is missing is asked
for by name. Amounts: see `saft_amounts`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from tempfile import TemporaryFile

from sqlalchemy import func, select

from backoffice.domain.accounts import NETWORK_BOOK
from backoffice.reports.books.book import Book
from backoffice.reports.books.chart import ChartAccount
from backoffice.reports.books.journal import Leg, Transaction
from backoffice.reports.books.saft_amounts import Untellable, amount
from backoffice.reports.books.tables import trial_balance
from backoffice.reports.regulators.nodes import Document, Node, leaves, write_document

_NAMESPACE = "urn:StandardAuditFile-Taxation-Financial:NO"
_YEARS = range(1970, 2101)
_PIECE = 1 << 16


def saft_form(book: Book) -> Iterator[bytes]:
    """The audit file: put together in a temporary file, then handed out piece by piece. Raises Untellable before the first."""
    audited = _audited(book)
    said = book.particulars
    document = Document(
        root=Node(
            "AuditFile",
            (_header(audited), _accounts(audited), Node("GeneralLedgerEntries", _entries(audited))),
        ),
        notice=f"log {said['log']}, position {said['position']}, hash {said['hash']}",
        namespaces={None: _NAMESPACE},
        record="Transaction",
        within=_NAMESPACE,
    )
    with TemporaryFile() as stream:
        write_document(document, stream)
        stream.seek(0)
        yield from iter(partial(stream.read, _PIECE), b"")


@dataclass(frozen=True)
class _Audited:
    """One company's book in one currency."""

    book: Book
    casino: str
    currency: str

    def particular(self, field: str) -> str:
        """What the network file says of the company. Raises Untellable."""
        found = self.particular_if_any(field)
        if found is None:
            raise Untellable(
                f"casino {self.casino}: legal.company.{field} is missing in the network file, a SAF-T file needs it"
            )
        return found

    def particular_if_any(self, field: str) -> str | None:
        """The same, where the file does without."""
        said = self.book.ledger.reading.network.particulars.get(self.casino, {})
        return said.get("company", {}).get(field)

    def amount(self, minor: int, where: str) -> str:
        """An amount of the file's currency."""
        return amount(abs(minor), self.currency, where)


def _audited(book: Book) -> _Audited:
    books, currencies = book.ledger.books, book.moved_currencies
    if len(books) != 1 or books[0] == NETWORK_BOOK:
        raise Untellable("a SAF-T file is of one company: give one casino")
    if len(currencies) > 1:
        raise Untellable(f"a SAF-T file is in one currency: give one of {', '.join(currencies)}")
    played = book.ledger.reading.network.casinos[books[0]].currencies
    asked = book.ledger.reading.asked.only.get("currency")
    return _Audited(book, books[0], asked or next(iter((*currencies, *played))))


def _header(audited: _Audited) -> Node:
    said, country = audited.book.particulars, audited.particular("country")
    return Node(
        "Header",
        (
            *leaves(
                AuditFileVersion="1.30",
                AuditFileCountry=country,
                AuditFileDateCreated=_date_of(said["generated_at"]),
                SoftwareCompanyName="backoffice",
                SoftwareID="backoffice",
                SoftwareVersion=version("backoffice")[:18],
            ),
            Node("Company", _company(audited)),
            Node("DefaultCurrencyCode", audited.currency),
            Node("SelectionCriteria", _selection(audited)),
            *leaves(
                HeaderComment=f"days: {said['days']}; log {said['log']} at {said['position']}",
                TaxAccountingBasis="A",
                TaxEntity=audited.casino,
            ),
        ),
    )


def _date_of(moment: str) -> str:
    """The day of the log's time; of an empty log, one before any."""
    return moment[:10] if moment[:1].isdigit() else "1970-01-01"


def _company(audited: _Audited) -> Iterator[Node]:
    yield from leaves(
        RegistrationNumber=audited.particular("registration_number"), Name=audited.particular("name")
    )
    address = leaves(
        StreetName=audited.particular_if_any("street"),
        City=audited.particular_if_any("city"),
        PostalCode=audited.particular_if_any("postal_code"),
        Country=audited.particular("country"),
    )
    yield Node("Address", address)
    person = leaves(
        FirstName=audited.particular("contact_first_name"), LastName=audited.particular("contact_last_name")
    )
    yield Node("Contact", (Node("ContactPerson", person),))
    tax_number = audited.particular_if_any("tax_number")
    if tax_number is not None:
        yield Node("TaxRegistration", leaves(TaxRegistrationNumber=tax_number))


def _selection(audited: _Audited) -> Iterator[Node]:
    span = audited.book.ledger.spans.get(audited.casino)
    if span is not None:
        yield from leaves(SelectionStartDate=span.first.isoformat(), SelectionEndDate=span.last.isoformat())


def _accounts(audited: _Audited) -> Node:
    """Every account of the chart with what it held before the first day and after the last."""
    held = {row["number"]: (row["opening"], row["closing"]) for row in trial_balance(audited.book.ledger)}
    accounts = audited.book.ledger.chart.by_number.values()
    told = (
        Node("Account", _account(audited, account, *held.get(account.number, (0, 0)))) for account in accounts
    )
    return Node("MasterFiles", (Node("GeneralLedgerAccounts", told),))


def _account(audited: _Audited, account: ChartAccount, opening: int, closing: int) -> Iterator[Node]:
    where = f"account {account.number} {account.name}"
    for field in ("grouping_category", "grouping_code"):
        if getattr(account, field) is None:
            raise Untellable(f"{where} of the chart: {field} is missing, a SAF-T file needs it")
    yield from leaves(
        AccountID=account.number,
        AccountDescription=account.name,
        GroupingCategory=account.grouping_category,
        GroupingCode=account.grouping_code,
        AccountType="GL",
    )
    for name, minor in (("Opening", opening), ("Closing", closing)):
        side = "Credit" if minor < 0 else "Debit"
        yield Node(f"{name}{side}Balance", audited.amount(minor, where))


def _entries(audited: _Audited) -> Iterator[Node]:
    """How much there is, then all of it."""
    lines = audited.book.ledger.lines().subquery()
    debit, credit = (func.sum(func.greatest(sign * lines.c.amount_minor, 0)) for sign in (-1, 1))
    query = select(
        func.count(lines.c.position.distinct()).label("number"), debit.label("debit"), credit.label("credit")
    )
    found = audited.book.ledger.reading.connection.execute(query).one()
    total = "the total of all lines"
    yield from leaves(
        NumberOfEntries=str(found.number),
        TotalDebit=audited.amount(int(found.debit or 0), total),
        TotalCredit=audited.amount(int(found.credit or 0), total),
    )
    yield Node("Journal", _journal(audited))


def _journal(audited: _Audited) -> Iterator[Node]:
    yield from leaves(JournalID="GL", Description="General ledger", Type="GL")
    for transaction in audited.book.transactions():
        if transaction.position:
            yield Node("Transaction", _transaction(audited, transaction))


def _transaction(audited: _Audited, transaction: Transaction) -> Iterator[Node]:
    day, recorded_at = transaction.day, transaction.recorded_at
    assert recorded_at is not None
    if day.year not in _YEARS:
        raise Untellable(f"position {transaction.position} is of {day}: SAF-T has the years 1970 to 2100")
    yield from leaves(
        TransactionID=str(transaction.position),
        Period=str(day.month),
        PeriodYear=str(day.year),
        TransactionDate=day.isoformat(),
        VoucherType=transaction.type,
        Description=transaction.narration,
        SystemEntryDate=recorded_at.date().isoformat(),
        GLPostingDate=day.isoformat(),
    )
    for leg in transaction.legs:
        yield Node("Line", _line(audited, transaction, leg))


def _line(audited: _Audited, transaction: Transaction, leg: Leg) -> Iterator[Node]:
    of = leg.of if transaction.round is None else f"{leg.of}, round {transaction.round}"
    yield from leaves(RecordID=str(leg.line), AccountID=leg.account.number, Description=of)
    side = "CreditAmount" if leg.minor < 0 else "DebitAmount"
    yield Node(side, leaves(Amount=audited.amount(leg.minor, f"position {transaction.position}")))
