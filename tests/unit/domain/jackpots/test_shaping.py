"""Which facts of a jackpot must be read to know it."""

from backoffice.domain.jackpots.events import (
    FixedPrizesDrawn,
    FixedPrizesReturned,
    JackpotDefined,
    JackpotEvent,
    PrizeDrawn,
)
from backoffice.domain.jackpots.state import SHAPING
from backoffice.domain.past import Past
from backoffice.domain.terms import ChipTerms, JackpotTerms
from backoffice.kernel.money import Money

PRIZES = (PrizeDrawn(seat="1", casino="riga", player="ann", amount=Money(250_000, "EUR")),)
PASSING = (
    FixedPrizesDrawn(jackpot="royal", round="r", cycle=1, prizes=PRIZES),
    FixedPrizesReturned(jackpot="royal", round="r", prizes=PRIZES),
)


def test_every_fact_of_a_jackpot_either_shapes_it_or_leaves_it_as_it_is() -> None:
    known = {kind.type_name for kind in JackpotEvent.__subclasses__()}
    assert known == {*SHAPING, *(event.type_name for event in PASSING)}


def test_what_does_not_shape_a_jackpot_need_not_be_read() -> None:
    past = Past()
    terms = JackpotTerms(currency="EUR", seed=1_000_000, chip={"EUR": ChipTerms(stake=100, pool=50)})
    past.evolve(JackpotDefined(jackpot="royal", terms=terms))
    jackpot = past.jackpots["royal"]
    for event in PASSING:
        past.evolve(event)
    assert past.jackpots == {"royal": jackpot}
    assert past.hits == {}
