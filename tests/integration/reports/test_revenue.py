"""Revenue: totals equal details, days and months, and what another program worked out of the same feed."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import rounds_on_days
from feeding import SAMPLE
from front_door import a_handler, deposit, founding, take
from random_office import played
from shared_folder import shared
from sqlalchemy import Engine, func, select
from written_house import written

from backoffice.bootstrap import House, house_on
from backoffice.domain.takings import COUNTS, MONEY
from backoffice.kernel.calendar import Days, month_of
from backoffice.projections.entries import ENTRIES, entries
from backoffice.projections.takings import TAKINGS, takings
from backoffice.reports.asked import Asked
from backoffice.reports.making import UnknownReport
from backoffice.reports.reading import reading
from backoffice.reports.rendering.forms import FORMS

Sums = Counter[tuple[Any, ...]]
STARTS = {
    "tallinn": ("Europe/Tallinn", 6),
    "stockholm": ("Europe/Stockholm", 6),
    "lugano": ("Europe/Zurich", 4),
}


def told(house: House, name: str = "revenue", asked: Asked = Asked()) -> dict[str, Any]:  # noqa: B008 - frozen
    with house.report(name, asked) as made:
        return json.loads(b"".join(FORMS["json"](made)))  # type: ignore[no-any-return]


def summed(rows: list[dict[str, Any]], *by: str, of: str = "ggr") -> Sums:
    sums: Sums = Counter()
    for row in rows:
        sums[tuple(row[name] for name in by)] += Decimal(row[of])  # type: ignore[assignment]
    return Counter({key: minor for key, minor in sums.items() if minor})


def test_totals_equal_the_rows_and_the_rows_equal_the_rounds(sample_house: House) -> None:
    days, details = told(sample_house), told(sample_house, "revenue-rounds")
    where = ("casino", "day", "prior", "table", "book", "currency")
    for name in (*COUNTS, *MONEY):
        rows = summed(days["rows"], *where, of=name)
        assert rows == summed(details["rows"], *where, of=name), name
        totals = summed(days["totals"], "casino", "currency", of=name)
        assert totals == summed(days["rows"], "casino", "currency", of=name), name
    assert days["totals"] == details["totals"]


def test_the_report_of_the_house_account_finds_no_difference_on_any_day(sample_house: House) -> None:
    days = {row["day"] for row in told(sample_house)["rows"]}
    for day in map(date.fromisoformat, days):
        rows = told(sample_house, "house-account", Asked(None, day, day))["rows"]
        assert agree(rows)
    everything = told(sample_house, "house-account")["rows"]
    revenue = summed(told(sample_house)["rows"], "casino", "currency")
    assert summed(everything, "casino", "currency") == revenue
    assert any(Decimal(row["house"]) for row in everything)


@pytest.mark.parametrize("seed", [5, 21, 34])
def test_random_evenings_with_their_office_agree_with_the_ledger(engine: Engine, seed: int) -> None:
    """Reversals, corrections, compensations, debts written off, contributions that the house bears."""
    house = written(engine, played(seed, 900)[0])
    rows = told(house, "house-account")["rows"]
    assert agree(rows)
    assert summed(rows, "casino", "currency") == summed(told(house)["rows"], "casino", "currency")
    for of in ("borne", "written_off", "compensation"):
        assert summed(rows, "casino", of=of) == summed(told(house)["rows"], "casino", of=of)


def agree(rows: list[dict[str, Any]]) -> bool:
    return not any(Decimal(row[name]) for row in rows for name in ("difference", "compensation_difference"))


def test_the_house_account_moves_by_revenue_less_what_is_explained(sample_house: House) -> None:
    with reading(sample_house.engine, sample_house.codec, (TAKINGS, ENTRIES), Asked()) as snapshot:
        earned = takings.c.ggr_minor - takings.c.borne_minor - takings.c.written_off_minor
        by_takings = select(takings.c.casino, takings.c.currency, func.sum(earned)).group_by(
            "casino", "currency"
        )
        by_ledger = (
            select(entries.c.owner, entries.c.currency, func.sum(entries.c.amount_minor))
            .where(entries.c.kind == "house")
            .group_by("owner", "currency")
        )
        ask = snapshot.connection.execute
        assert {tuple(row) for row in ask(by_takings) if row[2]} == {
            tuple(row) for row in ask(by_ledger) if row[2]
        }


def test_revenue_is_what_an_independent_reading_of_the_expected_lines_gives(sample_house: House) -> None:
    """Out of the expected round lines, which another program wrote, the feed and the network file: by day, table, currency."""
    stakes: Sums = Counter()
    payouts: Sums = Counter()
    ends, tables = dict(_ends()), dict(_tables())
    for line in csv.DictReader(StringIO(shared("feeds", "expected", "round-lines.csv").read_text("utf-8"))):
        if line["result"] == "refund":
            continue
        day = _gaming_day(line["casino"], ends[line["round"]])
        key = (line["casino"], day, tables[line["round"]], line["currency"], line["bet"])
        stakes[key] += Decimal(line["stake"])  # type: ignore[assignment]
        payouts[key] += Decimal(line["payout"])  # type: ignore[assignment]
    rows = told(sample_house)["rows"]
    by = ("casino", "day", "table", "currency")
    for bet in ("ante", "call", "bonus", "jackpot", "exchange", "pot"):
        expected = Counter({key[:4]: sum_ for key, sum_ in stakes.items() if key[4] == bet and sum_})
        assert summed(rows, *by, of=f"{bet}_stakes") == expected, bet
    for bet in ("ante", "call", "bonus", "pot"):
        expected = Counter({key[:4]: sum_ for key, sum_ in payouts.items() if key[4] == bet and sum_})
        assert summed(rows, *by, of=f"{bet}_payouts") == expected, bet
    prizes = summed(rows, *by, of="fixed_prizes") + summed(rows, *by, of="pool_prizes")
    assert prizes == Counter({key[:4]: sum_ for key, sum_ in payouts.items() if key[4] == "jackpot" and sum_})


def _ends() -> Iterator[tuple[str, datetime]]:
    for action in map(json.loads, SAMPLE):
        if action["do"] in {"settle", "cancel"}:
            yield action["round"], datetime.fromisoformat(action["at"])


def _tables() -> Iterator[tuple[str, str]]:
    return (
        (action["round"], action["table"]) for action in map(json.loads, SAMPLE) if action["do"] == "open"
    )


def _gaming_day(casino: str, moment: datetime) -> str:
    """By the clock of the place; the sample has no hour that comes twice."""
    zone, starts = STARTS[casino]
    shown = moment.astimezone(ZoneInfo(zone))
    return str(shown.date() if shown.hour >= starts else date.fromordinal(shown.toordinal() - 1))


def test_a_year_of_rounds_on_either_side_of_every_change_of_the_clock_adds_up(engine: Engine) -> None:
    """Each round on the one day that the clock of the place says; months are the sums of days, the year of months."""
    chance = Random(7)  # noqa: S311
    changes = [datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC)]
    starts = [datetime(2026, 3, 28, 4, tzinfo=UTC), datetime(2026, 10, 25, 4, tzinfo=UTC)]
    moments = [
        one + timedelta(minutes=m) for one in (*changes, *starts) for m in (-61, -60, -1, 0, 1, 59, 60)
    ]
    new_year = datetime(2026, 1, 1, tzinfo=UTC)
    moments += [new_year + timedelta(seconds=chance.randrange(364 * 86_400)) for _ in range(30)]
    take(a_handler(engine), founding(), deposit("ann"))
    for number, moment in enumerate(moments):
        take(a_handler(engine), *rounds_on_days.played(f"r-{number}", moment))
    house = house_on(engine)
    for days, day_of in _DAYS.items():
        year = Asked("tallinn", date(2025, 12, 31), date(2026, 12, 31), days)
        by_day = Counter(day_of(moment).isoformat() for moment in moments)
        assert {row["day"]: row["rounds"] for row in told(house, asked=year)["rows"]} == by_day
        months = [month_of(date(2026, number, 1)) for number in range(1, 13)]
        by_month = [told(house, asked=Asked("tallinn", *month, days))["totals"] for month in months]
        before = told(house, asked=Asked("tallinn", date(2025, 12, 31), date(2025, 12, 31), days))["totals"]
        assert sum(total["rounds"] for totals in (*by_month, before) for total in totals) == len(moments)


def test_a_table_whose_clock_believes_in_another_age_costs_nobody_anything(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"))
    for number, year in enumerate((3, 1970, 2026, 9998)):
        take(a_handler(engine), *rounds_on_days.played(f"r-{number}", datetime(year, 7, 1, 12, tzinfo=UTC)))
    rows = told(house_on(engine))["rows"]
    assert [row["day"] for row in rows] == ["0003-07-01", "1970-07-01", "2026-07-01", "9998-07-01"]


def _by_the_clock(moment: datetime, hour: int) -> date:
    shown = moment.astimezone(ZoneInfo("Europe/Tallinn"))
    return (shown.replace(tzinfo=None) - timedelta(hours=hour)).date()


_DAYS: dict[Days, Callable[[datetime], date]] = {
    Days.GAMING: lambda moment: _by_the_clock(moment, 6),
    Days.LEGAL: lambda moment: _by_the_clock(moment, 0),
    Days.UTC: lambda moment: moment.date(),
}
"""The same by the clock on the wall: right where no day starts in an hour that comes twice."""


def test_a_casino_a_table_or_a_currency_can_be_asked_for(sample_house: House) -> None:
    everything = told(sample_house)["rows"]
    asked = Asked("stockholm", only={"table": "live-1", "currency": "JPY"})
    wanted = [
        row
        for row in everything
        if (row["casino"], row["table"], row["currency"]) == ("stockholm", "live-1", "JPY")
    ]
    assert told(sample_house, asked=asked)["rows"] == wanted
    assert wanted
    with pytest.raises(UnknownReport, match="as: guessed is none of first-reported, now-known"):
        told(sample_house, asked=Asked(only={"as": "guessed"}))


def test_hold_and_average_stake_are_of_their_row(sample_house: House) -> None:
    rows = told(sample_house)["rows"]
    assert any(Decimal(row["contributions"]) for row in rows)
    for row in rows:
        assert Decimal(row["turnover"]) == Decimal(row["stakes"]) - Decimal(row["contributions"])
        if Decimal(row["turnover"]):
            exact = Decimal(row["ggr"]) / Decimal(row["turnover"]) * 100
            assert abs(Decimal(row["hold_percent"]) - exact) <= Decimal("0.005")
        else:
            assert row["hold_percent"] is None


def test_where_nobody_played_there_is_no_activity(sample_house: House) -> None:
    nothing = told(sample_house, asked=Asked("tallinn", date(2020, 1, 1), date(2020, 1, 31)))
    assert (nothing["rows"], nothing["totals"], nothing["activity"]) == ([], [], False)
    assert datetime.fromisoformat(nothing["generated_at"]) < datetime.now(UTC)
