"""What the front door itself keeps beside the log: accepted keys, refusals, how far imports have come."""

from sqlalchemy import BigInteger, Column, DateTime, Identity, Index, LargeBinary, Table, Text, func, text

from backoffice.db import metadata
from backoffice.log.tables import JsonText

SCHEMA = "intake"

accepted_keys = Table(
    "accepted_keys",
    metadata,
    Column("sender", Text(collation="C"), primary_key=True),
    Column("key", Text(collation="C"), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("first_position", BigInteger, nullable=False),
    Column("last_position", BigInteger, nullable=False),
    Column("whence", Text),
    schema=SCHEMA,
)
"""Idempotency with memory: what was accepted under which key, what was answered, and from where it came."""

refusals = Table(
    "refusals",
    metadata,
    Column("refusal", BigInteger, Identity(always=True), primary_key=True),
    Column("refused_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("sender", Text, nullable=False),
    Column("key", Text),
    Column("round", Text),
    Column("rule", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("action", LargeBinary, nullable=False),
    Column("import_id", BigInteger),
    Column("line", BigInteger),
    Column("casino", Text),
    Index("ix_refusals_import_id_line", "import_id", "line"),
    Index("ix_refusals_round_refusal", "round", "refusal"),
    Index("ix_refusals_sender_refusal", "sender", "refusal"),
    Index("ix_refusals_rule_refusal", "rule", "refusal"),
    schema=SCHEMA,
)
"""Every no, for the exceptions report; `action` is what was asked, as it came, `casino` the one that it names, if any."""

significant_events = Table(
    "significant_events",
    metadata,
    Column("number", BigInteger, Identity(always=True), primary_key=True),
    Column("recorded_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("kind", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("whence", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("why", Text),
    Column("before", JsonText),
    Column("after", JsonText),
    Column("first_position", BigInteger),
    Column("last_position", BigInteger),
    Column("times", BigInteger, nullable=False, server_default="1"),
    Column("since", DateTime(timezone=True)),
    Index("ix_significant_events_who_number", "who", "number"),
    Index("ix_significant_events_kind_number", "kind", "number"),
    schema=SCHEMA,
)
"""Who did what from where, or was not let: `kind` is `write`, `login refused` or `access denied`. Only ever added to, always
under the head's lock, so that numbers follow the order of the commits (with holes). What was denied `times` over since a
moment is one row; a write has the positions of its facts, and how what they touch stood before and after."""

imports = Table(
    "imports",
    metadata,
    Column("import_id", BigInteger, Identity(always=True), primary_key=True),
    Column("sender", Text, nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("finished_at", DateTime(timezone=True)),
    Column("offset_bytes", BigInteger, nullable=False, server_default="0"),
    Column("digest", LargeBinary, nullable=False),
    Column("lines", BigInteger, nullable=False, server_default="0"),
    Column("accepted", BigInteger, nullable=False, server_default="0"),
    Column("repeated", BigInteger, nullable=False, server_default="0"),
    Column("refused", BigInteger, nullable=False, server_default="0"),
    Column("rounds", BigInteger, nullable=False, server_default="0"),
    schema=SCHEMA,
)
"""How far each import has come, moved in the transaction of its batches: an interrupted one goes on from there."""

orders = Table(
    "orders",
    metadata,
    Column("number", BigInteger, Identity(always=True), primary_key=True),
    Column("ordered_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("ordered_by", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("done_at", DateTime(timezone=True)),
    Column("size_bytes", BigInteger),
    Column("sha256", Text),
    Column("refused", Text),
    Index("ix_orders_number", "number", postgresql_where=text("done_at is null and refused is null")),
    schema=SCHEMA,
)
"""Files that are to be made, and what became of them: see `orders`."""

runs = Table(
    "runs",
    metadata,
    Column("run", BigInteger, Identity(always=True), primary_key=True),
    Column("task", Text(collation="C"), nullable=False),
    Column("begun_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    schema=SCHEMA,
)
"""Tasks that were begun and not ended: see `runs`."""
