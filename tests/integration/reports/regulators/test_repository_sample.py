"""Files of the repository's own sample: rake, pools that pay fixed prizes, currencies of no and of three digits."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from command_line import ROOT, backoffice
from produced_files import document, texts, total
from sqlalchemy import Engine, text

from backoffice.bootstrap import house_on
from backoffice.cli.people import person
from backoffice.db import make_engine, psycopg_url

DAY = date(2026, 5, 4)
LATER = datetime(2027, 1, 1, tzinfo=UTC)
DIGITS = {"JPY": 0, "BHD": 3}
SAMPLE = ROOT / "ops" / "sample"


@pytest.fixture(scope="module")
def harbour(postgres_url: str, template_database: str) -> Iterator[Engine]:
    """The repository's network and feed, taken in."""
    name = f"harbour_{uuid4().hex}"
    url = psycopg_url(postgres_url)
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template_database} strategy file_copy")
        made = make_engine(url.set(database=name))
        done = backoffice(made, "import", SAMPLE / "feed.jsonl", "--network", SAMPLE / "network.toml")
        assert done.code == 0, done.err
        yield made
        made.dispose()
        connection.execute(f"drop database {name} with (force)")


def produced(engine: Engine, name: str, casino: str, out: Path) -> list[Any]:
    by = person("ann:compliance")
    return [document(placed) for placed in house_on(engine).produce(name, casino, DAY, out, by, LATER)]


def summed(engine: Engine, casino: str, column: str, where: str = "true") -> dict[str, Decimal]:
    """A sum over a casino's settled lines by currency, in whole units; sums of nothing are left out."""
    query = f"""
        select currency, sum({column}) from read.round_lines
        where casino = '{casino}' and result <> 'refund' and {where} group by currency
    """  # noqa: S608 - our own words
    with engine.connect() as connection:
        found = connection.execute(text(query)).all()
    return {code: Decimal(minor).scaleb(-DIGITS.get(code, 2)) for code, minor in found if minor}


def told(roots: list[Any], record: str, *elements: str) -> dict[str, Decimal]:
    """The sum of elements by the currency of their record."""
    sums: dict[str, Decimal] = {}
    for root in roots:
        for each in root.iter(f"{{*}}{record}"):
            currency = (texts(each, "ValutaOplysningKode") or texts(each, "Currency"))[0]
            sums[currency] = sums.get(currency, Decimal()) + sum(total(each, name) for name in elements)
    return {code: amount for code, amount in sums.items() if amount}


@pytest.mark.parametrize("casino", ["riga", "bergen", "manama"])
def test_denmarks_files_add_up_in_every_currency_rake_and_all(
    harbour: Engine, tmp_path: Path, casino: str
) -> None:
    single = produced(harbour, "dk-single-player-sessions", casino, tmp_path)
    multi = produced(harbour, "dk-multi-player-sessions", casino, tmp_path)
    record = "KasinospilSession"
    of_the_house = "case when paid_by = 'house' then payout_minor else 0 end"
    assert told(single, record, "KasinospilIndskudSpil") == summed(
        harbour, casino, "stake_minor - pooled_minor", "bet <> 'pot'"
    )
    assert told(single, record, "KasinospilIndskudJackpot") == summed(harbour, casino, "pooled_minor")
    assert told(single, record, "KasinospilGevinstSpil") == summed(
        harbour, casino, of_the_house, "bet <> 'pot'"
    )
    assert told(multi, record, "KasinospilIndskudSpil", "KasinospilKommission") == summed(
        harbour, casino, "stake_minor", "bet = 'pot'"
    )
    assert told(multi, record, "KasinospilGevinstSpil") == summed(
        harbour, casino, "payout_minor", "bet = 'pot'"
    )
    days = produced(harbour, "dk-end-of-day", casino, tmp_path)
    games = [*single, *multi]
    for element, detail in [
        ("EndOfDayRapportIndskudSpil", "KasinospilIndskudSpil"),
        ("EndOfDayRapportIndskudJackpot", "KasinospilIndskudJackpot"),
        ("EndOfDayRapportGevinster", "KasinospilGevinstSpil"),
        ("EndOfDayRapportKommissionRake", "KasinospilKommission"),
    ]:
        assert sum(total(root, element) for root in days) == sum(total(root, detail) for root in games), (
            element
        )


def test_the_rake_of_pots_is_the_commission_and_what_the_ledger_says_the_house_took(
    harbour: Engine, tmp_path: Path
) -> None:
    multi = produced(harbour, "dk-multi-player-sessions", "bergen", tmp_path)
    query = """
        select sum(amount_minor) from read.entries
        where kind = 'house' and owner = 'bergen' and type = 'round.pot_settled'
    """
    with harbour.connect() as connection:
        raked = connection.execute(text(query)).scalar_one()
    assert raked > 0
    assert told(multi, "KasinospilSession", "KasinospilKommission") == {"NOK": Decimal(raked).scaleb(-2)}


def test_what_pools_paid_is_told_apart_from_the_sessions_fixed_prizes_too(
    harbour: Engine, tmp_path: Path
) -> None:
    hits = produced(harbour, "dk-jackpots", "riga", tmp_path)
    with harbour.connect() as connection:
        shares, fixed = connection.execute(
            text("""
                select
                    (select sum(share_base_minor) from read.jackpot_shares where casino = 'riga'),
                    (select sum(payout_minor) from read.round_lines as lines
                     where casino = 'riga' and paid_by = 'pool' and not exists (
                        select from read.jackpot_shares as shares
                        where (shares.round, shares.seat) = (lines.round, lines.seat)))
            """)
        ).one()
    assert fixed > 0
    assert sum(total(root, "JackpotGevinst") for root in hits) == Decimal(shares + fixed).scaleb(-2)


def test_greece_tells_the_rake_of_each_player_and_the_pools_fixed_prizes(
    harbour: Engine, tmp_path: Path
) -> None:
    won = produced(harbour, "gr-jackpot-winnings", "riga", tmp_path)
    levels = {level for root in won for level in texts(root, "ProfitDistributionLevelID")}
    assert "fixed" in levels
    (day,) = produced(harbour, "gr-end-of-day-games", "riga", tmp_path)
    paid = summed(harbour, "riga", "payout_minor", "paid_by = 'pool'")
    assert total(day, "TotalAmountWonJackpots") == paid["EUR"]


def test_malta_tells_a_currency_of_three_digits_whole(harbour: Engine, tmp_path: Path) -> None:
    (root,) = produced(harbour, "mga-live-tables", "manama", tmp_path)
    assert total(root, "TtlDrop") == summed(harbour, "manama", "stake_minor - pooled_minor")["BHD"]
    assert {len(drop.partition(".")[2]) for drop in texts(root, "TtlDrop")} == {3}
