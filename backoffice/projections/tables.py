"""The read side's tables, as the migrations look for them, and those in which it keeps book of itself."""

from sqlalchemy import BigInteger, Column, DateTime, Table, Text, func

from backoffice.db import metadata
from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.projection import NAME, SCHEMA

versions = Table(
    "versions",
    metadata,
    Column("projection", NAME, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("mended", BigInteger, nullable=False, server_default="0"),
    schema=SCHEMA,
)
"""Which version of each projection its stored rows were made by, and how often some of them had to be put right."""

stuck = Table(
    "stuck",
    metadata,
    Column("reader", NAME, primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", NAME, nullable=False),
    Column("type", NAME, nullable=False),
    Column("behind", BigInteger),
    Column("reason", Text, nullable=False),
    Column("attempts", BigInteger, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    schema=SCHEMA,
)
"""Events that a reader of the log could not take, and those of the same streams that wait `behind` them."""

leaders = Table(
    "leaders",
    metadata,
    Column("reader", NAME, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("leader", Text, nullable=False),
    Column("backend", BigInteger, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),
    Column("seen_at", DateTime(timezone=True), nullable=False),
    schema=SCHEMA,
)
"""Who leads each reader of the log, for the how-manieth time that changed, over which session, and when last seen."""

READ_TABLES = (
    versions,
    stuck,
    leaders,
    *(table for projection in PROJECTIONS for table in projection.tables),
)
