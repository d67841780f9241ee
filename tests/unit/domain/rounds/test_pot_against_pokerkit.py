"""Whole hands against PokerKit: the same seat to act, the same choices and prices, the same money in the end.

PokerKit knows no open pair (two units), so nobody bets two here. It lets a lone seat with chips check against
all-in seats, where our betting is over; and it takes losing hands out before it splits a pot, so that pots
with the same winners become one: an odd unit may then go to another winner. Otherwise all agrees to the unit.
"""

import random
import warnings

from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    Mode,
    Opening,
    StandardHighHand,
    State,
    Street,
)
from stud_table import StudTable, command

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.events import BetCalled
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_decisions import decide_pot
from backoffice.kernel.cards import DECK
from backoffice.kernel.currencies import format_minor

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Twins:
    """One hand played on our table and on PokerKit's at once; seat "1" is PokerKit's player 0."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - play, not a secret
        small = self.chance.choice([2, 10, 100])
        big = small * self.chance.choice([1, 2])
        ante = self.chance.choice([0, 1, small // 2])
        bring_in = self.chance.randint(1, small - 1)
        last_card = self.chance.choice(["up", "down"])
        deepest = self.chance.choice([2, 10, 60])
        stacks = [self.chance.randint(1, small * deepest) for _ in range(self.chance.randint(2, 7))]
        self.deck = self._short_deck(len(stacks))
        self.ours = StudTable(*map(euros, (small, big, ante, bring_in)), last_card=last_card)
        for seat, stack in enumerate(stacks, 1):
            self.ours.play(f"{seat} sits with {euros(stack)}", *([f"{seat} posts"] if ante else []))
        self.theirs = pokerkit_table(small, big, ante, bring_in, stacks, last_card)
        self.last_down = last_card == "down"

    def _short_deck(self, seats: int) -> list[str]:
        """The fewer the ranks, the more hands are equal."""
        cards = DECK[: self.chance.choice([5 * seats, 52])]
        return self.chance.sample(cards, len(cards))

    def play(self) -> None:
        for street in (1, 2, 3, 4):
            self._deal(street)
            self._bet()
            if self.ours.state.phase is Phase.SHOWDOWN:
                break
            self._show_all_in_hands()
        self._show_or_muck()
        self.ours.play("settle")
        self._compare_money()

    def _deal(self, street: int) -> None:
        down, up = {}, {}
        for seat in self.ours.state.in_play:
            if street == 1:
                down[seat] = self.deck.pop()
            (down if street == 4 and self.last_down else up)[seat] = self.deck.pop()
        self.ours.take(command("deal", street=street, down=down, up=up))
        for seat in self.ours.state.in_play:
            self.theirs.deal_hole(down.get(seat, "") + up.get(seat, ""), int(seat) - 1)

    def _bet(self) -> None:
        while self.ours.state.phase is Phase.PLAYING and self.ours.turn:
            seat = self.ours.turn
            assert self.theirs.actor_index == int(seat) - 1
            choices = {name: mine for name in self._words() if (mine := self._ours(name, seat))}
            self._compare_choices(choices)
            self._act(choices)
        while (lone := self.theirs.actor_index) is not None:
            assert self.theirs.checking_or_calling_amount == 0
            assert sum(map(bool, self._stacks_in())) == 1, f"player {lone} could have bet"
            self.theirs.check_or_call()

    def _stacks_in(self) -> list[int]:
        return [stack for stack, live in zip(self.theirs.stacks, self.theirs.statuses, strict=True) if live]

    def _words(self) -> list[str]:
        return ["bring_in", "check", "call", "complete", "bet", "raise", "fold"]

    def _ours(self, do: str, seat: str) -> list[Event]:
        try:
            return decide_pot(self.ours.state, command(do, seat=seat), self.ours.around)
        except Refused:
            return []

    def _compare_choices(self, choices: dict[str, list[Event]]) -> None:
        assert ("bring_in" in choices) == self.theirs.can_post_bring_in()
        assert bool({"check", "call"} & set(choices)) == self.theirs.can_check_or_call()
        assert ("fold" in choices) == self.theirs.can_fold()
        if "call" in choices:
            assert choices["call"][0].amount == self.theirs.checking_or_calling_amount
        raises = [
            events[0]
            for do, events in choices.items()
            if do in {"bet", "raise", "complete"} and not isinstance(events[0], BetCalled)
        ]
        to = self.theirs.min_completion_betting_or_raising_to_amount
        assert bool(raises) == (to is not None)
        for increase in raises:
            assert self.ours.state.seats[increase.seat].bet + increase.amount == to

    def _act(self, choices: dict[str, list[Event]]) -> None:
        weights = [{"fold": 1, "call": 8, "check": 8, "bring_in": 8}.get(do, 3) for do in choices]
        [do] = self.chance.choices(list(choices), weights)
        [event] = choices[do]
        self.ours.record([event])
        match do:
            case "bring_in":
                self.theirs.post_bring_in()
            case "fold":
                self.theirs.fold()
            case "bet" | "raise" | "complete" if not isinstance(event, BetCalled):
                self.theirs.complete_bet_or_raise_to()
            case _:
                self.theirs.check_or_call()

    def _show_all_in_hands(self) -> None:
        while self.theirs.showdown_index is not None:
            self.theirs.show_or_muck_hole_cards(status_or_hole_cards=True)

    def _show_or_muck(self) -> None:
        all_in = self.theirs.all_in_status
        while seat := self.ours.turn:
            mucks = not all_in and self.chance.random() < 0.2 and bool(self._ours("muck", seat))
            self.ours.play(f"{seat} {'mucks' if mucks else 'shows'}")
            player = int(seat) - 1
            if player in self.theirs.showdown_indices:
                self.theirs.show_or_muck_hole_cards(not mucks, player)

    def _compare_money(self) -> None:
        assert not self.theirs.status
        paid = {line.seat: line.payout - line.stake for line in self.ours.settled.lines}
        ours = [paid.get(str(player + 1), 0) for player in self.theirs.player_indices]
        off = [abs(one - other) for one, other in zip(ours, self.theirs.payoffs, strict=True)]
        assert sum(ours) == 0
        assert max(off) <= self._odd_units_that_may_move()

    def _odd_units_that_may_move(self) -> int:
        """None, unless several pots are each split: then all but one unit of each."""
        split = max(line.rule.count("splits") for line in self.ours.settled.lines)
        return split * (len(self.ours.state.seats) - 1) if split > 1 else 0


def euros(minor: int) -> str:
    return format_minor(minor, "EUR")


def pokerkit_table(
    small: int, big: int, ante: int, bring_in: int, stacks: list[int], last_card: str
) -> State:
    """PokerKit has seven card stud only: five card stud of its parts, one bet and three raises a street."""
    up, down = True, False
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        (StandardHighHand,),
        (
            street(Opening.LOW_CARD, small, down, up),
            street(Opening.HIGH_HAND, small, up),
            street(Opening.HIGH_HAND, big, up),
            street(Opening.HIGH_HAND, big, up if last_card == "up" else down),
        ),
        BettingStructure.FIXED_LIMIT,
        ante_trimming_status=True,
        raw_antes=ante,
        raw_blinds_or_straddles=0,
        bring_in=bring_in,
        raw_starting_stacks=stacks,
        player_count=len(stacks),
        mode=Mode.CASH_GAME,
    )


def street(opening: Opening, unit: int, *faces: bool) -> Street:
    return Street(
        card_burning_status=False,
        hole_dealing_statuses=faces,
        board_dealing_count=0,
        draw_status=False,
        opening=opening,
        min_completion_betting_or_raising_amount=unit,
        max_completion_betting_or_raising_count=4,
    )


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**48))
def test_a_hand_goes_as_in_pokerkit(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns of folds where a check is possible
        Twins(seed).play()
