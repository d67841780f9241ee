"""What the files for Denmark's Spillemyndigheden have in common (standard records v2)."""

from collections.abc import Iterator

from backoffice.domain.filings.events import Authority
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.values import exact, padded

DENMARK: Authority = "dk"
NAMESPACE = "http://skat.dk/begrebsmodel/2009/01/15/"
SHORT, LONG = 45, 100
"""Letters of a Tekst45Type and of a TekstKortType."""
_DECIMALS = 10
_MOST = 9_999_999_999

HOUSE_GAMES = "KasinospilSinglePlayer"
POT_GAMES = "KasinospilMultiPlayer"
"""Players against the house; players against each other, with a commission (the third example of Kasinospil.xsd)."""


def danish_document(scope: Scope, root: Node, record: str) -> Document:
    """A standard record."""
    return Document(root, scope.notice, {None: NAMESPACE}, record, NAMESPACE)


def file_information(scope: Scope, heading: Heading) -> Node:
    """The file's own id, and that of the file it replaces."""
    return Node("FilInformation", _file_information(scope, heading))


def licence_and_game(scope: Scope, category: str) -> Node:
    """Under whose certificate which kind of game is offered."""
    certificate = scope.particular("certificate")
    return Node(
        "TilladelsesindehaverOgSpil",
        leaves(SpilCertifikatIdentifikation=certificate, SpilKategoriNavn=category),
    )


def kroner(minor: int, currency: str) -> str:
    """A sum of any currency with the ten decimals of a BeløbPositivNegativ10Decimaler10Type. Raises Unwritable."""
    return padded(exact(minor, currency, decimals=_DECIMALS, most=_MOST), _DECIMALS)


def _file_information(scope: Scope, heading: Heading) -> Iterator[Node]:
    yield Node("SpilFilVersion", "v2")
    yield Node("SpilFilIdentifikation", _file_id(scope, heading.number))
    if heading.replaces is not None:
        yield Node("SpilFilErstatningIdentifikation", _file_id(scope, heading.replaces))


def _file_id(scope: Scope, number: int) -> str:
    return scope.identify("file", DENMARK, number)
