"""The shared jackpot by FORMAT.md's six steps and their paragraph on percentages, written from the text alone.

Decimals in major units throughout, as a person with a calculator would do it; nothing of the house's is used.
"""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext

DIGITS = {"EUR": 2, "SEK": 2, "CHF": 2, "JPY": 0, "KWD": 3}
BASE = "EUR"
SEED = ("-", BASE)
Buckets = dict[tuple[str, str], Decimal]


@dataclass(frozen=True)
class Winner:
    """A marked hand that wins; `percent` of the pool or a `fixed` sum of its own currency."""

    seat: str
    casino: str
    currency: str
    stake: Decimal
    percent: int = 0
    fixed: Decimal = Decimal(0)


@dataclass(frozen=True)
class Hit:
    """One percentage, won: what the pool was worth, what was won, and each winner's part in base and in the own currency."""

    percent: int
    pool: Decimal
    won: Decimal
    parts: dict[str, Decimal]
    paid: dict[str, Decimal]


def cut(amount: Decimal, currency: str, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """To the minor unit of the currency."""
    with localcontext(prec=80):
        return amount.quantize(Decimal(1).scaleb(-DIGITS[currency]), rounding)


def worth(buckets: Buckets, rates: dict[str, Decimal]) -> Decimal:
    """3. Each bucket is converted once, rounded half to even to the base currency's minor unit. The pool is the sum."""
    with localcontext(prec=80):
        return sum((cut(held / rates[code], BASE) for (_, code), held in buckets.items()), Decimal(0))


def pay(
    buckets: Buckets, rates: dict[str, Decimal], winners: list[Winner], *, split: str, fixed_prizes: str
) -> tuple[list[Hit], Buckets]:
    """What the winners, in the order of their marks, are paid, and what is left in the buckets."""
    left = dict(buckets)
    if fixed_prizes == "pool":
        for winner in winners:
            if not winner.percent:
                bucket = (winner.casino, winner.currency)
                left[bucket] = left.get(bucket, Decimal(0)) - winner.fixed
    hits = []
    for percent in sorted({winner.percent for winner in winners if winner.percent}):
        pool = worth(left, rates)
        counted = max(pool, Decimal(0))
        won = cut(counted * percent / 100, BASE)
        mine = [winner for winner in winners if winner.percent == percent]
        parts = dict(zip([winner.seat for winner in mine], shares(won, mine, rates, split), strict=True))
        paid = {
            winner.seat: cut(parts[winner.seat] * rates[winner.currency], winner.currency) for winner in mine
        }
        hits.append(Hit(percent, pool, won, parts, paid))
        if percent == 100:
            left = dict.fromkeys(left, Decimal(0))
        else:
            left[SEED] = left.get(SEED, Decimal(0)) - won
    return hits, left


def shares(won: Decimal, winners: list[Winner], rates: dict[str, Decimal], split: str) -> list[Decimal]:
    """4. Equal: the first get one unit more. By stake: largest remainder over stake / rate, ties in the same order."""
    unit = Decimal(1).scaleb(-DIGITS[BASE])
    with localcontext(prec=80):
        if split == "equal":
            exact = [won / len(winners)] * len(winners)
        else:
            weights = [winner.stake / rates[winner.currency] for winner in winners]
            exact = [won * weight / sum(weights) for weight in weights]
        # Eighty digits are not all digits: a whole number of cents may have come out a hair below itself.
        exact = [part.quantize(Decimal("1e-50")) for part in exact]
        parts = [cut(part, BASE, ROUND_FLOOR) for part in exact]
        missing = int((won - sum(parts)) / unit)
        remainders = [part - floor for part, floor in zip(exact, parts, strict=True)]
        for index in sorted(range(len(parts)), key=lambda place: (-remainders[place], place))[:missing]:
            parts[index] += unit
    return parts
