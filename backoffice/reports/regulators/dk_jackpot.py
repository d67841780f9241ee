"""JackpotUdløsning: one file a hit of a pool, naming the casino's own winners; taken back, it is replaced by one of nothing."""

from collections.abc import Iterator

from backoffice.reports.regulators.danish import (
    HOUSE_GAMES,
    SHORT,
    danish_document,
    file_information,
    kroner,
    licence_and_game,
)
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.hits import Hit, Win
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.values import fitted, utc


def jackpot_document(scope: Scope, heading: Heading, hit: Hit) -> Document:
    """One hit. Raises ParticularMissing and, while it is written, Unwritable."""
    struktur = (
        file_information(scope, heading),
        licence_and_game(scope, HOUSE_GAMES),
        jackpot_record(hit, scope.casino),
    )
    root = Node("JackpotUdløsningStruktur", [Node("JackpotUdløsningStruktur", struktur)])
    return danish_document(scope, root, "Spiller")


def jackpot_record(hit: Hit, casino: str) -> Node:
    """What all winners won together, and what each of `casino` did; nothing where the hit was taken back."""
    return Node("Jackpot", _jackpot(hit, casino))


def _jackpot(hit: Hit, casino: str) -> Iterator[Node]:
    counts = 0 if hit.taken_back else 1
    yield from leaves(
        JackpotIdentifikation=fitted(hit.jackpot, SHORT),
        JackpotDatoTid=utc(hit.won.at),
        JackpotTotalGevinst=kroner(counts * hit.total_minor, hit.currency),
        JackpotKommissionRake=kroner(0, hit.currency),
        ValutaOplysningKode=hit.currency,
    )
    yield Node("SpillerListe", (_winner(win, hit.currency, counts) for win in hit.wins_of(casino)))


def _winner(win: Win, currency: str, counts: int) -> Node:
    won = kroner(counts * win.minor, currency)
    return Node(
        "Spiller",
        leaves(SpillerInformationIdentifikation=fitted(win.player, SHORT), JackpotGevinst=won),
    )
