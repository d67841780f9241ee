"""A harness that never fails shows nothing: what is wrong in a transcript is said, with its place."""

from pathlib import Path

import pytest
from test_transcripts import play
from transcript_script import ScriptError, read_scripts

ROUND = """\
transcript  A pair against nothing
round       caribbean-live/1  table live-1  jackpot royal
seat        a  tallinn EUR  ante 10.00
deal        shared 9h 9d 2c 5s Kh,  dealer Qc ....
call        a
reveal      Qc Jd 8d 6s 4h
"""
RIGHT = "expect a ante win 1:1 20.00, call push 20.00"


def played(text: str, folder: Path) -> None:
    path = folder / "theme.txt"
    path.write_text(text, encoding="utf-8")
    for script in read_scripts(path):
        play(script)


def fault(text: str, folder: Path) -> str:
    with pytest.raises(ScriptError) as found:
        played(text, folder)
    return str(found.value)


def test_what_is_right_passes(tmp_path):
    played(ROUND + RIGHT, tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        "expect a ante win 1:1 20.01, call push 20.00",
        "expect a ante win 2:1 20.00, call push 20.00",
        "expect a ante win 20.00, call push 20.00",
        "expect a ante push 20.00, call push 20.00",
        "expect a ante win 1:1 20.00",
        "expect a ante win 1:1 20.00, call push 20.00, bonus lose 0.00",
        "expect a ante win 1:1 20.00, call push 20.00 cut 1.00",
        "expect a nothing",
        "expect b ante win 1:1 20.00, call push 20.00",
        "change a +9.99",
        "change a 10.00, a -10.00",
        "balance a 1.00",
        "account house:tallinn EUR 0.01",
        "meter royal tallinn EUR contributed 0.50 refunded 0.00 paid 0.00 balance 0.50",
        "bucket royal tallinn EUR 0.50",
        "pool royal 50000.01",
        "cycle royal 2",
        "hit 100% pool 50000.00 won 50000.00",
        "share a 1.00 at 1 is 1.00",
        "drawn a 1.00",
        "case a flush 25.00",
        "dispute a call claimed 1.00 due 20.00",
        "decided a FOLD",
        "decided a AUTO CALL",
        "phase settled",
    ],
)
def test_what_is_not_so_fails_at_its_line(tmp_path, wrong):
    assert fault(ROUND + wrong, tmp_path).startswith(f"theme.txt:7: {wrong}")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("dance    a", "is no word of a transcript"),
        ("fold     a b", "is refused: not now: the dealer's hand is revealed"),
        ("settle   at once", "`at once` is not understood"),
        ("expect   a ante", "a result is missing"),
        ("blind    2 from 1 ante 1.00", "`by` is missing before `from 1 ante 1.00`"),
        ("round    caribbean-24h/2  table live-1", "live-1 plays caribbean-live/1 for royal"),
        (
            "round    caribbean-live/1  table live-1  jackpot ticino",
            "live-1 plays caribbean-live/1 for royal",
        ),
        ("table    live-1 colour red", "a table has no colour"),
        ("table    live-9 seats 3", "the network has no table live-9"),
        ("jackpot  royal colour red", "a jackpot has no colour"),
        ("seat     b  tallinn EUR  side 5.00", "`side` is no stake"),
        ("announce", "a seat is missing"),
    ],
)
def test_what_cannot_be_played_as_it_is_written_fails(tmp_path, line, reason):
    assert reason in fault(f"{ROUND}{line}\n{RIGHT}", tmp_path)


def test_a_refusal_that_does_not_come_fails(tmp_path):
    assert "is not refused" in fault(
        ROUND.replace("call        a", "call        a\n  refused  never"), tmp_path
    )


def test_a_refusal_with_other_words_fails(tmp_path):
    text = f"{ROUND}fold a\n  refused  seat a: has folded already"
    assert "is refused with other words: not now: the dealer's hand is revealed" in fault(text, tmp_path)


@pytest.mark.parametrize("below", ["refused x\n  refused y", "because x"])
def test_a_line_is_refused_once_and_nothing_else_stands_below_it(tmp_path, below):
    with pytest.raises(ScriptError):
        played(f"{ROUND}fold a\n  {below}", tmp_path)


def test_a_transcript_that_looks_at_nothing_fails(tmp_path):
    assert "looks at nothing" in fault(ROUND, tmp_path)


def test_a_line_before_the_first_title_fails(tmp_path):
    with pytest.raises(ScriptError, match="begins with its title"):
        played("round x\n", tmp_path)


def test_a_broken_promise_fails(tmp_path, monkeypatch):
    monkeypatch.setattr("promises.imbalance", lambda event: {"EUR": 1})
    with pytest.raises(AssertionError, match="out of balance"):
        played(ROUND + RIGHT, tmp_path)
