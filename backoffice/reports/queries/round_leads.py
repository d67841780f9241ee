"""The index by which a search for rounds is led: the one that leaves the fewest to look at. Its order is that of the pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, Table, literal_column, select, true, tuple_

from backoffice.domain.rounds.house_state import SHARED
from backoffice.domain.rounds.phase import Phase
from backoffice.projections.round_lines import round_lines
from backoffice.projections.rounds import DEALER, round_casinos, round_hands, round_players, rounds
from backoffice.reports.queries.paging import Order, looked_up
from backoffice.reports.scope import EVERYTHING, Scope

OVER = frozenset({Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED})
"""Phases in which nothing more is played."""


class Between(NamedTuple):
    """Amounts from and to, in minor units, both included; None: no matter."""

    least: int | None = None
    most: int | None = None

    @property
    def asked(self) -> bool:
        """Whether it says anything."""
        return self != (None, None)

    def holds(self, column: ColumnElement[int]) -> list[ColumnElement[bool]]:
        """That an amount is between them."""
        least = [] if self.least is None else [column >= self.least]
        return least if self.most is None else [*least, column <= self.most]


@dataclass(frozen=True, slots=True)
class RoundSearch:
    """What rounds are searched by; everything that is given must be so.

    `since` and `until` (not included) are when the round was opened; with a player, when the player joined it; else with
    a hand or cards, when they were held. Amounts are those of a bet of `currency` as it was settled or refunded.
    """

    scope: Scope = EVERYTHING
    """The casinos whose tables, players and bets are looked at."""
    number: str | None = None
    table: str | None = None
    player: str | None = None
    phases: tuple[Phase, ...] = ()
    suspended: bool = False
    hand: str | None = None
    cards: str | None = None
    """Five cards, highest first, as they are kept."""
    since: datetime | None = None
    until: datetime | None = None
    currency: str | None = None
    stake: Between = field(default=Between())
    payout: Between = field(default=Between())

    @property
    def pays(self) -> bool:
        """Whether amounts are asked for."""
        return self.stake.asked or self.payout.asked

    @property
    def subject(self) -> str:
        """What `since` and `until` are about."""
        if self.player is not None:
            return "player"
        return "round" if self.hand is None and self.cards is None else "hand"


class Lead(NamedTuple):
    """A search's leading index: which rounds, in which order; which conditions are left for the rounds themselves."""

    rounds: Select[Any]
    """Selects `round` and the columns of the order."""
    order: Order
    position: ColumnElement[int]
    rest: list[ColumnElement[bool]]


def lead_of(search: RoundSearch) -> Lead:
    """How to search."""
    for fits, lead in _LEADS:
        if fits(search):
            return lead(search)
    return _by_time(search)


def _by_number(search: RoundSearch) -> Lead:
    return _over_rounds(search, rounds.c.number == search.number, "number")


def _by_table(search: RoundSearch) -> Lead:
    return _over_rounds(search, rounds.c.table_id == search.table, "table")


def _by_phase(search: RoundSearch) -> Lead:
    of_index = rounds.c.phase != literal_column("'settled'")
    return _over_rounds(search, _in_phase(search) & of_index, "phases")


def _by_time(search: RoundSearch) -> Lead:
    return _over_rounds(search, true(), "")


def _over_rounds(search: RoundSearch, leading: ColumnElement[bool], answered: str) -> Lead:
    at, position = rounds.c.opened_at, rounds.c.first_position
    return Lead(
        select(rounds.c.round, at, position).where(leading, *_in_time(search, "round", at)),
        Order((at, position), falling=True),
        position,
        _rest(search, answered, "time"),
    )


def _by_casino(search: RoundSearch) -> Lead:
    at, position = round_casinos.c.opened_at, round_casinos.c.position
    return Lead(
        select(round_casinos.c.round, at, position).where(
            search.scope.holds(round_casinos.c.casino), *_in_time(search, "round", at)
        ),
        Order((at, position), falling=True),
        position,
        _rest(search, "scope", "time"),
    )


def _by_player(search: RoundSearch) -> Lead:
    """At the tables of the player's casino and at no other."""
    at, position = round_players.c.joined_at, round_players.c.position
    return Lead(
        select(round_players.c.round, at, position).where(*_joined(search)),
        Order((at, position), falling=True),
        position,
        _rest(search, "player", "scope", "time"),
    )


def _by_hand(search: RoundSearch) -> Lead:
    at, position = round_hands.c.happened_at, round_hands.c.position

    other = round_hands.alias("other")
    later = tuple_(other.c.happened_at, other.c.position, other.c.seat) > tuple_(
        at, position, round_hands.c.seat
    )
    again = looked_up(other, other.c.round == round_hands.c.round, later, *_held(search, other))
    return Lead(
        select(round_hands.c.round, at, position).where(*_held(search, round_hands), ~again),
        Order((at, position), falling=True),
        position,
        _rest(search, *(["hand"] if search.scope.whole else []), "time"),
    )


def _by_payout(search: RoundSearch) -> Lead:
    of_index = round_lines.c.payout_minor > literal_column("0")
    return _by_amount(search, "payout_minor", search.payout, [of_index], others=search.stake.asked)


def _by_stake(search: RoundSearch) -> Lead:
    return _by_amount(search, "stake_minor", search.stake, [], others=search.payout.asked)


