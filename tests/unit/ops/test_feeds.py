"""Generated feeds: the same again for the same seed, and nothing in them that the house would refuse."""

import json
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from typing import get_args, get_type_hints

from pure_house import PureHouse

from backoffice.app.feed import ACTIONS
from backoffice.app.network_file import read_network
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.rounds.commands import TableAction
from backoffice.domain.rounds.phase import Phase
from ops.feeds.evening import NETWORK, SAMPLE, Size, feed, sample
from ops.feeds.pace import Visits


def test_the_same_seed_makes_the_same_feed() -> None:
    assert list(feed(Size(rounds=20), seed=5)) == list(feed(Size(rounds=20), seed=5))


def test_another_seed_makes_another_feed() -> None:
    assert list(feed(Size(rounds=20), seed=5)) != list(feed(Size(rounds=20), seed=6))


def test_a_feed_has_about_as_many_actions_as_asked_for() -> None:
    assert 1000 <= len(list(feed(Size(actions=1000)))) < 1500


def test_the_sample_feed_is_the_one_that_is_generated() -> None:
    kept = (SAMPLE / "feed.jsonl").read_text(encoding="utf-8").splitlines()
    regenerate = "ops/generate --rounds 250 --seed 34 --out ops/sample/feed.jsonl"
    assert kept == list(sample()), f"ops/sample/feed.jsonl is stale; run: {regenerate}"


def test_the_house_accepts_every_action_of_the_sample_feed_and_no_round_is_left_unfinished() -> None:
    house = PureHouse()
    network = ApplyNetwork(id="network", at=house.now, file=read_network(NETWORK))
    house.handle(network)
    for line in dict.fromkeys(sample()):
        house.handle(ACTIONS.validate_json(line))
    finished = {Phase.SETTLED, Phase.CANCELLED}
    assert {state.phase for state in house.past.rounds.values()} == finished
    assert len(house.past.rounds) == 250


def test_the_sample_feed_has_every_action_there_is_and_some_of_them_twice() -> None:
    lines = list(sample())
    done = Counter(json.loads(line)["do"] for line in lines)
    known = {get_args(get_type_hints(command)["do"])[0] for command in get_args(TableAction)}
    assert not known - done.keys()
    assert len(set(lines)) < len(lines)


def test_rounds_of_several_tables_are_interleaved_in_the_order_of_time() -> None:
    actions = [json.loads(line) for line in dict.fromkeys(sample())]
    moments = [action["at"] for action in actions]
    assert all(earlier < later for earlier, later in pairwise(moments))
    rounds = [action["round"] for action in actions if "round" in action]
    assert sum(one != other for one, other in pairwise(rounds)) > len(rounds) / 2


def test_a_feed_can_be_spread_over_a_year() -> None:
    pace = Visits(datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC), 3000)
    moments = [json.loads(line)["at"] for line in dict.fromkeys(feed(Size(actions=3000), pace=pace))]
    assert all(earlier < later for earlier, later in pairwise(moments))
    months = Counter(moment[:7] for moment in moments)
    assert min(months[f"2025-{month:02}"] for month in range(1, 13)) > 100
    assert moments[-1] < "2026-01-02"
