"""What comes between an approval and its being carried out by a worker, and other ways in which things could go twice."""

from datetime import timedelta
from typing import Any

import pytest
from promises import check_promises
from pure_house import BEGINNING, PureHouse

from backoffice.domain.cases.commands import (
    Approve,
    OpenCase,
    Propose,
    RequestCorrection,
    RequestReversal,
    RequestWriteOff,
)
from backoffice.domain.cases.events import CaseDismissed, CaseVoided, ReversalCarriedOut
from backoffice.domain.cases.names import (
    correction_id,
    dispute_id,
    large_win_id,
    reversal_id,
)
from backoffice.domain.cases.state import Standing
from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import RoundReversed
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.wallet.commands import RepayDebt

ANN: dict[str, Any] = {"casino": "tallinn", "player": "ann", "currency": "EUR"}
ROYAL = ["Ah", "Kh", "Qh", "Jh", "Th"]
NINES = ["9c", "9d", "4s", "4h", "2c"]


def network(**jackpot: Any) -> dict[str, Any]:
    return {
        "network": {"id": "n", "base_currency": "EUR"},
        "casino": [
            {"id": "tallinn", "currencies": ["EUR"], "timezone": "UTC"},
            {"id": "stockholm", "currencies": ["SEK"], "timezone": "UTC"},
        ],
        "jackpot": [
            {
                "id": "royal",
                "currency": "EUR",
                "seed": "1000.00",
                "chip": {"EUR": {"stake": "1.00", "pool": "0.50"}, "SEK": {"stake": "10.00", "pool": "5.00"}},
                **jackpot,
            }
        ],
        "table": [
            {
                "id": "live",
                "ruleset": "caribbean-live/1",
                "casinos": ["tallinn", "stockholm"],
                "jackpot": "royal",
                "limits": {"ante": {"EUR": ["1.00", "500.00"], "SEK": ["10.00", "5000.00"]}},
            }
        ],
    }


def settled(name: str = "r", *, reacting: bool = False, **jackpot: Any) -> PureHouse:
    """A royal flush on the shared hand, disputed; workers carry out what is approved, unless `reacting`."""
    house = PureHouse(reacting=reacting)
    house.apply_network(network(**jackpot))
    house.do("deposit", amount="100.00", **ANN)
    house.do("open", round=name, table="live", number="1")
    house.do("ante", round=name, seat="1", amount="10.00", **ANN)
    house.do("mark", round=name, seat="1")
    house.do("close", round=name)
    house.do("deal", round=name, hands={"shared": ROYAL}, up="9c")
    house.do("call", round=name, seat="1")
    house.do("reveal", round=name, dealer=NINES)
    house.do("settle", round=name, payouts={"1": {"ante": "25.00"}})
    return house


def balance(house: PureHouse) -> int:
    return next(iter(house.past.balances.values()))


def reversal_approved(house: PureHouse) -> str:
    house.ask(RequestReversal, "mia", round="r", reason="a card was marked")
    house.approve(reversal_id("r"))
    return reversal_id("r")


def test_a_disputed_payout_that_was_approved_and_not_paid_yet_is_void_with_its_round():
    house = settled()
    dispute = dispute_id("r", "1", "ante")
    house.ask(Propose, "mia", case=dispute, amount="5.00", reason="the table has paid it")
    house.approve(dispute)
    facts = house.carry_out(reversal_approved(house))
    assert isinstance(facts[0], ReversalCarriedOut)
    assert CaseVoided(case=dispute, reason="the round was reversed") in facts
    assert balance(house) == 100_00
    assert house.carry_out(dispute) == []  # what the worker finds to do is nothing
    check_promises(house)


def test_a_large_win_that_was_approved_and_not_released_yet_is_void_with_its_round():
    house = settled(verify_over="0.00")
    win = large_win_id("r", "1", 1)
    house.approve(win)
    house.carry_out(reversal_approved(house))
    assert house.carry_out(win) == []
    assert balance(house) == 100_00
    check_promises(house)


def test_nothing_about_the_result_is_approved_while_an_approved_reversal_waits_to_be_carried_out():
    house = settled(verify_over="0.00")
    dispute, win = dispute_id("r", "1", "ante"), large_win_id("r", "1", 1)
    house.ask(Propose, "mia", case=dispute, amount="5.00", reason="the table has paid it")
    reversal_approved(house)
    for case in (dispute, win):
        with pytest.raises(Refused, match="the reversal of the round is asked for: that is decided first"):
            house.approve(case, "nina")
    with pytest.raises(Refused, match="the case is decided: its proposal has been approved"):
        house.ask(RequestReversal, "nina", round="r", reason="again")
    with pytest.raises(Refused, match="the case is decided: its proposal has been approved"):
        house.ask(Approve, "nina", case=reversal_id("r"), proposal=1)


def test_carried_out_twice_it_is_done_once():
    house = settled()
    case = reversal_approved(house)
    house.carry_out(case)
    assert house.carry_out(case) == []
    check_promises(house)


