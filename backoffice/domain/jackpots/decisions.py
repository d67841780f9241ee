"""Defining a jackpot and changing its parameters."""

from collections.abc import Callable

from backoffice.domain.event import Event, Refused
from backoffice.domain.jackpots.events import BucketMoved, JackpotDefined, JackpotSeeded, JackpotTermsChanged
from backoffice.domain.jackpots.state import Jackpot
from backoffice.domain.terms import JackpotTerms
from backoffice.kernel.money import Money


def define_jackpot(
    state: Jackpot | None, jackpot: str, terms: JackpotTerms, worth: Callable[[], int]
) -> list[Event]:
    """A new jackpot with its first pool seeded, or changed parameters for the next pool, or nothing where nothing changed.

    Raises Refused for a new ceiling below what the running pool is `worth` (asked only then), in the base currency.
    """
    if state is None:
        return [JackpotDefined(jackpot=jackpot, terms=terms), seed_pool(jackpot, 1, terms)]
    if terms == (state.next_terms or state.terms):
        return []
    _check_ceiling(jackpot, terms, worth)
    return [JackpotTermsChanged(jackpot=jackpot, terms=terms)]


def seed_pool(
    jackpot: str, cycle: int, terms: JackpotTerms, from_reserve: tuple[BucketMoved, ...] = ()
) -> JackpotSeeded:
    """The fact that pool number `cycle` begins: with its seed, from the network's own money, and what the reserve had."""
    seed = Money(terms.seed, terms.currency)
    return JackpotSeeded(jackpot=jackpot, cycle=cycle, seed=seed, from_reserve=from_reserve)


def _check_ceiling(jackpot: str, terms: JackpotTerms, worth: Callable[[], int]) -> None:
    if terms.ceiling is not None and terms.ceiling < (shown := worth()):
        ceiling, pool = Money(terms.ceiling, terms.currency), Money(shown, terms.currency)
        raise Refused(f"the ceiling of {ceiling} is below what jackpot {jackpot} holds, {pool}", "ceiling")
