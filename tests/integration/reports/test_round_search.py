"""Rounds are found by everything one may know of them, page by page, by an index each time, and only where one may see."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from databases import database
from feeding import SAMPLE, Feeding
from sqlalchemy import Engine, text

from backoffice.bootstrap import CODEC
from backoffice.domain.rounds.events import RoundOpened, SeatTaken, StakeTaken
from backoffice.domain.rounds.phase import Phase
from backoffice.log.checkpoints import load
from backoffice.log.postgres import PostgresLog
from backoffice.projections.projector import Projector
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.queries import rounds as searching
from backoffice.reports.queries.paging import Asked, BadCursor, cursor
from backoffice.reports.queries.round_leads import Between, RoundSearch
from backoffice.reports.queries.rounds import search_rounds
from backoffice.reports.queries.snapshot import snapshot
from backoffice.reports.scope import Scope


@pytest.fixture(scope="module")
def fed(postgres_url: str, template_database: str) -> Iterator[Engine]:
    """The sample feed, taken in and projected, for all who only read it."""
    with database(postgres_url, template_database) as engine:
        Feeding(engine).take_all()
        Projector(engine, CODEC).catch_up()
        yield engine


def found(engine: Engine, search: RoundSearch, limit: int = 7) -> list[str]:
    """All that a search finds, page after page."""
    rounds: list[str] = []
    asked = Asked(limit)
    while True:
        with snapshot(engine) as connection:
            page = search_rounds(connection, search, asked)
        assert len(page.rows) <= limit
        rounds += [row.round for row in page.rows]
        if page.next is None:
            return rounds
        asked = Asked(limit, page.next)


def said(engine: Engine, query: str, **parameters: Any) -> list[str]:
    with engine.connect() as connection:
        return list(connection.scalars(text(query), parameters))


def test_without_a_question_all_rounds_are_found_newest_first(fed: Engine) -> None:
    assert found(fed, RoundSearch()) == said(
        fed, "select round from read.rounds order by opened_at desc, first_position desc"
    )


NUMBER = json.loads(next(line for line in SAMPLE if b'"do":"open"' in line))["number"]
QUESTIONS = [
    ({"number": NUMBER}, f"number = '{NUMBER}'"),
    ({"table": "live-1"}, "table_id = 'live-1'"),
    ({"phases": (Phase.CANCELLED,)}, "phase = 'cancelled'"),
    ({"phases": (Phase.SETTLED,)}, "phase = 'settled'"),
    ({"phases": (Phase.SETTLED, Phase.CANCELLED), "table": "live-1"}, "phase <> 'x' and table_id = 'live-1'"),
    ({"scope": Scope(("tallinn",))}, "round in (select round from read.round_casinos where casino = 'tallinn')"),
    (
        {"scope": Scope(("tallinn", "stockholm"))},
        "round in (select round from read.round_casinos where casino in ('tallinn', 'stockholm'))",
    ),
    ({"hand": "one pair"}, "round in (select round from read.round_hands where hand = 'one pair')"),
    (
        {"hand": "full house", "scope": Scope(("tallinn",))},
        "exists (select from read.round_hands as h join read.round_casinos as c using (round)"  # noqa: ISC004
        " where h.round = rounds.round and hand = 'full house' and casino = 'tallinn' and (seat in ('', 'shared')"
        " or not exists (select from read.round_casinos as o where o.round = h.round and o.casino <> 'tallinn')))",
    ),
    (
        {"currency": "EUR", "payout": Between(5000, None)},
        "round in (select round from read.round_lines where currency = 'EUR' and payout_minor >= 5000)",
    ),
    (
        {"currency": "EUR", "payout": Between(5000, None), "scope": Scope(("tallinn",))},
        "round in (select round from read.round_lines where casino = 'tallinn' and currency = 'EUR' and payout_minor >= 5000)",
    ),
    (
        {"currency": "EUR", "payout": Between(5000, None), "stake": Between(None, 2000)},
        "round in (select round from read.round_lines where currency = 'EUR' and payout_minor >= 5000 and stake_minor <= 2000)",
    ),
    (
        {"currency": "EUR", "stake": Between(1000, 2000)},
        "round in (select round from read.round_lines where currency = 'EUR' and stake_minor between 1000 and 2000)",
    ),
    (
        {"currency": "EUR", "payout": Between(None, 0), "table": "live-1"},
        "table_id = 'live-1'"  # noqa: ISC004
        " and round in (select round from read.round_lines where currency = 'EUR' and payout_minor = 0)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "condition"), QUESTIONS)
def test_what_is_found_is_what_is_so(fed: Engine, asked: dict[str, Any], condition: str) -> None:
    rounds = found(fed, RoundSearch(**asked))
    assert len(rounds) == len(set(rounds))
    expected = said(fed, f"select round from read.rounds where {condition}")  # noqa: S608 - our own words
    assert expected
    assert sorted(rounds) == sorted(expected)


def test_a_player_is_found_in_every_round_with_a_stake_of_theirs(fed: Engine) -> None:
    by_player: dict[tuple[str, str], set[str]] = {}
    for recorded in PostgresLog(fed).read():
        fact = CODEC.decode(recorded.type, recorded.schema, recorded.data)
        if isinstance(fact, StakeTaken | SeatTaken):
            by_player.setdefault((fact.casino, fact.player), set()).add(fact.round)
    assert len(by_player) > 5
    for (casino, player), rounds in by_player.items():
        if len(rounds) > 2:
            assert sorted(found(fed, RoundSearch(scope=Scope((casino,)), player=player))) == sorted(rounds)


def test_every_hand_that_was_dealt_is_found_by_its_cards_in_whatever_order(fed: Engine) -> None:
    with fed.connect() as connection:
        cards, rounds = connection.execute(
            text("select cards, array_agg(distinct round) from read.round_hands group by cards limit 1")
        ).one()
    assert found(fed, RoundSearch(cards=cards)) == sorted(rounds)


def test_time_goes_from_and_up_to(fed: Engine) -> None:
    opened = [
        (recorded.happened_at, fact.round)
        for recorded in PostgresLog(fed).read(types=[RoundOpened.type_name])
        if isinstance(fact := CODEC.decode(recorded.type, recorded.schema, recorded.data), RoundOpened)
    ]
    since, until = sorted(moment for moment, _ in opened)[10], sorted(moment for moment, _ in opened)[40]
    search = RoundSearch(since=since, until=until)
    expected = {name for moment, name in opened if since <= moment < until}
    assert set(found(fed, search)) == expected
    tallinn = set(found(fed, replace(search, scope=Scope(("tallinn",)))))
    assert tallinn == expected & set(found(fed, RoundSearch(scope=Scope(("tallinn",)))))


def test_large_amounts_come_first_and_each_round_once(fed: Engine) -> None:
    rounds = found(fed, RoundSearch(currency="EUR", payout=Between(1, None)), limit=3)
    assert len(rounds) == len(set(rounds))
    amounts = said(
        fed,
        "select max(payout_minor) from read.round_lines where currency = 'EUR' and payout_minor > 0"
        " group by round order by 1 desc",
    )
    by_round = dict(
        zip(
            said(
                fed, "select round from read.round_lines where currency = 'EUR' group by round order by round"
            ),
            said(
                fed,
                "select max(payout_minor) from read.round_lines where currency = 'EUR' group by round order by round",
            ),
            strict=True,
        )
    )
    assert [by_round[name] for name in rounds] == amounts


def test_a_page_says_where_it_was_read(fed: Engine) -> None:
    with snapshot(fed) as connection:
        page = search_rounds(connection, RoundSearch(), Asked(1))
        assert page.position == load(connection, ROUNDS.checkpoint).position > 0


def test_a_page_may_be_short_and_not_the_last(fed: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no index answers everything, so many rounds are looked at and no more."""
    search = RoundSearch(table="live-1", hand=None, currency="EUR", payout=Between(None, 0))
    whole = found(fed, search)
    monkeypatch.setattr(searching, "LOOKED_AT", 3)
    with snapshot(fed) as connection:
        page = search_rounds(connection, search, Asked(100))
    assert len(page.rows) <= 3
    assert page.next is not None
    assert found(fed, search) == whole


