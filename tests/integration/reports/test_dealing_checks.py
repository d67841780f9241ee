"""Dealing checks find the stacked deck among honest tables, and say of small samples that they are small."""

import json
from typing import Any

from command_line import backoffice
from front_door import a_handler, action, deposit, founding, opened, rows, take, tallinn
from sqlalchemy import Engine

from backoffice.bootstrap import House
from backoffice.kernel.cards import DECK

Told = dict[tuple[str, str], dict[str, Any]]


def checks(engine: Engine, *arguments: str) -> Told:
    done = backoffice(engine, "report", "dealing-checks", "--format", "json", *arguments)
    assert done.code == 0, done.err
    return {(row["table"], row["test"]): row for row in json.loads(done.out)["rows"]}


def test_the_samples_fine_hands_come_again_too_often_and_its_cards_do_not(sample_house: House) -> None:
    """The sample deals straight flushes by design, from decks that are shuffled."""
    told = checks(sample_house.engine)
    assert {table for table, _ in told} == {
        "dublin-1",
        "floor-7",
        "high-24h",
        "low-24h",
        "live-1",
        "stud-10-20",
    }
    assert told["dublin-1", "repeated hands"]["flagged"] == "yes"
    assert not [name for name, row in told.items() if name[1] == "card frequency" and row["flagged"] == "yes"]
    assert told["stud-10-20", "card frequency"]["note"] == "too few cards for a test"


def test_hands_counted_are_those_first_dealt(sample_house: House) -> None:
    told = checks(sample_house.engine)
    hands = dict(
        rows(
            sample_house.engine,
            """select r.table_id, count(distinct (h.round, h.seat))
               from read.round_hands h join read.rounds r using (round) group by r.table_id""",
        )
    )
    for table in ("floor-7", "live-1"):
        assert told[table, "repeated hands"]["counted"] == hands[table]
        assert told[table, "card frequency"]["counted"] == 5 * hands[table]


def test_chances_are_larger_for_the_tests_made_beside(sample_house: House) -> None:
    alone = checks(sample_house.engine, "--casino", "lugano")["floor-7", "repeated hands"]
    among = checks(sample_house.engine)["floor-7", "repeated hands"]
    assert alone["chance"] == among["chance"]
    assert float(alone["adjusted"]) < float(among["adjusted"])


def test_the_same_hand_round_after_round_is_flagged(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"))
    hands = (["2c", "4d", "6h", "8s", "Tc"], ["2d", "4h", "6s", "9c", "Td"])
    for number in range(3):
        at = {"round": f"r-{number}"}
        dealer = ["Kd", *(DECK[card + number] for card in (4, 36, 40, 48))]
        take(
            handler,
            opened(f"r-{number}"),
            action("ante", **at, seat="1", **tallinn("ann"), amount="20.00"),
            action("close", **at),
            action("deal", **at, hands={"1": hands[number % 2]}, up="Kd"),
            action("fold", **at, seat="1"),
            action("reveal", **at, dealer=dealer),
            action("settle", **at),
        )
    told = checks(engine)
    assert told["high-24h", "repeated hands"]["flagged"] == "yes"
    assert told["high-24h", "repeated hands"]["statistic"] == "1"
    assert told["high-24h", "repeated hands"]["striking"] == "10♣ 8♠ 6♥ 4♦ 2♣ 2 times"
    assert told["high-24h", "card frequency"]["chance"] is None
    assert checks(engine, "--casino", "tallinn", "--day", "2020-01-01") == {}
