"""Malta's file, on PostgreSQL: valid by its schema, and equal in every figure to the read models."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from filing import BY, LEGAL, a_round, assert_valid, license_all, produce, register, reverse
from front_door import NETWORK, a_handler, deposit, rows, take
from produced_files import document, texts, total
from sqlalchemy import Engine

from backoffice.app.requests import Request
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.network.legal import LegalSection
from backoffice.reports.regulators.producing import Placed
from backoffice.reports.regulators.refusals import ParticularMissing

NAME = "mga-live-tables"
SCHEMA = ("mga", "B2CSmryLiveTables.xsd")
EIGHT = datetime(2026, 3, 1, 20, tzinfo=UTC)
CASINOS = ("lugano", "stockholm", "tallinn")


def made(engine: Engine, casino: str, out: Path, **asked: Any) -> Sequence[Placed]:
    """A day's files, held against their schema."""
    placed = produce(engine, NAME, casino, out, **asked)
    for each in placed:
        assert_valid(each, *SCHEMA)
    return placed


def one(placed: Sequence[Placed]) -> Any:
    (found,) = placed
    return document(found)


def tables(root: Any, element: str) -> dict[str, Decimal]:
    """An element's value by table."""
    return {texts(record, "TblID")[0]: total(record, element) for record in root.iter("{*}LvTblSmryActvy")}


def lines(engine: Engine, casino: str, currency: str, column: str) -> dict[str, Decimal]:
    query = f"""
        select table_id, sum({column}) from read.round_lines join read.rounds using (round)
        where casino = '{casino}' and currency = '{currency}' and result <> 'refund' group by table_id
    """  # noqa: S608 - our own words
    return {
        table: Decimal(minor).scaleb(0 if currency == "JPY" else -2) for table, minor in rows(engine, query)
    }


@pytest.mark.parametrize("casino", CASINOS)
def test_the_sample_is_told_table_by_table_as_the_lines_do(
    licensed: Engine, tmp_path: Path, casino: str
) -> None:
    for placed in made(licensed, casino, tmp_path):
        root = document(placed)
        (block,) = root.iter("{MGA}CCY")
        currency = block.get("CCY")
        drop, fills = tables(root, "TtlDrop"), tables(root, "TtlFills")
        staked = lines(licensed, casino, currency, "stake_minor - pooled_minor")
        paid = lines(licensed, casino, currency, "case when paid_by = 'house' then payout_minor else 0 end")
        assert {table: minor for table, minor in drop.items() if minor} == staked
        assert {table: fills[table] for table in paid} == paid
        assert total(root, "TtlOnAccount") == total(root, "TtlCredits") == 0


def test_a_currency_is_a_file_with_its_rate_to_the_euro(licensed: Engine, tmp_path: Path) -> None:
    blocks = [next(document(each).iter("{MGA}CCY")) for each in made(licensed, "stockholm", tmp_path)]
    assert [block.get("CCY") for block in blocks] == ["JPY", "SEK"]
    ((rate,),) = rows(
        licensed, "select rate from read.jackpot_shares where currency = 'SEK' order by position desc limit 1"
    )
    assert Decimal(blocks[1].get("BaseRate")) == Decimal(rate)


def test_jackpots_stand_once_as_they_stood_when_the_day_ended(licensed: Engine, tmp_path: Path) -> None:
    first, second = made(licensed, "stockholm", tmp_path)
    assert texts(document(second), "JckptNm") == []
    root = document(first)
    hits = rows(
        licensed, "select distinct round from read.jackpot_shares where jackpot = 'royal' and percent = 100"
    )
    assert texts(root, "JckptEndTp") == ["Won"] * len(hits)
    assert texts(root, "JckptNm") == ["royal"] * (len(hits) + 1)
    assert set(texts(root, "JckptPlTp")) == {"Wide Area"}
    won = rows(
        licensed,
        "select sum(share_base_minor) from read.jackpot_shares where jackpot = 'royal' and percent = 100",
    )
    *paid, running = map(Decimal, texts(root, "JckptAmnt"))
    assert sum(paid) == Decimal(won[0][0]).scaleb(-2)
    assert running == running_pool(licensed, "royal")


def running_pool(engine: Engine, jackpot: str) -> Decimal:
    """What the meters say, converted as the pool is; the sample's last rates are those of the day's end."""
    last = dict(
        rows(
            engine,
            """
            select distinct on (data->>'quote') data->>'quote', data->>'rate' from log.events
            where type = 'network.rate_set' order by data->>'quote', position desc
            """,
        )
    )
    worth = 0
    for currency, minor in rows(
        engine,
        f"select currency, balance_minor from read.jackpot_meters where jackpot = '{jackpot}'",  # noqa: S608
    ):
        rate = Decimal(last.get(currency, "1"))
        worth += round(Decimal(minor) * (100 if currency == "JPY" else 1) / rate)
    return Decimal(worth).scaleb(-2)


