"""Which rate is in force: the last one accepted, in log order, whose time is not after the action's."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from backoffice.domain.network.events import RateSet
from backoffice.domain.network.state import Rates, evolve_rates

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MOMENTS = st.integers(-5, 5).map(lambda minutes: NOON + timedelta(minutes=minutes))
SETTINGS = st.lists(st.none() | MOMENTS, max_size=12)


def in_force(settings: list[datetime | None], moment: datetime) -> str | None:
    """FORMAT.md's sentence, word for word; a rate without a time is in force from the start."""
    fitting = [number for number, since in enumerate(settings) if since is None or since <= moment]
    return str(fitting[-1]) if fitting else None


@given(SETTINGS, MOMENTS)
def test_the_last_one_accepted_whose_time_is_not_after_the_actions_is_in_force(settings, moment):
    rates = Rates()
    for number, since in enumerate(settings):
        rates = evolve_rates(rates, RateSet(quote="SEK", rate=str(number), since=since))
    assert rates.at(moment) == in_force(settings, moment)


@given(SETTINGS)
def test_what_can_no_longer_be_in_force_is_forgotten(settings):
    rates = Rates()
    for number, since in enumerate(settings):
        rates = evolve_rates(rates, RateSet(quote="SEK", rate=str(number), since=since))
    assert list(rates.since) == sorted(set(rates.since))
    assert len(rates.since) == len(rates.values) <= max(len(settings), 1)


@given(SETTINGS, MOMENTS, st.integers(0, 11), SETTINGS)
def test_a_state_stays_as_it_is_whatever_follows_it_and_however_often(settings, moment, back, others):
    states = [Rates()]
    for number, since in enumerate(settings):
        states.append(evolve_rates(states[-1], RateSet(quote="SEK", rate=str(number), since=since)))
    branch = states[min(back, len(settings))]
    for number, since in enumerate(others, start=100):
        branch = evolve_rates(branch, RateSet(quote="SEK", rate=str(number), since=since))
    for number, state in enumerate(states):
        assert state.at(moment) == in_force(settings[:number], moment)


def test_a_rate_more_costs_the_same_however_many_there_are():
    rates = first = evolve_rates(Rates(), RateSet(quote="SEK", rate="1", since=NOON))
    for minutes in range(1, 20_000):
        rates = evolve_rates(
            rates, RateSet(quote="SEK", rate=str(minutes), since=NOON + timedelta(minutes=minutes))
        )
    assert rates.since is first.since, "nothing was copied"
    assert (first.at(NOON + timedelta(days=99)), rates.at(NOON + timedelta(minutes=7))) == ("1", "7")
