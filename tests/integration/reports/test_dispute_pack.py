"""A dispute pack is whole, needs nothing beside itself, and its hashes can be worked out again by anybody."""

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from struct import pack as packed
from typing import Any
from uuid import UUID

import pytest
from command_line import backoffice
from front_door import (
    a_handler,
    action,
    deposit,
    events,
    founding,
    opened,
    rows,
    staff,
    take,
    tallinn,
    whole_round,
)
from sqlalchemy import Engine

from backoffice.bootstrap import House
from backoffice.domain.cases.commands import Approve, OpenCase, RequestReversal

NASTY = "<img src=x onerror=alert(1)>&\"'"


@pytest.fixture
def disputed(engine: Engine) -> Engine:
    """A round paid otherwise by the table, taken back by two people, and a claim about it; beside another round."""
    handler = a_handler(engine)
    *play, settle = whole_round("r-1", "ann")
    play[0] = opened("r-1", dealer=NASTY)
    payouts = {"1": {"call": "1.00"}}
    take(handler, founding(), deposit("ann"), *play, deposit("bob"))
    take(handler, action("settle", round="r-1", id=settle.key, payouts=payouts), opened("r-2", "dublin-1"))
    take(handler, staff(RequestReversal, "mia", round="r-1", reason=NASTY))
    take(handler, staff(Approve, "otto:compliance", case="reversal/r-1", proposal=1))
    claim = {**tallinn("ann"), "grounds": "goodwill", "reason": "waited long", "round": "r-1"}
    take(handler, staff(OpenCase, "mia", **claim))
    return engine


def pack_of(engine: Engine, round_id: str = "r-1") -> dict[str, Any]:
    done = backoffice(engine, "round", "dispute", round_id, "--format", "json")
    assert done.code == 0, done.err
    return dict(json.loads(done.out))


def test_a_pack_has_the_story_the_cards_the_rules_the_postings_and_the_cases(disputed: Engine) -> None:
    pack = pack_of(disputed)
    told = json.loads(backoffice(disputed, "round", "show", "r-1", "--json").out)
    assert pack["story"] == told
    assert [dealt["what"] for dealt in pack["cards"]] == ["hands dealt", "dealer's hand"]
    assert pack["cards"][0]["hands"] == {"1": ["2c", "4d", "6h", "8s", "Tc"]}
    rules = pack["rules"]
    assert rules["book"] == "caribbean-24h/1"
    assert "The dealer plays with ace or king high, or better." in rules["sentences"]
    assert "A chip costs 0.50 EUR, of which 0.25 EUR go into the pool." in rules["sentences"]
    assert "What several win of the pool is divided among them in equal parts." in rules["sentences"]
    assert rules["pay_table"]["rows"][0] == ["royal flush", "200 : 1", "100 : 1", "100% of the pool"]
    assert rules["limits"] == [{"bet": "ante", "currency": "EUR", "minimum": "10.00", "maximum": "100.00"}]
    assert [case["kind"] for case in pack["cases"]] == ["dispute", "reversal", "claim"]
    assert all(event["postings"] for event in pack["story"]["events"] if event["type"] == "round.settled")


def test_a_pack_says_from_which_log_and_position_it_was_made(disputed: Engine) -> None:
    last = events(disputed)[-1]
    pack = pack_of(disputed)
    assert (pack["log"]["position"], pack["log"]["hash"]) == (last.position, last.hash.hex())
    assert pack["as_of"] == last.recorded_at.isoformat()


