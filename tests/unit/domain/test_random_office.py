"""Tables and their office at random: nothing but refusals is raised, and every promise holds, however it comes."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from promises import check_promises
from pure_house import accounts
from random_floor import TABLES, RandomFloor
from random_office import played

from backoffice.domain.cases.commands import RequestCorrection
from backoffice.domain.cases.events import ProposalApproved
from backoffice.domain.cases.names import correction_id
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import JackpotHitReversed
from backoffice.domain.rounds.events import RoundCorrected, RoundReversed
from backoffice.domain.rounds.house_state import SHARED

SEEDS = st.integers(0, 10**9)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_every_promise_holds_whatever_the_office_does(seed):
    house, _ = played(seed, 400)
    check_promises(house)


def test_the_random_office_sees_everything_there_is_to_decide():
    seen: Counter[str] = Counter()
    refused = 0
    for seed in range(15):
        house, no = played(seed, 900)
        refused += no
        seen.update(event.type_name for event in house.events)
        seen.update(trait for event in house.events for trait in traits(event))
    wanted = {kind.type_name for kind in EVENTS if kind.type_name.startswith("case.")} | TRAITS
    assert wanted <= set(seen), wanted - set(seen)
    assert refused > 500


TRAITS = {
    *("round.reversed", "round.corrected", "wallet.debt_repaid", "jackpot.hit_reversed"),
    *("a debt of a reversal", "a debt of a correction", "reversed again", "corrected again"),
    *("a contribution that the house bears", "a third person", "a share that is held is reversed"),
    *("a seed taken out", "a seed that stays"),
}


def traits(event: Event) -> Iterator[str]:
    """What is rare about an event."""
    match event:
        case RoundReversed():
            yield "reversed again" if event.number > 2 else "reversed"
            yield "a debt of a reversal" if event.shortfalls else "no debt"
            if any(mark.borne_by == "house" for mark in event.contributions):
                yield "a contribution that the house bears"
        case RoundCorrected():
            yield "corrected again" if event.number > 2 else "corrected"
            yield "a debt of a correction" if event.shortfalls else "no debt"
        case ProposalApproved(final=False):
            yield "a third person"
        case JackpotHitReversed():
            if event.percent == 100:
                yield "a seed taken out" if event.seed else "a seed that stays"
            if any(share.held for share in event.shares):
                yield "a share that is held is reversed"


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_a_reversal_puts_every_account_of_the_house_back(seed):
    floor = OneRound(seed)
    floor.bet()
    floor.settle(floor.cards())
    floor.house.reverse("r", "the cards were marked")
    check_promises(floor.house)
    assert accounts(floor.house.events) == floor.before


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_reversed_and_corrected_every_account_is_as_if_the_right_cards_had_been_read_at_once(seed):
    wrong, right = OneRound(seed), OneRound(seed)
    wrong.bet()
    right.bet()
    misread, cards = wrong.cards(), wrong.cards()
    wrong.settle(misread)
    wrong.house.reverse("r", "misread")
    wrong.house.ask(RequestCorrection, "mia", round="r", reason="misread", **cards)
    wrong.house.approve(correction_id("r"))
    right.settle(cards)
    check_promises(wrong.house)
    assert accounts(wrong.house.events) == accounts(right.house.events)


class OneRound(RandomFloor):
    """One round of rich players whose cards are read once, or twice."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.house.reacting = True

    def bet(self) -> None:
        table = self.chance.choice(list(TABLES))
        casinos = self.house.past.network.tables[table].casinos
        stakes = []
        for number in range(1, self.chance.randint(2, 4)):
            casino = self.chance.choice(casinos)
            currency = self.house.past.network.currencies[casino][0]
            wallet = {"casino": casino, "player": f"rich{number}", "currency": currency}
            self.house.do("deposit", amount="1000000", **wallet)
            stakes.append({"seat": str(number), "amount": "10", **wallet})
        self.before = accounts(self.house.events)
        self.house.do("open", round="r", table=table, number="1")
        for stake in stakes:
            self.house.do("ante", round="r", **stake)
            if self.house.past.network.tables[table].jackpot:
                self.house.do("mark", round="r", seat=stake["seat"])

    def cards(self) -> dict[str, object]:
        state = self.house.past.rounds["r"]
        names = [SHARED] if state.book.shared_hand else list(state.seats)
        used: set[str] = set()
        hands = {name: self._hand(used) for name in names}
        dealer = [self._fresh(used) for _ in range(5)]
        return {"hands": hands, "dealer": dealer, "up": dealer[0]}

    def settle(self, cards):
        do = self.house.do
        do("close", round="r")
        do("deal", round="r", hands=cards["hands"], up=cards["up"])
        for seat in self.house.past.rounds["r"].seats:
            do("call" if int(seat) % 2 else "fold", round="r", seat=seat)
        do("reveal", round="r", dealer=cards["dealer"])
        do("settle", round="r")
