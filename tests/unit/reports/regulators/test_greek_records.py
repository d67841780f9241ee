"""Greece's records: what each element says, and what cannot be said."""

from datetime import UTC, datetime

import pytest
from nodes_said import said
from playing_sessions import EIGHT, played, taken

from backoffice.domain.terms import ChipTerms, JackpotTerms
from backoffice.reports.regulators.gr_end_of_day import Day, JackpotsWon, end_of_day_record
from backoffice.reports.regulators.gr_games import Names, Platform, game_record, worth_a_record
from backoffice.reports.regulators.gr_jackpot_parameters import Pool, parameters_record
from backoffice.reports.regulators.gr_jackpot_winnings import Winner, winnings_record
from backoffice.reports.regulators.gr_peer_to_peer import peer_to_peer_record
from backoffice.reports.regulators.hits import Hit, Win
from backoffice.reports.regulators.refusals import Unwritable
from backoffice.reports.regulators.sessions import as_played, history
from backoffice.reports.regulators.totals import Totals

PLATFORM = Platform("M-17", "S-3", "www.casino.gr")
ID = "5b0c4c7e-0000-5000-8000-000000000000"
NAMES = Names(record=ID, before=None, session="s-1", play="p-1")


def test_a_session_says_what_was_staked_fed_and_won() -> None:
    told = said(
        game_record(
            as_played((played(stake_minor=950, jackpot_minor=50, won_minor=700, jackpot="royal"),)),
            NAMES,
            PLATFORM,
        )
    )
    assert told["GameSessionAmountWagered"] == ["9.50"]
    assert told["GameSessionJackpotRake"] == ["0.50"]
    assert told["GameSessionAmountWon"] == ["7.00"]
    assert told["JackpotID"] == ["royal"]
    assert (told["GameCategoryA"], told["GameCategoryB"]) == (["1"], ["0"])
    assert told["LogInSessionID"] == told["TaxationSessionID"] == ["p-1"]
    assert "ReplacedRecordID" not in told


def test_a_session_that_fed_no_jackpot_names_none() -> None:
    told = said(game_record(as_played((played(jackpot="royal"),)), NAMES, PLATFORM))
    assert "JackpotID" not in told
    assert "GameSessionJackpotRake" not in told


def test_what_is_replaced_needs_no_word_of_its_own_what_is_called_back_has_one() -> None:
    left = history((played("a", taken_back=taken(90)), played("b", 1)))
    assert [one.version for one in worth_a_record(left)] == [2]
    (gone,) = worth_a_record(history((played("a", taken_back=taken(90)),)))
    told = said(game_record(gone, NAMES, PLATFORM))
    assert told["CancelledRecordID"] == [ID]
    assert told["CancelledRecordDate"] == ["2026-03-01T21:30:00Z"]
    assert told["RecordID"] != [ID]


def test_a_dinar_of_three_digits_is_told_where_nothing_is_lost_and_refused_where_it_would_be() -> None:
    whole = as_played((played(currency="KWD", stake_minor=1230),))
    assert said(game_record(whole, NAMES, PLATFORM))["GameSessionAmountWagered"] == ["1.23"]
    with pytest.raises(Unwritable, match=r"1\.234 KWD has more than the 2 decimals this file has room for"):
        said(game_record(as_played((played(currency="KWD", stake_minor=1234),)), NAMES, PLATFORM))


def test_a_pots_session_says_hands_and_rake() -> None:
    told = said(
        peer_to_peer_record(
            as_played((played("a", rake_minor=25, won_minor=1975), played("b", 1))),
            NAMES,
            PLATFORM,
            open_network=True,
        )
    )
    assert told["TotalNumberPokerCashGamesHands"] == ["2"]
    assert told["PtPGameSessionLicenseeRake"] == ["0.25"]
    assert told["PtPGameSessionAmountWagered"] == ["20.00"]
    assert told["NetworkIndicator"] == ["true"]


