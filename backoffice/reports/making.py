"""Making a report: the snapshot, what it says about itself, its rows as they stream by, the totals of those rows."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Engine

from backoffice.log.codec import Codec
from backoffice.reports.asked import Asked
from backoffice.reports.cells import Written, moment, write_row
from backoffice.reports.reading import Reading, reading
from backoffice.reports.report import Column, Report, Row


class UnknownReport(Exception):
    """There is no report of this name, or it cannot be asked like this; the message says what there is."""

    def __init__(self, told: str, field: str = "") -> None:
        super().__init__(told)
        self.field = field
        """What was asked wrongly, or not at all, by its name; nothing where that is no single thing."""


class Made:
    """A report being made. Go through `rows` once, then ask for `totals`; `particulars` can be asked at any time."""

    def __init__(self, report: Report, reading: Reading) -> None:
        self.report = report
        self.rows_made = 0
        self._reading = reading
        self._summed = tuple(column.name for column in report.columns if column.summed)
        self._totals: dict[tuple[object, ...], dict[str, int]] = {}

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its columns, in their order."""
        return self.report.columns

    @property
    def particulars(self) -> Mapping[str, str]:
        """What every report says about itself: what it is, what was asked, when and from which place of which log."""
        made_at, place = self._reading.recorded_at, self._reading.place
        return {
            "report": self.report.name,
            "title": self.report.title,
            "version": str(self.report.version),
            "network": self._reading.network.id,
            **dict(self._reading.asked.words()),
            "generated_at": "the log is empty" if made_at is None else moment(made_at),
            "log": place.log_id,
            "position": str(place.position),
            "hash": place.hash.hex(),
            **({} if self.report.says is None else self.report.says(self._reading)),
        }

    def rows(self) -> Iterator[Written]:
        """Its rows as they are written; flat memory."""
        for row in self.report.rows(self._reading):
            self.rows_made += 1
            self._add_up(row)
            yield write_row(self.columns, row)

    def totals(self) -> Iterator[Written]:
        """The sums of the rows that went by, a row for each combination of `totals_by`, in order."""
        kept = {*self.report.totals_by, *self._summed}
        blank = dict.fromkeys(column.name for column in self.columns)
        shown = [column for column in self.columns if column.name in kept or column.ratio[0] in kept]
        for key in sorted(self._totals, key=repr):
            row = {**blank, **dict(zip(self.report.totals_by, key, strict=True)), **self._totals[key]}
            written = dict(zip((column.name for column in shown), write_row(shown, row), strict=True))
            yield tuple(written.get(column.name) for column in self.columns)

    def _add_up(self, row: Row) -> None:
        if not self._summed:
            return
        sums = self._totals.setdefault(tuple(row[name] for name in self.report.totals_by), {})
        for name in self._summed:
            sums[name] = sums.get(name, 0) + int(row[name] or 0)


def refuse_unasked(report: Report, asked: Asked) -> None:
    """Raise UnknownReport for a filter, or a word of one, that the report does not know, or where it wants one more."""
    for name in asked.only.keys() - report.filters.keys():
        known = ", ".join(sorted(report.filters)) or "none"
        raise UnknownReport(f"{report.name} knows no filter {name}: {known}", name)
    for name, words in report.words.items():
        if asked.only.get(name, words[0]) not in words:
            raise UnknownReport(f"{name}: {asked.only[name]} is none of {', '.join(words)}", name)
    given = {*asked.only, *(("casino",) if asked.casino else ())}
    for name in report.wants:
        if name not in given:
            raise UnknownReport(
                f"{report.name} is not made without {name}: see `backoffice report list`", name
            )


@contextmanager
def making(engine: Engine, codec: Codec, report: Report, asked: Asked) -> Iterator[Made]:
    """Make a report; its rows can be had until the block ends. Raises UnknownReport, UnknownCasino and what `reading` does."""
    refuse_unasked(report, asked)
    with reading(engine, codec, report.needs, asked) as snapshot:
        _ = snapshot.casinos  # one that is not there is said before the first byte
        yield Made(report, snapshot if report.pinned is None else report.pinned(snapshot))
