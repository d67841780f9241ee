"""Online_EndOfDay_Games: a gaming day's totals of the games against the house, a record for each of the casino's currencies."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from backoffice.reports.regulators.gr_games import GAMES
from backoffice.reports.regulators.greek import LIVE, batch, euros
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.hits import hits, hits_taken_back
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.register import Stretch
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.totals import Totals, add_up
from backoffice.reports.regulators.values import utc

END_OF_DAY = "gr-end-of-day-games"
RECORD = "Online_EndOfDay_Game"


@dataclass(frozen=True, slots=True)
class Day:
    """What a record says of the day itself: its id, that of the record it replaces, when the day began, where it was played."""

    record: str
    before: str | None
    began_at: datetime
    made_at: datetime
    domain: str


@dataclass(frozen=True, slots=True)
class JackpotsWon:
    """How many hits of the day paid players in one currency and stood when it ended; how much pools paid that day.

    What was taken back is taken off: of the sum whenever it was won, of the number only where it was won that day.
    """

    hits: int = 0
    paid_minor: int = 0


def games_day_document(scope: Scope, heading: Heading) -> Document:
    """The whole day. Raises ParticularMissing and, while it is written, Unwritable."""
    return batch(scope, heading, RECORD, _records(scope, heading))


def end_of_day_record(day: Day, currency: str, totals: Totals, jackpots: JackpotsWon) -> Node:
    """A day in one currency. Nobody here plays with bonuses, and no session is told before it is complete."""
    nothing = euros(0, currency)
    return Node(
        RECORD,
        leaves(
            RecordID=day.record,
            ReplacedRecordID=day.before,
            ReportDate=utc(day.began_at),
            ReportCreationDate=utc(day.made_at),
            Currency=currency,
            DomainName=day.domain,
            GameCategoryA=LIVE,
            TotalNumberGameSessions=str(totals.played),
            TotalNumberPlayers=str(totals.players),
            TotalNumberPlayersWon=str(totals.winners),
            TotalAmountWagered=euros(totals.stake_minor, currency),
            TotalAmountJackpotRake=euros(totals.jackpot_minor, currency),
            TotalNonRedeemableBonusAmountWagered=nothing,
            TotalAmountWon=euros(totals.won_minor, currency),
            TotalNonRedeemableBonusAmountWon=nothing,
            TotalRedeemableBonusAmount=nothing,
            TotalNumberJackpots=str(jackpots.hits),
            TotalAmountWonJackpots=euros(jackpots.paid_minor, currency),
            TotalNumberIncompleteGameSessions="0",
        ),
    )


def jackpots_won(scope: Scope) -> dict[str, JackpotsWon]:
    """What pools paid the casino's players that day, less what was taken back that day, by the currency it was paid in."""
    known = Stretch(0, scope.position)
    count: Counter[str] = Counter()
    paid: Counter[str] = Counter()
    for sign, found in ((1, hits(scope, known)), (-1, hits_taken_back(scope, known))):
        for hit in found:
            own = hit.wins_of(scope.casino)
            of_the_day = hit.won.at >= scope.bounds.begin
            for currency in {win.paid_currency for win in own}:
                count[currency] += sign * of_the_day
                paid[currency] += sign * sum(win.paid_minor for win in own if win.paid_currency == currency)
    return {currency: JackpotsWon(count[currency], paid[currency]) for currency in count}


def _records(scope: Scope, heading: Heading) -> Iterator[Node]:
    before = scope.replaced(heading.replaces)
    won = jackpots_won(scope)
    for currency in scope.currencies:
        told_before = before is not None and currency in before.currencies
        day = Day(
            record=_record_id(scope, heading.number, currency),
            before=_record_id(scope, heading.replaces, currency) if told_before else None,
            began_at=scope.bounds.begin,
            made_at=heading.made_at,
            domain=scope.particular("domain"),
        )
        totals = add_up(GAMES.so_far(scope, currency), scope.bounds.begin)
        yield end_of_day_record(day, currency, totals, won.get(currency, JackpotsWon()))


def _record_id(scope: Scope, number: int | None, currency: str) -> str:
    return scope.identify("day", number, currency)
