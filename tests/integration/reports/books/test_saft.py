"""The SAF-T file is valid to two validators and says what the ledger says; what it lacks is asked for by name."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
import xmlschema
from feeding import Feeding
from filing import license_all
from front_door import NETWORK, a_handler, deposit, founding, take, withdraw
from lxml import etree
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app.requests import Request
from backoffice.bootstrap import House, house_on
from backoffice.db import make_engine, psycopg_url
from backoffice.domain.network.commands import ApplyNetwork, CasinoSection
from backoffice.domain.network.legal import LegalSection
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import Chart, read_chart
from backoffice.reports.books.files import accounting_file
from backoffice.reports.books.saft_amounts import Untellable

SCHEMA = shared("schemas", "saft-no", "Norwegian_SAF-T_Financial_Schema_v_1.30.xsd")
COMPANY = {
    "name": "Casino & Co AS", "registration_number": "987654321", "tax_number": "987654321MVA", "street": "Storgata 1",
    "postal_code": "0155", "city": "Oslo", "country": "NO", "contact_first_name": "Ada", "contact_last_name": "Lund",
}  # fmt: skip
DAY = date(2026, 3, 1)
PERIODS = {
    "everything in one currency": Asked("tallinn"),
    "a day": Asked("tallinn", DAY, DAY),
    "one of two currencies": Asked("stockholm", only={"currency": "JPY"}),
    "a day without a fact": Asked("lugano", date(2027, 1, 1), date(2027, 1, 1)),
    "a day before the first": Asked("lugano", date(2020, 1, 1), date(2020, 1, 1)),
}


@pytest.fixture(scope="module")
def house(postgres_url: str, template_database: str) -> Iterator[House]:
    """The sample feed in a network whose casinos say who runs them."""
    name = f"audited_{uuid4().hex}"
    url = psycopg_url(postgres_url)
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template_database} strategy file_copy")
        engine = make_engine(url.set(database=name))
        Feeding(engine).take_all()
        license_all(engine, {"company": COMPANY})
        yield house_on(engine)
        engine.dispose()
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture(scope="module")
def schemas() -> tuple[etree.XMLSchema, xmlschema.XMLSchema10]:
    return etree.XMLSchema(etree.parse(SCHEMA)), xmlschema.XMLSchema10(str(SCHEMA))


def saft(house: House, asked: Asked, chart: Chart | None = None) -> bytes:
    with accounting_file(house.engine, house.codec, chart or read_chart(), "journal", "saft", asked) as made:
        return b"".join(made.pieces())


@pytest.mark.parametrize("asked", PERIODS.values(), ids=PERIODS)
def test_two_validators_accept_it_and_it_has_the_same_bytes_again(
    house: House, schemas: Any, asked: Asked
) -> None:
    data = saft(house, asked)
    by_lxml, by_xmlschema = schemas
    by_lxml.assertValid(etree.fromstring(data))
    by_xmlschema.validate(BytesIO(data))
    house.projector().rebuild("entries")
    assert saft(house, asked) == data


def test_it_says_what_the_ledger_says(house: House) -> None:
    asked = Asked("tallinn", DAY, DAY)
    root = etree.fromstring(saft(house, asked))
    with accounting_file(house.engine, house.codec, read_chart(), "trial-balance", "csv", asked) as made:
        b"".join(made.pieces())
    sums: Counter[tuple[str, str]] = Counter()
    for line in root.iterfind(".//{*}Line"):
        number = line.findtext("{*}AccountID")
        for side in ("Debit", "Credit"):
            sums[number, side] += Decimal(line.findtext(f"{{*}}{side}Amount/{{*}}Amount") or 0)  # type: ignore[assignment]
    entries = root.find("{*}GeneralLedgerEntries")
    assert int(entries.findtext("{*}NumberOfEntries")) == len(entries.findall(".//{*}Transaction"))
    totals = [Decimal(entries.findtext(f"{{*}}Total{side}")) for side in ("Debit", "Credit")]
    assert totals == [
        sum(amount for (_, side), amount in sums.items() if side == asked_side)
        for asked_side in ("Debit", "Credit")
    ]
    assert totals[0] == totals[1] > 0
    for account in root.iterfind(".//{*}Account"):
        number = account.findtext("{*}AccountID")
        opening, closing = (_balance(account, name) for name in ("Opening", "Closing"))
        assert closing == opening + sums[number, "Debit"] - sums[number, "Credit"]
    assert len(root.findall(".//{*}Account")) == len(read_chart().account)


def _balance(account: Any, name: str) -> Decimal:
    debit, credit = (account.findtext(f"{{*}}{name}{side}Balance") for side in ("Debit", "Credit"))
    return Decimal(debit or 0) - Decimal(credit or 0)


def test_it_says_whose_it_is_and_of_which_days_and_which_place_of_the_log(house: House) -> None:
    root = etree.fromstring(saft(house, Asked("tallinn", DAY, DAY)))
    header = root.find("{*}Header")
    company = header.find("{*}Company")
    assert company.findtext("{*}RegistrationNumber") == COMPANY["registration_number"]
    assert company.findtext("{*}Name") == COMPANY["name"]
    assert company.findtext("{*}Contact/{*}ContactPerson/{*}LastName") == "Lund"
    assert header.findtext("{*}DefaultCurrencyCode") == "EUR"
    assert header.findtext("{*}SelectionCriteria/{*}SelectionStartDate") == "2026-03-01"
    head = house.log.head()
    assert f"log {head.log_id} at {head.position}" in header.findtext("{*}HeaderComment")


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (Asked(), "a SAF-T file is of one company: give one casino"),
        (Asked("-"), "a SAF-T file is of one company"),
        (Asked("stockholm"), "a SAF-T file is in one currency: give one of JPY, SEK"),
    ],
)
def test_what_is_no_ones_company_or_of_two_currencies_is_refused(
    house: House, asked: Asked, reason: str
) -> None:
    with pytest.raises(Untellable, match=reason):
        saft(house, asked)


@pytest.mark.parametrize(
    "field", ["name", "registration_number", "country", "contact_first_name", "contact_last_name"]
)
def test_what_the_network_file_does_not_say_is_asked_for_by_name(engine: Engine, field: str) -> None:
    take(a_handler(engine), founding(), deposit("ann"))
    license_all(engine, {"company": {name: said for name, said in COMPANY.items() if name != field}})
    with pytest.raises(
        Untellable, match=rf"casino tallinn: legal\.company\.{field} is missing in the network file"
    ):
        saft(house_on(engine), Asked("tallinn"))


def test_a_group_that_the_chart_does_not_say_is_asked_for_by_name(house: House, tmp_path: Path) -> None:
    chart = read_chart()
    first, *others = chart.account
    bare = chart.model_copy(update={"account": [first.model_copy(update={"grouping_code": None}), *others]})
    with pytest.raises(
        Untellable, match="account 1000 Cashiers' desks of the chart: grouping_code is missing"
    ):
        saft(house, Asked("tallinn"), bare)


def test_a_kuwaiti_dinar_is_told_whole_or_refused_with_its_place(engine: Engine, schemas: Any) -> None:
    kuwait = CasinoSection(
        id="kuwait", currencies=["KWD"], timezone="Asia/Kuwait", legal=LegalSection.model_validate({"company": COMPANY})
    )  # fmt: skip
    file = NETWORK.model_copy(
        update={"casino": [*NETWORK.casino, kuwait], "rates": {**NETWORK.rates, "KWD": "0.3340"}}
    )
    command = ApplyNetwork(id="kuwait", at=founding().command.at, file=file)
    handler, house = a_handler(engine), house_on(engine)
    wallet = {"casino": "kuwait", "currency": "KWD"}
    take(handler, Request(command, "command line", actor="operator"), deposit("noor", "5.120", **wallet))
    root = etree.fromstring(saft(house, Asked("kuwait")))
    schemas[0].assertValid(root)
    assert [amount.text for amount in root.iterfind(".//{*}Line/{*}DebitAmount/{*}Amount")] == ["5.12"]
    take(handler, withdraw("noor", "0.001", **wallet))
    reason = r"account 1000 Cashiers' desks: 5\.119 KWD has more digits than the two of SAF-T; it is not cut"
    with pytest.raises(Untellable, match=reason):
        saft(house, Asked("kuwait"))
    with accounting_file(house.engine, house.codec, read_chart(), "journal", "csv", Asked("kuwait")) as whole:
        assert b",0.001," in b"".join(whole.pieces())
