"""What was produced for authorities, page by page, and one file of it: as their register in the log tells it."""

from dataclasses import asdict
from datetime import date, datetime
from functools import partial
from typing import Any, get_args

from pydantic import Field
from sqlalchemy import CTE, ColumnElement, Connection, Row, and_, func, select

from backoffice.domain.filings.events import Authority, FileProduced, files_stream
from backoffice.log.codec import Codec
from backoffice.log.tables import events
from backoffice.projections.reading import log_head
from backoffice.reports.queries.paging import Asked, Order, Page, Shown, read_page
from backoffice.reports.scope import Scope

_FIRST, _BEHIND = "files/", "files0"
"""Between these two are the names of the streams of registers: `0` comes next to `/`."""


class UnknownEntry(LookupError):
    """No file was produced under this number."""


class ProducedFile(Shown):
    """A file for an authority, and the place in the log that it was made from."""

    casino: str = Field(examples=["tallinn"])
    authority: Authority
    number: int = Field(
        description="Of the casino's files for this authority; none is left out.", examples=[17]
    )
    name: str = Field(description="The kind of file.", examples=["dk-end-of-day"])
    day: date
    part: str = Field(description="Tells files of one day and kind apart: a currency, a hit.", examples=[""])
    version: int = Field(description="Counts the files about the same, from 0 on.", examples=[0])
    replaces: int | None = Field(description="The number of the file whose place it takes.")
    after: int = Field(description="It adds what became known behind this position.", examples=[0])
    made_from: int = Field(description="The position of the log that it was made from.", examples=[4711])
    made_from_hash: str = Field(description="The hash there, hexadecimal.")
    records: int = Field(examples=[250])
    size_bytes: int = Field(examples=[40960])
    sha256: str = Field(description="Of its bytes, hexadecimal.")
    made_at: datetime
    by: str = Field(examples=["ann"])
    entered_at: int = Field(description="The position of its entry in the register.", examples=[4712])


class OneFile(ProducedFile):
    """One file, with where the log was when it was looked up."""

    position: int = Field(description="The log's end when this was read.", examples=[4713])


def read_files(
    connection: Connection, codec: Codec, scope: Scope, authority: Authority | None, asked: Asked
) -> Page[ProducedFile]:
    """A page of what was produced, the newest first."""
    entered = _entered(_of(scope, authority))
    return read_page(
        connection,
        select(entered),
        Order((entered.c.position,), falling=True),
        asked,
        log_head(connection).position,
        ("files", scope, authority),
        partial(_shown, codec),
        appeared=entered.c.position,
    )


def read_file(
    connection: Connection, codec: Codec, casino: str, authority: Authority, number: int
) -> OneFile:
    """The file of a number. Raises UnknownEntry."""
    here = and_(events.c.stream == files_stream(casino, authority), events.c.version == number)
    row = connection.execute(select(_entered(here))).one_or_none()
    if row is None:
        raise UnknownEntry(f"{casino} has produced no file {number} for {authority}")
    file = _shown(codec, row)
    assert file.number == number  # a register counts from one on without a gap, as its stream does
    return OneFile(**file.model_dump(), position=log_head(connection).position)


def _of(scope: Scope, authority: Authority | None) -> ColumnElement[bool]:
    """That a fact stands in a register of these casinos, for this authority or any."""
    stream = events.c.stream
    if not scope.whole:
        authorities = get_args(Authority) if authority is None else (authority,)
        return stream.in_([files_stream(casino, one) for casino in scope.casinos for one in authorities])
    registers = and_(stream > _FIRST, stream < _BEHIND)
    return registers if authority is None else registers & (func.split_part(stream, "/", -1) == authority)


def _entered(of: ColumnElement[bool]) -> CTE:
    """The entries, found by their streams before anything else: there are few, in a log of many facts."""
    fact = events.c
    query = select(fact.position, fact.happened_at, fact.actor, fact.type, fact.schema, fact.data).where(of)
    return query.cte("entered").prefix_with("materialized")


def _shown(codec: Codec, row: Row[Any]) -> ProducedFile:
    file = codec.decode(row.type, row.schema, row.data.encode())
    assert isinstance(file, FileProduced)  # there are no others in these streams
    told = asdict(file)
    place = {"made_from": told.pop("position"), "made_from_hash": told.pop("hash")}
    return ProducedFile(**told, **place, made_at=row.happened_at, by=row.actor, entered_at=row.position)