@pytest.mark.parametrize("form", ["json", "html"])
def test_the_same_log_gives_the_same_bytes(disputed: Engine, tmp_path: Path, form: str) -> None:
    for name in ("one", "other"):
        backoffice(disputed, "round", "dispute", "r-1", "--format", form, "--out", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_the_hashes_are_worked_out_as_the_pack_itself_says_how(disputed: Engine) -> None:
    """Written from the pack's own words, not with the program's: what a court's expert would do."""
    excerpt = pack_of(disputed)["chain"]["events"]
    assert len(excerpt) > 15
    for event in excerpt:
        due = sha256(bytes.fromhex(event["previous_hash"]) + image(event)).hexdigest()
        assert due == event["hash"], event["position"]
    recorded = {one.position: one.hash.hex() for one in events(disputed)}
    for event in excerpt:
        assert recorded[event["position"]] == event["hash"]
        assert recorded[event["position"] - 1] == event["previous_hash"]


def image(event: dict[str, Any]) -> bytes:
    return b"".join(
        map(
            field,
            [
                packed(">q", event["position"]),
                UUID(event["event_id"]).bytes,
                event["stream"].encode(),
                packed(">q", event["version"]),
                event["type"].encode(),
                packed(">q", event["schema"]),
                instant(event["happened_at"]),
                instant(event["recorded_at"]),
                event["actor"].encode(),
                None if event["cause"] is None else UUID(event["cause"]).bytes,
                None if event["correlation"] is None else event["correlation"].encode(),
                event["data"].encode(),
            ],
        )
    )


def field(value: bytes | None) -> bytes:
    return packed(">i", -1) if value is None else packed(">i", len(value)) + value


def instant(text: str) -> bytes:
    since = datetime.fromisoformat(text) - datetime(2000, 1, 1, tzinfo=UTC)
    return packed(">q", since // timedelta(microseconds=1))


def test_a_pack_is_checked_without_a_log_and_a_changed_byte_is_found(
    disputed: Engine, tmp_path: Path
) -> None:
    pack = pack_of(disputed)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(pack))
    changed = pack["chain"]["events"][5]
    changed["data"] = changed["data"].replace("2c", "2d") + " "
    bad.write_text(json.dumps(pack))
    assert backoffice("postgresql://nobody@127.0.0.1:1/none", "round", "check", good).code == 0
    done = backoffice("postgresql://nobody@127.0.0.1:1/none", "round", "check", bad)
    assert (done.code, done.out.splitlines()[0]) == (
        1,
        f"position {changed['position']}: its hash does not fit what stands here",
    )


def test_an_event_put_in_the_place_of_another_is_found(disputed: Engine, tmp_path: Path) -> None:
    """Both fit by themselves, and not one behind the other."""
    pack = pack_of(disputed)
    path = tmp_path / "pack.json"
    excerpt = pack["chain"]["events"]
    stranger = pack_of(disputed, "r-2")["chain"]["events"][0]
    follows = next(
        i for i, one in enumerate(excerpt[1:], 1) if one["position"] == excerpt[i - 1]["position"] + 1
    )
    excerpt[follows - 1] = {**stranger, "position": excerpt[follows]["position"] - 1}
    path.write_text(json.dumps(pack))
    assert backoffice(disputed, "round", "check", path).code == 1


def test_a_file_that_is_no_pack_is_said_to_be_none(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "pack.json"
    path.write_text("[]")
    done = backoffice(engine, "round", "check", path)
    assert (done.code, done.err) == (2, f"backoffice: {path} is no dispute pack\n")


def test_the_page_says_what_the_pack_says_and_needs_nothing_beside_itself(disputed: Engine) -> None:
    pack = pack_of(disputed)
    page = Page(backoffice(disputed, "round", "dispute", "r-1").out)
    for event in pack["story"]["events"]:
        assert event["what"] in page.texts
    for event in pack["chain"]["events"]:
        assert {event["hash"], event["previous_hash"], event["data"]} <= page.texts
    assert {"100% of the pool", "10.00", "caribbean-24h/1"} <= page.texts
    assert not page.tags & {"script", "link", "img", "iframe", "a", "object"}
    assert not page.attributes & {"src", "href", "onerror"}


def test_no_text_of_the_feed_becomes_part_of_the_page(disputed: Engine) -> None:
    text = backoffice(disputed, "round", "dispute", "r-1").out
    assert "<img" not in text
    assert NASTY in Page(text).texts


def test_a_round_that_goes_on_has_a_pack_too(disputed: Engine) -> None:
    page = Page(backoffice(disputed, "round", "dispute", "r-2").out)
    assert {
        "The round has no result yet.",
        "No cards were dealt.",
        "There is no case about this round.",
    } <= page.texts


def test_a_round_that_never_was_has_no_pack(disputed: Engine) -> None:
    done = backoffice(disputed, "round", "dispute", "r-3")
    assert (done.code, done.err) == (2, "backoffice: round r-3 was never opened\n")


def test_a_pot_game_has_a_pack(engine: Engine) -> None:
    seat = {"round": "s-1", "seat": "1"}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        opened("s-1", table="stud-10-20"),
        action("sit", **seat, **tallinn("ann"), stack="100.00"),
    )
    rules = pack_of(engine, "s-1")["rules"]
    assert rules["pay_table"] is None
    assert (
        "The ante is 1.00 EUR, the bring-in 5.00 EUR, the small bet 10.00 EUR, the big bet 20.00 EUR."
        in rules["sentences"]
    )


def test_a_casino_is_given_its_own_part_of_a_shared_round(sample_house: House, tmp_path: Path) -> None:
    ((round_id,), *_) = rows(
        sample_house.engine,
        """select round from read.round_lines where result <> 'refund'
           group by round having count(distinct casino) > 1 order by round""",
    )
    path = tmp_path / "pack.json"
    backoffice(
        sample_house.engine,
        "round",
        "dispute",
        round_id,
        "--casino",
        "tallinn",
        "--format",
        "json",
        "--out",
        path,
    )
    whole, pack = pack_of(sample_house.engine, round_id), json.loads(path.read_text())
    players = {(line["casino"], line["player"]) for line in whole["story"]["lines"]}
    strangers = {player for casino, player in players if casino != "tallinn"}
    assert strangers
    assert {line["casino"] for line in pack["story"]["lines"]} == {"tallinn"}
    assert not [player for player in strangers if player in path.read_text()]
    assert pack["chain"]["left_out"] > 0 == whole["chain"]["left_out"]
    assert backoffice(sample_house.engine, "round", "check", path).code == 0


def test_a_casino_that_did_not_play_has_no_pack(sample_house: House) -> None:
    ((round_id,), *_) = rows(sample_house.engine, "select round from read.rounds where table_id = 'live-1'")
    done = backoffice(sample_house.engine, "round", "dispute", round_id, "--casino", "lugano")
    assert (done.code, done.err) == (2, f"backoffice: round {round_id} was never opened\n")


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.texts.add(data)
