"""Every Five Card Stud round of the shared sample feed, decided and compared with the expected export.

The sample lies beside the repository (`BACKOFFICE_SHARED`, by default `../shared`); see `tests/shared_folder.py`.
"""

import csv
import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from backoffice.domain.rounds.commands import Open, TableAction
from backoffice.domain.rounds.events import CancellationRequested, Line, RoundOpened
from backoffice.domain.rounds.pot_decisions import decide_pot
from backoffice.domain.rounds.pot_state import PotRound, evolve_pot, refund_pot, start_pot
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.terms import StudTerms, TableTerms
from backoffice.kernel.currencies import format_minor, parse_minor
from tests.shared_folder import shared

FEEDS = shared("feeds")
ACTIONS: TypeAdapter[TableAction] = TypeAdapter(Annotated[TableAction, Field(discriminator="do")])


def test_the_sample_rounds_are_paid_as_expected():
    network = tomllib.loads((FEEDS / "network.toml").read_text())
    around = Surroundings(
        balance=lambda wallet: 10**12,
        currencies={each["id"]: each["currencies"] for each in network["casino"]},
    )
    tables = {table["id"]: terms_of(table) for table in network["table"] if "stud" in table}
    rounds = rounds_of(set(tables))
    paid = [row for actions in rounds.values() for row in play(actions, tables, around)]
    assert len(rounds) > 20
    assert sorted(paid) == sorted(expected())


def expected() -> list[list[str]]:
    with (FEEDS / "expected" / "round-lines.csv").open(newline="") as lines:
        return [row for row in csv.reader(lines) if row[5] == "pot"]


def rounds_of(tables: set[str]) -> dict[str, list[str]]:
    """The actions of each round at `tables`; one that is sent twice counts once."""
    rounds: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for text in (FEEDS / "sample.jsonl").read_text().splitlines():
        action = json.loads(text)
        if action["id"] in seen or "round" not in action:
            continue
        seen.add(action["id"])
        if action["round"] in rounds or (action["do"] == "open" and action["table"] in tables):
            rounds[action["round"]].append(text)
    return rounds


def terms_of(table: dict[str, Any]) -> TableTerms:
    stud = dict(table["stud"])
    for name in ("small", "big", "ante", "bring_in"):
        stud[name] = parse_minor(stud[name], stud["currency"])
    return TableTerms(table["ruleset"], tuple(table["casinos"]), stud=StudTerms(**stud))


def play(texts: list[str], tables: dict[str, TableTerms], around: Surroundings) -> Iterator[list[str]]:
    """A whole round, nothing of it refused; its rows of the export."""
    state, lines = None, ()
    for text in texts:
        action = ACTIONS.validate_json(text)
        if isinstance(action, Open):
            terms = tables[action.table]
            opened = RoundOpened(round=action.round, table=action.table, number=action.number, terms=terms)
            state = start_pot(opened)
            continue
        assert state is not None
        for event in facts(state, action, around):
            state = evolve_pot(state, event)
            lines = getattr(event, "lines", lines)
    assert state is not None
    return (row(state, line) for line in lines)


def facts(state: PotRound, action: TableAction, around: Surroundings) -> list[Any]:
    if action.do == "cancel":
        return [CancellationRequested(round=action.round, reason=action.reason), refund_pot(state)]
    return decide_pot(state, action, around)


def row(state: PotRound, line: Line) -> list[str]:
    stake, payout = (format_minor(minor, line.currency) for minor in (line.stake, line.payout))
    who = [state.opened.round, line.seat, line.casino, line.player, line.currency]
    return [*who, line.bet, stake, line.result, "", payout]
