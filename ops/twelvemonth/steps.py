"""What is done with the year: every report and file there is, found in the registries, so that what is added is in it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sqlalchemy import func, select

from backoffice.app.importing import import_feed
from backoffice.app.network_file import read_network
from backoffice.app.requests import Declined, Request
from backoffice.bootstrap import House
from backoffice.cli.people import person
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.network.state import Network, evolve_network
from backoffice.kernel.calendar import days_from
from backoffice.log.verification import verify_log
from backoffice.projections.round_lines import round_lines
from backoffice.reports.asked import Asked
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.decoding import decoded
from backoffice.reports.exports import EXPORTS
from backoffice.reports.making import making
from backoffice.reports.regulators.files import FILES
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.report import Report
from backoffice.reports.round_audit import audit_rounds
from ops.feeds.evening import Size, feed
from ops.feeds.pace import Visits
from ops.twelvemonth.books import BOOKS, write_books
from ops.twelvemonth.calendar import BEGINS, ENDS, EVERY_DAY, FIRST, LAST, MONTHS, SOME_DAYS
from ops.twelvemonth.footing import files_footed, footings


class Failed(Exception):
    """A step that did not come to what it should; the message says why."""


class Year(NamedTuple):
    """How much is played, where files are put, and for which days authorities are told."""

    actions: int
    folder: Path
    days: Sequence[date] = SOME_DAYS


class Made(NamedTuple):
    """What a step came to."""

    files: int = 0
    bytes: int = 0
    note: str = ""


Step: TypeAlias = Callable[[House, Year], Made]
"""Works on the house and puts its files into the year's folder."""
NETWORK = Path(__file__).parent / "network.toml"
FEEDS = ("feed.jsonl", "late.jsonl")
"""All but the last weeks of the year, and those: they come when some of their days are closed, and are told in later ones."""
LATE_FROM = 0.85
SENDER = "three-seas"
PLAYERS = (12, 60)
"""Of each casino and currency, in a small feed and in a large one."""
CLOSED = tuple(days_from(LAST - timedelta(days=6), LAST))
"""Days of each casino that are closed, one by one; those before the first of them are closed with it."""
_CLERK = person("ann:accountant")
_OFFICER = person("ben:compliance")


def steps() -> Mapping[str, Step]:
    """Every step by its name, in their order."""
    return dict(_steps())


def _steps() -> Iterator[tuple[str, Step]]:
    yield "feed", _write_feed
    yield "import", _import(FEEDS[0])
    yield "a day closed early", _close(CLOSED[:1])
    yield "import of what is late", _import(FEEDS[1])
    yield "projections", _project
    yield "days closed", _close(CLOSED[1:])
    for report in REPORTS.values():
        yield f"report {report.name}", _reports(report)
    for name in EXPORTS:
        yield f"export {name}", _export(name)
    for name, form in BOOKS:
        yield f"books {name} {form}", _books(name, form)
    for name in FILES:
        yield f"files {name}", _files(name)
    yield "chain", _verify
    yield "projections compared", _compare
    yield "rounds audited", _audit
    yield "cross-footing", _foot


def _foot(house: House, year: Year) -> Made:
    footed = [*footings(house, year.folder), *(files_footed(year.folder) if year.days == EVERY_DAY else ())]
    differing = [f"{one.what}: {one.difference}" for one in footed if one.difference]
    if differing:
        raise Failed("; ".join(differing))
    return Made(note=f"{len(footed)} sums agree")


