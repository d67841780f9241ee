"""Defining a jackpot and changing its parameters."""

from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import JackpotDefined, JackpotSeeded, JackpotTermsChanged
from backoffice.domain.jackpots.state import Jackpot
from backoffice.domain.terms import JackpotTerms
from backoffice.kernel.money import Money


def define_jackpot(state: Jackpot | None, jackpot: str, terms: JackpotTerms) -> list[Event]:
    """A new jackpot with its first pool seeded, or changed parameters for the next pool, or nothing where nothing changed."""
    if state is None:
        return [JackpotDefined(jackpot=jackpot, terms=terms), seed_pool(jackpot, 1, terms)]
    if terms == (state.next_terms or state.terms):
        return []
    return [JackpotTermsChanged(jackpot=jackpot, terms=terms)]


def seed_pool(jackpot: str, cycle: int, terms: JackpotTerms) -> JackpotSeeded:
    """The fact that pool number `cycle` begins with its seed, from the network's own money."""
    return JackpotSeeded(jackpot=jackpot, cycle=cycle, seed=Money(terms.seed, terms.currency))