@pytest.fixture
def played(engine: Engine) -> Engine:
    """Tallinn, licensed: ann played a round."""
    license_all(engine)
    take(a_handler(engine), deposit("ann"), *a_round("r-1", "ann", EIGHT))
    return engine


def test_the_version_goes_up_when_a_day_is_handed_in_again(played: Engine, tmp_path: Path) -> None:
    chain = [one(made(played, "tallinn", tmp_path))]
    for name in ("late-1", "late-2"):
        take(a_handler(played), *a_round(name, "ann", EIGHT))
        chain.append(one(made(played, "tallinn", tmp_path)))
    assert [texts(root, "VrsNb") for root in chain] == [["0"], ["1"], ["2"]]
    assert [tables(root, "TtlDrop")["high-24h"] for root in chain] == [
        Decimal("60.25") * rounds for rounds in (1, 2, 3)
    ]
    assert [(each.file.version, each.file.replaces) for each in register(played, "tallinn", "mga")] == [
        (0, None),
        (1, 1),
        (2, 2),
    ]
    (again,) = made(played, "tallinn", tmp_path)
    assert not again.new


def test_what_is_taken_back_is_taken_off_on_that_day(played: Engine, tmp_path: Path) -> None:
    reverse(played, "r-1", EIGHT + timedelta(days=1))
    assert tables(one(made(played, "tallinn", tmp_path)), "TtlDrop")["high-24h"] == Decimal("60.25")
    next_day = one(made(played, "tallinn", tmp_path, day=date(2026, 3, 2)))
    assert tables(next_day, "TtlDrop")["high-24h"] == Decimal("-60.25")


def test_a_round_over_midnight_of_utc_lies_on_the_table_and_is_played_the_next_day(
    engine: Engine, tmp_path: Path
) -> None:
    license_all(engine)
    midnight = datetime(2026, 3, 2, tzinfo=UTC)
    take(a_handler(engine), deposit("ann"), *a_round("r-1", "ann", midnight - timedelta(seconds=3)))
    days = [one(made(engine, "tallinn", tmp_path, day=date(2026, 3, day))) for day in (1, 2)]
    assert [tables(day, "TtlDrop")["high-24h"] for day in days] == [0, Decimal("60.25")]
    assert [tables(day, "TtlOnAccount")["high-24h"] for day in days] == [Decimal("20.25"), 0]
    assert texts(days[0], "RprtStrtDt") == ["2026-03-01T00:00:00Z"]


def test_every_table_stands_there_also_idle_and_at_most_twenty_five_in_a_block(
    engine: Engine, tmp_path: Path
) -> None:
    license_all(engine)
    (low,) = (table for table in NETWORK.table if table.id == "low-24h")
    many = [low.model_copy(update={"id": f"a-table-with-a-long-name-{number:02}"}) for number in range(70)]
    network(engine, many)
    placed = made(engine, "tallinn", tmp_path)
    blocks = [
        [texts(block, "TblID") for block in document(each).iter("{MGA}SmryCshFlwbyPlyrTp")] for each in placed
    ]
    assert [[len(block) for block in each] for each in blocks] == [[25, 25], [25]]
    names = [name for each in blocks for block in each for name in block]
    assert len(set(names)) == 75
    assert [each.file.part for each in register(engine, "tallinn", "mga")] == ["EUR", "EUR 2"]


def network(engine: Engine, more: Sequence[Any]) -> None:
    """The licensed network with more tables."""
    section = LegalSection.model_validate(LEGAL)
    casinos = [casino.model_copy(update={"legal": section}) for casino in NETWORK.casino]
    file = NETWORK.model_copy(update={"casino": casinos, "table": [*NETWORK.table, *more]})
    command = ApplyNetwork(id="more-tables", at=EIGHT, file=file)
    take(a_handler(engine), Request(command, "command line", actor=BY.name))


def test_a_licence_that_is_missing_is_named(played: Engine, tmp_path: Path) -> None:
    license_all(played, {})
    with pytest.raises(ParticularMissing, match=r"casino tallinn: legal\.mga\.licence is missing"):
        made(played, "tallinn", tmp_path)


def test_a_site_may_be_missing(played: Engine, tmp_path: Path) -> None:
    license_all(played, {"mga": {"licence": "B2C1"}})
    assert texts(one(made(played, "tallinn", tmp_path)), "RprtURL") == []