def test_what_nobody_approved_is_not_carried_out():
    house = settled()
    with pytest.raises(Refused, match="is open: there is nothing to carry out"):
        house.carry_out(dispute_id("r", "1", "ante"))
    house.ask(RequestReversal, "mia", round="r", reason="a card was marked")
    with pytest.raises(Refused, match="is proposed: there is nothing to carry out"):
        house.carry_out(reversal_id("r"))


def test_a_debt_that_was_repaid_before_its_write_off_was_carried_out_is_not_written_off():
    house = settled(reacting=True)
    house.do("withdraw", amount="500.00", **ANN)
    house.reverse("r", "a card was marked")
    house.reacting = False
    asked = house.ask(RequestWriteOff, "mia", amount="400.00", reason="he is gone", **ANN)
    case = asked[0].stream.removeprefix("case/")
    house.approve(case)
    house.do("deposit", amount="400.00", **ANN)
    house.ask(RepayDebt, "cai:cashier", amount="400.00", **ANN)
    assert house.carry_out(case) == [CaseDismissed(case=case)]
    check_promises(house)


def test_a_correction_that_could_not_be_settled_is_not_approved():
    """No rate is in force at the time of an approval that is dated back."""
    house = PureHouse()
    house.apply_network(network())
    house.now = BEGINNING + timedelta(hours=2)
    house.do("rate", quote="SEK", rate="11.0000")
    bea = {"casino": "stockholm", "player": "bea", "currency": "SEK"}
    house.do("deposit", amount="1000.00", **bea)
    house.do("open", round="r", table="live", number="1")
    house.do("ante", round="r", seat="1", amount="10.00", **bea)
    house.do("mark", round="r", seat="1")
    house.do("close", round="r")
    house.do("deal", round="r", hands={"shared": ROYAL}, up="9c")
    house.do("fold", round="r", seat="1")
    house.do("reveal", round="r", dealer=NINES)
    house.do("settle", round="r")
    house.reverse("r", "a card was misread")
    house.ask(RequestCorrection, "mia", round="r", reason="the same after all")
    now, house.now = house.now, BEGINNING
    with pytest.raises(Refused, match="no rate for SEK is in force"):
        house.approve(correction_id("r"))
    assert house.past.cases[correction_id("r")].standing is Standing.PROPOSED
    house.now = now
    house.approve(correction_id("r"))
    assert house.past.rounds["r"].phase is Phase.SETTLED
    check_promises(house)


def test_a_round_that_is_called_like_a_case_has_cases_of_its_own():
    house = settled("reversal", reacting=True)
    other = settled("r", reacting=True)
    assert dispute_id("reversal", "1", "ante") in house.past.cases
    assert reversal_id("r") not in other.past.cases
    house.reverse("reversal", "a card was marked")
    names = {name.split("/", 1)[0] for name in house.past.cases}
    assert names == {"dispute", "reversal"}
    check_promises(house)


def test_an_id_is_used_for_one_claim_whatever_door_it_comes_through():
    """Ids are scoped to their sender; a case's name is the person's and the id's."""
    house = settled(reacting=True)
    house.ask(OpenCase, "mia", id="c-1", grounds="goodwill", reason="late", **ANN)
    with pytest.raises(Refused, match="this person has opened a case under this id already"):
        house.ask(OpenCase, "mia", id="c-1", grounds="goodwill", reason="later", **ANN)
    house.ask(OpenCase, "otto", id="c-1", grounds="goodwill", reason="late", **ANN)


@pytest.mark.parametrize("amount", ["1.001", "1e3", "-1", ""])
def test_an_amount_that_is_none_is_refused_or_cannot_be_said(amount: str):
    house = settled(reacting=True)
    house.ask(OpenCase, "mia", id="c-1", grounds="goodwill", reason="late", **ANN)
    with pytest.raises((Refused, ValueError)):
        house.ask(Propose, "mia", case="claim/mia/c-1", amount=amount, reason="so")


def test_nobody_opens_a_claim_in_a_currency_that_the_casino_does_not_play_in():
    house = settled(reacting=True)
    with pytest.raises(Refused, match="tallinn does not play in SEK"):
        house.ask(OpenCase, "mia", grounds="goodwill", reason="late", **{**ANN, "currency": "SEK"})
    with pytest.raises(Refused, match="nowhere does not play in EUR"):
        house.ask(OpenCase, "mia", grounds="goodwill", reason="late", **{**ANN, "casino": "nowhere"})


def test_who_can_just_give_everything_back_owes_nothing():
    house = settled(reacting=True)
    won = balance(house) - 100_00
    house.do("withdraw", amount="100.00", **ANN)
    house.reverse("r", "a card was marked")
    (reversed_round,) = (event for event in house.events_of("r") if isinstance(event, RoundReversed))
    assert (won > 0, balance(house), reversed_round.shortfalls) == (True, 0, ())


def test_a_correction_that_is_approved_is_not_changed_any_more():
    house = settled()
    house.carry_out(reversal_approved(house))
    house.ask(RequestCorrection, "mia", round="r", reason="the same after all")
    house.approve(correction_id("r"))
    with pytest.raises(Refused, match="the case is decided: its proposal has been approved"):
        house.ask(RequestCorrection, "nina", round="r", reason="another", hands={"shared": ROYAL})
    house.carry_out(correction_id("r"))
    check_promises(house)
