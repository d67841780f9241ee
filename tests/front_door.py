"""Requests as a table sends them, and a desk that takes them: for tests of the front door on a real database."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from pydantic_core import to_jsonable_python
from shared_folder import shared
from sqlalchemy import Engine, text

from backoffice.app.feed import read_action
from backoffice.app.handle import Handler
from backoffice.app.network_file import read_network
from backoffice.app.recall import Recall
from backoffice.app.requests import Accepted, Outcome, Request, Unreadable
from backoffice.bootstrap import CODEC
from backoffice.cli.people import person
from backoffice.domain.cases.commands import StaffCommand
from backoffice.domain.event import adapter_of
from backoffice.domain.filings.commands import RegisterFile
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.wallet.commands import RepayDebt
from backoffice.log.envelope import Recorded
from backoffice.log.postgres import PostgresLog
from backoffice.projections.projector import Projector

EVENING = datetime(2026, 3, 1, 20, tzinfo=UTC)
NETWORK = read_network(shared("feeds", "network.toml"))
_numbers = count(1)

RICH = "1000000.00"


def founding(at: datetime = EVENING) -> Request:
    """The example network, applied."""
    command = ApplyNetwork(id=f"network-{next(_numbers)}", at=at, file=NETWORK)
    return Request(command, sender="command line", actor="operator")


def action(do: str, sender: str = "floor", **fields: Any) -> Request:
    """An action as the feed has it; `id` and `at` are new ones unless given."""
    number = next(_numbers)
    moment = (EVENING + timedelta(seconds=number)).isoformat()
    line = json.dumps({"id": f"a-{number}", "at": moment, "do": do, **fields}).encode()
    read = read_action(line, sender)
    assert isinstance(read, Request), read
    return read


def deposit(player: str, amount: str = RICH, **fields: Any) -> Request:
    """Money brought to the cashier of Tallinn."""
    return action("deposit", **{**tallinn(player), "amount": amount, **fields})


def withdraw(player: str, amount: str, **fields: Any) -> Request:
    """Money taken from the cashier of Tallinn."""
    return action("withdraw", **{**tallinn(player), "amount": amount, **fields})


def tallinn(player: str) -> dict[str, str]:
    """A player of Tallinn, who plays in euro."""
    return {"casino": "tallinn", "player": player, "currency": "EUR"}


def opened(round_id: str, table: str = "high-24h", **fields: Any) -> Request:
    """A round begun."""
    return action("open", round=round_id, table=table, number=round_id, **fields)


def staff(kind: type[StaffCommand] | type[RepayDebt], by: str, **fields: Any) -> Request:
    """What a person asks, named as on the command line."""
    number = next(_numbers)
    moment = (EVENING + timedelta(seconds=number)).isoformat()
    asked = {"id": f"s-{number}", "at": moment, "by": to_jsonable_python(person(by)), **fields}
    return Request(adapter_of(kind).validate_json(json.dumps(asked)), "office", actor=person(by).name)


def entered(casino: str, number: int = 1, **fields: Any) -> Request:
    """A file for the Danish authority, entered in the casino's register under its number."""
    file: dict[str, Any] = {
        "casino": casino, "authority": "dk", "name": "dk-end-of-day", "day": "2026-03-01", "part": "",
        "version": 0, "replaces": None, "after": 0, "position": 1, "hash": "a" * 64, "records": 1,
        "size_bytes": 9, "sha256": "b" * 64, **fields,
    }  # fmt: skip
    by = person("ann:compliance")
    command = RegisterFile(id=f"f-{next(_numbers)}", at=EVENING, by=by, number=number, **file)
    return Request(command, "house", actor=by.name)


def whole_round(round_id: str, player: str, sender: str = "floor") -> list[Request]:
    """One player's round at a 24h table, marked, called and lost to a pair of kings: sixty euro and a chip."""
    at = {"round": round_id, "sender": sender}
    return [
        opened(round_id, sender=sender),
        action("ante", **at, seat="1", **tallinn(player), amount="20.00"),
        action("mark", **at, seat="1"),
        action("close", **at),
        action("deal", **at, hands={"1": ["2c", "4d", "6h", "8s", "Tc"]}, up="Kd"),
        action("call", **at, seat="1"),
        action("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", **at),
    ]


ROUND_COSTS_MINOR = 6050
"""What `whole_round` costs its player."""


def a_handler(engine: Engine) -> Handler:
    """The front door of a process that has just started."""
    return Handler(PostgresLog(engine), CODEC, Recall(CODEC))


def accepted(outcomes: list[Outcome]) -> list[Accepted]:
    """The outcomes, which must all be acceptances."""
    assert all(isinstance(outcome, Accepted) for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, Accepted)]


def take(handler: Handler, *requests: Request | Unreadable) -> list[Accepted]:
    """Hand requests in, all in one commit; all must be accepted."""
    return accepted(handler.commit(requests))


def events(engine: Engine, stream: str | None = None) -> list[Recorded]:
    """Everything in the log, or one stream."""
    log = PostgresLog(engine)
    return list(log.read()) if stream is None else log.read_stream(stream)


def types(engine: Engine, stream: str) -> list[str]:
    """What happened in a stream."""
    return [recorded.type for recorded in events(engine, stream)]


def said(engine: Engine) -> list[tuple[Any, ...]]:
    """What the log says, apart from when it was written and under which ids: the same for the same requests."""
    return [
        (one.stream, one.version, one.type, one.happened_at, one.actor, one.data, one.cause is None)
        for one in events(engine)
    ]


def balance(engine: Engine, player: str, casino: str = "tallinn", currency: str = "EUR") -> int:
    """What a wallet holds, by the read table; nothing for one that never moved."""
    query = text("select balance_minor from read.balances where (casino, player, currency) = (:c, :p, :u)")
    with engine.connect() as connection:
        held = connection.execute(query, {"c": casino, "p": player, "u": currency}).scalar()
    return int(held or 0)


def rows(engine: Engine, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def differences(engine: Engine) -> list[str]:
    """Every row of every read table that is not what the log says; catches up first."""
    projector = Projector(engine, CODEC)
    projector.catch_up()
    return [str(difference) for difference in projector.compare()]


def names(prefix: str, number: int) -> Iterator[str]:
    """So many names."""
    return (f"{prefix}-{one}" for one in range(number))
