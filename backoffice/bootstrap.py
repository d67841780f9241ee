"""The only place that knows everyone: puts the house together from its settings."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Engine
from uuid_utils.compat import uuid7

from backoffice.app.attempts import LOST
from backoffice.app.group_commit import GroupCommit, Watch
from backoffice.app.handle import Handler
from backoffice.app.orders import Order, place_order
from backoffice.app.reacting import Reactor
from backoffice.app.reading_ahead import reading_ahead
from backoffice.app.recall import Recall
from backoffice.app.requests import Declined, Outcome, Request, Visit
from backoffice.db import make_engine, refuse_unmigrated, upgrade
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.event import Refused, command_of
from backoffice.domain.filings.commands import RegisterFile
from backoffice.domain.staff import Person
from backoffice.embedded import running
from backoffice.log.codec import Codec
from backoffice.log.postgres import PostgresLog
from backoffice.projections.catalogue import HALVES
from backoffice.projections.projector import Projector
from backoffice.projections.rebuilding import Rebuilt
from backoffice.reports.asked import Asked, asked_of
from backoffice.reports.books.chart import parse_chart
from backoffice.reports.books.files import accounting_file, refuse_unknown_file
from backoffice.reports.catalogue import report_named
from backoffice.reports.drawing_up import draw_up
from backoffice.reports.exports import EXPORTS, refuse_unknown, write_export
from backoffice.reports.making import Made, making, refuse_unasked
from backoffice.reports.regulators.files import file_named
from backoffice.reports.regulators.producing import Placed, produce, produce_again
from backoffice.reports.regulators.register import Entry
from backoffice.reports.rendering.forms import FORMS, refuse_unknown_form
from backoffice.settings import Settings


@dataclass(frozen=True, slots=True)
class House:
    """Everything a door needs: the database, the log in it, and what its bytes mean."""

    engine: Engine
    log: PostgresLog
    codec: Codec
    reacts: bool = True
    """Whether who commits a fact carries out what it causes, in the same commit; else workers do."""

    def group_commit(
        self, *, most: int = 4000, room: int | None = None, watch: Watch | None = None
    ) -> GroupCommit:
        """The front desk: requests of many callers, decided and committed together. Use as a context manager."""
        handler = Handler(self.log, self.codec, Recall(self.codec), reacts=self.reacts)
        return GroupCommit(handler, most=most, room=room, watch=watch)

    def reactor(self, passing: tuple[type[BaseException], ...] = ()) -> Reactor:
        """Carries out what facts cause, apart from their commits; `passing` are errors that say nothing about the fact."""
        recall = Recall(self.codec, far=NEARBY)
        handler = Handler(self.log, self.codec, recall, reacts=self.reacts)
        return Reactor(self.engine, self.codec, handler, passing=(*LOST, *passing))

    def export(self, name: str, form: str, stream: BinaryIO) -> None:
        """Write an export, up to the log's end. Raises UnknownExport."""
        self.projector().catch_up()
        with self.engine.connect() as connection:
            write_export(connection, name, form, stream)

    def produce(
        self,
        name: str,
        casino: str,
        day: date,
        out: Path,
        by: Person,
        now: datetime,
        visit: Visit | None = None,
    ) -> list[Placed]:
        """Files for an authority in the folder `out`, entered under their numbers; see `producing`. Raises Refused, too."""

        def enter(file: dict[str, Any]) -> None:
            command = command_of(RegisterFile, {**file, "id": str(uuid7()), "at": now, "by": by})
            outcome = desk.handle(Request(command, "house", actor=by.name, visit=visit))
            if isinstance(outcome, Declined):
                raise Refused(outcome.reason, outcome.rule)

        with self.group_commit() as desk:
            return produce(self.engine, self.codec, file_named(name), casino, day, out, now, enter)

    def produce_again(self, entry: Entry, out: Path) -> Placed:
        """A file that was produced, put into the folder `out` as it was."""
        return produce_again(self.engine, self.codec, file_named(entry.file.name), entry, out)

    def close_day(
        self,
        casino: str,
        day: date,
        by: Person,
        now: datetime,
        *,
        carry_over: bool = False,
        visit: Visit | None = None,
    ) -> Outcome:
        """Draw up the figures of a gaming day and close it with them. Raises UnknownCasino and what `reading` raises."""
        drawn_up = draw_up(self.engine, self.codec, casino, day)
        asked = {"id": str(uuid7()), "at": now, "by": by, "carry_over": carry_over}
        command = command_of(CloseDay, {**drawn_up, **asked})
        with self.group_commit() as desk:
            return desk.handle(Request(command, "house", actor=by.name, visit=visit))

    def order(self, name: str, form: str, asked: Asked, by: str) -> Order:
        """Order a report, or an export, to be written by a worker. Raises UnknownReport or UnknownExport."""
        if name in EXPORTS:
            refuse_unknown(name, form)
        else:
            refuse_unasked(report_named(name), asked)
            refuse_unknown_form(form)
        with self.engine.begin() as connection:
            return place_order(connection, name, form, asked.plain(), by)

    def order_books(self, name: str, form: str, asked: Asked, chart: str, by: str) -> Order:
        """Order one of the books by a chart, given as its text. Raises UnknownFile or BadChart."""
        refuse_unknown_file(name, form, asked)
        parse_chart(chart)
        with self.engine.begin() as connection:
            return place_order(connection, name, form, {**asked.plain(), CHART: chart}, by)

    def write_ordered(self, order: Order, stream: BinaryIO) -> None:
        """Write what was ordered, up to the log's end. Raises what is raised by making it."""
        if CHART in order.asked:
            self._write_books(order, stream)
            return
        if order.name in EXPORTS:
            self.export(order.name, order.form, stream)
            return
        with self.report(order.name, asked_of(order.asked)) as made:
            stream.writelines(FORMS[order.form](made))

    def _write_books(self, order: Order, stream: BinaryIO) -> None:
        chart, asked = parse_chart(order.asked[CHART]), asked_of(order.asked)
        with accounting_file(self.engine, self.codec, chart, order.name, order.form, asked) as made:
            stream.writelines(made.pieces())

    def report(self, name: str, asked: Asked) -> AbstractContextManager[Made]:
        """Make a report; see `making`. Raises UnknownReport, too."""
        return making(self.engine, self.codec, report_named(name), asked)

    def rebuild(self, name: str | None = None) -> list[Rebuilt]:
        """Redraw one projection, or all; all of a long log in two processes, which know nothing of each other."""
        projector = self.projector()
        if name is not None:
            return projector.rebuild(name)
        if self.log.head().position < ALONE:
            return projector.rebuild()
        mine, theirs = ([projection.name for projection in half] for half in HALVES)
        url = self.engine.url.render_as_string(hide_password=False)
        with reading_ahead(rebuilt_on, url, theirs) as others:
            return [*projector.rebuild(*mine), *others]

    def projector(self) -> Projector:
        """Catches the read tables up, rebuilds and compares them."""
        return Projector(self.engine, self.codec)


