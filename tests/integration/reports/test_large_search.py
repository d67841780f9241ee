"""Every search for rounds goes by an index, however many rounds there are."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from databases import database
from sqlalchemy import Connection, Engine, event, text

from backoffice.domain.rounds.phase import Phase
from backoffice.reports.queries.paging import Asked
from backoffice.reports.queries.round_leads import Between, RoundSearch
from backoffice.reports.queries.rounds import search_rounds
from backoffice.reports.queries.snapshot import snapshot
from backoffice.reports.scope import Scope


@pytest.fixture(scope="module")
def large(postgres_url: str, template_database: str) -> Iterator[Engine]:
    """Sixty thousand rounds that never were, enough for the planner to take the matter seriously."""
    with database(postgres_url, template_database) as engine:
        with engine.begin() as connection:
            for statement in LARGE:
                connection.execute(text(statement))
        yield engine


LARGE = (
    """
    insert into read.rounds select 'r' || n, 't' || n % 40, (n % 9000)::text, 'b/1', null, null, null,
        case when n % 200 = 0 then 'cancelled' when n > 59900 then 'betting' else 'settled' end, n % 1000 = 0,
        timestamptz '2026-01-01' + n * interval '40 s', null, n * 20, n * 20 + 19
    from generate_series(1, 60000) as n
    """,
    """
    insert into read.round_casinos select 'r' || n, 'c' || (n + m) % 10, timestamptz '2026-01-01' + n * interval '40 s', n * 20
    from generate_series(1, 60000) as n, generate_series(0, 1) as m
    """,
    """
    insert into read.round_players
    select 'r' || n, 'c' || (n + m) % 10, 'p' || (n * 7 + m) % 3000, timestamptz '2026-01-01' + n * interval '40 s', n * 20 + m
    from generate_series(1, 60000) as n, generate_series(0, 1) as m
    """,
    """
    insert into read.round_hands
    select 'r' || n, m::text, n * 20 + 5,
        case when n % 6000 = 0 then 'royal flush' when n % 3 = 0 then 'one pair' else 'high card' end,
        'cards' || n % 25000, timestamptz '2026-01-01' + n * interval '40 s'
    from generate_series(1, 60000) as n, generate_series(1, 2) as m
    """,
    """
    insert into read.round_lines
    select 'r' || n, m::text, 'ante', n * 20 + 19, timestamptz '2026-01-01' + n * interval '40 s', 'c' || (n + m) % 10,
        'p' || (n * 7 + m) % 3000, 'EUR', 100 * (n % 50), 'win', 1,
        case when n % 2 = 0 then n % 100000 else 0 end, '', 0, 0, 'house', 1
    from generate_series(1, 60000) as n, generate_series(1, 2) as m
    """,
    "analyze read.rounds, read.round_casinos, read.round_players, read.round_hands, read.round_lines",
)  # fmt: skip

LATER = datetime(2026, 1, 20, tzinfo=UTC)
SEARCHES = [
    RoundSearch(),
    RoundSearch(since=LATER, until=LATER + timedelta(hours=1)),
    RoundSearch(number="17"),
    RoundSearch(table="t7"),
    RoundSearch(table="t7", since=LATER, until=LATER + timedelta(days=1), hand="one pair"),
    RoundSearch(phases=(Phase.CANCELLED,)),
    RoundSearch(phases=(Phase.BETTING, Phase.CLOSED, Phase.DEALT)),
    RoundSearch(suspended=True, phases=(Phase.BETTING, Phase.CLOSED)),
    RoundSearch(phases=(Phase.SETTLED,)),
    RoundSearch(scope=Scope(("c1",))),
    RoundSearch(scope=Scope(("c1", "c2"))),
    RoundSearch(scope=Scope(("c1",)), player="p3"),
    RoundSearch(scope=Scope(("c1",)), player="p3", since=LATER, currency="EUR", payout=Between(100, None)),
    RoundSearch(hand="royal flush"),
    RoundSearch(hand="high card", scope=Scope(("c1",)), since=LATER),
    RoundSearch(cards="cards4711"),
    RoundSearch(currency="EUR", payout=Between(90_000, None)),
    RoundSearch(currency="EUR", payout=Between(1, None)),
    RoundSearch(currency="EUR", stake=Between(4000, 4500), scope=Scope(("c1", "c2"))),
    RoundSearch(currency="EUR", payout=Between(None, 100)),
    RoundSearch(currency="EUR", payout=Between(1, None), stake=Between(999_999, None)),
    RoundSearch(currency="EUR", payout=Between(99_999_999, None), scope=Scope(("c1",))),
    RoundSearch(currency="EUR", payout=Between(1, None), table="t7", phases=(Phase.CANCELLED,)),
    RoundSearch(hand="one pair", cards="cards4711", scope=Scope(("c1", "c2"))),
]


@pytest.mark.parametrize("search", SEARCHES)
def test_no_search_walks_over_a_table(large: Engine, search: RoundSearch) -> None:
    asked = Asked(50)
    for _ in range(2):
        plans, page = planned(large, search, asked)
        for plan in plans:
            walked = [node for node in nodes(plan) if node["Node Type"] == "Seq Scan"]
            assert walked == [], plan
            for node in nodes(plan):
                looked_at = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
                assert looked_at * node["Actual Loops"] <= 10_000, plan
        if page.next is None:
            return
        asked = Asked(50, page.next)


def planned(engine: Engine, search: RoundSearch, asked: Asked) -> tuple[list[Any], Any]:
    """How the statements of a search are carried out, and what it finds."""
    statements: list[tuple[str, Any]] = []
    with snapshot(engine) as connection:
        listener = lambda _, __, statement, parameters, ___, ____: statements.append((statement, parameters))  # noqa: E731
        event.listen(connection, "before_cursor_execute", listener)
        page = search_rounds(connection, search, asked)
        event.remove(connection, "before_cursor_execute", listener)
        own = [one for one in statements if one[0].startswith("SELECT read.round")]
        assert len(own) == 2
        return [explained(connection, *one) for one in own], page


def explained(connection: Connection, statement: str, parameters: Any) -> Any:
    plan = connection.exec_driver_sql(f"explain (analyze, format json) {statement}", parameters).scalar_one()
    return (plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]


def nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)
