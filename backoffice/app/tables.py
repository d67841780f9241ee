"""What the front door itself keeps beside the log: accepted keys, refusals, how far imports have come."""

from sqlalchemy import BigInteger, Column, DateTime, Identity, Index, LargeBinary, Table, Text, func

from backoffice.db import metadata

SCHEMA = "intake"

accepted_keys = Table(
    "accepted_keys",
    metadata,
    Column("sender", Text(collation="C"), primary_key=True),
    Column("key", Text(collation="C"), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("first_position", BigInteger, nullable=False),
    Column("last_position", BigInteger, nullable=False),
    schema=SCHEMA,
)
"""Idempotency with memory: what was accepted under which key, and what was answered."""

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
    Index("ix_refusals_import_id_line", "import_id", "line"),
    schema=SCHEMA,
)
"""Every no, for the exceptions report; `action` is what was asked, as it came."""

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