def house_on(engine: Engine, *, reacts: bool = True) -> House:
    """A house on a database that is migrated."""
    return House(engine, PostgresLog(engine), CODEC, reacts)


def rebuilt_on(url: str, names: Sequence[str]) -> Iterator[Rebuilt]:
    """Redraw some projections of the house on the database at `url`: the share of another process."""
    with _engine(url) as engine:
        yield from house_on(engine).projector().rebuild(*names)


ALONE = 20_000
"""A log with fewer events is redrawn before another process has started."""
NEARBY = 500
"""Events that whoever comes by seldom reads on over; behind by more, loading the few streams anew is cheaper."""
CHART = "chart"
"""Under which an order of the books keeps its chart, beside what was asked."""
CODEC = Codec(EVENTS)
"""Every published event, and the upcasters from their older schemas (none yet)."""


@contextmanager
def open_house(settings: Settings, *, to_upgrade: bool = False) -> Iterator[House]:
    """A house on the database of the settings, or on a PostgreSQL of its own that is started, migrated and stopped.

    A database given by URL is migrated by `backoffice db upgrade`, never behind its owner's back. Raises NotMigrated for
    one that is not, unless it is opened to be upgraded. With a broker, reactions are left to the workers.
    """
    reacts = settings.broker_url is None
    if settings.database_url is None:
        with running(settings.data) as url, _engine(url) as engine:
            upgrade(engine)
            yield house_on(engine, reacts=reacts)
    else:
        with _engine(settings.database_url) as engine:
            if not to_upgrade:
                refuse_unmigrated(engine)
            yield house_on(engine, reacts=reacts)


@contextmanager
def _engine(url: str) -> Iterator[Engine]:
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()
