"""Money: a whole number of minor units and a currency. Nothing else, and never a float."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from backoffice.kernel.currencies import format_minor, parse_minor


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of one currency, in its minor units; adding two currencies is a bug and crashes."""

    minor: int
    currency: str

    @classmethod
    def parse(cls, text: str, currency: str) -> Self:
        """`Money.parse("10.00", "EUR")`. Raises BadAmount."""
        return cls(parse_minor(text, currency), currency)

    def __add__(self, other: "Money") -> "Money":
        if self.currency != other.currency:
            raise TypeError(f"{self} and {other} are of two currencies")
        return Money(self.minor + other.minor, self.currency)

    def __neg__(self) -> "Money":
        return Money(-self.minor, self.currency)

    def __str__(self) -> str:
        return f"{self.text} {self.currency}"

    @property
    def text(self) -> str:
        """The amount as a decimal string with all the digits of its currency."""
        return format_minor(self.minor, self.currency)


the_money = lru_cache(maxsize=8192)(Money)
"""Money by its parts. Chips are round, so few amounts are new: looking one up is a fifth of the price of making it."""
