"""One flag for a player's day: a single sum, sums of a session, sums of a day, and each share of a large hit."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

from backoffice.reports.linked import Flag, Movement, flags

EVENING = datetime(2026, 3, 1, 20, tzinfo=UTC)
LIMIT = 2000_00
GAP = timedelta(minutes=30)


def day_of(casino: str, moment: datetime) -> date:
    """Days begin at six."""
    return (moment - timedelta(hours=6)).date()


def stake(minutes: float, euros: int, table: str | None = "t-1", player: str = "ann", **fields) -> Movement:
    told = {
        "casino": "tallinn",
        "player": player,
        "side": "stakes",
        "at": EVENING + timedelta(minutes=minutes),
        "position": round(minutes * 10),
        "round": f"r-{minutes}",
        "table": table,
        "worth": Fraction(euros * 100),
    }
    return Movement(**{**told, **fields})


def raised(*movements: Movement) -> list[Flag]:
    return list(flags(movements, day_of, LIMIT, lambda _: GAP))


def reasons(*movements: Movement) -> list[tuple[str, ...]]:
    return [flag.reasons(LIMIT) for flag in raised(*movements)]


def test_four_times_500_in_a_session_raise_one_flag():
    (flag,) = raised(*(stake(10 * number, 500) for number in range(4)))
    assert flag.reasons(LIMIT) == ("linked in a session",)
    assert (flag.count, flag.total, flag.largest, flag.in_session) == (4, 2000_00, 500_00, 2000_00)
    assert flag.reached is not None
    assert flag.reached.round == "r-30"


def test_a_cent_less_raises_none():
    last = stake(40, 0, worth=Fraction(499_99))
    assert raised(stake(0, 500), stake(10, 500), stake(20, 500), last) == []


def test_a_single_stake_of_the_limit_is_one_reason_not_three():
    assert reasons(stake(0, 2000)) == [("single",)]


def test_a_longer_gap_or_another_table_begins_another_session_and_the_day_links_them():
    assert reasons(stake(0, 1000), stake(30, 1000)) == [("linked in a session",)]
    assert reasons(stake(0, 1000), stake(31, 1000)) == [("linked on the day",)]
    assert reasons(stake(0, 1000), stake(1, 1000, table="t-2")) == [("linked on the day",)]


def test_a_session_goes_on_while_another_table_is_played_at_too():
    assert reasons(stake(0, 700), stake(10, 1, table="t-2"), stake(20, 700), stake(40, 700)) == [
        ("linked in a session",)
    ]


def test_a_session_over_the_days_end_is_flagged_on_the_day_that_reaches_the_limit():
    night = 10 * 60  # six in the morning
    first, second = stake(night - 10, 1000), stake(night + 10, 1000)
    (flag,) = raised(first, second)
    assert (flag.day, flag.total, flag.in_session) == (date(2026, 3, 2), 1000_00, 2000_00)
    assert raised(stake(night - 20, 1000), stake(night + 20, 1000)) == []


def test_players_casinos_sides_and_days_are_apart():
    other_day = stake(24 * 60, 1999)
    assert raised(stake(0, 1999), other_day) == []
    assert (
        raised(stake(0, 1999), stake(0, 1999, player="bob"), stake(0, 1999, side="wins", player="bob")) == []
    )
    assert raised(stake(0, 1999), stake(0, 1999, casino="lugano")) == []


def test_each_payee_of_a_large_hit_is_flagged():
    shares = [stake(0, 500, side="wins", player=player, hit=5000_00) for player in ("ann", "bob", "cid")]
    assert reasons(*shares) == [("share of a hit",)] * 3
    assert raised(stake(0, 500, side="wins", hit=1999_99)) == []


def test_what_cannot_be_converted_is_shown_not_passed_over():
    (flag,) = raised(stake(0, 0, worth=None), stake(1, 10))
    assert flag.reasons(LIMIT) == ("no rate to convert it",)
    assert (flag.unconverted, flag.total) == (1, 10_00)


def test_fractions_of_a_minor_unit_are_added_up_before_they_are_rounded():
    third = Fraction(2000_00, 3)
    assert reasons(*(stake(number, 0, worth=third) for number in range(3))) == [("linked in a session",)]
