"""Sessions: where they are cut, and what is told of them as rounds are taken back."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from playing_sessions import EIGHT, played, taken

from backoffice.reports.regulators.sessions import Played, Told, as_played, history, sessions

HALF_AN_HOUR = timedelta(minutes=30)


def rounds_of(told: Told) -> list[str]:
    return [one.round for one in told.played]


def cut(*rounds: Played) -> list[list[str]]:
    return [[one.round for one in session] for session in sessions(rounds, HALF_AN_HOUR)]


def test_a_pause_of_just_thirty_minutes_goes_on_and_a_longer_one_begins_anew() -> None:
    assert cut(played("a"), played("b", 31)) == [["a", "b"]]
    assert cut(played("a"), played("b", 31, opened_at=EIGHT + timedelta(minutes=31, microseconds=1))) == [
        ["a"],
        ["b"],
    ]


def test_a_pause_is_from_the_settling_to_the_next_opening_however_long_a_round_lasts() -> None:
    long = played("a", settled_at=EIGHT + timedelta(hours=2))
    assert cut(long, played("b", 149)) == [["a", "b"]]


def test_another_player_currency_or_table_is_another_session() -> None:
    rounds = [
        played("a"),
        played("b", player="bob"),
        played("c", player="bob", currency="SEK"),
        played("d", player="bob", currency="SEK", table="live-2"),
    ]
    assert cut(*rounds) == [["a"], ["b"], ["c"], ["d"]]


def test_a_table_that_plays_by_another_book_begins_another_session() -> None:
    assert cut(played("a"), played("b", 1, ruleset="caribbean-live/2")) == [["a"], ["b"]]


def test_a_corrected_result_stands_by_itself() -> None:
    assert cut(played("a"), played("b", 1), played("a", 2, number=3), played("b", 3, number=3)) == [
        ["a", "b"],
        ["a"],
        ["b"],
    ]


def test_nobody_played_nothing_to_tell() -> None:
    assert cut() == []


def test_a_session_is_told_as_it_was_played_whatever_became_of_it() -> None:
    told = as_played((played("a", taken_back=taken(90)), played("b", 1, stake_minor=500, won_minor=700)))
    assert (told.version, told.sign, rounds_of(told)) == (1, 1, ["a", "b"])
    assert (told.total("stake_minor"), told.total("won_minor")) == (1500, 700)
    assert (told.began_at, told.ended_at) == (EIGHT, EIGHT + timedelta(minutes=2))


def test_what_is_left_of_a_session_is_told_under_the_next_name() -> None:
    first = as_played(session := (played("a", taken_back=taken(90)), played("b", 1)))
    back, left = history(session)
    assert back.called_back
    assert back.name == first.name
    assert (back.at, back.position) == taken(90)
    assert rounds_of(back) == ["a", "b"]
    assert not left.called_back
    assert left.name != first.name
    assert (left.version, rounds_of(left)) == (2, ["b"])


def test_a_session_of_which_nothing_is_left_is_called_back_and_that_is_all() -> None:
    (back,) = history((played("a", taken_back=taken(90)),))
    assert back.called_back


def test_rounds_taken_back_one_after_the_other_make_a_chain() -> None:
    session = (played("a", taken_back=taken(95)), played("b", 1, taken_back=taken(90)), played("c", 2))
    told = [(one.version, one.called_back, rounds_of(one)) for one in history(session)]
    assert told == [
        (1, True, ["a", "b", "c"]),
        (2, False, ["a", "c"]),
        (2, True, ["a", "c"]),
        (3, False, ["c"]),
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 10_000), st.one_of(st.none(), st.integers(200, 210))), min_size=1, max_size=8
    )
)
def test_all_that_is_told_adds_up_to_what_stands(rounds: list[tuple[int, int | None]]) -> None:
    session = tuple(
        played(f"r-{index}", index, stake_minor=stake, taken_back=None if back is None else taken(back))
        for index, (stake, back) in enumerate(rounds)
    )
    told = [as_played(session), *history(session)]
    assert sum(one.sign * one.total("stake_minor") for one in told) == sum(
        stake for stake, back in rounds if back is None
    )
    names = [one.name for one in told if not one.called_back]
    assert len(names) == len(set(names))
    assert [one.name for one in told if one.called_back] == names[: len(told) - len(names)]
