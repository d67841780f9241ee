"""Every action in every phase of a round against the dealer (FORMAT.md, the table of actions and the line on phases)."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.domain.event import Refused
from backoffice.domain.rounds.phase import Phase
from backoffice.kernel.ids import Wallet

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))
WHO = {"casino": "lugano", "player": "ann", "currency": "CHF"}
DUBLIN = {"casino": "tallinn", "player": "ann", "currency": "EUR"}
HAND = ["Ah", "Kh", "9c", "5s", "3h"]
DEALER = ["9d", "Td", "Th", "Tc", "Ts"]

ACTIONS: dict[str, dict[str, Any]] = {
    "ante": {"seat": "1", "amount": "5.00"},
    "bonus": {"seat": "1", "amount": "1.00"},
    "mark": {"seat": "1"},
    "blind": {"seat": "2", "by": "1", "amount": "5.00", "mark": False},
    "undo": {"seat": "1"},
    "leave": {"seat": "1"},
    "close": {},
    "deal": {"hands": {"1": HAND}, "up": "9d"},
    "exchange": {"seat": "1", "discard": "5s", "draw": "5h"},
    "call": {"seat": "1"},
    "fold": {"seat": "1"},
    "timeout": {"seat": "1"},
    "void": {"seat": "1", "reason": "showed the cards"},
    "announce": {"seat": "1"},
    "reveal": {"dealer": DEALER},
    "settle": {},
    "suspend": {"reason": "the camera failed"},
    "resume": {"reason": "the camera works"},
    "cancel": {"reason": "the power failed"},
}
ONLY_DUBLIN = {"bonus", "void"}
"""The rest is played at the Swiss table, which has all of it."""

IN_TIME: dict[str, set[str]] = {
    "betting": {"ante", "bonus", "mark", "blind", "undo", "leave", "close", "suspend", "cancel"},
    "closed": {"deal", "suspend", "cancel"},
    "dealt": {"exchange", "call", "fold", "timeout", "void", "announce", "reveal", "suspend", "cancel"},
    "revealed": {"void", "announce", "settle", "suspend", "cancel"},
    "settled": set(),
    "cancelling": set(),
    "cancelled": set(),
}
OPEN = ("betting", "closed", "dealt", "revealed")
POT_ACTIONS: dict[str, dict[str, Any]] = {
    "sit": {"seat": "3", "stack": "100.00"},
    "post": {"seat": "1"},
    "bring_in": {"seat": "1"},
    "complete": {"seat": "1"},
    "check": {"seat": "1"},
    "bet": {"seat": "1"},
    "raise": {"seat": "1"},
    "show": {"seat": "1"},
    "muck": {"seat": "1"},
}


class Table:
    """One round at a table, brought to a phase. A decision is left open unless what comes next needs it made."""

    def __init__(self, *, dublin: bool, decided: bool) -> None:
        self.house = PureHouse(reacting=False)
        self.house.apply_network(NETWORK)
        self.who = DUBLIN if dublin else WHO
        self.decided = decided
        self.house.do("deposit", **self.who, amount="1000.00")
        self.house.do("open", round="r", table="dublin-1" if dublin else "floor-7", number="r")
        self.do("ante")

    def do(self, do: str) -> None:
        """The action as it would be right in its time."""
        fields = {**ACTIONS, **POT_ACTIONS}[do]
        who = self.who if do in {"ante", "sit"} else {}
        self.house.do(do, round="r", **fields, **who)

    def bring_to(self, phase: str) -> None:
        """From betting to `phase`."""
        steps: dict[str, Callable[[], None]] = {
            "closed": lambda: self.do("close"),
            "dealt": self._deal,
            "revealed": self._reveal,
            "settled": lambda: self.do("settle"),
        }
        if phase in {"cancelling", "cancelled"}:
            self.do("cancel")
            if phase == "cancelled":
                self.house.refund("r")
            return
        for name in (*OPEN[1:], "settled") if phase != "betting" else ():
            steps[name]()
            if name == phase:
                return

    def _deal(self) -> None:
        self.do("deal")
        if self.decided:
            self.do("call")

    def _reveal(self) -> None:
        if not self.decided:
            self.do("call")
        self.do("reveal")

    @property
    def phase(self) -> Phase:
        """Where the round stands."""
        return self.house.past.rounds["r"].phase


def table_in(phase: str, action: str) -> Table:
    table = Table(dublin=action in ONLY_DUBLIN, decided=action == "reveal")
    table.bring_to(phase)
    assert table.phase == phase
    return table


def refusal(table: Table, action: str) -> Refused:
    before = list(table.house.events)
    with pytest.raises(Refused) as refused:
        table.do(action)
    assert table.house.events == before, "a refused action leaves no event behind"
    return refused.value


@pytest.mark.parametrize(
    ("phase", "action"), [(phase, action) for phase, actions in IN_TIME.items() for action in sorted(actions)]
)
def test_an_action_in_its_phase_is_taken(phase, action):
    table = table_in(phase, action)
    before = len(table.house.events)
    table.do(action)
    assert len(table.house.events) > before


@pytest.mark.parametrize(
    ("phase", "action"),
    [(phase, action) for phase, actions in IN_TIME.items() for action in ACTIONS if action not in actions],
)
def test_an_action_out_of_its_phase_is_refused(phase, action):
    assert refusal(table_in(phase, action), action).rule == "phase"


@pytest.mark.parametrize("phase", OPEN)
@pytest.mark.parametrize("action", ACTIONS)
def test_while_suspended_only_resume_and_cancel_are_taken(phase, action):
    table = table_in(phase, action)
    table.do("suspend")
    if action in {"resume", "cancel"}:
        table.do(action)
        assert table.phase == (phase if action == "resume" else "cancelling")
    else:
        assert refusal(table, action).reason == "the round is suspended: only resume and cancel are taken"


@pytest.mark.parametrize("phase", OPEN)
@pytest.mark.parametrize("action", POT_ACTIONS)
def test_an_action_of_the_pot_game_is_refused_at_the_dealers_table(phase, action):
    refused = refusal(table_in(phase, action), action)
    assert refused.reason == f"caribbean-swiss/1 has no {action}"


@pytest.mark.parametrize("phase", IN_TIME)
def test_only_a_requested_cancellation_is_carried_out(phase):
    table = table_in(phase, "cancel")
    if phase == "cancelling":
        table.house.refund("r")
        assert table.phase == "cancelled"
    else:
        with pytest.raises(Refused, match=f"the round is {phase}: there is no cancellation to carry out"):
            table.house.refund("r")


@pytest.mark.parametrize(
    ("phase", "reason"),
    [
        ("betting", "not now: betting is open"),
        ("closed", "not now: betting is closed and the cards are not dealt"),
        ("dealt", "not now: the cards are dealt and the dealer's hand is not revealed"),
        ("revealed", "not now: the dealer's hand is revealed"),
        ("settled", "the round is settled"),
        ("cancelling", "the round is cancelled"),
        ("cancelled", "the round is cancelled"),
    ],
)
def test_a_shift_manager_is_told_where_the_round_stands(phase, reason):
    action = "mark" if phase != "betting" else "settle"
    assert refusal(table_in(phase, action), action).reason == reason


@pytest.mark.parametrize("action", [*ACTIONS, *POT_ACTIONS])
def test_an_action_on_a_round_that_was_never_opened_is_refused(action):
    house = PureHouse()
    house.apply_network(NETWORK)
    who = WHO if action in {"ante", "sit"} else {}
    with pytest.raises(Refused, match="round nowhere has not been opened"):
        house.do(action, round="nowhere", **{**ACTIONS, **POT_ACTIONS}[action], **who)


def test_a_cancellation_takes_the_contributions_out_before_the_refund():
    table = Table(dublin=False, decided=False)
    table.do("mark")
    assert table.house.past.buckets["ticino"]["lugano", "CHF"] == 40
    table.do("cancel")
    assert table.house.past.buckets["ticino"]["lugano", "CHF"] == 0
    assert table.house.past.balance(Wallet("lugano", "ann", "CHF")) == 993_00
    table.house.refund("r")
    assert table.house.past.balance(Wallet("lugano", "ann", "CHF")) == 1000_00