def _write_feed(_: House, year: Year) -> Made:
    pace, (few, many) = Visits(BEGINS, ENDS, year.actions), PLAYERS
    players = min(many, max(few, year.actions // 1000))
    lines = feed(Size(actions=year.actions), network=NETWORK, players=players, pace=pace)
    early, late = (year.folder / name for name in FEEDS)
    count = _write(early, islice(lines, round(year.actions * LATE_FROM))) + _write(late, lines)
    return Made(2, early.stat().st_size + late.stat().st_size, f"{count:,} lines")


def _write(path: Path, lines: Iterable[str]) -> int:
    count = 0
    beside = path.with_suffix(".part")
    with beside.open("w", encoding="utf-8", newline="\n") as stream:
        for count, line in enumerate(lines, start=1):  # noqa: B007 - how many is wanted
            stream.write(f"{line}\n")
    beside.replace(path)
    return count


def _import(name: str) -> Step:
    """Goes on where it stopped, if it was stopped."""

    def make(house: House, year: Year) -> Made:
        with house.group_commit() as desk:
            command = ApplyNetwork(id="year", at=BEGINS, file=read_network(NETWORK))
            outcome = desk.handle(Request(command, SENDER, actor="operator"))
            if isinstance(outcome, Declined):
                raise Failed(f"the network is refused: {outcome.reason}")
            report = import_feed(house.engine, desk, year.folder / name, SENDER)
        if report.refused:
            raise Failed(f"{report.refused} actions of the generated feed are refused")
        return Made(note=f"{report.accepted:,} actions, {report.rounds:,} rounds")

    return make


def _project(house: House, _: Year) -> Made:
    house.projector().catch_up()
    return Made(note=f"{house.log.head().position:,} events")


def _close(days: Sequence[date]) -> Step:
    def make(house: House, _: Year) -> Made:
        due = [(casino, day) for day in days for casino in _casinos(house)]
        for casino, day in due:
            outcome = house.close_day(casino, day, _CLERK, datetime.now(UTC), carry_over=True)
            if isinstance(outcome, Declined) and outcome.rule != "closed":  # by a call that was stopped
                raise Failed(f"{day} of {casino} is not closed: {outcome.reason}")
        return Made(note=f"{len(due)} days")

    return make


def _reports(report: Report) -> Step:
    def make(house: House, year: Year) -> Made:
        paths = [
            _report(house, report, asked, year.folder / f"{report.name}.{name}.csv")
            for name, asked in _asked(house, report)
        ]
        return Made(len(paths), sum(path.stat().st_size for path in paths))

    return make


def _asked(house: House, report: Report) -> Iterator[tuple[str, Asked]]:
    """The year and its months; a report of one day or one player: that of every casino."""
    if report.pinned is not None:
        yield from ((casino, Asked(casino, LAST, LAST)) for casino in _casinos(house))
    elif report.wants:
        yield from ((casino, Asked(casino, only={"player": player})) for casino, player in _busiest(house))
    else:
        yield "year", Asked(None, FIRST, LAST)
        yield from ((f"{first:%Y-%m}", Asked(None, first, last)) for first, last in MONTHS)


def _report(house: House, report: Report, asked: Asked, path: Path) -> Path:
    with making(house.engine, house.codec, report, asked) as made, path.open("wb") as stream:
        stream.writelines(FORMS["csv"](made))
    return path


def _export(name: str) -> Step:
    def make(house: House, year: Year) -> Made:
        path = year.folder / f"{name}.csv"
        with path.open("wb") as stream:
            house.export(name, "csv", stream)
        return Made(1, path.stat().st_size)

    return make


def _books(name: str, form: str) -> Step:
    def make(house: House, year: Year) -> Made:
        company = next(casino for casino, told in _network(house).particulars.items() if "company" in told)
        paths = write_books(house, name, form, company, year.folder)
        return Made(len(paths), sum(path.stat().st_size for path in paths))

    return make


def _files(name: str) -> Step:
    """Every day's, of the casinos that have that authority's particulars."""
    file = FILES[name]

    def make(house: House, year: Year) -> Made:
        out = year.folder / name
        out.mkdir(exist_ok=True)
        now = datetime.now(UTC)
        placed = [
            one
            for casino, particulars in sorted(_network(house).particulars.items())
            if file.authority in particulars
            for day in year.days
            for one in house.produce(name, casino, day, out, _OFFICER, now)
        ]
        return Made(len(placed), sum(one.path.stat().st_size for one in placed))

    return make


def _verify(house: House, _: Year) -> Made:
    broken = verify_log(house.log)
    if broken is not None:
        raise Failed(f"the chain breaks at {broken.position}: {broken.reason}")
    return Made(note="whole")


def _audit(house: House, _: Year) -> Made:
    """Every finished round decided again from its recorded inputs."""
    decisions = 0
    for audited in audit_rounds(house.log, house.codec, None, house.log.head().position):
        decisions += 1
        if audited.differences:
            raise Failed(f"round {audited.round}: {audited.differences[0]}")
    return Made(note=f"{decisions:,} decisions made again, none differs")


def _compare(house: House, _: Year) -> Made:
    differing = sum(1 for _ in house.projector().compare())
    if differing:
        raise Failed(f"{differing} rows differ from the log")
    return Made(note="no difference")


def _network(house: House) -> Network:
    state = Network()
    for recorded in house.log.read_stream("network"):
        state = evolve_network(state, decoded(house.codec, recorded))
    return state


def _casinos(house: House) -> list[str]:
    return sorted(_network(house).casinos)


def _busiest(house: House) -> Iterator[tuple[str, str]]:
    """Of every casino the player with most bets."""
    line = round_lines.c
    with house.engine.connect() as connection:
        for casino in _casinos(house):
            query = select(line.player).where(line.casino == casino).group_by(line.player)
            yield (
                casino,
                connection.execute(query.order_by(func.count().desc(), line.player).limit(1)).scalar_one(),
            )
