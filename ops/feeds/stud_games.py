"""Rounds of Five Card Stud: whoever is to act tries what they feel like until the rules let them."""

from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import LAST_STREET, PotRound
from backoffice.domain.terms import StudTerms, TableTerms
from backoffice.kernel.currencies import format_minor
from backoffice.rules.book import PotBook
from ops.feeds.cards import Deck
from ops.feeds.floor import Floor
from ops.feeds.playing import Action, Play, interleaved


class StudRound:
    """One round of one table."""

    def __init__(self, floor: Floor, table: str, book: PotBook, round_id: str) -> None:
        terms: TableTerms = floor.network.tables[table]
        assert terms.stud is not None
        self._floor = floor
        self._chance = floor.chance
        self._table = table
        self._terms = terms
        self._stud: StudTerms = terms.stud
        self._places = terms.seats or book.seats
        self._round = round_id
        self._deck = Deck(floor.chance)

    def play(self, number: str) -> Play:
        """From the opening to the settling."""
        yield {"do": "open", "round": self._round, "table": self._table, "number": number}
        yield from interleaved(self._guests(), self._chance)
        while True:
            state = self._state
            if state.phase is Phase.SHOWDOWN and not state.to_act:
                break
            if state.to_act:
                yield from self._act(state.to_act[0], self._wishes(state))
            elif not (yield self._street(state)):
                yield self._action("cancel", reason="nobody to play with")
                return
        yield self._action("settle")

    @property
    def _state(self) -> PotRound:
        state = self._floor.round(self._round)
        assert isinstance(state, PotRound)
        return state

    def _action(self, do: str, **fields: object) -> Action:
        return {"do": do, "round": self._round, **fields}

    def _guests(self) -> list[Play]:
        wallets = [
            wallet
            for casino in self._terms.casinos
            for wallet in self._floor.players.get((casino, self._stud.currency), ())
        ]
        count = self._chance.randint(2, self._places)
        seats = self._chance.sample(range(1, self._places + 1), count)
        guests = self._chance.sample(wallets, count)
        return [
            self._guest(str(seat), wallet.casino, wallet.player)
            for seat, wallet in zip(seats, guests, strict=True)
        ]

    def _guest(self, seat: str, casino: str, player: str) -> Play:
        stack = self._stud.big * self._chance.choice((1, 2, 5, 10, 20, 20))
        taken = yield self._action(
            "sit",
            seat=seat,
            casino=casino,
            player=player,
            currency=self._stud.currency,
            stack=format_minor(stack, self._stud.currency),
        )
        if taken:
            yield self._action("post", seat=seat)

    def _street(self, state: PotRound) -> Action:
        street = state.street + 1
        hidden = street == LAST_STREET and self._stud.last_card == "down"
        down = self._cards(state) if street == 1 or hidden else {}
        up = {} if hidden else self._cards(state)
        return self._action("deal", street=street, down=down, up=up)

    def _cards(self, state: PotRound) -> dict[str, str]:
        return {seat: self._deck.draw(1)[0] for seat in state.in_play}

    def _wishes(self, state: PotRound) -> list[Action]:
        """What to try, the dearest wish first; the last ones are always possible."""
        if state.phase is Phase.SHOWDOWN:
            first = "muck" if self._chance.random() < 0.3 else "show"
            return [{"do": "timeout" if self._chance.random() < 0.03 else first}, {"do": "show"}]
        mood = self._chance.random()
        if mood < 0.03:
            return [{"do": "timeout"}]
        quiet = [{"do": "check"}, {"do": "call"}, {"do": "bring_in"}, {"do": "fold"}]
        if mood < 0.15:
            return [{"do": "check"}, {"do": "fold"}, {"do": "bring_in"}]
        if mood < 0.4:
            return [*self._pushing(), *quiet]
        return quiet

    def _pushing(self) -> list[Action]:
        double = (
            [{"do": "bet", "units": 2}, {"do": "raise", "units": 2}] if self._chance.random() < 0.4 else []
        )
        return [*double, {"do": "complete"}, {"do": "bet"}, {"do": "raise"}]

    def _act(self, seat: str, wishes: list[Action]) -> Play:
        for wish in wishes:
            if (yield {**wish, "round": self._round, "seat": seat}):
                return
        raise AssertionError(f"{self._round}: the rules leave seat {seat} nothing of {wishes}")
