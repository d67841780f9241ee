"""A player's balance at any time, by when it happened or when it was booked, with every movement and its round."""

import csv
import json
from datetime import date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from front_door import (
    EVENING,
    a_handler,
    action,
    deposit,
    founding,
    staff,
    take,
    tallinn,
    whole_round,
    withdraw,
)
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.bootstrap import House, house_on
from backoffice.domain.cases.commands import Approve, RequestReversal
from backoffice.domain.cases.names import reversal_id
from backoffice.reports.asked import Asked
from backoffice.reports.filters import BadFilter
from backoffice.reports.rendering.forms import FORMS


def statement(
    house: House,
    player: str,
    casino: str = "tallinn",
    days: tuple[date | None, date | None] = (None, None),
    **only: str,
) -> list[dict[str, Any]]:
    asked = Asked(casino, *days, only={"player": player, **only})
    with house.report("player-statement", asked) as made:
        return json.loads(b"".join(FORMS["json"](made)))["rows"]  # type: ignore[no-any-return]


def balances(told: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(row["currency"], row["account"], row["balance"]) for row in told if row["what"] == "balance"]


def test_every_wallet_of_the_sample_ends_at_its_expected_balance(sample_house: House) -> None:
    expected = csv.DictReader(StringIO(shared("feeds", "expected", "balances.csv").read_text("utf-8")))
    for wallet in expected:
        told = statement(sample_house, wallet["player"], wallet["casino"])
        assert (wallet["currency"], "balance", wallet["balance"]) in balances(told)


def test_every_line_is_the_one_before_and_its_amount(sample_house: House) -> None:
    wallets = list(csv.DictReader(StringIO(shared("feeds", "expected", "balances.csv").read_text("utf-8"))))
    for wallet in wallets[::7]:
        for by in ("happened", "booked"):
            told = statement(sample_house, wallet["player"], wallet["casino"], by=by)
            for before, line in pairwise(told):
                if line["what"] != "carried forward":
                    assert Decimal(before["balance"]) + Decimal(line["amount"] or 0) == Decimal(
                        line["balance"]
                    )


@pytest.fixture
def house(engine: Engine) -> House:
    take(a_handler(engine), founding())
    return house_on(engine)


def at(moment: datetime) -> dict[str, str]:
    return {"at": moment.isoformat()}


def test_a_late_deposit_was_there_when_it_happened_and_not_when_it_was_not_booked(house: House) -> None:
    hour = timedelta(hours=1)
    take(a_handler(house.engine), deposit("ann", "100.00", **at(EVENING + 2 * hour)))
    take(a_handler(house.engine), deposit("ann", "5.00", **at(EVENING)))
    between = (EVENING + hour).isoformat()
    assert balances(statement(house, "ann", at=between)) == [("EUR", "balance", "5.00")]
    assert balances(statement(house, "ann", at=between, by="booked")) == []
    by_time = [row["amount"] for row in statement(house, "ann")]
    assert by_time == [None, "5.00", "100.00", None]
    by_log = [row["amount"] for row in statement(house, "ann", by="booked")]
    assert by_log == [None, "100.00", "5.00", None]


def test_each_movement_says_its_round_and_what_players_quote(house: House) -> None:
    take(a_handler(house.engine), deposit("ann", "100.00"), *whole_round("r-1", "ann"))
    told = statement(house, "ann")
    stakes = [row for row in told if row["round"] == "r-1"]
    assert [(row["what"], row["amount"], row["table_id"], row["number"]) for row in stakes][:2] == [
        ("round.ante_placed", "-20.00", "high-24h", "r-1"),
        ("round.jackpot_marked", "-0.50", "high-24h", "r-1"),
    ]


def test_a_day_begins_with_what_was_carried_forward(house: House) -> None:
    yesterday = EVENING - timedelta(days=1)
    take(a_handler(house.engine), deposit("ann", "100.00", **at(yesterday)), withdraw("ann", "30.00"))
    sunday = date(2026, 3, 1)
    told = statement(house, "ann", days=(sunday, sunday))
    assert [(row["what"], row["amount"], row["balance"]) for row in told] == [
        ("carried forward", None, "100.00"),
        ("wallet.money_withdrawn", "-30.00", "70.00"),
        ("balance", None, "70.00"),
    ]
    quiet = statement(house, "ann", days=(date(2026, 3, 5), date(2026, 3, 5)))
    assert [(row["what"], row["balance"]) for row in quiet] == [
        ("carried forward", "70.00"),
        ("balance", "70.00"),
    ]


def test_a_debt_has_an_account_of_its_own(house: House) -> None:
    """A win that is spent before its round is reversed."""
    won = [
        action("ante", round="r-1", seat="1", **tallinn("ann"), amount="20.00"),
        action("close", round="r-1"),
        action("deal", round="r-1", hands={"1": ["Ah", "Ad", "Ac", "8s", "Tc"]}, up="Kd"),
        action("call", round="r-1", seat="1"),
        action("reveal", round="r-1", dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", round="r-1"),
    ]
    opening = action("open", round="r-1", table="high-24h", number="1")
    take(a_handler(house.engine), deposit("ann", "60.00"), opening, *won)
    (_, _, winnings), *_ = balances(statement(house, "ann"))
    take(a_handler(house.engine), withdraw("ann", winnings))
    take(a_handler(house.engine), staff(RequestReversal, "mia", round="r-1", reason="marked cards"))
    take(a_handler(house.engine), staff(Approve, "otto:compliance", case=reversal_id("r-1"), proposal=1))
    owed = f"{60 - Decimal(winnings)}"
    assert balances(statement(house, "ann")) == [("EUR", "balance", "0.00"), ("EUR", "debt", owed)]
    assert Decimal(owed) < 0


def test_a_moment_that_is_none_is_said(house: House) -> None:
    with pytest.raises(BadFilter, match="at: yesterday is no moment"):
        statement(house, "ann", at="yesterday")
    assert statement(house, "nobody") == []
