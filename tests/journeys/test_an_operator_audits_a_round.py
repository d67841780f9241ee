"""A player complains about a round of last night; an operator looks it up, and decides it again."""

import json

from command_line import backoffice
from shared_folder import shared
from sqlalchemy import Engine

ROUND = "live-1-000002"


def test_an_operator_audits_a_round(engine: Engine) -> None:
    network = shared("feeds", "network.toml")
    assert backoffice(engine, "import", shared("feeds", "sample.jsonl"), "--network", network).code == 0

    # The player knows the round's number and that he sat at the third seat: what happened there?
    shown = backoffice(engine, "round", "show", ROUND)
    assert shown.code == 0
    assert (
        "number 20:00:13-live-1-000002, table live-1, caribbean-live/1, jackpot royal: settled" in shown.out
    )
    assert "dealt shared: 7♣ Q♠ 3♦ 10♠ J♥; the dealer shows 10♥" in shown.out
    assert "seat 3 (st-sek-07 of stockholm) calls with 260.00 SEK" in shown.out
    assert "the dealer holds 10♥ 2♦ 4♦ J♣ 2♥" in shown.out

    # Every bet has its rule, and the same stands there as data for whoever writes to the player.
    lines = json.loads(backoffice(engine, "round", "show", ROUND, "--json").out)["lines"]
    third = {line["bet"]: line for line in lines if line["seat"] == "3"}
    assert {bet: (line["stake"], line["result"], line["payout"]) for bet, line in third.items()} == {
        "ante": ("130.00", "lose", "0.00"),
        "call": ("260.00", "lose", "0.00"),
    }
    assert all(line["rule"] for line in lines)

    # Was it right? The rules are asked again, for this round and then for all of the evening.
    audited = backoffice(engine, "round", "audit", ROUND)
    assert (audited.code, audited.out) == (0, "1 decision made again, 0 differ\n")
    everything = backoffice(engine, "round", "audit", "--all")
    assert (everything.code, everything.out) == (0, "274 decisions made again, 0 differ\n")
