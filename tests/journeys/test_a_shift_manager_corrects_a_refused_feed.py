"""A table system sent some nonsense; the shift manager reads what was refused, has it put right and sends it again."""

import json
from pathlib import Path

import pytest
from command_line import Done, backoffice
from shared_folder import shared
from sqlalchemy import Engine

NETWORK = shared("feeds", "network.toml")
ANN = {"casino": "tallinn", "player": "ann", "currency": "EUR"}
AT = {"at": "2026-03-01T20:00:00Z", "round": "r-1"}
EVENING = [
    {"id": "1", "at": AT["at"], "do": "deposit", **ANN, "amount": "100.00"},
    {"id": "2", **AT, "do": "open", "table": "high-24h", "number": "17"},
    {"id": "3", **AT, "do": "ante", "seat": "1", **ANN, "amount": 20.0},
    {"id": "4", **AT, "do": "ante", "seat": "2", "casino": "tallinn", "player": "bob", "currency": "EUR", "amount": "20.00"},
    {"id": "5", **AT, "do": "close"},
    {"id": "6", **AT, "do": "deal", "hands": {"1": ["As", "Ks", "Qs", "Js", "9h"]}, "up": "2c"},
    {"id": "7", **AT, "do": "call", "seat": "1"},
]  # fmt: skip


def send(engine: Engine, folder: Path, actions: list[dict[str, object]]) -> Done:
    feed = folder / "feed.jsonl"
    feed.write_text("".join(json.dumps(action) + "\n" for action in actions))
    return backoffice(engine, "import", feed, "--network", NETWORK, "--refused", folder / "refused.jsonl")


def refused(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "refused.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("resend", ["the whole evening", "only what was refused"])
def test_a_shift_manager_corrects_a_refused_feed(engine: Engine, tmp_path: Path, resend: str) -> None:
    first = send(engine, tmp_path, EVENING)
    assert first.code == 1
    assert [(one["line"], one["reason"]) for one in refused(tmp_path)] == [
        (3, "amount: should be a valid string"),
        (4, "seat 2: 20.00 EUR is not covered by the balance of 0.00"),
        (5, "nobody plays: betting cannot be closed, the round can only be cancelled"),
        (6, "not now: betting is open"),
        (7, "not now: betting is open"),
    ]

    # The amount was a number; the second player's money had not been counted yet, and now he is gone.
    # Everything else was refused for want of these, and is as it should be.
    actions = [one["action"] for one in refused(tmp_path)] if resend == "only what was refused" else EVENING
    corrected = [
        {**action, "amount": "20.00"} if action["id"] == "3" else action  # type: ignore[index,dict-item]
        for action in actions
        if action["id"] != "4"  # type: ignore[index]
    ]
    second = send(engine, tmp_path, corrected)
    assert (second.code, refused(tmp_path)) == (0, [])
    assert "accepted             4" in second.out

    # The ids of the refused were not used up, and what had been accepted was not taken twice.
    assert backoffice(engine, "export", "balances").out == (
        "casino,player,currency,balance\ntallinn,ann,EUR,40.00\n"
    )


def test_a_refused_network_is_corrected_line_by_line(engine: Engine, tmp_path: Path) -> None:
    network, feed = tmp_path / "network.toml", tmp_path / "feed.jsonl"
    feed.write_text(json.dumps(EVENING[0]))
    wrong = (
        NETWORK.read_text()
        .replace('pool = "80"', 'pool = "80.5"')
        .replace("caribbean-24h/2", "caribbean-24h/3")
    )
    network.write_text(wrong)
    done = backoffice(engine, "import", feed, "--network", network)
    assert done.code == 2
    told = done.err.removeprefix("backoffice: ").splitlines()
    assert told == [
        f"{network}, line 38: 80.5 has more digits than JPY has (0)",
        f"{network}, line 70: there is no book caribbean-24h/3",
    ]

    lines = wrong.split("\n")
    lines[38 - 1] = lines[38 - 1].replace("80.5", "80")
    lines[70 - 1] = lines[70 - 1].replace("caribbean-24h/3", "caribbean-24h/2")
    network.write_text("\n".join(lines))
    assert backoffice(engine, "import", feed, "--network", network).code == 0
