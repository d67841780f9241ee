"""Denmark's records: the worked examples of the standard record, and what each element says."""

from decimal import Decimal

from nodes_said import said
from playing_sessions import EIGHT, played, taken

from backoffice.reports.regulators.dk_end_of_day import game_totals
from backoffice.reports.regulators.dk_jackpot import jackpot_record
from backoffice.reports.regulators.dk_sessions import Offer, session_record
from backoffice.reports.regulators.hits import Hit, Win
from backoffice.reports.regulators.sessions import Played, Told, as_played, history
from backoffice.reports.regulators.totals import Totals, add_up

OFFER = Offer("Internet", "spil.example", "g-1", "s-1", open_tables={"live-1"})


def record(*rounds: Played) -> dict[str, list[str]]:
    return said(session_record(as_played(rounds), "t-1", OFFER))


def sums(told: dict[str, list[str]], *names: str) -> list[Decimal]:
    return [Decimal(text) for name in names for text in told.get(name, [])]


def test_example_1_three_draws_of_one_krone_two_of_them_won() -> None:
    rounds = [
        played(name, minute, stake_minor=100, won_minor=won, currency="DKK")
        for minute, (name, won) in enumerate([("a", 100), ("b", 0), ("c", 100)])
    ]
    told = record(*rounds)
    assert sums(told, "KasinospilIndskudSpil", "KasinospilGevinstSpil") == [3, 2]
    assert told["KasinospilAntalTræk"] == ["3"]


def test_example_2_ten_staked_half_a_krone_of_it_for_the_pot() -> None:
    told = record(played(stake_minor=950, jackpot_minor=50, won_minor=10000, jackpot="royal", currency="DKK"))
    assert told["KasinospilIndskudSpil"] == ["9.5000000000"]
    assert told["KasinospilIndskudJackpot"] == ["0.5000000000"]
    assert told["KasinospilGevinstSpil"] == ["100.0000000000"]
    assert told["JackpotIdentifikation"] == ["royal"]


def test_example_3_of_a_hundred_staked_five_are_commission() -> None:
    told = record(played(stake_minor=10000, won_minor=19000, rake_minor=500))
    assert sums(told, "KasinospilIndskudSpil", "KasinospilKommission", "KasinospilGevinstSpil") == [
        95,
        5,
        190,
    ]


def test_a_session_without_commission_or_marks_says_nothing_of_them() -> None:
    told = record(played())
    assert "KasinospilKommission" not in told
    assert "JackpotIdentifikation" not in told
    assert "SpilAnnullering" not in told


def test_each_jackpot_of_a_session_has_its_sum() -> None:
    told = record(
        played("a", jackpot_minor=50, jackpot="royal"),
        played("b", 1, jackpot_minor=20, jackpot="other"),
        played("c", 2, jackpot_minor=50, jackpot="royal"),
    )
    assert told["JackpotIdentifikation"] == ["other", "royal"]
    assert sums(told, "KasinospilIndskudJackpot") == [Decimal("0.2"), 1]


def test_what_is_called_back_is_the_same_record_with_the_flag_and_its_own_time() -> None:
    rounds = (played("a", taken_back=taken(90)), played("b", 1))
    back, _ = history(rounds)
    before, after = record(*rounds), said(session_record(back, "t-1", OFFER))
    assert after.pop("SpilAnnullering") == ["1"]
    assert after.pop("SpilAnnulleringDatoTid") == ["2026-03-01T21:30:00Z"]
    assert before == after
    assert before["SpilTransaktionIdentifikation"] == ["t-1"]


def test_a_table_of_several_casinos_is_an_open_network_one_without_a_site_a_place() -> None:
    at_home = Offer("Selvbetjening", None, "g-1", "s-1", open_tables=set())
    told = said(session_record(as_played((played(),)), "t-1", at_home))
    assert record(played())["SpilProduktÅbentNetværk"] == ["1"]
    assert told["SpilProduktÅbentNetværk"] == ["0"]
    assert told["SpilTerminalIdentifikation"] == ["live-1"]


def hit(taken_back: bool = False) -> Hit:
    wins = (
        Win("stockholm", "eva", "live-1", 5001, "SEK", 57100),
        Win("tallinn", "ann", "live-1", 5000, "EUR", 5000),
    )
    back = taken(90) if taken_back else None
    return Hit("royal", "r-1", 1, "100%", "EUR", taken(0), back, wins)


def test_a_hit_tells_all_that_was_won_and_only_the_casinos_own_winners() -> None:
    told = said(jackpot_record(hit(), "tallinn"))
    assert told["JackpotTotalGevinst"] == ["100.0100000000"]
    assert told["SpillerInformationIdentifikation"] == ["ann"]
    assert told["JackpotGevinst"] == ["50.0000000000"]
    assert told["JackpotDatoTid"] == ["2026-03-01T20:00:00Z"]


def test_a_hit_that_was_taken_back_was_worth_nothing() -> None:
    told = said(jackpot_record(hit(taken_back=True), "tallinn"))
    assert sums(told, "JackpotTotalGevinst", "JackpotGevinst") == [0, 0]


def test_a_day_is_the_sum_of_its_sessions_what_was_called_back_taken_off() -> None:
    rounds = (
        played("a", taken_back=taken(90), rake_minor=10),
        played("b", 1, jackpot_minor=5, won_minor=700),
    )
    told: list[Told] = [as_played(rounds), *history(rounds), as_played((played("c", player="eva"),))]
    totals = add_up(told, EIGHT)
    assert totals == Totals(2, 2, 2000, 5, 700, 0, players=2, winners=0)
    day = said(game_totals("KasinospilSinglePlayer", totals, "EUR"))
    assert day["EndOfDayRapportAntalSpil"] == ["2"]
    assert sums(day, "EndOfDayRapportIndskudSpil", "EndOfDayRapportIndskudJackpot") == [20, Decimal("0.05")]
    assert sums(day, "EndOfDayRapportGevinster", "EndOfDayRapportKommissionRake") == [7, 0]
