"""Malta's records: what each element says."""

from datetime import UTC, date, datetime

import pytest
from nodes_said import said

from backoffice.reports.regulators.mga_live_tables import (
    base_rate,
    jackpot_record,
    report_header,
    table_record,
)
from backoffice.reports.regulators.pools import PoolTold
from backoffice.reports.regulators.tables_played import Table


def test_the_header_says_who_reports_which_day_for_the_how_manieth_time() -> None:
    begin, made_at = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, 0, 0, 5, tzinfo=UTC)
    told = said(report_header("B2C1", "www.casino.com.mt", begin, made_at, 2))
    assert told["RprtStrtDt"] == ["2026-03-01T00:00:00Z"]
    assert told["CrtDtTm"] == ["2026-03-02T00:00:05Z"]
    assert (told["RptPrd"], told["RprtToCntry"], told["VrsNb"]) == (["P1D"], ["MT"], ["2"])
    assert (told["RprtOprtr"], told["RprtURL"]) == (["B2C1"], ["www.casino.com.mt"])
    assert "RprtURL" not in said(report_header("B2C1", None, begin, made_at, 0))


def test_a_table_says_what_was_staked_paid_and_lies_there() -> None:
    told = said(table_record("live-1", Table(stake_minor=1234, paid_minor=-5, held_minor=160), "KWD"))
    assert told == {
        "TblID": ["live-1"],
        "TtlOnAccount": ["0.160"],
        "TtlDrop": ["1.234"],
        "TtlFills": ["-0.005"],
        "TtlCredits": ["0.000"],
    }


@pytest.mark.parametrize(
    ("casinos", "tables", "kind"), [(2, 1, "Wide Area"), (1, 2, "Proprietary"), (1, 1, "Standalone")]
)
def test_a_pool_says_who_shares_it_and_how_it_ended(casinos: int, tables: int, kind: str) -> None:
    pool = PoolTold("royal", "EUR", tables, casinos, date(2026, 2, 1), 5000050, won=casinos == 2)
    told = said(jackpot_record(pool))
    assert told["{RRI}JckptPlTp"] == [kind]
    assert told["{RRI}JckptAmnt"] == ["50000.50"]
    assert told["{RRI}JckptStrtDt"] == ["2026-02-01"]
    assert told.get("{RRI}JckptEndTp") == (["Won"] if casinos == 2 else None)


@pytest.mark.parametrize(
    ("currency", "euro", "rate"),
    [("11.4210", "1", "11.421"), ("1", "1", "1"), ("3", "7", "0.42857143"), ("100", "1", "100")],
)
def test_a_rate_is_units_for_a_euro_whatever_the_networks_currency(
    currency: str, euro: str, rate: str
) -> None:
    assert base_rate(currency, euro) == rate
