"""The report of players whose stakes or wins reach the threshold of money-laundering rules, singly or linked.

Stakes and wins are those of results that hold, at the time the round ended: a refunded stake is none, a win is what a won
bet paid, its stake with it. What staff paid a player by hand is a win, too.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    false,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
)

from backoffice.domain.cases.events import Kind as CaseKind
from backoffice.kernel.calendar import Bounds
from backoffice.kernel.currencies import format_minor, parse_minor
from backoffice.projections.cases import CASES, cases
from backoffice.projections.jackpot_shares import JACKPOT_SHARES, jackpot_shares
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.reports.filters import amount_asked, count_asked
from backoffice.reports.linked import Flag, Movement, flags
from backoffice.reports.rates_in_force import RatesInForce
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

LIMIT = "2000"
"""In euro."""
GAP_MINUTES = 30
_BEFORE = timedelta(days=1)
"""How far before the days asked for a session is looked for that goes on into them."""


def _rows(reading: Reading) -> Iterator[Row]:
    rates = RatesInForce(reading)
    if not rates.base:
        return
    limit = amount_asked(reading, "limit", _threshold(reading, rates), rates.base)
    movements = map(_movement_at(rates), reading.stream(_query(reading)))
    for flag in flags(movements, _day_of(reading), limit, _gap_at(reading)):
        if reading.asked.first is None or flag.day >= reading.asked.first:
            yield _told(flag, limit, rates.base)


def _threshold(reading: Reading, rates: RatesInForce) -> str:
    """The law's threshold in the base currency, at the rate of the report's own time; the same number where there is none."""
    at = reading.recorded_at
    worth = at and rates.worth(parse_minor(LIMIT, "EUR"), "EUR", at, reading.place.position)
    return format_minor(round(worth), rates.base) if worth else LIMIT


def _movement_at(rates: RatesInForce) -> Callable[[Any], Movement]:
    def movement(row: Any) -> Movement:
        told = dict(row)
        currency, minor = told.pop("currency"), told.pop("minor")
        worth = rates.worth(minor, currency, told["at"], told["position"])
        return Movement(**{**told, "hit": int(told["hit"])}, worth=worth)

    return movement


def _day_of(reading: Reading) -> Callable[[str, datetime], date]:
    """A casino's day of a moment; remembers the last one, for movements come in order."""
    known: dict[str, tuple[date, Bounds]] = {}

    def day_of(casino: str, moment: datetime) -> date:
        found = known.get(casino)
        if found is None or not found[1].begin <= moment < found[1].end:
            calendar, days = reading.calendars[casino], reading.asked.days
            day = calendar.day_of(moment, days)
            found = known[casino] = day, calendar.bounds(day, days=days)
        return found[0]

    return day_of


def _gap_at(reading: Reading) -> Callable[[str], timedelta]:
    """How long a player may pause within a session: as asked, or as the casino's particulars say."""
    asked = count_asked(reading, "gap", GAP_MINUTES)

    def gap_at(casino: str) -> timedelta:
        said = reading.network.particulars.get(casino, {}).get("sessions", {}).get("gap_minutes", GAP_MINUTES)
        return timedelta(minutes=asked if "gap" in reading.asked.only else int(said))

    return gap_at


def _told(flag: Flag, limit: int, base: str) -> Row:
    assert flag.reached is not None, "a flag is raised by some movement"
    return {
        "casino": flag.casino,
        "player": flag.player,
        "day": flag.day,
        "side": flag.side,
        "why": ", ".join(flag.reasons(limit)),
        "currency": base,
        "limit": limit,
        "total": round(flag.total),
        "largest": round(flag.largest),
        "in_session": round(flag.in_session),
        "hit": flag.hit or None,
        "count": flag.count,
        "reached_at": flag.reached.at,
        "reached_in_round": flag.reached.round,
    }