def test_a_hit_says_what_was_given_to_it_and_the_casinos_own_winners() -> None:
    win = Win("tallinn", "ann", "live-1", 5000, "EUR", 5000)
    other = Win("stockholm", "eva", "live-1", 5001, "SEK", 57100)
    hit = Hit("royal", "r-1", 1, "100%", "EUR", taken(0), None, (win, other))
    told = said(winnings_record(hit, ID, [Winner(win, "s-1", "p-1")], 1234, "www.casino.gr"))
    assert told["TotalJackpotWonAmount"] == ["100.01"]
    assert told["TotalJackpotRake"] == ["12.34"]
    assert told["PlayerID"] == ["ann"]
    assert told["JackpotPlayerAmount"] == ["50.00"]
    assert told["GameSessionID"] == ["s-1"]


def pool(**fields: object) -> Pool:
    terms = JackpotTerms("EUR", 1000_00, {"EUR": ChipTerms(100, 35)}, ceiling=5000_00)
    given: dict[str, object] = {
        "jackpot": "royal", "network": "baltic", "began_at": EIGHT, "tables": 2,
        "books": ["caribbean-live/1"], "terms": terms, "worth_minor": 1234_05, "contributed_minor": 234_05,
    }  # fmt: skip
    return Pool(**{**given, **fields})  # type: ignore[arg-type]


def test_a_jackpots_parameters_are_those_of_the_network_file() -> None:
    told = said(parameters_record(pool(), ID, "before"))
    assert told["ReplacedRecordID"] == ["before"]
    assert told["JackpotType"] == ["2"]
    assert told["JackpotProviderID"] == ["baltic/royal"]
    assert told["IncreaseRate"] == ["0.3500000"]
    assert told["MinimumWagerAmount"] == ["1.00"]
    assert told["StartUpAmount"] == ["1000.00"]
    assert told["AmountJackpotLimitCeiling"] == ["5000.00"]
    assert (told["TotalJackpotAmount"], told["TotalJackpotRake"]) == (["1234.05"], ["234.05"])
    assert (told["ProfitDistributionLevelCount"], told["PaytableIDCount"]) == (["1"], ["1"])


def test_a_percentage_prize_is_a_level_of_its_own() -> None:
    told = said(parameters_record(pool(books=["caribbean-swiss/1"], tables=1), ID, None))
    assert told["ProfitDistributionLevelID"] == ["10%", "100%"]
    assert told["TotalJackpotAmount"] == ["123.40", "1234.05"]
    assert told["JackpotType"] == ["1"]


def test_a_chip_of_another_currency_says_no_least_stake_and_one_that_feeds_nothing_no_rate() -> None:
    foreign = JackpotTerms("EUR", 0, {"CHF": ChipTerms(200, 0)})
    told = said(parameters_record(pool(terms=foreign), ID, None))
    assert "MinimumWagerAmount" not in told
    assert "IncreaseRate" not in told
    assert "AmountJackpotLimitCeiling" not in told


def test_a_day_says_its_totals_and_that_nobody_plays_with_bonuses() -> None:
    day = Day(ID, None, EIGHT, datetime(2026, 3, 3, tzinfo=UTC), "www.casino.gr")
    totals = Totals(
        sessions=-1, played=2, stake_minor=-500, jackpot_minor=5, won_minor=700, players=1, winners=1
    )
    told = said(end_of_day_record(day, "EUR", totals, JackpotsWon(1, 5000)))
    assert told["ReportDate"] == ["2026-03-01T20:00:00Z"]
    assert told["TotalNumberGameSessions"] == ["2"]
    assert told["TotalAmountWagered"] == ["-5.00"]
    assert (told["TotalNumberJackpots"], told["TotalAmountWonJackpots"]) == (["1"], ["50.00"])
    assert told["TotalRedeemableBonusAmount"] == ["0.00"]
