"""A Five Card Stud table for tests, played in a dealer's words.

    table = StudTable(ante="1.00").play(
        "1 2 3 sit with 400.00",
        "1 2 3 post",
        "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad",   # down card / up card
        "1 brings in",
        "2 calls",
        "3 completes",
    )
    table.refuses("2 checks", "seat 2: it is seat 1's turn")

Every accepted action is decided and folded as in the house, and the chips are counted after each.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import TableAction
from backoffice.domain.rounds.events import (
    CancellationRequested,
    Line,
    PotSettled,
    RoundCancelled,
    RoundOpened,
    SeatTaken,
)
from backoffice.domain.rounds.pot_decisions import decide_pot
from backoffice.domain.rounds.pot_state import PotRound, evolve_pot, refund_pot, start_pot
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.terms import StudTerms, TableTerms
from backoffice.kernel.currencies import format_minor, parse_minor

_ACTIONS: TypeAdapter[TableAction] = TypeAdapter(Annotated[TableAction, Field(discriminator="do")])
AT = "2026-03-01T20:00:00Z"
CASINOS = ("tallinn", "riga")
AMPLE = Surroundings(balance=lambda wallet: 10**12, currencies=dict.fromkeys(CASINOS, ("EUR", "SEK")))


def command(do: str, **fields: Any) -> TableAction:
    """A table's action, read as the feed is."""
    return _ACTIONS.validate_json(json.dumps({"id": "c-1", "at": AT, "do": do, "round": "r-1", **fields}))


def minor(text: str) -> int:
    return parse_minor(text, "EUR")


class StudTable:
    """EUR 10/20, no ante, bring-in 5 and no rake, unless said otherwise."""

    def __init__(
        self,
        small: str = "10.00",
        big: str = "20.00",
        ante: str = "0",
        bring_in: str = "5.00",
        rake_percent: str = "0",
        last_card: str = "up",
        seats: int | None = None,
        around: Surroundings = AMPLE,
    ) -> None:
        stud = StudTerms(
            "EUR", minor(small), minor(big), minor(ante), minor(bring_in), rake_percent, last_card
        )
        terms = TableTerms("five-card-stud/1", CASINOS, seats=seats, stud=stud)
        opened = RoundOpened(round="r-1", table="stud", number="1", terms=terms)
        self.around = around
        self.events: list[Event] = [opened]
        self.state: PotRound = start_pot(opened)

    # What is done at the table

    def play(self, *sentences: str) -> "StudTable":
        """Everything said is accepted."""
        for sentence in sentences:
            for action in read(sentence):
                self.take(action)
        return self

    def take(self, action: TableAction) -> list[Event]:
        """One action accepted: its facts."""
        events = decide_pot(self.state, action, self.around)
        self.record(events)
        return events

    def record(self, events: Iterable[Event]) -> None:
        for event in events:
            self.state = evolve_pot(self.state, event)
            self.events.append(event)
            self._count_chips()

    def refuses(self, sentence: str, reason: str) -> None:
        """The (last) action said is refused with exactly this reason, and nothing changes."""
        *before, action = read(sentence)
        for each in before:
            self.take(each)
        with pytest.raises(Refused) as refusal:
            decide_pot(self.state, action, self.around)
        assert refusal.value.reason == reason

    def cancel(self) -> RoundCancelled:
        self.record([CancellationRequested(round="r-1", reason="misdeal")])
        cancelled = refund_pot(self.state)
        self.record([cancelled])
        return cancelled

    # What there is to see

    @property
    def turn(self) -> str | None:
        """Whose turn it is, or None."""
        return self.state.to_act[0] if self.state.to_act else None

    @property
    def newest(self) -> Any:
        """The newest fact."""
        return self.events[-1]

    @property
    def settled(self) -> PotSettled:
        assert isinstance(self.newest, PotSettled)
        return self.newest

    def line(self, seat: str) -> Line:
        [line] = [line for line in self.settled.lines if line.seat == seat]
        return line

    @property
    def paid(self) -> dict[str, str]:
        """What each seat took out of the pot, where it took any."""
        return {line.seat: format_minor(line.payout, "EUR") for line in self.settled.lines if line.payout}

    def put(self, seat: str) -> str:
        return format_minor(self.state.seats[seat].put, "EUR")

    def stack(self, seat: str) -> str:
        return format_minor(self.state.seats[seat].stack, "EUR")

    def _count_chips(self) -> None:
        bought = sum(event.stack.minor for event in self.events if isinstance(event, SeatTaken))
        there = sum(seat.stack + seat.put for seat in self.state.seats.values())
        assert there == bought
        if isinstance(self.newest, PotSettled | RoundCancelled):
            assert paid_out(self.newest) == bought


def paid_out(over: PotSettled | RoundCancelled) -> int:
    """Everything that leaves the table: payouts, stacks and rake."""
    raked = over.raked if isinstance(over, PotSettled) else ()
    return (
        sum(line.payout for line in over.lines)
        + sum(stack.amount.minor for stack in over.stacks)
        + sum(rake.amount.minor for rake in raked)
    )


# A dealer's words

_STREET = re.compile(r"street (?P<street>\d)(?P<down> down)?: (?P<cards>.+)")
_SEATS = re.compile(r"(?P<seats>[0-9 ]+) (?P<words>[a-z ]+?)(?: (?P<rest>[0-9].*))?")
_WORDS = {
    "posts": "post",
    "brings in": "bring_in",
    "completes": "complete",
    "checks": "check",
    "bets": "bet",
    "calls": "call",
    "raises": "raise",
    "folds": "fold",
    "times out": "timeout",
    "shows": "show",
    "mucks": "muck",
}
_PLURAL = {
    "post": "posts",
    "check": "checks",
    "call": "calls",
    "fold": "folds",
    "show": "shows",
    "muck": "mucks",
}


def read(sentence: str) -> Sequence[TableAction]:
    """What a dealer says: `"1 2 sit with 400.00"`, `"1 raises 2"`, `"street 2: 1 Js, 2 5h"`, `"settle"`."""
    if sentence == "settle":
        return [command("settle")]
    if street := _STREET.fullmatch(sentence):
        return [_street(int(street["street"]), street["cards"], down=bool(street["down"]))]
    match = _SEATS.fullmatch(sentence)
    assert match, f"no dealer says {sentence!r}"
    return [_seat(name, match["words"], match["rest"]) for name in match["seats"].split()]


def _street(street: int, cards: str, *, down: bool) -> TableAction:
    face_down, face_up = {}, {}
    for each in cards.split(", "):
        seat, dealt = each.split(" ")
        hidden, _, shown = dealt.rpartition("/")
        if down:
            hidden, shown = shown, ""
        face_down.update({seat: hidden} if hidden else {})
        face_up.update({seat: shown} if shown else {})
    return command("deal", street=street, up=face_up, **({"down": face_down} if face_down else {}))


def _seat(seat: str, words: str, rest: str | None) -> TableAction:
    if words in {"sit with", "sits with"}:
        return sit(seat, stack=rest or "")
    units = {"units": int(rest)} if rest else {}
    return command(_WORDS[_PLURAL.get(words, words)], seat=seat, **units)


def sit(seat: str, **fields: str) -> TableAction:
    """Seat n is taken by player p-n of Tallinn with 400.00 EUR, unless said otherwise."""
    usual = {"casino": "tallinn", "player": f"p-{seat}", "currency": "EUR", "stack": "400.00"}
    return command("sit", seat=seat, **(usual | fields))
