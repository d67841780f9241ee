"""A jackpot's ceiling and reserve through the front door: whoever decides, the meters are the log's, and the audit agrees."""

import json

from front_door import (
    EVENING,
    NETWORK,
    a_handler,
    action,
    deposit,
    differences,
    opened,
    rows,
    take,
    tallinn,
)
from sqlalchemy import Engine

from backoffice.app.requests import Request
from backoffice.bootstrap import CODEC
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile
from backoffice.log.postgres import PostgresLog
from backoffice.reports.round_audit import audit_rounds

ROYAL = ["As", "Ks", "Qs", "Js", "Ts"]


def applied(name: str, file: NetworkFile) -> Request:
    return Request(ApplyNetwork(id=name, at=EVENING, file=file), sender="command line", actor="operator")


def with_ceiling(ceiling: str) -> NetworkFile:
    content = NETWORK.model_dump(mode="json", exclude_unset=True)
    next(jackpot for jackpot in content["jackpot"] if jackpot["id"] == "house-24h")["ceiling"] = ceiling
    return NetworkFile.model_validate_json(json.dumps(content))


def marked(round_id: str, player: str) -> list[Request]:
    at = {"round": round_id}
    return [
        opened(round_id),
        action("ante", **at, seat="1", **tallinn(player), amount="20.00"),
        action("mark", **at, seat="1"),
    ]


def won(round_id: str) -> list[Request]:
    at = {"round": round_id}
    return [
        action("close", **at),
        action("deal", **at, hands={"1": ROYAL}, up="Kd"),
        action("fold", **at, seat="1"),
        action("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", **at),
    ]


def meters(engine: Engine) -> dict[str, tuple[int, ...]]:
    query = """
        select jackpot || ' ' || casino, contributed_minor, refunded_minor, paid_out_minor, balance_minor
        from read.jackpot_meters where jackpot like '%house-24h' order by 1
    """
    return {name: tuple(amounts) for name, *amounts in rows(engine, query)}


def test_a_reserve_that_one_process_fills_is_known_to_the_other(engine: Engine) -> None:
    one, other = a_handler(engine), a_handler(engine)
    take(one, applied("n-1", with_ceiling("10000.30")), *map(deposit, ("ann", "bob", "cy")))
    take(one, *marked("r-1", "ann"))  # 0.25: fits
    take(other, *marked("r-2", "bob"))  # 0.05 of it fit
    take(one, *marked("r-3", "cy"))
    assert meters(engine) == {
        "house-24h -": (1_000_000, 0, 0, 1_000_000),
        "house-24h tallinn": (30, 0, 0, 30),
        "reserve:house-24h tallinn": (45, 0, 0, 45),
    }
    take(other, *won("r-1"))
    assert meters(engine) == {
        "house-24h -": (2_000_000, 0, 1_000_000, 1_000_000),
        "house-24h tallinn": (60, 0, 30, 30),
        "reserve:house-24h tallinn": (15, 0, 0, 15),
    }
    take(one, action("cancel", round="r-2", reason="misdeal"), *won("r-3"))
    assert differences(engine) == []
    assert [audited.differences for audited in audit_rounds(PostgresLog(engine), CODEC)] == [()] * 4


def test_a_pool_in_a_currency_that_no_casino_plays_in_any_more_is_paid_all_the_same(engine: Engine) -> None:
    """The rate is loaded for what the pool holds, not only for what is played."""
    take(a_handler(engine), applied("n-1", NETWORK))
    stockholm = {"casino": "stockholm", "player": "sven", "currency": "SEK"}
    first = a_handler(engine)
    take(first, action("deposit", **stockholm, amount="1000.00"), deposit("ann"))
    take(
        first,
        opened("r-1", table="live-1"),
        action("ante", round="r-1", seat="s", **stockholm, amount="50.00"),
        action("mark", round="r-1", seat="s"),
        action("ante", round="r-1", seat="a", **tallinn("ann"), amount="5.00"),
        action("mark", round="r-1", seat="a"),
        action("close", round="r-1"),
    )
    content = NETWORK.model_dump(mode="json", exclude_unset=True)
    for casino in content["casino"]:
        casino["currencies"] = [code for code in casino["currencies"] if code != "SEK"]
    for table in content["table"]:
        for limits in table.get("limits", {}).values():
            limits.pop("SEK", None)
    without = NetworkFile.model_validate_json(json.dumps(content))
    take(first, applied("n-2", without))
    take(
        a_handler(engine),
        action("deal", round="r-1", hands={"shared": ROYAL}, up="Kd"),
        action("fold", round="r-1", seat="s"),
        action("fold", round="r-1", seat="a"),
        action("reveal", round="r-1", dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", round="r-1"),
    )
    assert differences(engine) == []