def _by_amount(
    search: RoundSearch, name: str, asked: Between, of_index: list[ColumnElement[bool]], *, others: bool
) -> Lead:
    """The largest first; a round stands where its largest bet of those that are looked for does.

    Only where the whole network is looked at: the place of a round must not tell of another casino's bets.
    """
    lines, other = round_lines, round_lines.alias("other")
    amount, position = lines.c[name], lines.c.position
    larger = tuple_(other.c[name], other.c.position, other.c.seat, other.c.bet) > tuple_(
        amount, position, lines.c.seat, lines.c.bet
    )
    again = looked_up(
        other,
        other.c.round == lines.c.round,
        larger,
        other.c.currency == search.currency,
        *asked.holds(other.c[name]),
    )
    return Lead(
        select(lines.c.round, amount, position).where(
            lines.c.currency == search.currency, *asked.holds(amount), *of_index, ~again
        ),
        Order((amount, position), falling=True),
        position,
        _rest(search, *([] if others else ["amounts"])),
    )


_LEADS: tuple[tuple[Callable[[RoundSearch], bool], Callable[[RoundSearch], Lead]], ...] = (
    (lambda search: search.number is not None, _by_number),
    (lambda search: search.player is not None, _by_player),
    (lambda search: search.hand is not None or search.cards is not None, _by_hand),
    (lambda search: search.scope.whole and search.payout.least is not None, _by_payout),
    (lambda search: search.scope.whole and search.stake.least is not None, _by_stake),
    (lambda search: search.table is not None, _by_table),
    (lambda search: bool(search.phases) and Phase.SETTLED not in search.phases, _by_phase),
    (lambda search: len(search.scope.casinos) == 1, _by_casino),
)
"""What fits first leads."""


def _rest(search: RoundSearch, *answered: str) -> list[ColumnElement[bool]]:
    """What is asked and not answered by the lead, as conditions on rounds."""
    asked: dict[str, list[ColumnElement[bool]]] = {
        "scope": [] if search.scope.whole else [_at_table_of(search.scope)],
        "number": [] if search.number is None else [rounds.c.number == search.number],
        "table": [] if search.table is None else [rounds.c.table_id == search.table],
        "phases": [_in_phase(search)] if search.phases else [],
        "suspended": [rounds.c.suspended] if search.suspended else [],
        "player": [] if search.player is None else [_in_round(round_players, _joined(search))],
        "hand": _held_and_told(search),
        "amounts": [_in_round(round_lines, _paid(search, round_lines))] if search.pays else [],
        "time": _in_time(search, "round", rounds.c.opened_at),
    }
    return [
        condition for name, conditions in asked.items() if name not in answered for condition in conditions
    ]


def _in_round(table: Table, conditions: Iterable[ColumnElement[bool]]) -> ColumnElement[bool]:
    return looked_up(table, table.c.round == rounds.c.round, *conditions)


def _in_time(search: RoundSearch, subject: str, column: ColumnElement[datetime]) -> list[ColumnElement[bool]]:
    if subject != search.subject:
        return []
    since = [] if search.since is None else [column >= search.since]
    return since if search.until is None else [*since, column < search.until]


def _in_phase(search: RoundSearch) -> ColumnElement[bool]:
    return rounds.c.phase.in_([str(phase) for phase in search.phases])


def _at_table_of(scope: Scope) -> ColumnElement[bool]:
    return _in_round(round_casinos, [scope.holds(round_casinos.c.casino)])


def _joined(search: RoundSearch) -> list[ColumnElement[bool]]:
    return [
        search.scope.holds(round_players.c.casino),
        round_players.c.player == search.player,
        *_in_time(search, "player", round_players.c.joined_at),
    ]


def _held(search: RoundSearch, hands: FromClause) -> list[ColumnElement[bool]]:
    """That a hand is one of those that are looked for; nothing where none is."""
    named = [
        column == value
        for column, value in ((hands.c.hand, search.hand), (hands.c.cards, search.cards))
        if value is not None
    ]
    return named and [*named, *_in_time(search, "hand", hands.c.happened_at)]


def _held_and_told(search: RoundSearch) -> list[ColumnElement[bool]]:
    """That somebody held one of them whose hand the scope may be told of."""
    held, hands = _held(search, round_hands), round_hands.c
    if not held or search.scope.whole:
        return held and [_in_round(round_hands, held)]
    for_all = hands.seat.in_((SHARED, DEALER))
    return [_in_round(round_hands, [*held, for_all | _is_only_at_table_of(search.scope, round_hands)])]


def _is_only_at_table_of(scope: Scope, hands: FromClause) -> ColumnElement[bool]:
    """Whose a box is stands in no fact about its cards: where another casino plays, it may be theirs."""
    others = round_casinos.alias("others")
    return ~looked_up(others, others.c.round == hands.c.round, ~scope.holds(others.c.casino))


def _paid(search: RoundSearch, lines: FromClause) -> list[ColumnElement[bool]]:
    """That a bet is one of those that are looked for."""
    of_player = [] if search.player is None else [lines.c.player == search.player]
    return [
        search.scope.holds(lines.c.casino),
        lines.c.currency == search.currency,
        *of_player,
        *search.stake.holds(lines.c.stake_minor),
        *search.payout.holds(lines.c.payout_minor),
    ]
