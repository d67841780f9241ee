"""Rounds against the dealer as guests and dealers play them, under any of the house-banked books."""

from random import Random

from backoffice.domain.rounds.events import RoundSettled
from backoffice.domain.rounds.house_state import SHARED, HouseRound
from backoffice.domain.terms import TableTerms
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.hands import Category, hand_value
from backoffice.kernel.ids import Wallet
from backoffice.rules.book import FixedBonus, HouseBook
from backoffice.rules.prizes import jackpot_hand
from ops.feeds.cards import Deck, fine_hand
from ops.feeds.floor import Floor
from ops.feeds.playing import Action, Play, interleaved

_GUESTS_AT_A_SHARED_HAND = 14


class DealerRound:
    """One round of one table."""

    def __init__(self, floor: Floor, table: str, book: HouseBook, round_id: str) -> None:
        self._floor = floor
        self._chance: Random = floor.chance
        self._table = table
        self._terms: TableTerms = floor.network.tables[table]
        self._book = book
        self._round = round_id
        self._deck = Deck(floor.chance)

    def play(self, number: str) -> Play:
        """From the opening to the settling; ends early where nobody stays to play."""
        yield {
            "do": "open",
            "round": self._round,
            "table": self._table,
            "number": number,
            "dealer": f"d{self._chance.randrange(1, 30):02}",
        }
        yield from interleaved(self._guests(), self._chance)
        if not self._state.seats:
            yield self._action("cancel", reason="nobody plays")
            return
        yield self._action("close")
        hands = self._hands()
        dealer = self._deck.draw(5)
        yield self._action("deal", hands=hands, up=dealer[0])
        seats = [name for name, seat in self._state.seats.items() if seat.blind_by is None]
        yield from interleaved([self._decision(seat) for seat in seats], self._chance)
        yield from self._announcements()
        yield self._action("reveal", dealer=self._chance.sample(dealer, 5))
        yield from self._announcements()
        yield self._settling()

    @property
    def _state(self) -> HouseRound:
        state = self._floor.round(self._round)
        assert isinstance(state, HouseRound)
        return state

    def _happens(self, probability: float) -> bool:
        return self._chance.random() < probability

    def _action(self, do: str, **fields: object) -> Action:
        return {"do": do, "round": self._round, **fields}

    # Betting

    def _guests(self) -> list[Play]:
        wallets = [
            wallet
            for casino in self._terms.casinos
            for currency in self._terms.limits["ante"]
            for wallet in self._floor.players.get((casino, currency), ())
        ]
        boxes = self._terms.seats or self._book.seats
        count = self._chance.randint(1, min(boxes or _GUESTS_AT_A_SHARED_HAND, len(wallets)))
        guests = self._chance.sample(wallets, count)
        if boxes is None:
            return [self._guest(wallet.player, wallet) for wallet in guests]
        seats = self._chance.sample(range(1, boxes + 1), count)
        return [self._guest(str(seat), wallet) for seat, wallet in zip(seats, guests, strict=True)]

    def _guest(self, seat: str, wallet: Wallet) -> Play:
        ante = self._action("ante", seat=seat, casino=wallet.casino, player=wallet.player)
        amount = self._amount("ante", wallet.currency)
        yield {**ante, "amount": amount, "currency": wallet.currency}
        if self._happens(0.1):
            yield {**ante, "amount": amount, "currency": wallet.currency}
        if self._book.bonus is not None and self._happens(0.4):
            yield self._action("bonus", seat=seat, amount=self._bonus(wallet.currency))
        if self._terms.jackpot is not None and self._happens(0.6):
            yield self._action("mark", seat=seat)
        if self._book.blind_boxes and self._book.seats and self._happens(0.25):
            box = str(self._chance.randint(1, self._book.seats))
            yield self._action("blind", seat=box, by=seat, amount=amount, mark=self._happens(0.5))
        while self._happens(0.06):
            yield self._action("undo", seat=seat)
        if self._happens(0.03):
            yield self._action("leave", seat=seat)

    def _amount(self, bet: str, currency: str) -> str:
        low, high = self._terms.limits[bet][currency]
        return format_minor(min(low * self._chance.choice((1, 1, 2, 2, 3, 5, 10)), high), currency)

    def _bonus(self, currency: str) -> str:
        bonus = self._book.bonus
        if isinstance(bonus, FixedBonus):
            return format_minor(bonus.stake, bonus.currency)
        return self._amount("bonus", currency)

    # Cards and decisions

    def _hands(self) -> dict[str, list[str]]:
        seats = [SHARED] if self._book.shared_hand else list(self._state.seats)
        lucky = self._chance.choice(seats) if self._happens(0.08) else None
        fine = self._deck.take(fine_hand(self._chance)) if lucky else []
        return {seat: fine if seat == lucky else self._deck.draw(5) for seat in seats}

    def _decision(self, seat: str) -> Play:
        if self._book.exchange and self._happens(0.2):
            discard = self._chance.choice(self._hand(seat))
            yield self._action("exchange", seat=seat, discard=discard, draw=self._deck.draw(1)[0])
        if self._happens(0.05):
            yield self._action("timeout", seat=seat)
        elif not self._worth_a_call(seat) or not (yield self._action("call", seat=seat)):
            yield self._action("fold", seat=seat)
        if self._book.voids_hands and self._happens(0.02):
            yield self._action("void", seat=seat, reason="cards shown to a neighbour")

    def _hand(self, seat: str) -> tuple[str, ...]:
        return self._state.hand(seat) or ()

    def _worth_a_call(self, seat: str) -> bool:
        value = hand_value(self._hand(seat))
        return value.category > Category.HIGH_CARD or value.ranks[:2] == (14, 13) or self._happens(0.05)

    def _announcements(self) -> Play:
        """Who holds a jackpot hand may say so, before or after the reveal; rarely someone without one."""
        if self._book.jackpot is None or not self._book.jackpot.must_announce:
            return
        for seat in list(self._state.seats):
            if self._happens(0.7 if jackpot_hand(self._book, self._hand(seat)) else 0.01):
                yield self._action("announce", seat=seat)

    def _settling(self) -> Action:
        """In every third round the table says what it paid, and is rarely wrong about it."""
        settle = self._action("settle")
        if not self._happens(0.3):
            return settle
        payouts: dict[str, dict[str, str]] = {}
        for event in self._floor.would_be(settle):
            if isinstance(event, RoundSettled):
                for line in event.lines:
                    paid = line.payout + (100 if self._happens(0.005) else 0)
                    if paid:
                        payouts.setdefault(line.seat, {})[line.bet] = format_minor(paid, line.currency)
        return {**settle, "payouts": payouts}
