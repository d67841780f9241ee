"""Online_Peer_to_Peer_Games: a gaming day's sessions of games for a pot, with the rake of each player."""

from collections.abc import Iterator

from backoffice.reports.regulators.gr_games import (
    COMPLETE,
    Names,
    Platform,
    cancelled_session,
    names_of,
    platform_of,
    worth_a_record,
)
from backoffice.reports.regulators.greek import LETTERS, LIVE, batch, euros
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.sessions import Told
from backoffice.reports.regulators.telling import Telling
from backoffice.reports.regulators.values import fitted, utc

PEER_TO_PEER = Telling("gr-peer-to-peer-games", pots=True)
RECORD = "Online_Peer_to_Peer_Game"
POKER = "1"
OTHER_POKER = "0"
"""Five Card Stud has no number of its own in the Commission's list."""


def peer_to_peer_document(scope: Scope, heading: Heading) -> Document:
    """What no file has told of a day's sessions. Raises ParticularMissing and, while it is written, Unwritable."""
    platform = platform_of(scope)
    shared = scope.shared_tables
    records = (
        peer_to_peer_record(told, names_of(scope, told), platform, open_network=told.first.table in shared)
        for told in worth_a_record(PEER_TO_PEER.untold(scope))
    )
    return batch(scope, heading, RECORD, records)


def peer_to_peer_record(told: Told, names: Names, platform: Platform, *, open_network: bool) -> Node:
    """One version of a session, or that nothing is left of it."""
    if told.called_back:
        return cancelled_session(RECORD, told, names)
    return Node(RECORD, _game(told, names, platform, open_network))


def _game(told: Told, names: Names, platform: Platform, open_network: bool) -> Iterator[Node]:
    player, currency, table = told.first.key
    yield from leaves(
        RecordID=names.record,
        ReplacedRecordID=names.before,
        PtPGameCategoryA=LIVE,
        PtPGameCategoryB=POKER,
        PtPGameCategoryC=OTHER_POKER,
        PlayerID=fitted(player, LETTERS),
        ManufacturerLN=platform.manufacturer,
        LogInSessionID=names.play,
        TaxationSessionID=names.play,
        NetworkIndicator="true" if open_network else "false",
    )
    yield Node("PtPGameSessionData", _session(told, names, currency))
    yield Node("IncompleteGameSessionIndicator", COMPLETE)
    yield Node("LiveGames", leaves(StudioID=platform.studio, TableID=fitted(table, LETTERS)))
    yield Node("DomainName", platform.domain)


def _session(told: Told, names: Names, currency: str) -> Iterator[Node]:
    rake = told.total("rake_minor")
    yield from leaves(
        PtPGameSessionID=names.session,
        PtPGameSessionStartDate=utc(told.began_at),
        PtPGameSessionEndDate=utc(told.ended_at),
        TotalNumberPokerCashGamesHands=str(len(told.played)),
    )
    yield Node(
        "Stakes",
        leaves(
            PtPGameSessionAmountWagered=euros(told.total("stake_minor"), currency),
            PtPGameSessionLicenseeRake=euros(rake, currency) if rake else None,
        ),
    )
    yield Node("Winnings", leaves(PtPGameSessionAmountWon=euros(told.total("won_minor"), currency)))
    yield Node("Currency", currency)
