"""`backoffice import`: a feed in, whatever is in it; what is refused is told, and nothing else is changed by it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, backoffice
from front_door import EVENING, balance, events, rows, said
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app.feed import KEPT_BYTES
from backoffice.app.feed_lines import LONGEST_LINE
from backoffice.log.postgres import PostgresLog

SAMPLE = shared("feeds", "sample.jsonl")
NETWORK = shared("feeds", "network.toml")
EXPORTS = ("round-lines", "balances", "jackpot-meters", "jackpot-shares", "compensation-cases")
ANN = {"casino": "tallinn", "player": "ann", "currency": "EUR"}


def act(number: int, do: str, **fields: Any) -> bytes:
    moment = EVENING.replace(minute=number % 60).isoformat()
    return json.dumps({"id": f"i-{number}", "at": moment, "do": do, **fields}).encode()


def deposited(number: int, amount: str = "10.00", **fields: Any) -> bytes:
    return act(number, "deposit", **{**ANN, "amount": amount, **fields})


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    return tmp_path / "feed.jsonl"


def imported(
    engine: Engine, feed: Path, *arguments: str | Path, network: Path = NETWORK, **surroundings: str
) -> Done:
    return backoffice(engine, "import", feed, "--network", network, *arguments, **surroundings)


def counts(done: Done) -> dict[str, int]:
    told = [line.split()[:2] for line in done.out.splitlines() if not line.startswith("went on")]
    return {name: int(number) for name, number in told if name != "rate"}


def refused_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line, parse_constant=pytest.fail) for line in path.read_bytes().decode().splitlines()]


def exported(engine: Engine) -> dict[str, str]:
    return {name: backoffice(engine, "export", name, "--format", "csv").out for name in EXPORTS}


def test_the_sample_feed_gives_the_expected_exports_and_a_second_import_changes_nothing(
    engine: Engine,
) -> None:
    done = imported(engine, SAMPLE)
    assert (done.code, done.err) == (0, "")
    assert counts(done) == {"accepted": 3991, "repeated": 36, "refused": 0, "rounds": 250}
    expected = {name: shared("feeds", "expected", f"{name}.csv").read_bytes().decode() for name in EXPORTS}
    assert exported(engine) == expected
    head = PostgresLog(engine).head()

    again = imported(engine, SAMPLE)
    assert again.code == 0
    assert counts(again) == {"accepted": 0, "repeated": 4027, "refused": 0, "rounds": 0}
    assert PostgresLog(engine).head() == head
    assert exported(engine) == expected


def test_what_is_refused_is_told_by_line_and_reason_and_the_rest_goes_on(
    engine: Engine, feed: Path, tmp_path: Path
) -> None:
    lines = [
        deposited(1),
        act(2, "withdraw", **ANN, amount="25.00"),
        deposited(3, amount="1.234"),
        b"",
        act(4, "withdraw", **ANN, amount="4.00"),
        deposited(1, amount="99.00"),
        deposited(1),
    ]
    feed.write_bytes(b"\n".join(lines))
    done = imported(engine, feed, "--refused", tmp_path / "refused.jsonl")
    assert done.code == 1
    assert counts(done) == {"accepted": 2, "repeated": 1, "refused": 3, "rounds": 0}
    assert refused_of(tmp_path / "refused.jsonl") == [
        {
            "line": 2,
            "reason": "ann: a withdrawal of 25.00 EUR is not covered by the balance of 10.00 EUR",
            "action": json.loads(lines[1]),
        },
        {"line": 3, "reason": "1.234 has more digits than EUR has (2)", "action": json.loads(lines[2])},
        {
            "line": 6,
            "reason": "id i-1 was accepted before with another content",
            "action": json.loads(lines[5]),
        },
    ]
    assert balance(engine, "ann") == 600


NASTY = [
    b"nonsense",
    b'"just text"',
    b"[" * 60_000,
    b'{"id": "\xe4"}',
    b'{"id": "a\x00b"}',
    deposited(50, player="a\0b"),
    deposited(51, **{"a\0b": "1"}),
    deposited(52, **{"x" * 10_000: "1"}),
    deposited(53, player="X").replace(b"X", rb"\ud800"),
    deposited(54, amount="X").replace(b'"X"', b"1e400"),
    deposited(55, amount="X").replace(b'"X"', b"NaN"),
    deposited(56, amount="X").replace(b'"X"', b"12345678901234567890.12"),
    deposited(57)[:-1] + b', "amount" : "77.00"}',
    deposited(58, at="2026-03-01T20:00:00"),
    deposited(59, at="0001-01-01T12:00:00Z"),
    deposited(60, at="9999-12-31T23:59:59Z"),
    deposited(61, amount="9" * 24),
    deposited(62, currency="XAU"),
    deposited(63, currency="QQQ"),
    deposited(64, casino="nowhere"),
    act(65, "close", round="nowhere"),
    act(66, "rate", quote="EUR", rate="1"),
    act(67, "rate", quote="SEK", rate="0"),
    b"x" * (LONGEST_LINE + 1),
]


def test_wrong_bytes_are_refused_alone(engine: Engine, feed: Path, tmp_path: Path) -> None:
    """Whatever a line is, its neighbours are taken, and the file of refused actions can be read."""
    good = [deposited(number, amount="1.00") for number in range(len(NASTY) + 1)]
    lines = [line for pair in zip(good, [*NASTY, b""], strict=True) for line in pair]
    feed.write_bytes(b"\n".join(lines))
    done = imported(engine, feed, "--refused", tmp_path / "refused.jsonl")
    assert done.code == 1, done.err
    assert counts(done) == {"accepted": len(good), "repeated": 0, "refused": len(NASTY), "rounds": 0}
    refused = refused_of(tmp_path / "refused.jsonl")
    assert [one["line"] for one in refused] == [2 * number + 2 for number in range(len(NASTY))]
    assert all(one["reason"] for one in refused)
    assert balance(engine, "ann") == 100 * len(good)


def test_a_refused_action_is_given_back_digit_for_digit(engine: Engine, feed: Path, tmp_path: Path) -> None:
    """Whoever corrects it must see what was sent, not what some parser made of it."""
    sent = [
        b'{"id":"x","amount": 12345678901234567890.12, "amount" :1e2}',
        rb'{"id":"x","note":"\u00e4\ud83c\udcc1","z":-0.0}',
        "{ 'id': ä }".encode(),
    ]
    feed.write_bytes(b"\r\n".join(sent))
    imported(engine, feed, "--refused", tmp_path / "refused.jsonl")
    written = (tmp_path / "refused.jsonl").read_bytes().splitlines()
    assert sent[0] in written[0]
    assert sent[1] in written[1]
    assert json.loads(written[2])["action"] == "{ 'id': ä }"


def test_of_what_is_too_long_the_beginning_is_given_back(engine: Engine, feed: Path, tmp_path: Path) -> None:
    feed.write_bytes(b"y" * (LONGEST_LINE + 7))
    imported(engine, feed, "--refused", tmp_path / "refused.jsonl")
    (refused,) = refused_of(tmp_path / "refused.jsonl")
    assert refused["action"] == "y" * KEPT_BYTES
    assert refused["reason"] == f"a line is at most {LONGEST_LINE} bytes long"


def test_an_action_refused_once_is_accepted_once_its_cause_is_gone(
    engine: Engine, feed: Path, tmp_path: Path
) -> None:
    feed.write_bytes(act(1, "withdraw", **ANN, amount="5.00") + b"\n" + deposited(2))
    assert imported(engine, feed).code == 1
    assert balance(engine, "ann") == 1000
    again = imported(engine, feed, "--refused", tmp_path / "refused.jsonl")
    assert (again.code, counts(again)["accepted"], counts(again)["repeated"]) == (0, 1, 1)
    assert balance(engine, "ann") == 500
    assert (tmp_path / "refused.jsonl").read_bytes() == b""


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + deposited(1) + b"\n" + deposited(2) + b"\n",
        deposited(1) + b"\r\n" + deposited(2) + b"\r\n",
        deposited(1) + b"\n\n  \n" + deposited(2),
    ],
    ids=["byte order mark", "carriage returns", "blank lines, no last line end"],
)
def test_a_feed_from_another_editor_is_the_same_feed(engine: Engine, feed: Path, content: bytes) -> None:
    feed.write_bytes(content)
    done = imported(engine, feed)
    assert (done.code, counts(done)["accepted"]) == (0, 2)


def test_an_empty_feed_is_a_feed(engine: Engine, feed: Path) -> None:
    feed.write_bytes(b"")
    done = imported(engine, feed)
    assert (done.code, set(counts(done).values())) == (0, {0})


def test_every_action_is_of_the_network_unless_somebody_else_is_named(engine: Engine, feed: Path) -> None:
    feed.write_bytes(deposited(1))
    assert counts(imported(engine, feed))["accepted"] == 1
    assert counts(imported(engine, feed, "--sender", "baltic"))["repeated"] == 1
    assert counts(imported(engine, feed, "--sender", "tower"))["accepted"] == 1
    assert counts(imported(engine, feed, BACKOFFICE_SENDER="cellar"))["accepted"] == 1
    assert counts(backoffice(engine, "import", feed))["repeated"] == 1
    assert {one.actor for one in events(engine, "wallet/tallinn")} == {"baltic", "tower", "cellar"}


@pytest.mark.parametrize("sender", ["s" * 65, "a\nb"])
def test_a_sender_has_a_name_that_can_be_written(engine: Engine, feed: Path, sender: str) -> None:
    feed.write_bytes(deposited(1))
    done = imported(engine, feed, "--sender", sender)
    assert done.code == 2
    assert "1 to 64 characters" in done.err
    assert events(engine, "wallet/tallinn") == []


def test_what_cannot_be_read_ends_with_two_and_a_sentence(engine: Engine, feed: Path, tmp_path: Path) -> None:
    nowhere, pipe = tmp_path / "nowhere", tmp_path / "pipe"
    os.mkfifo(pipe)
    feed.write_bytes(deposited(1))
    writer = os.open(pipe, os.O_RDWR)
    for arguments, told in (
        ([nowhere, "--network", NETWORK], "No such file"),
        ([tmp_path, "--network", NETWORK], "Is a directory"),
        ([feed, "--network", nowhere], "No such file"),
        ([feed, "--network", SAMPLE], "at line 1"),
        ([feed], "there is no network yet"),
        ([pipe, "--network", NETWORK], "cannot be read twice"),
        ([feed, "--network", NETWORK, "--refused", nowhere / "refused"], "there is no folder"),
        ([feed, "--network", NETWORK, "--refused", feed], "written over the feed"),
    ):
        done = backoffice(engine, "import", *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert told in done.err
        assert "Traceback" not in done.err
    os.close(writer)
    assert events(engine, "wallet/tallinn") == []
    assert feed.read_bytes() == deposited(1)


def test_a_contradiction_in_the_network_is_told_with_its_line_and_nothing_is_imported(
    engine: Engine, feed: Path, tmp_path: Path
) -> None:
    feed.write_bytes(deposited(1))
    network = tmp_path / "network.toml"
    network.write_text(NETWORK.read_text().replace('pool = "80"', 'pool = "80.5"'))
    done = imported(engine, feed, network=network)
    assert (done.code, done.err) == (
        2,
        f"backoffice: {network}, line 38: 80.5 has more digits than JPY has (0)\n",
    )
    assert events(engine) == []


def test_the_same_network_again_is_no_fact(engine: Engine, feed: Path) -> None:
    feed.write_bytes(b"")
    imported(engine, feed)
    before = said(engine)
    imported(engine, feed)
    assert said(engine) == before


def test_only_what_changed_in_a_network_becomes_a_fact(engine: Engine, feed: Path, tmp_path: Path) -> None:
    feed.write_bytes(b"")
    imported(engine, feed)
    before = len(events(engine))
    network = tmp_path / "network.toml"
    text = NETWORK.read_text()
    for old, new in (
        ('SEK = "11.4210"', 'SEK = "11.5"'),
        ('gaming_day_starts = "04:00"', 'gaming_day_starts = "05:00"'),
        ('EUR = ["0.50", "10.00"]', 'EUR = ["0.50", "12.00"]'),
        ('seed = "0.00"', 'seed = "1.00"'),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    network.write_text(text)
    imported(engine, feed, network=network)
    assert [(one.type, one.actor) for one in events(engine)[before:]] == [
        ("network.casino_defined", "operator"),
        ("network.rate_set", "operator"),
        ("network.table_defined", "operator"),
        ("jackpot.terms_changed", "operator"),
    ]


def test_a_rate_of_the_feed_is_not_undone_by_the_same_network_again(engine: Engine, feed: Path) -> None:
    feed.write_bytes(act(1, "rate", quote="SEK", rate="12.5"))
    imported(engine, feed)
    before = said(engine)
    imported(engine, feed)
    assert said(engine) == before
    assert json.loads(events(engine, "rates/SEK")[-1].data)["rate"] == "12.5"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('id = "baltic"', 'id = "nordic"', "this log is of network baltic, not of nordic"),
        ("EUR", "CHF", "the base currency of network baltic is EUR for good"),
    ],
)
def test_a_log_is_of_one_network_with_one_base_currency(
    engine: Engine, feed: Path, tmp_path: Path, old: str, new: str, told: str
) -> None:
    feed.write_bytes(b"")
    imported(engine, feed)
    before = said(engine)
    network = tmp_path / "network.toml"
    small = "\n".join(NETWORK.read_text().split("[[jackpot]]")[0].splitlines())
    network.write_text(small.replace(old, new).replace('CHF = "0.9387"', ""))
    done = imported(engine, feed, network=network)
    assert (done.code, told in done.err) == (2, True), done.err
    assert said(engine) == before


def test_how_far_an_import_came_is_kept_with_its_counts(engine: Engine, feed: Path) -> None:
    feed.write_bytes(deposited(1) + b"\nnonsense\n")
    imported(engine, feed)
    assert rows(
        engine,
        "select sender, offset_bytes, lines, accepted, repeated, refused, finished_at is null from intake.imports",
    ) == [("baltic", len(feed.read_bytes()), 2, 1, 0, 1, False)]