def _query(reading: Reading) -> Select[Any]:
    line = round_lines.c
    stakes = _of_lines(reading, "stakes", line.stake_minor).where(
        line.result != "refund", line.stake_minor > 0
    )
    wins = _of_lines(reading, "wins", line.payout_minor).where(line.result == "win", line.payout_minor > 0)
    every = union_all(stakes, wins, _paid_by_hand(reading)).subquery("every")
    told = [every.c[name] for name in (*Movement._fields, "currency", "minor") if name != "worth"]
    order = ("casino", "player", "side", "at", "position", "seat", "bet")
    return select(*told).order_by(*(every.c[name] for name in order))


def _of_lines(reading: Reading, side: str, minor: ColumnElement[int]) -> Select[Any]:
    line, hit = round_lines.c, _hits().subquery("hit").c
    is_share = and_(
        literal(side == "wins"),
        line.bet == "jackpot",
        hit.round == line.round,
        hit.seat == line.seat,
        hit.number == line.number,
    )
    return (
        select(
            line.casino.label("casino"),
            line.player.label("player"),
            literal(side).label("side"),
            rounds.c.ended_at.label("at"),
            line.position.label("position"),
            line.round.label("round"),
            rounds.c.table_id.label("table"),
            line.currency.label("currency"),
            minor.label("minor"),
            func.coalesce(hit.hit, 0).label("hit"),
            line.seat.label("seat"),
            line.bet.label("bet"),
        )
        .join_from(round_lines, rounds, line.round == rounds.c.round)
        .outerjoin(hit.hit.table, is_share)
        .where(line.replaced_at.is_(None), _asked(reading, line.casino, rounds.c.ended_at))
    )


def _hits() -> Select[Any]:
    """For each share the most that a hit it is of has paid altogether."""
    share = jackpot_shares.c
    whole = func.sum(share.share_base_minor).over(partition_by=(share.round, share.percent, share.number))
    each = (
        select(share.round, share.seat, share.number, whole.label("whole"))
        .where(share.reversed_at.is_(None))
        .subquery("each")
    )
    key = (each.c.round, each.c.seat, each.c.number)
    return select(*key, func.max(each.c.whole).label("hit")).group_by(*key)


def _paid_by_hand(reading: Reading) -> Select[Any]:
    case = cases.c
    by_hand = (CaseKind.COMPENSATION, CaseKind.CLAIM)
    return select(
        case.casino,
        case.player,
        literal("wins"),
        case.closed_at,
        case.last_position,
        case.round,
        null(),
        case.currency,
        case.moved_minor,
        literal(0, BigInteger),
        func.coalesce(case.seat, ""),
        literal("by hand"),
    ).where(case.kind.in_(by_hand), case.moved_minor > 0, _asked(reading, case.casino, case.closed_at))


def _asked(reading: Reading, casino: ColumnElement[str], at: ColumnElement[datetime]) -> ColumnElement[bool]:
    choices = []
    for name in reading.casinos:
        bounds = reading.bounds(name)
        days = [] if bounds is None else [at >= bounds.begin - _BEFORE, at < bounds.end]
        choices.append(and_(casino == name, *days))
    return or_(false(), *choices)


AML_FLAGS = Report(
    name="aml-flags",
    title="Stakes and wins over the threshold",
    about="players whose stakes or wins of a day reach the threshold, singly or linked, in the base currency",
    columns=(
        *texts("casino", "player"),
        Column("day", Kind.DAY),
        *texts("side", "why", "currency"),
        *sums("limit", "total", "largest", "in_session", "hit", summed=False),
        *counts("count", summed=False),
        Column("reached_at", Kind.TIME),
        *texts("reached_in_round"),
    ),
    rows=_rows,
    needs=(ROUNDS, ROUND_LINES, JACKPOT_SHARES, CASES),
    confidential=True,
    filters={
        "limit": f"the threshold in the base currency, by default the worth of {LIMIT} EUR",
        "gap": f"minutes between two rounds that end a session, by default the casino's own, or {GAP_MINUTES}",
    },
)
