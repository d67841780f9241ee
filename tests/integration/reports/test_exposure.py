"""What each hand would win, before it is dealt: on a shared hand times everybody who plays it."""

import json
from typing import Any

from command_line import backoffice
from front_door import a_handler, action, deposit, founding, opened, take, tallinn, whole_round
from sqlalchemy import Engine


def exposure(engine: Engine, *arguments: str) -> dict[tuple[str, str, str], dict[str, Any]]:
    done = backoffice(engine, "report", "exposure", "--format", "json", *arguments)
    assert done.code == 0, done.err
    return {(row["round"], row["currency"], row["hand"]): row for row in json.loads(done.out)["rows"]}


def test_500_marks_on_a_shared_hand_show_500_prizes(engine: Engine) -> None:
    crowd = [f"p-{number}" for number in range(500)]
    requests = [founding(), *(deposit(player, "10.00") for player in crowd), opened("r-1", "live-1")]
    for player in crowd:
        requests.append(action("ante", round="r-1", seat=player, **tallinn(player), amount="1.00"))
        requests.append(action("mark", round="r-1", seat=player))
    take(a_handler(engine), *requests)
    told = exposure(engine)
    straight_flush = told["r-1", "EUR", "straight flush"]
    assert (straight_flush["boxes"], straight_flush["marks"]) == (500, 500)
    assert straight_flush["fixed_prizes"] == "1250000.00", "500 x 2500 x 1.00"
    assert straight_flush["bets"] == "50500.00", "500 x (1.00 + 2.00 x 50)"
    assert told["r-1", "EUR", "royal flush"]["fixed_prizes"] == "0.00", (
        "all of the pool, and nothing of the house"
    )


def test_where_every_box_has_its_own_hand_it_is_the_dearest_box(engine: Engine) -> None:
    at = {"round": "r-1"}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        deposit("bob"),
        opened("r-1", "dublin-1"),
        action("ante", **at, seat="1", **tallinn("ann"), amount="50.00"),
        action("bonus", **at, seat="1", amount="1.00"),
        action("ante", **at, seat="2", **tallinn("bob"), amount="5.00"),
    )
    told = exposure(engine)
    assert told["r-1", "EUR", "full house"]["altogether"] == "1000.00", "50 + 100 x 7 + 250"
    assert told["r-1", "EUR", "royal flush"]["altogether"] == "5050.00", (
        "the table pays 5,000 at most, and the ante"
    )


def test_each_casino_sees_its_own_players_and_nothing_of_rounds_that_are_over(engine: Engine) -> None:
    stockholm = {"casino": "stockholm", "player": "stig", "currency": "SEK"}
    at = {"round": "r-1"}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        action("deposit", **stockholm, amount="1000.00"),
        *whole_round("r-0", "ann"),
        opened("r-1", "live-1"),
        action("ante", **at, seat="a", **tallinn("ann"), amount="1.00"),
        action("ante", **at, seat="s", **stockholm, amount="10.00"),
    )
    assert {(name, currency) for name, currency, _ in exposure(engine)} == {("r-1", "EUR"), ("r-1", "SEK")}
    assert {currency for _, currency, _ in exposure(engine, "--casino", "stockholm")} == {"SEK"}
    assert exposure(engine, "--casino", "lugano") == {}
