"""The read side's tables, as the migrations look for them, and the one in which it keeps book of itself."""

from sqlalchemy import BigInteger, Column, Table

from backoffice.db import metadata
from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.projection import NAME, SCHEMA

versions = Table(
    "versions",
    metadata,
    Column("projection", NAME, primary_key=True),
    Column("version", BigInteger, nullable=False),
    schema=SCHEMA,
)
"""Which version of each projection its stored rows were made by."""

READ_TABLES = (versions, *(table for projection in PROJECTIONS for table in projection.tables))
