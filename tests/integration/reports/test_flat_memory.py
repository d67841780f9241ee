"""A long report takes as little memory as a short one, however many rows it has."""

import tracemalloc

import pytest
from front_door import a_handler, founding, take
from sqlalchemy import Engine, text

from backoffice.bootstrap import House, house_on
from backoffice.domain.takings import COUNTS, MONEY
from backoffice.reports.asked import Asked
from backoffice.reports.rendering.forms import FORMS

SHORT, LONG = 1_000, 6_000
MOST_BYTES = 1_500_000
"""What a form and a cursor's page may take beyond that."""


@pytest.fixture
def house(engine: Engine) -> House:
    take(a_handler(engine), founding())
    return house_on(engine)


def put_in(house: House, first: int, last: int) -> None:
    """Rows as so many lost rounds would have left them."""
    figures = ", ".join([*COUNTS, *(f"{name}_minor" for name in MONEY)])
    numbers = ", ".join(["7"] * (len(COUNTS) + len(MONEY)))
    insert = f"""
        insert into read.takings (position, casino, currency, happened_at, of_round, round, {figures})
        select 1000000 + n, 'tallinn', 'EUR', '2026-03-01T20:00:00Z'::timestamptz + n * interval '1 minute',
            true, 'round-' || n, {numbers}
        from generate_series({first}, {last}) as n
    """  # noqa: S608 - names and numbers of this program
    with house.engine.begin() as connection:
        connection.execute(text(insert))
        connection.execute(text("analyze read.takings"))


def peak_bytes(house: House, form: str) -> int:
    written = 0
    tracemalloc.start()
    try:
        with house.report("revenue-rounds", Asked("tallinn")) as made:
            for piece in FORMS[form](made):
                written += len(piece)
        assert written > 100 * made.rows_made
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_that_of_a_page_however_many_rows_there_are(house: House) -> None:
    put_in(house, 1, SHORT)
    short = peak_bytes(house, "csv")
    put_in(house, SHORT + 1, LONG)
    assert peak_bytes(house, "csv") < short + MOST_BYTES
