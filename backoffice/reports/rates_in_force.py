"""What sums of any currency were worth in the base currency at the time, by the rates in the log."""

from bisect import bisect_right
from datetime import datetime
from fractions import Fraction
from functools import cache

from backoffice.domain.network.events import RateSet
from backoffice.kernel.exchange import base_value, parse_rate
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading


class RatesInForce:
    """The network's rates, each with its place in the log: what was said later does not count for what was before."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._set_by = cache(self._read)

    @property
    def base(self) -> str:
        """The network's base currency."""
        return self._reading.network.base_currency

    def worth(self, minor: int, currency: str, moment: datetime, position: int) -> Fraction | None:
        """`minor` units in minor units of the base currency, exactly, for what happened at `moment` and stands at `position`.

        None where no rate was in force then.
        """
        if currency == self.base:
            return Fraction(minor)
        rate = self._at(currency, moment, position)
        return None if rate is None else base_value(minor, currency, parse_rate(rate), self.base)

    def _at(self, currency: str, moment: datetime, position: int) -> str | None:
        """The last rate accepted before `position` whose time is not after `moment` (FORMAT.md)."""
        positions, rates = self._set_by(currency)
        for index in range(bisect_right(positions, position) - 1, -1, -1):
            if (since := rates[index].since) is None or since <= moment:
                return rates[index].rate
        return None

    def _read(self, currency: str) -> tuple[list[int], list[RateSet]]:
        positions, rates = [], []
        for recorded in self._reading.log.read_stream(f"rates/{currency}"):
            event = decoded(self._reading.codec, recorded)
            assert isinstance(event, RateSet)
            positions.append(recorded.position)
            rates.append(event)
        return positions, rates