@pytest.mark.parametrize(
    "strange",
    [
        "",
        "?",
        "AAAA",
        "e30",
        "W10",
        "ÿ",
        "a" * 5000,
        cursor(RoundSearch(number="1"), 1, (datetime(2026, 1, 1, tzinfo=UTC), 1)),
        cursor(RoundSearch(), 1, (1, 1)),
        cursor(RoundSearch(), 1, (datetime(2026, 1, 1), 1)),  # noqa: DTZ001 - that is the point
        cursor(RoundSearch(), 1, (datetime(2026, 1, 1, tzinfo=UTC), 2**63)),
        cursor(RoundSearch(), -1, (datetime(2026, 1, 1, tzinfo=UTC), 1)),
        cursor(RoundSearch(), 1, (datetime(2026, 1, 1, tzinfo=UTC),)),
    ],
)
def test_a_strange_cursor_is_refused(fed: Engine, strange: str) -> None:
    with snapshot(fed) as connection, pytest.raises(BadCursor):
        search_rounds(connection, RoundSearch(), Asked(5, strange))


def test_pages_hold_while_rounds_come_in_between(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    feeding.take(800)
    projector.catch_up()
    for search in (RoundSearch(), RoundSearch(table="live-1"), RoundSearch(scope=Scope(("tallinn",)))):
        there = found(engine, search, 500)
        seen: list[str] = []
        asked: Asked | None = Asked(4)
        while asked is not None:
            with snapshot(engine) as connection:
                page = search_rounds(connection, search, asked)
            seen += [row.round for row in page.rows]
            asked = None if page.next is None else Asked(4, page.next)
            feeding.take(60)
            projector.catch_up("rounds")
        assert seen == there
