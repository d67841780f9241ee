"""EndOfDayRapport: a legal day's totals in one currency, a row for each kind of game; sessions called back are taken off."""

from backoffice.reports.regulators.danish import (
    HOUSE_GAMES,
    POT_GAMES,
    danish_document,
    file_information,
    kroner,
)
from backoffice.reports.regulators.dk_sessions import MULTI_PLAYER, SINGLE_PLAYER
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.totals import Totals, add_up


def end_of_day_document(scope: Scope, heading: Heading) -> Document:
    """The day in the currency that is the heading's part. Raises ParticularMissing and, while it is written, Unwritable."""
    currency = heading.part
    struktur = (
        file_information(scope, heading),
        Node(
            "Tilladelsesindehaver",
            leaves(
                SpilCertifikatIdentifikation=scope.particular("certificate"),
                EndOfDayRapportDato=scope.day.isoformat(),
                ValutaOplysningKode=currency,
            ),
        ),
        Node(
            "SpilOpgørelseListe",
            (
                game_totals(category, add_up(telling.so_far(scope, currency), scope.bounds.begin), currency)
                for category, telling in ((HOUSE_GAMES, SINGLE_PLAYER), (POT_GAMES, MULTI_PLAYER))
            ),
        ),
    )
    root = Node("EndOfDayRapportStruktur", [Node("EndOfDayRapportStruktur", struktur)])
    return danish_document(scope, root, "SpilOpgørelse")


def game_totals(category: str, totals: Totals, currency: str) -> Node:
    """What was played of one kind of game; commission is not part of the stakes on the game."""
    return Node(
        "SpilOpgørelse",
        leaves(
            SpilKategoriNavn=category,
            EndOfDayRapportAntalSpil=str(totals.sessions),
            EndOfDayRapportIndskudSpil=kroner(totals.stake_minor - totals.rake_minor, currency),
            EndOfDayRapportIndskudJackpot=kroner(totals.jackpot_minor, currency),
            EndOfDayRapportGevinster=kroner(totals.won_minor, currency),
            EndOfDayRapportKommissionRake=kroner(totals.rake_minor, currency),
        ),
    )
