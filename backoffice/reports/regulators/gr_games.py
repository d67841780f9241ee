"""Online_Games: a gaming day's sessions against the house. A session with a round taken back is replaced by what is left."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID, uuid5

from backoffice.reports.regulators.greek import LETTERS, LIVE, batch, called_back, euros, play_session
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.sessions import Told
from backoffice.reports.regulators.telling import Telling
from backoffice.reports.regulators.values import fitted, utc

GAMES = Telling("gr-games", pots=False)
RECORD = "Online_Game"
OTHER = "0"
"""No game of this house has a category of its own in the Commission's list."""
COMPLETE = "1"
TAKEN_BACK = "every round of the session was taken back"


@dataclass(frozen=True, slots=True)
class Platform:
    """Where the casino's games are played, by its particulars."""

    manufacturer: str
    studio: str
    domain: str


@dataclass(frozen=True, slots=True)
class Names:
    """The ids of one version of a session: its record's, that of the record before it, the session's, the log-in's."""

    record: str
    before: str | None
    session: str
    play: str


def games_document(scope: Scope, heading: Heading) -> Document:
    """What no file has told of a day's sessions. Raises ParticularMissing and, while it is written, Unwritable."""
    platform = platform_of(scope)
    records = (
        game_record(told, names_of(scope, told), platform) for told in worth_a_record(GAMES.untold(scope))
    )
    return batch(scope, heading, RECORD, records)


def platform_of(scope: Scope) -> Platform:
    """Where the casino's games are played. Raises ParticularMissing."""
    return Platform(scope.particular("manufacturer"), scope.particular("studio"), scope.particular("domain"))


def worth_a_record(told: Iterator[Told]) -> Iterator[Told]:
    """Without what is called back and replaced: the record that replaces it says so."""
    return (one for one in told if not one.called_back or one.leaves_nothing)


def names_of(scope: Scope, told: Told) -> Names:
    """The ids that belong to one version of a session."""
    day = scope.calendar.day_of(told.first.settled_at, scope.days)
    return Names(
        record=_record_id(scope, told, told.version),
        before=_record_id(scope, told, told.version - 1) if told.version > 1 else None,
        session=session_id(scope, told),
        play=play_session(scope, told.first.player, day),
    )


def session_id(scope: Scope, told: Told) -> str:
    """A session's own id, whatever is left of it."""
    return scope.identify("session", told.name_of(1))


def game_record(told: Told, names: Names, platform: Platform) -> Node:
    """One version of a session, or that nothing is left of it."""
    if told.called_back:
        return cancelled_session(RECORD, told, names)
    return Node(RECORD, _game(told, names, platform))


def cancelled_session(name: str, told: Told, names: Names) -> Node:
    """That nothing is left of a session whose record is that of the names. Its own id comes from that one's."""
    return called_back(name, _called_back_id(names.record), names.record, told.at, TAKEN_BACK)


def _called_back_id(record: str) -> str:
    """A UUID apart from that of the record it calls back, and the same ever again."""
    return str(uuid5(UUID(record), "called back"))


def _game(told: Told, names: Names, platform: Platform) -> Iterator[Node]:
    player, currency, table = told.first.key
    yield from leaves(
        RecordID=names.record,
        ReplacedRecordID=names.before,
        GameCategoryA=LIVE,
        GameCategoryB=OTHER,
        PlayerID=fitted(player, LETTERS),
        ManufacturerLN=platform.manufacturer,
        LogInSessionID=names.play,
        TaxationSessionID=names.play,
    )
    yield Node("GameSessionData", _session(told, names, currency))
    yield from (Node("JackpotID", fitted(jackpot, LETTERS)) for jackpot in told.jackpots)
    yield Node("IncompleteGameSessionIndicator", COMPLETE)
    yield Node("LiveGames", leaves(StudioID=platform.studio, TableID=fitted(table, LETTERS)))
    yield Node("DomainName", platform.domain)


def _session(told: Told, names: Names, currency: str) -> Iterator[Node]:
    rake = euros(told.total("jackpot_minor"), currency) if told.jackpots else None
    yield from leaves(
        GameSessionID=names.session,
        GameSessionStartDate=utc(told.began_at),
        GameSessionEndDate=utc(told.ended_at),
    )
    staked = euros(told.total("stake_minor"), currency)
    yield Node("Stakes", leaves(GameSessionAmountWagered=staked, GameSessionJackpotRake=rake))
    yield Node("Winnings", leaves(GameSessionAmountWon=euros(told.total("won_minor"), currency)))
    yield Node("Currency", currency)


def _record_id(scope: Scope, told: Told, version: int) -> str:
    return scope.identify("record", told.name_of(version))
