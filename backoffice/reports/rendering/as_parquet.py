"""A report for engines that count: Apache Parquet, typed and lossless, a row group at a time.

Money is a decimal with the four digits that ISO 4217 knows at most: what a currency has less are zeros. What the report
says about itself stands in the file's own metadata.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from io import RawIOBase
from itertools import islice

import pyarrow as pa
from pyarrow import parquet

from backoffice.reports.making import Made
from backoffice.reports.report import Column, Kind

ROWS_A_GROUP = 20_000
_MONEY = pa.decimal128(38, 4)

_TYPES: Mapping[Kind, tuple[pa.DataType, Callable[[str], object]]] = {
    Kind.TEXT: (pa.string(), str),
    Kind.COUNT: (pa.int64(), int),
    Kind.MONEY: (_MONEY, Decimal),
    Kind.MEAN: (_MONEY, Decimal),
    Kind.NUMBER: (pa.string(), str),
    Kind.PERCENT: (pa.decimal128(38, 2), Decimal),
    Kind.TIME: (pa.timestamp("us", "UTC"), datetime.fromisoformat),
    Kind.DAY: (pa.date32(), date.fromisoformat),
}


class _Pieces(RawIOBase):
    """A file that hands on what is written into it."""

    def __init__(self) -> None:
        self._written: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._length

    def write(self, piece: object) -> int:
        data = bytes(piece)  # type: ignore[call-overload]
        self._written.append(data)
        self._length += len(data)
        return len(data)

    def taken(self) -> Iterator[bytes]:
        """Everything written since this was asked last."""
        written, self._written = self._written, []
        yield from written


def parquet_form(made: Made) -> Iterator[bytes]:
    """The report as a Parquet file, row group by row group."""
    schema = pa.schema([(column.name, _TYPES[column.kind][0]) for column in made.columns])
    schema = schema.with_metadata(dict(made.particulars))
    pieces = _Pieces()
    with parquet.ParquetWriter(pieces, schema, compression="zstd") as writer:
        rows = made.rows()
        while group := list(islice(rows, ROWS_A_GROUP)):
            columns = zip(made.columns, zip(*group, strict=True), strict=True)
            arrays = [_array(column, cells) for column, cells in columns]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema), ROWS_A_GROUP)
            yield from pieces.taken()
    yield from pieces.taken()


def _array(column: Column, cells: Iterable[str | None]) -> pa.Array:
    kind, read = _TYPES[column.kind]
    return pa.array([None if cell is None else read(cell) for cell in cells], kind)
