"""What staff asks for in a trial of the workers: only what the house accepts, or the trial ends there."""

import pytest

from backoffice.domain.cases.commands import Propose
from backoffice.domain.cases.events import DisputeOpened
from backoffice.domain.cases.state import evolve_case
from backoffice.kernel.money import Money
from ops.disturbances.evening import Office


@pytest.mark.parametrize(("claimed", "due", "amounts"), [(90, 80, {"0.10", "0.00"}), (80, 90, {"0.00"})])
def test_of_a_dispute_the_difference_is_proposed_or_nothing(claimed, due, amounts):
    opened = DisputeOpened(
        case="dispute/r/1/ante",
        round="r",
        seat="1",
        casino="tallinn",
        player="ann",
        bet="ante",
        claimed=Money(claimed, "EUR"),
        due=Money(due, "EUR"),
    )
    cases = {opened.case: evolve_case(None, opened)}
    asked = [request.command for seed in range(40) for request in Office(seed).decide_cases(cases)]
    assert {command.amount for command in asked if isinstance(command, Propose)} == amounts
