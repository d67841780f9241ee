"""What facts cause is asked in their own words, whatever may be asked from outside by now."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from backoffice.app.reactions import Fact, reactions_to
from backoffice.domain.cases.commands import CarryOut
from backoffice.domain.cases.events import ProposalApproved
from backoffice.domain.event import Event
from backoffice.domain.rounds.commands import Refund
from backoffice.domain.rounds.events import CancellationRequested

ODD = "r-\u202e1\x85"
"""Such a name is refused by now; older facts may have it."""


def fact(event: Event) -> Fact:
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    return Fact(UUID(int=1), event, moment, "table/1")


def test_a_cancellation_of_an_older_round_is_carried_out_under_its_name():
    (request,) = reactions_to(fact(CancellationRequested(round=ODD, reason="x")))
    assert isinstance(request.command, Refund)
    assert request.command.round == ODD
    assert request.content()


@pytest.mark.parametrize(("final", "asked"), [(True, 1), (False, 0)])
def test_a_final_approval_of_an_older_case_is_carried_out_under_its_name(final, asked):
    approved = ProposalApproved(
        case=f"dispute/{ODD}/1/ante", proposal=1, by="otto", role="compliance", final=final
    )
    requests = reactions_to(fact(approved))
    assert len(requests) == asked
    for request in requests:
        assert isinstance(request.command, CarryOut)
        assert request.command.case == approved.case
