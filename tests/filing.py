"""Files for authorities in tests: a house with particulars, files produced, and held against their schemas."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import xmlschema
from front_door import NETWORK, a_handler, action, staff, take, tallinn
from lxml import etree
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app.requests import Request
from backoffice.bootstrap import CODEC, house_on
from backoffice.cli.people import person
from backoffice.domain.cases.commands import Approve, RequestCorrection, RequestReversal
from backoffice.domain.cases.names import correction_id, reversal_id
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.network.legal import LegalSection
from backoffice.log.seen import SeenLog
from backoffice.reports.regulators.producing import Placed
from backoffice.reports.regulators.register import Entry, read_register

LEGAL = {
    "dk": {
        "certificate": "tt-4711",
        "channel": "Internet",
        "website": "spil.example",
        "generator": "shuffler-9",
        "generator_software": "shuffle-2.1",
    },
    "gr": {"licensee": "el123456789", "manufacturer": "M-17", "studio": "S-3", "domain": "www.casino.gr"},
    "mga": {"licence": "B2C1", "website": "www.casino.com.mt"},
}
EVENING = date(2026, 3, 1)
"""The day of the sample feed, by every way of counting days."""
LATER = datetime(2027, 1, 1, tzinfo=UTC)
BY = person("ann:compliance")


def license_all(engine: Engine, legal: dict[str, dict[str, Any]] = LEGAL) -> None:
    """Give every casino of the example network its particulars."""
    section = LegalSection.model_validate(legal)
    casinos = [casino.model_copy(update={"legal": section}) for casino in NETWORK.casino]
    file = NETWORK.model_copy(update={"casino": casinos})
    command = ApplyNetwork(id=f"licensed-{uuid4()}", at=datetime(2026, 2, 1, tzinfo=UTC), file=file)
    take(a_handler(engine), Request(command, "command line", actor="operator"))


def produce(
    engine: Engine, name: str, casino: str, out: Path, day: date = EVENING, now: datetime = LATER
) -> list[Placed]:
    """A day's files."""
    return house_on(engine).produce(name, casino, day, out, BY, now)


def register(engine: Engine, casino: str, authority: str = "dk") -> Sequence[Entry]:
    """What is in the register."""
    with engine.connect() as connection:
        return read_register(SeenLog(connection), CODEC, casino, authority).entries


def reverse(engine: Engine, round_id: str, at: datetime, proposal: int = 1) -> None:
    """Take a settled round back: one asks, for the how-manieth time, another approves."""
    handler, moment = a_handler(engine), at.isoformat()
    take(handler, staff(RequestReversal, "mia", round=round_id, reason="misread", at=moment))
    case = reversal_id(round_id)
    take(handler, staff(Approve, "otto:compliance", case=case, proposal=proposal, at=moment))


def correct(engine: Engine, round_id: str, at: datetime, **cards: Any) -> None:
    """Settle a reversed round anew."""
    handler, moment = a_handler(engine), at.isoformat()
    take(handler, staff(RequestCorrection, "mia", round=round_id, reason="misread", at=moment, **cards))
    case = correction_id(round_id)
    take(handler, staff(Approve, "otto:compliance", case=case, proposal=1, at=moment))


def a_round(name: str, player: str, at: datetime, table: str = "high-24h") -> list[Request]:
    """One player's round in Tallinn: 20.00 staked, called for 40.00, a chip of 0.50 (half of it the pool's); all lost.

    Opened at a moment, settled seven seconds later.
    """
    moments = iter((at + timedelta(seconds=second)).isoformat() for second in range(8))

    def act(do: str, **fields: Any) -> Request:
        return action(do, round=name, at=next(moments), **fields)

    return [
        act("open", table=table, number=name),
        act("ante", seat="1", **tallinn(player), amount="20.00"),
        act("mark", seat="1"),
        act("close"),
        act("deal", hands={"1": ["2c", "4d", "6h", "8s", "Tc"]}, up="Kd"),
        act("call", seat="1"),
        act("reveal", dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        act("settle"),
    ]


def assert_valid(placed: Placed, *schema: str) -> None:
    """Hold a file against a schema of the shared folder, by two readers that know nothing of each other."""
    by_lxml, by_xmlschema = _schemas(shared("schemas", *schema))
    by_lxml.assertValid(etree.parse(placed.path))
    by_xmlschema.validate(str(placed.path))


@cache
def _schemas(path: Path) -> tuple[etree.XMLSchema, xmlschema.XMLSchema10]:
    return etree.XMLSchema(etree.parse(path)), xmlschema.XMLSchema10(str(path))
