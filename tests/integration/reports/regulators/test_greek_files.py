"""Greece's files, on PostgreSQL: valid by schemas with assertions (XSD 1.1), and equal in every figure to the read models."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import xmlschema
from filing import LEGAL, a_round, license_all, produce, register, reverse
from front_door import a_handler, deposit, rows, take
from produced_files import document, texts, total
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.reports.regulators.producing import Placed
from backoffice.reports.regulators.refusals import ParticularMissing
from backoffice.reports.regulators.values import utc

SCHEMAS = {
    "gr-games": "Online_Games",
    "gr-peer-to-peer-games": "Online_Peer_to_Peer_Games",
    "gr-jackpot-winnings": "Online_Jackpot_Winnings",
    "gr-jackpot-parameters": "Online_Jackpot_Parameters",
    "gr-end-of-day-games": "Online_EndOfDay_Games",
}
CASINOS = ("lugano", "stockholm", "tallinn")
SIX = datetime(2026, 3, 1, 18, tzinfo=UTC)
NEXT_DAY = SIX + timedelta(days=1)
TOMORROW = date(2026, 3, 2)


@cache
def schema(name: str) -> xmlschema.XMLSchema11:
    """Read once; its includes are named as on Windows."""
    return xmlschema.XMLSchema11(str(shared("schemas", "gr", f"{SCHEMAS[name]}.xsd")))


def made(engine: Engine, name: str, casino: str, out: Path, **asked: Any) -> Sequence[Placed]:
    """A day's files, held against their schema."""
    placed = produce(engine, name, casino, out, **asked)
    for each in placed:
        schema(name).validate(str(each.path))
    return placed


def one(placed: Sequence[Placed]) -> Any:
    (found,) = placed
    return document(found)


def by_currency(roots: Sequence[Any], name: str, record: str) -> dict[str, Decimal]:
    sums: Counter[str] = Counter()
    for root in roots:
        for each in root.iter(f"{{*}}{record}"):
            if currency := texts(each, "Currency"):
                sums[currency[0]] += total(each, name)  # type: ignore[assignment]
    return {currency: Decimal(minor) for currency, minor in sums.items() if minor}


def lines(engine: Engine, casino: str, column: str, *, pots: bool) -> dict[str, Decimal]:
    """A sum over the settled lines of a casino by currency."""
    query = f"""
        select currency, sum({column}) from read.round_lines
        where casino = '{casino}' and result <> 'refund' and (bet = 'pot') = {pots} group by currency
    """  # noqa: S608 - our own words
    return {
        currency: Decimal(minor).scaleb(0 if currency == "JPY" else -2)
        for currency, minor in rows(engine, query)
        if minor
    }


@pytest.mark.parametrize("casino", CASINOS)
def test_every_file_of_the_sample_is_valid_and_tells_what_the_lines_do(
    licensed: Engine, tmp_path: Path, casino: str
) -> None:
    games = [document(each) for each in made(licensed, "gr-games", casino, tmp_path)]
    pots = [document(each) for each in made(licensed, "gr-peer-to-peer-games", casino, tmp_path)]
    day = one(made(licensed, "gr-end-of-day-games", casino, tmp_path))
    won = "case when paid_by = 'house' then payout_minor else 0 end"
    for element, in_the_day, column in [
        ("GameSessionAmountWagered", "TotalAmountWagered", "stake_minor - pooled_minor"),
        ("GameSessionJackpotRake", "TotalAmountJackpotRake", "pooled_minor"),
        ("GameSessionAmountWon", "TotalAmountWon", won),
    ]:
        expected = lines(licensed, casino, column, pots=False)
        assert by_currency(games, element, "Online_Game") == expected, element
        assert by_currency([day], in_the_day, "Online_EndOfDay_Game") == expected, in_the_day
    for element, column in [("PtPGameSessionAmountWagered", "stake_minor"), ("PtPGameSessionAmountWon", won)]:
        expected = lines(licensed, casino, column, pots=True)
        assert by_currency(pots, element, "Online_Peer_to_Peer_Game") == expected, element
    assert total(day, "TotalNumberGameSessions") == sum(len(texts(root, "RecordID")) for root in games)
    assert texts(day, "Currency") == sorted(
        {"lugano": ["CHF"], "stockholm": ["JPY", "SEK"], "tallinn": ["EUR"]}[casino]
    )


@pytest.mark.parametrize("casino", CASINOS)
def test_jackpots_won_are_the_shares_in_the_sessions_they_were_won_in(
    licensed: Engine, tmp_path: Path, casino: str
) -> None:
    games = one(made(licensed, "gr-games", casino, tmp_path))
    won = one(made(licensed, "gr-jackpot-winnings", casino, tmp_path))
    day = one(made(licensed, "gr-end-of-day-games", casino, tmp_path))
    shares = rows(
        licensed,
        f"select share_base_minor, amount_minor, currency, player from read.jackpot_shares where casino = '{casino}'",  # noqa: S608
    )
    assert total(won, "JackpotPlayerAmount") == sum(Decimal(base).scaleb(-2) for base, *_ in shares)
    assert sorted(texts(won, "PlayerID")) == sorted(player for *_, player in shares)
    assert set(texts(won, "GameSessionID")) <= set(texts(games, "GameSessionID"))
    paid = sum(Decimal(minor).scaleb(0 if code == "JPY" else -2) for _, minor, code, _ in shares)
    assert total(day, "TotalAmountWonJackpots") == paid
    assert set(texts(won, "LogInSessionID")) <= set(texts(games, "LogInSessionID"))


