"""Online_Jackpot_Winnings: a gaming day's hits of pools, with the casino's own winners; and those that were taken back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from backoffice.reports.regulators.gr_games import GAMES, session_id
from backoffice.reports.regulators.greek import LETTERS, batch, called_back, euros, play_session
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.hits import FIXED, Hit, Win, hits, hits_taken_back
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.pools import Before, contributed, contributed_in
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.values import fitted, utc

WINNINGS = "gr-jackpot-winnings"
RECORD = "Online_Jackpot_Winnings"
TAKEN_BACK = "the round was taken back, and its hit with it"


@dataclass(frozen=True, slots=True)
class Winner:
    """A win with the ids of the session it was won in and of the log-in."""

    win: Win
    session: str
    play: str


def untold_hits(scope: Scope) -> Iterator[tuple[Hit, bool]]:
    """The day's hits that no file has told, then the hits that were taken back that day (True)."""
    for known in scope.register.stretches(WINNINGS, scope.day.isoformat(), scope.position):
        if known.upto == scope.position:
            yield from ((hit, False) for hit in hits(scope, known))
            yield from ((hit, True) for hit in hits_taken_back(scope, known))


def winnings_document(scope: Scope, heading: Heading) -> Document:
    """What no file has told of a day's hits. Raises ParticularMissing and, while it is written, RateMissing, Unwritable."""
    domain = scope.particular("domain")
    records = (
        _taken_back(scope, hit) if taken else _won(scope, hit, domain) for hit, taken in untold_hits(scope)
    )
    return batch(scope, heading, RECORD, records)


def winnings_record(
    hit: Hit, record_id: str, winners: Sequence[Winner], contributed_minor: int, domain: str
) -> Node:
    """A hit: what all its winners won together, what players had given, and the casino's own winners."""
    head = leaves(
        RecordID=record_id,
        JackpotID=fitted(hit.jackpot, LETTERS),
        ProfitDistributionLevelID=hit.level,
        JackpotWonDate=utc(hit.won.at),
        TotalJackpotWonAmount=euros(hit.total_minor, hit.currency),
        TotalJackpotRake=euros(contributed_minor, hit.currency),
        Currency=hit.currency,
    )
    players = (_player(winner, hit.currency) for winner in winners)
    return Node(RECORD, chain(head, players, leaves(DomainName=domain)))


def _player(winner: Winner, currency: str) -> Node:
    session = leaves(
        LogInSessionID=winner.play,
        GameSessionID=winner.session,
        JackpotPlayerAmount=euros(winner.win.minor, currency),
    )
    player = Node("PlayerID", fitted(winner.win.player, LETTERS))
    return Node("PlayerData", [player, Node("LogInSessionData", session)])


def _won(scope: Scope, hit: Hit, domain: str) -> Node:
    before = Before(hit.won.at, hit.won.position)
    if hit.level == FIXED:
        given = contributed_in(scope, hit.jackpot, before, hit.currency)
    else:
        given = contributed(scope, hit.jackpot, before)
    winners = [_winner(scope, hit, win) for win in hit.wins_of(scope.casino)]
    return winnings_record(hit, _record_id(scope, hit), winners, given, domain)


def _winner(scope: Scope, hit: Hit, win: Win) -> Winner:
    told = GAMES.session_with(scope, win.key, hit.round, hit.number, hit.won)
    day = scope.calendar.day_of(hit.won.at, scope.days)
    return Winner(win, session_id(scope, told), play_session(scope, win.player, day))


def _taken_back(scope: Scope, hit: Hit) -> Node:
    assert hit.taken_back is not None  # only such are told as taken back
    return called_back(
        RECORD,
        scope.identify("hit called back", hit.part),
        _record_id(scope, hit),
        hit.taken_back.at,
        TAKEN_BACK,
    )


def _record_id(scope: Scope, hit: Hit) -> str:
    return scope.identify("hit", hit.part)
