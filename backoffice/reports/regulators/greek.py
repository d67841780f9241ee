"""What the files for Greece's Hellenic Gaming Commission have in common: a batch of records, each under a UUID.

A file is numbered among all of the licensee's. Records are never changed: one replaces another, or calls it back.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime

from backoffice.domain.filings.events import Authority
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.values import exact, utc

GREECE: Authority = "gr"
NAMESPACE = "https://www.gamingcommission.gov.gr"
LETTERS = 40
"""Of a GenericID."""
LIVE = "1"
"""Played live, in a studio, with a dealer: none of this house's games comes from a random number generator."""
_DECIMALS = 2
_MOST = 9_999_999_999


def batch(scope: Scope, heading: Heading, record: str, records: Iterable[Node]) -> Document:
    """A file of records of one kind. Raises ParticularMissing."""
    header = leaves(FileID=str(heading.number), LicenseeID=scope.particular("licensee"))
    root = Node("Batch", _chained(Node("BatchHeader", header), records))
    return Document(root, scope.notice, {None: NAMESPACE}, record, NAMESPACE)


def euros(minor: int, currency: str) -> str:
    """A sum of any currency, as a MonetaryAmount: two decimals. Raises Unwritable for one that has more."""
    return exact(minor, currency, decimals=_DECIMALS, most=_MOST)


def called_back(name: str, record_id: str, of: str, at: datetime, reason: str) -> Node:
    """A record that calls back another one."""
    data = leaves(CancelledRecordID=of, CancelledRecordDate=utc(at), CancelledRecordReason=reason)
    return Node(name, [Node("RecordID", record_id), Node("CancelledRecordData", data)])


def play_session(scope: Scope, player: str, day: date) -> str:
    """The id of a player's log-in, and so of the session that is taxed.

    The tables tell nothing of log-ins: a player is in from the first round of a gaming day to the last.
    """
    return scope.identify("play", player, day)


def _chained(first: Node, others: Iterable[Node]) -> Iterator[Node]:
    yield first
    yield from others