def test_what_players_gave_to_a_pool_and_what_was_in_it_are_the_meters(
    licensed: Engine, tmp_path: Path
) -> None:
    """The sample ends on the evening of the day: what stands in the meters stood there when the day ended."""
    parameters = one(made(licensed, "gr-jackpot-parameters", "lugano", tmp_path))
    ((holds, given),) = rows(
        licensed,
        """
        select
            sum(balance_minor) filter (where casino = '-'),
            sum(contributed_minor - refunded_minor) filter (where casino <> '-')
        from read.jackpot_meters where jackpot = 'ticino'
        """,
    )
    ((chips,),) = rows(
        licensed,
        "select balance_minor from read.jackpot_meters where jackpot = 'ticino' and casino = 'lugano'",
    )
    ((rate,),) = rows(
        licensed,
        "select rate from read.jackpot_shares where currency = 'CHF' order by position desc limit 1",
    )
    worth = holds + round(Decimal(chips) / Decimal(rate))
    levels = dict(
        zip(
            texts(parameters, "ProfitDistributionLevelID"),
            map(Decimal, texts(parameters, "TotalJackpotAmount")),
            strict=True,
        )
    )
    assert levels["100%"] == Decimal(worth).scaleb(-2)
    assert texts(parameters, "PaytableID") == ["caribbean-swiss/1"]
    assert set(texts(parameters, "TotalJackpotRake")) == {str(round(Decimal(given) / Decimal(rate) / 100, 2))}


@pytest.mark.parametrize("casino", ["stockholm", "tallinn"])
def test_what_players_had_given_to_a_pool_that_was_won_is_what_the_hit_took_of_their_buckets(
    licensed: Engine, tmp_path: Path, casino: str
) -> None:
    won = one(made(licensed, "gr-jackpot-winnings", casino, tmp_path))
    told = {
        (texts(record, "JackpotID")[0], texts(record, "JackpotWonDate")[0]): total(record, "TotalJackpotRake")
        for record in won.iter("{*}Online_Jackpot_Winnings")
    }
    taken = rows(
        licensed,
        f"""
        select data->>'jackpot', happened_at,
            (select sum((bucket->>'base')::bigint) from json_array_elements(data->'buckets') as bucket
             where bucket->>'casino' <> '-')
        from log.events
        where type = 'jackpot.hit' and data->>'percent' = '100' and exists (
            select from read.jackpot_shares as share
            where share.position = events.position and share.casino = '{casino}')
        """,  # noqa: S608 - our own words
    )
    assert taken
    assert told == {(jackpot, utc(moment)): Decimal(base or 0).scaleb(-2) for jackpot, moment, base in taken}


@pytest.fixture
def played(engine: Engine) -> Engine:
    """Tallinn, licensed: ann played three rounds at a table, one after the other."""
    license_all(engine)
    take(a_handler(engine), deposit("ann"))
    for name, minutes in [("r-1", 0), ("r-2", 10), ("r-3", 20)]:
        take(a_handler(engine), *a_round(name, "ann", SIX + timedelta(minutes=minutes)))
    return engine


def test_a_session_with_a_round_taken_back_is_replaced_by_what_is_left(
    played: Engine, tmp_path: Path
) -> None:
    first = one(made(played, "gr-games", "tallinn", tmp_path))
    reverse(played, "r-2", NEXT_DAY)
    second = one(made(played, "gr-games", "tallinn", tmp_path, day=TOMORROW))
    assert texts(second, "ReplacedRecordID") == texts(first, "RecordID")
    assert texts(second, "RecordID") != texts(first, "RecordID")
    assert texts(second, "GameSessionID") == texts(first, "GameSessionID")
    assert texts(second, "LogInSessionID") == texts(first, "LogInSessionID")
    assert texts(first, "GameSessionAmountWagered") == ["180.75"]
    assert texts(second, "GameSessionAmountWagered") == ["120.50"]
    day = one(made(played, "gr-end-of-day-games", "tallinn", tmp_path, day=TOMORROW))
    assert total(day, "TotalAmountWagered") == Decimal("-60.25")
    assert total(day, "TotalNumberGameSessions") == 0


