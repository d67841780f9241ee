"""The words of a pot game's table: who sits down, what is dealt street by street, what each seat does in its turn."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from transcript_script import Line, Words

from backoffice.kernel.ids import Wallet

if TYPE_CHECKING:
    from transcript_stage import Stage

STUD_TABLE = {
    "id": "stud-1",
    "ruleset": "five-card-stud/1",
    "casinos": ["tallinn"],
    "stud": {"currency": "EUR", "small": "10.00", "big": "20.00", "bring_in": "5.00"},
}
"""The transcripts' own, beside the tables of `network.toml`."""


class StudTable:
    """`sit`, `post`, `street` and the actions of the betting and the showdown."""

    def __init__(self, stage: "Stage") -> None:
        self.stage = stage
        self.words: dict[str, Callable[[Words], None]] = {
            "sit": self._sit,
            "street": self._street,
            **{do: self._in_turn(do) for do in ("post", "bring_in", "complete", "check", "show", "muck")},
            "bet": self._in_units("bet"),
            "raise": self._in_units("raise"),
        }

    def knows(self, line: Line) -> bool:
        """Whether the line begins with one of these words."""
        return line.word in self.words

    def play(self, line: Line) -> None:
        """One line."""
        words = Words(line.text)
        self.words[line.word](words)
        words.end()

    def _sit(self, words: Words) -> None:
        """`sit 1-3 tallinn EUR with 400.00`: each player is named after the seat."""
        seats, casino, currency = words.seats(), words.take("a casino"), words.take("a currency")
        words.expect("with")
        stack = words.take("a stack")
        for seat in seats:
            self.stage.sit(seat, Wallet(casino, seat, currency), stack)

    def _street(self, words: Words) -> None:
        """`street 1 down 1 Kh, 2 Qs, up 1 3d, 2 Td`; what lies down may be left out, or what lies up."""
        dealt: dict[str, Any] = {"street": int(words.take("a number"))}
        for side in ("down", "up"):
            if words.take_if(side):
                dealt[side] = cards = {}
                while words and words.peek() != "up":
                    seat = words.take("a seat")
                    cards[seat] = words.take("a card")
        self.stage.act("deal", **{"up": {}, **dealt})

    def _in_turn(self, do: str) -> Callable[[Words], None]:
        def act(words: Words) -> None:
            for seat in words.all_seats():
                self.stage.act(do, seat=seat)

        return act

    def _in_units(self, do: str) -> Callable[[Words], None]:
        """`bet 1`, or `bet 1 two units`."""

        def act(words: Words) -> None:
            seat = words.take("a seat")
            two = words.take_if("two")
            if two:
                words.expect("units")
            self.stage.act(do, seat=seat, units=1 + two)

        return act
