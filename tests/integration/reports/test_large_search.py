"""Every search and every list goes by an index, however much there is."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from databases import database
from sqlalchemy import Connection, Engine, event, text

from backoffice.api.queries.evidence import refused_requests, significant
from backoffice.domain.accounts import Account
from backoffice.domain.cases.state import Standing
from backoffice.domain.rounds.phase import Phase
from backoffice.log.envelope import Head
from backoffice.reports.queries import snapshot as snapshots
from backoffice.reports.queries.cases import CaseSearch, read_cases
from backoffice.reports.queries.ledger import account_entries
from backoffice.reports.queries.paging import Asked, Page
from backoffice.reports.queries.round_leads import Between, RoundSearch
from backoffice.reports.queries.rounds import search_rounds
from backoffice.reports.queries.snapshot import snapshot
from backoffice.reports.queries.wallets import read_balances
from backoffice.reports.scope import EVERYTHING, Scope


@pytest.fixture(scope="module")
def large(postgres_url: str, template_database: str) -> Iterator[Engine]:
    """Sixty thousand rounds that never were, enough for the planner to take the matter seriously."""
    with database(postgres_url, template_database) as engine:
        with engine.begin() as connection:
            for statement in LARGE:
                connection.execute(text(statement))
        yield engine


@pytest.fixture(autouse=True)
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log that none of it came from is long enough."""
    monkeypatch.setattr(snapshots, "_upto", lambda *_: 10**9)
    monkeypatch.setattr(snapshots, "log_head", lambda _: Head("", 10**9, b""))


LARGE = (
    """
    insert into read.rounds select 'r' || n, 't' || n % 40, (n % 9000)::text, 'b/1', null, null, null,
        case when n % 200 = 0 then 'cancelled' when n > 59900 then 'betting' else 'settled' end, n % 7 = 0,
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
    from generate_series(1, 60000) as n, generate_series(0, 1) as m
    """,
    """
    insert into read.entries
        (position, line, amount_minor, happened_at, recorded_at, kind, owner, holder, currency, casino, type)
    select n, 1, n, now(), now(), 'player', 'c' || n % 10, 'p' || n % 3000, 'EUR', 'c' || n % 10, 'round.ante_placed'
    from generate_series(1, 60000) as n
    """,
    """
    insert into read.balances select 'c' || n % 10, 'p' || n, 'EUR', n from generate_series(1, 60000) as n
    """,
    """
    insert into read.cases (case_id, kind, standing, casino, player, round, opened_at, position, last_position)
    select 'case' || n, 'dispute', case when n % 500 = 0 then 'open' else 'closed' end, 'c' || n % 10, 'p' || n % 3000,
        'r' || n, now(), n, n
    from generate_series(1, 60000) as n
    """,
    "insert into read.case_casinos select 'case' || n, 'c' || n % 10 from generate_series(1, 60000) as n",
    """
    insert into intake.refusals (sender, key, round, rule, reason, action, casino)
    select 's' || n % 300, 'k' || n, 'r' || n, 'rule' || n % 30, 'no', '{}', 'c' || n % 10
    from generate_series(1, 60000) as n
    """,
    """
    insert into intake.significant_events (kind, who, whence, what, about)
    select case when n % 300 = 0 then 'login refused' else 'write' end, 'w' || n % 300, '', '', ''
    from generate_series(1, 60000) as n
    """,
    "analyze",
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
    RoundSearch(scope=Scope(("c2",)), player="p14"),
    RoundSearch(scope=Scope(("c2",)), player="p14", since=LATER, currency="EUR", payout=Between(100, None)),
    RoundSearch(hand="royal flush"),
    RoundSearch(hand="high card", scope=Scope(("c1",)), since=LATER),
    RoundSearch(cards="cards4711"),
    RoundSearch(currency="EUR", payout=Between(59_000, None)),
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
    page = check_plans(large, partial(search_rounds, search=search, asked=Asked(50)))
    assert page.rows or page.next
    if page.next is not None:
        check_plans(large, partial(search_rounds, search=search, asked=Asked(50, page.next)))


C1, C12 = Scope(("c1",)), Scope(("c1", "c2"))
LISTS: list[Callable[[Connection], Page[Any]]] = [
    partial(read_balances, scope=EVERYTHING, player=None, asked=Asked()),
    partial(read_balances, scope=C12, player=None, asked=Asked()),
    partial(read_balances, scope=C1, player="p71", asked=Asked()),
    partial(account_entries, scope=C1, account=Account("player", "c1", "p71"), asked=Asked()),
    partial(read_cases, search=CaseSearch(EVERYTHING), asked=Asked()),
    partial(read_cases, search=CaseSearch(C12), asked=Asked()),
    partial(read_cases, search=CaseSearch(Scope(("c0",)), (Standing.OPEN, Standing.PROPOSED)), asked=Asked()),
    partial(read_cases, search=CaseSearch(C1, player="p71"), asked=Asked()),
    partial(read_cases, search=CaseSearch(C1, round="r71"), asked=Asked()),
    partial(refused_requests, scope=EVERYTHING, wanted={}, asked=Asked()),
    partial(refused_requests, scope=C1, wanted={"rule": "rule1"}, asked=Asked()),
    partial(refused_requests, scope=C12, wanted={"sender": "s1"}, asked=Asked()),
    partial(significant, scope=EVERYTHING, who="w7", kind=None, asked=Asked()),
    partial(significant, scope=EVERYTHING, who=None, kind="login refused", asked=Asked()),
]


@pytest.mark.parametrize("question", LISTS)
def test_no_list_walks_over_a_table(large: Engine, question: Callable[[Connection], Page[Any]]) -> None:
    assert check_plans(large, question).rows


def check_plans(engine: Engine, question: Callable[[Connection], Page[Any]]) -> Page[Any]:
    """What a question comes to; each of its statements goes by an index, and looks at few rows."""
    statements: list[tuple[str, Any]] = []

    def listen(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: Any) -> None:
        statements.append((statement, parameters))

    with snapshot(engine) as connection:
        event.listen(connection, "before_cursor_execute", listen)
        page = question(connection)
        event.remove(connection, "before_cursor_execute", listen)
        asked = [one for one in statements if OWN.match(one[0])]
        assert asked
        for plan in [explained(connection, *one) for one in asked]:
            for node in nodes(plan):
                assert node["Node Type"] != "Seq Scan", plan
                looked_at = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
                assert looked_at * node["Actual Loops"] <= 10_000, plan
    return page


OWN = re.compile(r"SELECT (read\.(round|balance|entries|case)|found\.round|intake\.)")


def explained(connection: Connection, statement: str, parameters: Any) -> Any:
    plan = connection.exec_driver_sql(f"explain (analyze, format json) {statement}", parameters).scalar_one()
    return (plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]


def nodes(plan: Any) -> Iterator[Any]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)
