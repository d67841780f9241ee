"""ops/bench: every measurement in one run on one server, as ratios, with the floors of the project beside them."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from backoffice.bootstrap import House
from backoffice.embedded import running
from backoffice.projections.catalogue import PROJECTIONS
from ops.feeds.evening import NETWORK, Size, feed
from ops.speed.api import calling
from ops.speed.databases import empty_house
from ops.speed.house import SENDER, actions_a_second, seconds_to_import, seconds_to_rebuild
from ops.speed.memory import peak_kib
from ops.speed.others import events_a_second_of_the_library, seconds_to_copy, seconds_to_decode

ACTIONS, FEW, MANY = 100_000, 10_000, 1_000_000
_SECONDS_OF_CALLING = 8
_TURNS = 3


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two measurements of one run and the floor, or for memory the ceiling, of what they are to each other."""

    name: str
    ours: float
    theirs: float
    least: float | None = None
    most: float | None = None

    @property
    def value(self) -> float:
        """Ours to theirs."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        """Whether it is within its limit."""
        return self.value >= (self.least or 0) and (self.most is None or self.value <= self.most)

    def __str__(self) -> str:
        limit = f"at least {self.least}" if self.most is None else f"at most {self.most}"
        verdict = "ok" if self.holds else "FAILED"
        return f"{self.name:<58} {self.ours:>11,.0f} : {self.theirs:>11,.0f} = {self.value:>6.2f}  ({limit})  {verdict}"


def main() -> int:
    """Measure, print each ratio as soon as it is known; 1 if one is beyond its limit."""
    options = _options()
    failed = False
    with tempfile.TemporaryDirectory() as name, running(Path(name) / "pg") as server:
        feeds = Path(name)
        ratios = _serving(server) if options.what == "api" else _ratios(server, feeds, full=options.full)
        for ratio in ratios:
            print(ratio, flush=True)
            failed |= not ratio.holds
    return int(failed)


def _serving(server: str) -> Iterator[Ratio]:
    alone, together = (calling(server, _SECONDS_OF_CALLING, shared=shared) for shared in (False, True))
    for how, called in (("one commit a request", alone), ("shared commits", together)):
        print(f"{how:<22}{called}", flush=True)
    name = "API, 64 connections: shared : own commits, requests/s"
    yield Ratio(name, together.requests_a_second, alone.requests_a_second, least=3)


def _ratios(server: str, feeds: Path, *, full: bool) -> Iterator[Ratio]:
    large = _feed(feeds, ACTIONS)
    with empty_house(server) as house:
        yield from _importing(server, house, large)
        yield from _replaying(house)
    yield _calling(server)
    yield from _remembering(server, _feed(feeds, FEW), _feed(feeds, MANY) if full else large)


def _importing(server: str, house: House, large: Path) -> Iterator[Ratio]:
    """By turns, and the best turn of each: a machine that is slower for a moment is so for all three."""
    turns = [_turn(server, house, large)]
    for _ in range(_TURNS - 1):
        with empty_house(server) as other:
            turns.append(_turn(server, other, large))
    imported, copied, library = (max(column) for column in zip(*turns, strict=True))
    yield Ratio("import : eventsourcing saving, events/s", imported, library, least=1.5)
    yield Ratio("import : COPY of the same rows, events/s", imported, copied, least=0.1)


def _turn(server: str, house: House, large: Path) -> tuple[float, float, float]:
    """Events a second: of an import into an empty house, of a COPY of its rows, and of the library."""
    seconds = seconds_to_import(house, large)
    events = house.log.head().position
    return events / seconds, events / seconds_to_copy(house), events_a_second_of_the_library(server)


def _replaying(house: House) -> Iterator[Ratio]:
    house.projector().catch_up()
    events = house.log.head().position
    balances = next(projection for projection in PROJECTIONS if projection.name == "balances")
    own = [recorded.type for recorded in house.log.read(types=balances.types)]
    yield Ratio(
        "rebuild of balances : cursor with JSON, events/s",
        len(own) / _quickest(lambda: seconds_to_rebuild(house, "balances")),
        len(own) / _quickest(lambda: seconds_to_decode(house, balances.types)),
        least=0.3,
    )
    yield Ratio(
        "rebuild of everything : cursor with JSON, events/s",
        events / _quickest(lambda: seconds_to_rebuild(house, None)),
        events / _quickest(lambda: seconds_to_decode(house)),
        least=0.1,
    )


def _calling(server: str) -> Ratio:
    with empty_house(server) as house:
        alone = actions_a_second(house, 1, _SECONDS_OF_CALLING)
    with empty_house(server) as house:
        together = actions_a_second(house, 32, _SECONDS_OF_CALLING)
    return Ratio("32 threads : one thread, durable actions/s", together, alone, least=5)


def _remembering(server: str, few: Path, many: Path) -> Iterator[Ratio]:
    peaks = [list(_peaks(server, path)) for path in (many, few)]
    for what, large, small in zip(("import", "rebuild"), *peaks, strict=True):
        yield Ratio(f"memory of {what}, {many.stem} : {few.stem} actions, KiB", large, small, most=1.2)


def _peaks(server: str, path: Path) -> Iterator[int]:
    with empty_house(server) as house:
        url = house.engine.url
        yield peak_kib(url, "import", path, "--network", NETWORK, "--sender", SENDER)
        yield peak_kib(url, "projections", "rebuild")


def _feed(folder: Path, actions: int) -> Path:
    path = folder / f"{actions}.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in feed(Size(actions=actions)))
    return path


def _quickest(seconds: Callable[[], float]) -> float:
    return min(seconds() for _ in range(2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ops/bench", description="Measure speed and memory as ratios.")
    parser.add_argument(
        "what", nargs="?", choices=("all", "api"), default="all", help="everything but the API, or the API"
    )
    parser.add_argument(
        "--full", action="store_true", help=f"compare memory with {MANY:,} instead of {ACTIONS:,} actions"
    )
    return parser.parse_args()


sys.exit(main())
