"""The largest stakes, seeds and rates there may be: whatever is paid, won or converted can be counted by a bigint."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from promises import check_promises
from pure_house import PureHouse
from random_floor import CASINOS, RATES, TABLES, RandomFloor

from backoffice.domain.event import Event, Refused
from backoffice.domain.ledger import postings
from backoffice.domain.meters import meter_moves
from backoffice.domain.rounds.events import RoundSettled
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.kernel.currencies import MAX_COUNTED, MAX_MINOR, MAX_STAKE_MINOR, format_minor
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.settlement import Box, Dealer, Decision, settle_box

SMALLEST_AND_LARGEST = ("0.000000001", "1000000000", "1")


class ExtremeFloor(RandomFloor):
    """Everybody stakes all a table takes, on pools and at rates as large as they may be."""

    def network(self) -> dict[str, Any]:
        file = super().network()
        file["rates"] = {code: self.chance.choice(SMALLEST_AND_LARGEST) for code in RATES}
        for table in file["table"]:
            table.pop("max_payout", None)
            for bet, limits in table["limits"].items():
                table["limits"][bet] = {code: [low, most(code)] for code, (low, _) in limits.items()}
        for jackpot in file["jackpot"]:
            jackpot.pop("ceiling", None)
            jackpot["seed"] = format_minor(self.chance.choice([0, MAX_MINOR]), "EUR")
        return file

    def _chip(self, currency: str) -> dict[str, str]:
        return {"stake": most(currency), "pool": most(currency)}

    def fill(self) -> None:
        for casino, currencies in CASINOS.items():
            for currency in currencies:
                for player in ("p0", "p1", "p2", "p3", "p4"):
                    amount = format_minor(MAX_MINOR, currency)
                    self.house.do("deposit", casino=casino, player=player, currency=currency, amount=amount)

    def _amount(self, currency: str) -> str:
        return most(currency)

    def _rate(self) -> None:
        quote, rate = self.chance.choice(list(RATES)), self.chance.choice(SMALLEST_AND_LARGEST)
        self.house.do("rate", quote=quote, rate=rate, at=self.house.now.isoformat())

    def _bonus(self, state: HouseRound) -> dict[str, Any]:
        bonus = super()._bonus(state)
        return bonus if state.book.capped else {**bonus, "amount": most(self._currency(state, bonus["seat"]))}


def most(currency: str) -> str:
    return format_minor(MAX_STAKE_MINOR, currency)


def numbers(value: object) -> Iterator[int]:
    """Every whole number in an event, however deep."""
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, int):
        yield abs(value)


def largest(event: Event) -> int:
    moved = [abs(posting.minor) for posting in postings(event)]
    metered = [abs(amount) for move in meter_moves(event) for amount in move[3:]]
    return max([*numbers(asdict(event)), *moved, *metered], default=0)


def check_countable(house: PureHouse) -> None:
    held: Counter[tuple[object, str]] = Counter()
    for event in house.events:
        assert largest(event) <= MAX_COUNTED, event
        for account, currency, minor in postings(event):
            held[account, currency] += minor
            if account.kind in {"player", "pool", "reserve", "stakes", "receivable"}:
                assert abs(held[account, currency]) <= MAX_COUNTED, event


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_nothing_that_is_paid_won_or_converted_is_more_than_can_be_counted(seed):
    floor = ExtremeFloor(seed)
    floor.fill()
    floor.play(250)
    check_countable(floor.house)
    check_promises(floor.house)


def test_the_extreme_floor_pays_at_every_book_and_refuses_what_cannot_be_counted():
    books: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for seed in range(8):
        floor = ExtremeFloor(seed)
        floor.fill()
        floor.play(500)
        rounds = floor.house.past.rounds
        books.update(
            rounds[event.round].opened.terms.ruleset
            for event in floor.house.events
            if isinstance(event, RoundSettled) and any(line.payout > MAX_STAKE_MINOR for line in event.lines)
        )
        refused.update(why.rpartition(" ")[2] for _, why in floor.house.asked if why)
    assert set(books) == {book for book, _, _ in TABLES.values()}
    assert refused["count"]


HOUSE_BOOKS = [book for book in SHELF.values() if isinstance(book, HouseBook)]
BEST = [("As", "Ks", "Qs", "Js", "Ts"), ("9s", "8s", "7s", "6s", "5s"), ("9s", "9h", "9d", "9c", "5s")]


@pytest.mark.parametrize("book", HOUSE_BOOKS, ids=lambda book: book.id)
@pytest.mark.parametrize("cards", BEST)
@pytest.mark.parametrize("dealer", [("Ad", "Kd", "4h", "3c", "2d"), ("7d", "6h", "4c", "3d", "2h")])
def test_the_largest_stakes_on_the_best_hands_are_paid_within_what_can_be_counted(book, cards, dealer):
    stake = MAX_STAKE_MINOR
    box = Box(
        ante=stake, cards=cards, decision=Decision.CALL, call=2 * stake, bonus=stake if book.bonus else 0
    )
    lines = settle_box(book, box, Dealer.of(book, dealer, dealer[0]), None)
    assert 0 < sum(line.payout for line in lines) < MAX_COUNTED // 1000


def test_the_largest_stack_of_every_seat_makes_a_pot_that_can_be_counted():
    seats = max(book.seats or 0 for book in SHELF.values() if not isinstance(book, HouseBook))
    assert seats * MAX_MINOR <= MAX_COUNTED


def test_a_pool_that_is_worth_more_than_can_be_counted_is_not_paid_but_says_so():
    floor = ExtremeFloor(1)
    floor.house.apply_network({**floor.network(), "rates": dict.fromkeys(RATES, "0.000000001")})
    floor.fill()
    house, sven = floor.house, {"casino": "stockholm", "player": "p1", "currency": "SEK"}
    house.do("open", round="x", table="live", number="1")
    house.do("ante", round="x", seat="1", **sven, amount="1.00")
    house.do("mark", round="x", seat="1")
    house.do("close", round="x")
    house.do("deal", round="x", hands={"shared": list(BEST[0])}, up="9c")
    house.do("fold", round="x", seat="1")
    house.do("reveal", round="x", dealer=["9c", "9d", "4h", "4d", "2c"])
    with pytest.raises(Refused, match="jackpot royal is worth more than this house can count"):
        house.do("settle", round="x")
