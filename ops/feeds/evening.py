"""A whole feed: every table plays round after round beside the others, and the cashier's desk is open."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backoffice.app.network_file import read_network
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF
from ops.feeds.cashier import desk, first_deposits
from ops.feeds.dealer_games import DealerRound
from ops.feeds.floor import Floor
from ops.feeds.pace import EVENING, Pace
from ops.feeds.playing import Play, disturbed, interleaved
from ops.feeds.stud_games import StudRound

SAMPLE = Path(__file__).parent.parent / "sample"
NETWORK = SAMPLE / "network.toml"


@dataclass(frozen=True, slots=True)
class Size:
    """Where a feed ends: no round is opened behind either; the open ones are played to their end."""

    rounds: int | None = None
    actions: int | None = None

    def reached(self, floor: Floor) -> bool:
        """Whether enough has happened."""
        return _reached(floor.rounds_opened, self.rounds) or _reached(floor.actions, self.actions)


def feed(
    size: Size, *, network: Path = NETWORK, seed: int = 1, players: int = 20, pace: Pace = EVENING
) -> Iterator[str]:
    """The lines of a feed, in order, without line ends. The same arguments give the same lines."""
    file = read_network(network)
    floor = Floor(file, seed, players, pace)
    yield from floor.happening(first_deposits(floor))
    cashier = desk(floor, file)
    tables = [_table(floor, table, size, cashier) for table in floor.network.tables]
    yield from floor.happening(interleaved(tables, floor.chance))


def sample() -> Iterator[str]:
    """The lines of ops/sample/feed.jsonl; with this seed every kind of jackpot hit and of case is in them."""
    return feed(Size(rounds=250), seed=34)


def _table(floor: Floor, table: str, size: Size, cashier: Play) -> Play:
    """One table's evening."""
    number = 0
    while not size.reached(floor):
        number += 1
        round_id = floor.new_round()
        yield from disturbed(_round(floor, table, round_id, str(number)), round_id, floor.chance)
        yield next(cashier)


def _round(floor: Floor, table: str, round_id: str, number: str) -> Play:
    book = SHELF[floor.network.tables[table].ruleset]
    if isinstance(book, HouseBook):
        return DealerRound(floor, table, book, round_id).play(number)
    return StudRound(floor, table, book, round_id).play(number)


def _reached(count: int, limit: int | None) -> bool:
    return limit is not None and count >= limit