def test_a_session_of_which_nothing_is_left_is_called_back(played: Engine, tmp_path: Path) -> None:
    first = one(made(played, "gr-games", "tallinn", tmp_path))
    for name in ("r-1", "r-2", "r-3"):
        reverse(played, name, NEXT_DAY)
    second = one(made(played, "gr-games", "tallinn", tmp_path, day=TOMORROW))
    chain = texts(second, "RecordID")
    assert texts(second, "ReplacedRecordID") == [texts(first, "RecordID")[0], chain[0]]
    assert texts(second, "CancelledRecordID") == [chain[1]]
    assert texts(second, "CancelledRecordDate") == ["2026-03-02T18:00:00Z"]
    assert len(set(chain)) == 3


def test_records_of_the_same_day_reported_again_replace_those_before(played: Engine, tmp_path: Path) -> None:
    days = [one(made(played, "gr-end-of-day-games", "tallinn", tmp_path))]
    for name in ("late-1", "late-2"):
        take(a_handler(played), *a_round(name, "ann", SIX + timedelta(minutes=30)))
        days.append(one(made(played, "gr-end-of-day-games", "tallinn", tmp_path)))
    ids = [texts(day, "RecordID") for day in days]
    assert [texts(day, "ReplacedRecordID") for day in days] == [[], *ids[:2]]
    assert [total(day, "TotalAmountWagered") for day in days] == [
        Decimal("60.25") * rounds for rounds in (3, 4, 5)
    ]


def test_files_are_numbered_among_all_of_the_licensee(played: Engine, tmp_path: Path) -> None:
    for name in ("gr-games", "gr-end-of-day-games", "gr-jackpot-parameters"):
        made(played, name, "tallinn", tmp_path)
    assert [entry.file.number for entry in register(played, "tallinn", "gr")] == [1, 2, 3]
    numbers = [one([each]) for each in made(played, "gr-jackpot-parameters", "tallinn", tmp_path)]
    assert texts(numbers[0], "FileID") == ["3"]
    assert texts(numbers[0], "LicenseeID") == ["el123456789"]


def test_a_hit_taken_back_is_called_back_on_that_day(licensed: Engine, tmp_path: Path) -> None:
    first = one(made(licensed, "gr-jackpot-winnings", "lugano", tmp_path))
    for (name,) in rows(licensed, "select distinct round from read.jackpot_shares where casino = 'lugano'"):
        reverse(licensed, name, NEXT_DAY)
    second = one(made(licensed, "gr-jackpot-winnings", "lugano", tmp_path, day=TOMORROW))
    assert sorted(texts(second, "CancelledRecordID")) == sorted(texts(first, "RecordID"))
    day = one(made(licensed, "gr-end-of-day-games", "lugano", tmp_path, day=TOMORROW))
    assert total(day, "TotalAmountWonJackpots") < 0
    assert texts(day, "TotalNumberJackpots") == ["0"]


def test_an_empty_day_has_whole_reports_and_nothing_else_to_hand_in(licensed: Engine, tmp_path: Path) -> None:
    quiet = date(2026, 2, 3)
    for name in ("gr-games", "gr-peer-to-peer-games", "gr-jackpot-winnings"):
        assert made(licensed, name, "stockholm", tmp_path, day=quiet) == []
    day = one(made(licensed, "gr-end-of-day-games", "stockholm", tmp_path, day=quiet))
    assert texts(day, "TotalNumberGameSessions") == ["0", "0"]
    assert made(licensed, "gr-jackpot-parameters", "stockholm", tmp_path, day=quiet)


@pytest.mark.parametrize("field", ["licensee", "manufacturer", "studio", "domain"])
def test_a_particular_that_is_missing_is_named(played: Engine, tmp_path: Path, field: str) -> None:
    license_all(played, {"gr": {name: value for name, value in LEGAL["gr"].items() if name != field}})
    with pytest.raises(ParticularMissing, match=f"casino tallinn: legal.gr.{field} is missing"):
        made(played, "gr-games", "tallinn", tmp_path)


def test_a_report_day_is_the_gaming_day_across_a_change_of_clocks(engine: Engine, tmp_path: Path) -> None:
    """Tallinn's gaming days begin at six: at 04:00 of UTC in winter, at 03:00 in summer; that night has 23 hours."""
    license_all(engine)
    take(a_handler(engine), deposit("ann"))
    begin, end = datetime(2026, 3, 28, 4, tzinfo=UTC), datetime(2026, 3, 29, 3, tzinfo=UTC)
    for name, moment in [("last-before", begin), ("first", begin), ("last", end), ("after", end)]:
        settled_in = -8 if name.startswith("last") else -7
        take(a_handler(engine), *a_round(name, "ann", moment + timedelta(seconds=settled_in)))
    days = [
        one(made(engine, "gr-end-of-day-games", "tallinn", tmp_path, day=date(2026, 3, day)))
        for day in (27, 28, 29)
    ]
    assert [texts(day, "TotalNumberGameSessions") for day in days] == [["1"], ["2"], ["1"]]
    assert texts(days[1], "ReportDate") == ["2026-03-28T04:00:00Z"]
    assert texts(days[2], "ReportDate") == ["2026-03-29T03:00:00Z"]
