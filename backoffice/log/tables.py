"""The log's tables. The migration made them; this is how the program speaks of them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    text,
    true,
)
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.types import UserDefinedType

from backoffice.db import metadata

SCHEMA = "log"
CHANNEL = "backoffice_log"


class JsonText(UserDefinedType[str]):
    """PostgreSQL's `json`, given as the very text that was stored: parsed, it would lose what was hashed."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """The type's name in DDL."""
        return "json"

    def column_expression(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """Read as text: the driver would parse json."""
        return func.cast(column, Text)


_NAME = Text(collation="C")

events = Table(
    "events",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("event_id", Uuid, nullable=False, unique=True),
    Column("stream", _NAME, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("type", _NAME, nullable=False),
    Column("schema", BigInteger, nullable=False),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Column("recorded_at", DateTime(timezone=True), nullable=False),
    Column("actor", _NAME, nullable=False),
    Column("cause", Uuid),
    Column("correlation", _NAME),
    Column("data", JsonText, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version"),
    schema=SCHEMA,
)

head = Table(
    "head",
    metadata,
    Column("single", Boolean, primary_key=True, server_default=true()),
    Column("log_id", Uuid, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint(text("single"), name="single"),
    schema=SCHEMA,
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("name", _NAME, primary_key=True),
    Column("log_id", Uuid, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    schema=SCHEMA,
)
