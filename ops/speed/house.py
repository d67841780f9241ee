"""What the house itself does: import a feed, redraw read tables, serve many callers at once."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

from backoffice.app.feed import read_action
from backoffice.app.group_commit import GroupCommit
from backoffice.app.importing import import_feed
from backoffice.app.network_file import read_network
from backoffice.app.requests import Accepted, Request, Unreadable
from backoffice.bootstrap import House
from backoffice.domain.network.commands import ApplyNetwork
from ops.feeds.evening import NETWORK

SENDER = "bench"
NOW = datetime(2026, 5, 4, 16, tzinfo=UTC)


def seconds_to_import(house: House, feed: Path) -> float:
    """The whole feed in: rules, ledger, balances, meters, chain, durable commits."""
    with house.group_commit() as group:
        _apply_network(group)
        began = time.perf_counter()
        report = import_feed(house.engine, group, feed, SENDER)
        seconds = time.perf_counter() - began
    if report.refused:
        raise RuntimeError(f"{report.refused} actions of the generated feed were refused")
    return seconds


def seconds_to_rebuild(house: House, projection: str | None) -> float:
    """One projection, or all together, from the first event on."""
    began = time.perf_counter()
    for rebuilt in house.rebuild(projection):
        if rebuilt.differed:
            raise RuntimeError(f"{rebuilt.name} differed from its rebuild")
    return time.perf_counter() - began


def actions_a_second(house: House, callers: int, seconds: float) -> float:
    """Single actions, each waited for until it is durable, by so many threads, each on a round of its own."""
    rounds = [f"{callers}-{number}" for number in range(callers)]
    begin_rounds(house, rounds)
    with house.group_commit() as group, ThreadPoolExecutor(callers) as threads:
        counts = list(threads.map(lambda name: _act(group, name, seconds), rounds))
    return sum(counts) / seconds


def begin_rounds(house: House, rounds: Sequence[str]) -> None:
    """Open these rounds, and give each a player with money."""
    with house.group_commit() as group:
        _apply_network(group)
        _all_accepted(group, (action for name in rounds for action in _beginning(name)))


def acts(name: str) -> tuple[dict[str, str], ...]:
    """What a player does who cannot make up their mind: stakes, takes it back, over and over."""
    seat = {"round": name, "seat": "1"}
    wallet = {"casino": "riga", "player": f"p-{name}", "currency": "EUR"}
    return {"do": "ante", **seat, **wallet, "amount": "10.00"}, {"do": "undo", **seat}


def _apply_network(group: GroupCommit) -> None:
    file = read_network(NETWORK)
    _all_accepted(group, [Request(ApplyNetwork(id="network", at=NOW, file=file), SENDER, SENDER)])


def _beginning(name: str) -> Iterator[Request | Unreadable]:
    wallet = {"casino": "riga", "player": f"p-{name}", "currency": "EUR"}
    yield _action(f"{name}-deposit", do="deposit", amount="1000.00", **wallet)
    yield _action(f"{name}-open", do="open", round=name, table="live-blue", number="1")


def _act(group: GroupCommit, name: str, seconds: float) -> int:
    end = time.perf_counter() + seconds
    for count, fields in enumerate(cycle(acts(name))):
        if time.perf_counter() >= end:
            return count
        _all_accepted(group, [_action(f"{name}-{count}", **fields)])
    raise AssertionError("a cycle has no end")


def _action(name: str, **fields: str) -> Request | Unreadable:
    return read_action(json.dumps({"id": name, "at": NOW.isoformat(), **fields}).encode(), SENDER)


def _all_accepted(group: GroupCommit, requests: Iterable[Request | Unreadable]) -> None:
    asked: Sequence[Request | Unreadable] = list(requests)
    for request, outcome in zip(asked, group.submit(asked).result(), strict=True):
        if not isinstance(outcome, Accepted):
            raise RuntimeError(f"{request} -> {outcome}")  # noqa: TRY004 - an answer, not an argument
