"""What each hand would win from the house in the rounds that are not over yet.

On a shared hand whatever it wins is won by everyone: five hundred marks are five hundred prizes. Where every box has a hand of
its own, a hand wins what it wins on the box with the most at stake. Only what the house pays counts: no part of a pool, and
no fixed prize that the pool pays. Everyone is taken to call, and the dealer to play and to lose.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Select, select

from backoffice.domain.rounds.decisions import Round, evolve_round
from backoffice.domain.rounds.house_state import HouseRound, HouseSeat
from backoffice.kernel.hands import Category
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.reports.decoding import decoded
from backoffice.reports.exceptions.unfinished import ENDED
from backoffice.reports.jackpots_now import jackpots_now
from backoffice.reports.reading import Reading
from backoffice.reports.report import Report, Row, counts, sums, texts
from backoffice.reports.rounds_asked import rounds_opened
from backoffice.rules.book import Amounts, Chips, FixedBonus, OddsBonus


class Winnings(NamedTuple):
    """What one hand would win, in minor units: on ante, call and Bonus together, and as fixed prizes of the jackpot."""

    bets: int
    fixed_prizes: int


def _rows(reading: Reading) -> Iterator[Row]:
    by_pools = {name for name, pool in jackpots_now(reading).items() if pool.terms.fixed_prizes == "pool"}
    for row in reading.stream(_query(reading)):
        state = _state(reading, row["round"])
        if isinstance(state, HouseRound) and state.seats:
            about = {name: row[name] for name in ("round", "number", "table_id", "ruleset", "phase")}
            yield from (
                about | told
                for told in _exposed(state, reading, row["opened_at"], prizes=row["jackpot"] not in by_pools)
            )


def _query(reading: Reading) -> Select[Any]:
    order = (rounds.c.opened_at, rounds.c.first_position)
    return select(rounds).where(rounds.c.phase.not_in(ENDED), rounds_opened(reading)).order_by(*order)


def _state(reading: Reading, round_id: str) -> Round | None:
    state: Round | None = None
    for recorded in reading.log.read_stream(f"round/{round_id}"):
        if recorded.position <= reading.place.position:
            state = evolve_round(state, decoded(reading.codec, recorded))
    return state


def _exposed(
    state: HouseRound, reading: Reading, opened_at: datetime, *, prizes: bool
) -> Iterator[dict[str, Any]]:
    """A row for each hand, casino and currency."""
    boxes = [seat for seat in state.seats.values() if reading.is_asked(seat.wallet.casino, opened_at)]
    for (casino, currency), seats in groupby(sorted(boxes, key=_drawer), key=_drawer):
        here = list(seats)
        for hand in sorted(Category, reverse=True):
            won = [_won(state, seat, hand, prizes=prizes) for seat in here]
            altogether = _together(won) if state.book.shared_hand else max(won, key=sum)
            yield {
                "casino": casino,
                "currency": currency,
                "hand": hand.words,
                "boxes": len(here),
                "marks": sum(seat.mark is not None for seat in here),
                **altogether._asdict(),
                "altogether": sum(altogether),
            }


def _drawer(seat: HouseSeat) -> tuple[str, str]:
    return seat.wallet.casino, seat.wallet.currency


def _together(won: list[Winnings]) -> Winnings:
    return Winnings(sum(one.bets for one in won), sum(one.fixed_prizes for one in won))


def _won(state: HouseRound, seat: HouseSeat, hand: Category, *, prizes: bool) -> Winnings:
    ante, currency = seat.total("ante"), seat.wallet.currency
    on_call = 2 * ante * state.book.call_odds[hand] + _on_bonus(state, seat, hand)
    cap = state.opened.terms.max_payout.get(currency) if state.book.capped else None
    bets = ante + (on_call if cap is None else min(cap, on_call))
    return Winnings(bets, _fixed_prize(state, seat, hand) if prizes else 0)


def _on_bonus(state: HouseRound, seat: HouseSeat, hand: Category) -> int:
    stake = seat.total("bonus")
    match state.book.bonus:
        case OddsBonus(odds):
            return stake * odds.get(hand, 0)
        case FixedBonus(prizes=prizes) if stake:
            return prizes.get(hand, 0)
        case _:
            return 0


def _fixed_prize(state: HouseRound, seat: HouseSeat, hand: Category) -> int:
    if seat.mark is None or seat.exchanged or state.book.jackpot is None:
        return 0
    match state.book.jackpot.prizes.get(hand):
        case Chips(times):
            return times * seat.mark.minor
        case Amounts(by_currency):
            return by_currency[seat.wallet.currency]
        case _:
            return 0


EXPOSURE = Report(
    name="exposure",
    title="Exposure",
    about="what each hand would win from the house in the rounds that are not over, on a shared hand by all who play it",
    columns=(
        *texts("round", "number", "table_id", "ruleset", "phase", "casino", "currency", "hand"),
        *counts("boxes", "marks", summed=False),
        *sums("bets", "fixed_prizes", "altogether", summed=False),
    ),
    rows=_rows,
    needs=(ROUNDS,),
)
