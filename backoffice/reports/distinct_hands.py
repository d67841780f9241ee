"""Bets added up by distinct hands: on a shared hand five hundred players are one observation, not five hundred.

What is observed is what decides the bet. A jackpot mark and a fixed Bonus hang on the box's own hand. An ante, a call and
the 5+1 Bonus hang on the dealer's cards as well, and a pot on everybody's: there one round is one observation.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, case, false, func, literal, or_, select, tuple_

from backoffice.domain.network.events import TableDefined
from backoffice.projections.projection import NAME
from backoffice.projections.round_lines import round_lines as lines
from backoffice.projections.rounds import rounds
from backoffice.reports.bands import Observed
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading
from backoffice.rules.book import FixedBonus, HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.returns import Staked

FILTERS: Mapping[str, ColumnElement[Any]] = {
    "book": rounds.c.ruleset,
    "bet": lines.c.bet,
    "table": rounds.c.table_id,
    "dealer": rounds.c.dealer,
    "shift": rounds.c.shift,
}
"""What bets can be chosen by, beside casino and day."""

PARTS: Mapping[str, ColumnElement[Any]] = {name: FILTERS[name] for name in ("table", "dealer", "shift")}
"""What the bets of a book can be told apart by."""
WHOLE = "book"

_OWN_HAND = [
    (book.id, bet)
    for book in SHELF.values()
    if isinstance(book, HouseBook) and not book.shared_hand
    for bet in ("jackpot", *(["bonus"] if isinstance(book.bonus, FixedBonus) else []))
]


class Played(NamedTuple):
    """All bets of one kind in one currency."""

    book: str
    bet: str
    currency: str
    jackpot: str | None
    stake_returned: bool
    """Whether the table pays its Bonus with the stake."""
    part: str | None
    """The table, dealer or shift, where they are told apart."""
    pool_prizes: int
    """The part of what was paid that came out of a pool."""
    contributed: int
    cut: int
    observed: Observed

    @property
    def hands(self) -> int:
        """How many different hands were bet on."""
        book = SHELF[self.book]
        shared = isinstance(book, HouseBook) and book.shared_hand
        return self.observed.observations if shared else self.observed.staked.bets


def played(reading: Reading) -> Iterator[Played]:
    """The bets asked for, of rounds by the day they ended, as their results hold now; refunded ones are none."""
    for row in reading.connection.execute(_query(reading)).mappings():
        whole = {
            name: value if isinstance(value, str | bool | None) else int(value) for name, value in row.items()
        }
        yield _played(whole)


def _played(row: dict[str, Any]) -> Played:
    staked = Staked(*(row.pop(name) for name in Staked._fields))
    observed = Observed(
        staked=staked, **{name: row.pop(name) for name in Observed._fields if name != "staked"}
    )
    return Played(observed=observed, **row)


def _query(reading: Reading) -> Select[Any]:
    """Once by observation, then by kind of bet."""
    each = _observations(reading).cte("each")
    kind = [each.c[name] for name in ("book", "bet", "currency", "jackpot", "stake_returned", "part")]
    stake, bets, paid = each.c.stake, each.c.bets, each.c.paid
    sums = {
        "pool_prizes": each.c.pool_prizes,
        "contributed": each.c.contributed,
        "cut": each.c.cut,
        "stake": stake,
        "bets": bets,
        "stake_squares": stake * stake,
        "stake_bets": stake * bets,
        "bets_squares": bets * bets,
        "paid": paid,
        "paid_squares": paid * paid,
        "paid_stakes": paid * stake,
    }
    return (
        select(
            *kind,
            func.count().label("observations"),
            *(func.sum(sum_).label(name) for name, sum_ in sums.items()),
        )
        .group_by(*kind)
        .order_by(*kind)
    )


def _observations(reading: Reading) -> Select[Any]:
    by = reading.asked.only.get("by", WHOLE)
    kind = [
        rounds.c.ruleset.label("book"),
        lines.c.bet,
        lines.c.currency,
        case((lines.c.bet == "jackpot", rounds.c.jackpot)).label("jackpot"),
        and_(lines.c.bet == "bonus", _stake_returned(reading)).label("stake_returned"),
        (literal(None, NAME) if by == WHOLE else PARTS[by]).label("part"),
    ]
    hand = case((tuple_(rounds.c.ruleset, lines.c.bet).in_(_OWN_HAND), lines.c.seat), else_=literal(""))
    sums = {
        "stake": lines.c.stake_minor,
        "paid": lines.c.payout_minor,
        "pool_prizes": case((lines.c.paid_by == "pool", lines.c.payout_minor), else_=0),
        "contributed": lines.c.pooled_minor,
        "cut": lines.c.cut_minor,
    }
    return (
        select(
            *kind, func.count().label("bets"), *(func.sum(sum_).label(name) for name, sum_ in sums.items())
        )
        .join_from(lines, rounds, lines.c.round == rounds.c.round)
        .where(lines.c.replaced_at.is_(None), lines.c.result != "refund", _asked(reading))
        .group_by(*kind, lines.c.round, hand)
    )


def _asked(reading: Reading) -> ColumnElement[bool]:
    """Each casino's bets by its own days."""
    of_casinos = []
    for casino in reading.casinos:
        bounds = reading.bounds(casino)
        ended = [] if bounds is None else [rounds.c.ended_at >= bounds.begin, rounds.c.ended_at < bounds.end]
        of_casinos.append(and_(lines.c.casino == casino, *ended))
    chosen = [
        column == reading.asked.only[name] for name, column in FILTERS.items() if name in reading.asked.only
    ]
    return and_(or_(false(), *of_casinos), *chosen)


def _stake_returned(reading: Reading) -> ColumnElement[bool]:
    """Whether the round was opened while its table paid a Bonus with the stake."""
    since: dict[str, int] = {}
    spans = []
    for recorded in reading.log.read_stream("network"):
        match decoded(reading.codec, recorded):
            case TableDefined(table=table, terms=terms):
                if table in since:
                    spans.append((table, since.pop(table), recorded.position))
                if terms.bonus_returns_stake:
                    since[table] = recorded.position
    spans += [(table, begin, reading.place.position + 1) for table, begin in since.items()]
    return or_(
        false(),
        *(
            and_(rounds.c.table_id == table, rounds.c.first_position > begin, rounds.c.first_position < end)
            for table, begin, end in spans
        ),
    )
