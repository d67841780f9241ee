"""What holds whatever happens at the table: random play, legal and not.

The DSL's table counts the chips after every fact, and at the end that what leaves the table was bought in.
"""

import random
from typing import Any, get_args, get_type_hints

from hypothesis import given, settings
from hypothesis import strategies as st
from stud_table import StudTable, command, sit

from backoffice.domain.event import Refused
from backoffice.domain.rounds.commands import TableAction
from backoffice.domain.rounds.events import PotSettled
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import evolve_pot, start_pot
from backoffice.kernel.cards import DECK

OVER = {Phase.SETTLED, Phase.CANCELLED}
SHELL = {"open", "suspend", "resume", "cancel"}
SEATS = ["1", "2", "3", "4", "10", "11", "x", ""]
AMOUNTS = ["0", "0.01", "1.00", "5.00", "37.00", "400.00", "1.001"]


class Players:
    """Anyone at the table, doing anything."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - play, not a secret
        self.table = StudTable(
            ante=self.chance.choice(["0", "1.00"]),
            bring_in=self.chance.choice(["5.00", "3.33"]),
            rake_percent=self.chance.choice(["0", "5", "2.75", "100"]),
            last_card=self.chance.choice(["up", "down"]),
        )
        self.deck = self.chance.sample(DECK, len(DECK))
        self.refusals: list[Refused] = []

    def play(self, actions: int) -> StudTable:
        for _ in range(actions):
            if self.table.state.phase in OVER:
                break
            self._do(self._likely() if self.chance.random() < 0.8 else self._anything())
        return self.table

    def _do(self, action: TableAction) -> None:
        before = self.table.state
        try:
            self.table.take(action)
        except Refused as refused:
            self.refusals.append(refused)
            assert self.table.state == before

    def _likely(self) -> TableAction:
        """Something that may well be accepted now."""
        state = self.table.state
        if state.phase is Phase.SEATING and self.chance.random() < 0.8:
            seat = self.chance.choice(SEATS[:5])
            taken = seat in state.seats
            casino = self.chance.choice(["tallinn", "riga"])
            stack = self.chance.choice(["0.50", "4.00", "9.00", "21.00", "400.00"])
            return command("post", seat=seat) if taken else sit(seat, stack=stack, casino=casino)
        if self.table.turn is None:
            return self._deal() if state.phase is not Phase.SHOWDOWN else self._settle()
        words = ["show", "muck", "timeout"] if state.phase is Phase.SHOWDOWN else _BETTING
        return self._action(self.chance.choice(words), self.table.turn)

    def _anything(self) -> TableAction:
        if self.chance.random() < 0.2:
            return self._deal()
        return self._action(self.chance.choice(_WORDS), self.chance.choice(SEATS[:-1]))

    def _deal(self) -> TableAction:
        """The next street as it should be, or nearly."""
        state = self.table.state
        street = state.street + 1
        seats = state.in_play if self.chance.random() < 0.95 else SEATS[: self.chance.randint(0, 5)]
        cards = self.deck if self.chance.random() < 0.95 else list(DECK[:20])
        hidden = street == 4 and state.stud.last_card == "down"
        down = {seat: cards.pop() for seat in seats if street == 1 or hidden} if len(cards) > 12 else {}
        up = {seat: cards.pop() for seat in seats if not hidden} if len(cards) > 12 else {}
        return command("deal", street=street, down=down, up=up)

    def _settle(self) -> TableAction:
        claims = {seat: {"pot": self.chance.choice(AMOUNTS[:-1])} for seat in self.table.state.seats}
        return command("settle", **({"payouts": claims} if self.chance.random() < 0.5 else {}))

    def _action(self, do: str, seat: str) -> TableAction:
        amount = self.chance.choice(AMOUNTS)
        extra: dict[str, dict[str, Any]] = {
            "sit": {"casino": "tallinn", "player": f"p-{seat}", "currency": "EUR", "stack": amount},
            "ante": {"casino": "tallinn", "player": "p", "amount": amount, "currency": "EUR"},
            "bonus": {"amount": amount},
            "blind": {"by": "1", "amount": amount, "mark": False},
            "exchange": {"discard": "As", "draw": "Ks"},
            "void": {"reason": "late"},
            "bet": {"units": self.chance.randint(1, 2)},
            "raise": {"units": self.chance.randint(1, 2)},
            "reveal": {"dealer": ["As"]},
            "settle": {"payouts": {seat: {self.chance.choice(["pot", "ante"]): amount}}},
            "deal": {"up": self.chance.choice(["As", {seat: "As"}]), "street": self.chance.randint(-1, 6)},
        }
        without_seat = {"close", "reveal", "settle", "deal"}
        fields = {} if do in without_seat else {"seat": seat}
        return command(do, **fields, **extra.get(do, {}))


_BETTING = ["bring_in", "complete", "check", "bet", "call", "call", "call", "raise", "fold", "timeout"]
_WORDS = [
    do for action in get_args(TableAction) for do in get_args(get_type_hints(action)["do"]) if do not in SHELL
]


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**48), st.integers(0, 150))
def test_anything_is_accepted_or_refused_with_a_reason_and_no_chip_is_lost(seed, actions):
    players = Players(seed)
    players.play(actions)
    assert all(refused.reason and refused.rule for refused in players.refusals)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**48), st.integers(0, 150))
def test_a_round_cancelled_anywhere_gives_all_chips_back(seed, actions):
    table = Players(seed).play(actions)
    if table.state.phase in OVER:
        return
    cancelled = table.cancel()
    assert all(line.stake == line.payout > 0 and line.result == "refund" for line in cancelled.lines)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**48))
def test_replay_equals_the_live_state(seed):
    table = Players(seed).play(200)
    opened, *rest = table.events
    state = start_pot(opened)
    for event in rest:
        state = evolve_pot(state, event)
    assert state == table.state


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**48))
def test_what_is_settled_adds_up(seed):
    table = Players(seed).play(200)
    if not isinstance(table.newest, PotSettled):
        return
    for line in table.settled.lines:
        assert line.stake > 0
        assert line.payout >= 0
        assert line.rule
        assert line.odds is None
    assert any(line.result == "win" for line in table.settled.lines) or len(table.settled.lines) == 1
    assert all(rake.amount.minor > 0 for rake in table.settled.raked)


def test_random_play_reaches_the_end_of_hands():
    """The properties above would prove nothing of hands that are never settled."""
    settled = [isinstance(Players(seed).play(200).newest, PotSettled) for seed in range(100)]
    assert sum(settled) > 50
