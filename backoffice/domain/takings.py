"""Event -> what it brings or costs each casino, by kind of bet: the figures of revenue, by one pure function.

In minor units, and negative where it is taken back: a reversal is the settlement with other signs, and what it refunds.
Stakes are whole; the part of a mark that joins a jackpot stands in `contributions` as well. What a jackpot's table pays is
a fixed prize where the house pays it and a pool prize where the pool does. `ggr` is stakes less winnings, without
contributions and pool prizes (design.md, 6); of a pot it is the rake, which goes to the casinos of its winners, while
`commission` is the same rake by whose stakes it came out of. Refunded stakes are no stakes. `borne` is what the house gives
back of contributions to a pool that has been paid out, `written_off` what it lets go of a debt, `compensation` what was paid
for cancelled rounds: costs beside the games.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, get_args

from backoffice.domain.cases.events import CompensationPaid, CompensationTakenBack, DebtWrittenOff, MoneyMoved
from backoffice.domain.event import Event
from backoffice.domain.jackpots.division import divide_by_weight
from backoffice.domain.rounds.events import (
    CancellationRequested,
    Line,
    PlayerLeft,
    PotSettled,
    Raked,
    RoundCancelled,
    RoundCorrected,
    RoundReversed,
    RoundSettled,
    StakeUndone,
    TakenBack,
    Withdrawal,
)
from backoffice.rules.settlement import Bet

Drawer: TypeAlias = tuple[str, str]
"""A casino and a currency."""
Takings: TypeAlias = Mapping[Drawer, Counter[str]]

STAKES = ("ante_stakes", "call_stakes", "bonus_stakes", "exchange_stakes", "jackpot_stakes", "pot_stakes")
PAYOUTS = ("ante_payouts", "call_payouts", "bonus_payouts", "pot_payouts", "fixed_prizes", "pool_prizes")
COUNTS = ("rounds", "hands", "cancelled")
"""Settled rounds, seats settled in them, cancelled or reversed rounds."""
MONEY = (
    *STAKES,
    *PAYOUTS,
    "contributions",
    "refunds",
    "rake",
    "commission",
    "ggr",
    "compensation",
    "borne",
    "written_off",
)
"""What a taking says in money."""


def takings(event: Event) -> Takings:
    """What `event` brings each casino in each currency; empty for a fact that brings none anything."""
    return _TAKINGS[type(event)](event) if type(event) in _TAKINGS else {}


class _Sum(dict[Drawer, Counter[str]]):
    """Takings being added up."""

    def __missing__(self, drawer: Drawer) -> Counter[str]:
        return self.setdefault(drawer, Counter())

    def result(self, lines: Iterable[Line], sign: int = 1) -> None:
        """A result of a round, or the taking back of one."""
        seats: dict[Drawer, set[str]] = {}
        for line in lines:
            drawer = (line.casino, line.currency)
            if line.result == "refund":
                self[drawer]["refunds"] += sign * line.payout
                continue
            seats.setdefault(drawer, set()).add(line.seat)
            brought = self[drawer]
            for name, minor in _amounts(line):
                brought[name] += sign * minor
        for drawer, seated in seats.items():
            self[drawer]["rounds"] += sign
            self[drawer]["hands"] += sign * len(seated)

    def refund(self, stakes: Iterable[tuple[Drawer, int]], sign: int = 1) -> None:
        """Stakes given back because a round does not count, or taken again because it does."""
        drawers = set()
        for drawer, minor in stakes:
            self[drawer]["refunds"] += sign * minor
            drawers.add(drawer)
        for drawer in drawers:
            self[drawer]["cancelled"] += sign

    def pot(self, lines: Sequence[Line], raked: Sequence[Raked], sign: int = 1) -> None:
        """The rake of a pot: by who got it, and by whose stakes it came out of."""
        for rake in raked:
            for name in ("rake", "ggr"):
                self[rake.casino, rake.amount.currency][name] += sign * rake.amount.minor
        for line, minor in zip(lines, commissions(lines, raked), strict=True):
            self[line.casino, line.currency]["commission"] += sign * minor

    def borne(self, marks: Iterable[Withdrawal | TakenBack], sign: int = 1) -> None:
        """Contributions that the house gives back, or gets again."""
        for mark in marks:
            currency = mark.currency if isinstance(mark, Withdrawal) else mark.stake.currency
            if mark.borne_by == "house" and mark.contribution:
                self[mark.casino, currency]["borne"] += sign * mark.contribution


def commissions(lines: Sequence[Line], raked: Sequence[Raked]) -> list[int]:
    """What each line of a pot bears of its rake: in proportion to the stakes, by the largest remainder, ties in order."""
    rake = sum(one.amount.minor for one in raked)
    stakes = [Fraction(line.stake) for line in lines]
    return divide_by_weight(rake, stakes) if rake else [0] * len(lines)


def _amounts(line: Line) -> Iterable[tuple[str, int]]:
    yield _STAKES[line.bet], line.stake
    yield "contributions", line.pooled
    if line.bet == "pot":
        yield "pot_payouts", line.payout
        return
    paid = line.payout if line.paid_by == "house" else 0
    yield "ggr", line.stake - line.pooled - paid
    if line.bet == "jackpot":
        yield "fixed_prizes", paid
        yield "pool_prizes", line.payout - paid
    elif line.bet != "exchange":
        yield _PAYOUTS[line.bet], line.payout


_STAKES: Mapping[Bet, str] = {bet: f"{bet}_stakes" for bet in get_args(Bet)}
_PAYOUTS: Mapping[Bet, str] = {bet: f"{bet}_payouts" for bet in get_args(Bet)}


def _settled(event: RoundSettled) -> Takings:
    brought = _Sum()
    brought.result(event.lines)
    return brought


def _pot_settled(event: PotSettled) -> Takings:
    brought = _Sum()
    brought.result(event.lines)
    brought.pot(event.lines, event.raked)
    return brought


def _cancelled(event: RoundCancelled) -> Takings:
    brought = _Sum()
    brought.refund(((line.casino, line.currency), line.stake) for line in event.lines)
    return brought


def _reversed(event: RoundReversed) -> Takings:
    brought = _Sum()
    brought.result(event.lines, -1)
    brought.pot(event.lines, event.raked, -1)
    brought.refund(((line.casino, line.currency), line.stake) for line in event.lines)
    brought.borne(event.contributions)
    return brought


def _corrected(event: RoundCorrected) -> Takings:
    brought = _Sum()
    brought.refund((((one.casino, one.stake.currency), one.stake.minor) for one in event.stakes), -1)
    brought.borne(event.stakes, -1)
    return brought


def _requested(event: CancellationRequested) -> Takings:
    brought = _Sum()
    brought.borne(event.withdrawals)
    return brought


def _taken_back(event: StakeUndone | PlayerLeft) -> Takings:
    brought = _Sum()
    brought.borne(event.stakes)
    return brought


def _moved(name: str, sign: int = 1) -> Callable[[MoneyMoved], Takings]:
    def moved(event: MoneyMoved) -> Takings:
        return {(event.casino, event.amount.currency): Counter({name: sign * event.amount.minor})}

    return moved


_TAKINGS: dict[type[Event], Callable[[Any], Takings]] = {
    RoundSettled: _settled,
    PotSettled: _pot_settled,
    RoundCancelled: _cancelled,
    RoundReversed: _reversed,
    RoundCorrected: _corrected,
    CancellationRequested: _requested,
    StakeUndone: _taken_back,
    PlayerLeft: _taken_back,
    CompensationPaid: _moved("compensation"),
    CompensationTakenBack: _moved("compensation", -1),
    DebtWrittenOff: _moved("written_off"),
}
TAKING: tuple[type[Event], ...] = tuple(_TAKINGS)
"""The kinds of facts that bring or cost a casino something."""
RESULTS = frozenset({RoundSettled, PotSettled, RoundCancelled, RoundReversed, RoundCorrected})
"""Those of them that belong to the day of their round, whenever they happen."""
