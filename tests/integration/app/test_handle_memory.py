"""What a process remembers is a matter of speed: forgetting any of it changes nothing but that."""

import pytest
from feeding import SAMPLE, SENDER
from front_door import (
    ROUND_COSTS_MINOR,
    a_handler,
    action,
    balance,
    deposit,
    differences,
    founding,
    names,
    opened,
    said,
    take,
    tallinn,
    whole_round,
)
from sqlalchemy import Engine

from backoffice.app import recall
from backoffice.app.feed import read_action
from backoffice.app.handle import Handler
from backoffice.app.requests import Declined

FORGETFUL = (("KEPT_ROUNDS", 2), ("KEPT_BALANCES", 1), ("FAR", 0))


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in FORGETFUL:
        monkeypatch.setattr(recall, name, limit)


def sample(handler: Handler, lines: int, at_a_time: int) -> None:
    """Hand the beginning of the sample feed in, so many lines a commit."""
    take(handler, founding())
    requests = [read_action(line, SENDER) for line in SAMPLE[:lines]]
    for start in range(0, lines, at_a_time):
        handler.commit(requests[start : start + at_a_time])


@pytest.mark.parametrize("at_a_time", [7, 150])
def test_a_process_that_remembers_next_to_nothing_writes_the_same(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    """Seven open tables at once and two rounds kept: nearly every commit reads its rounds from the log again."""
    lines = 600
    sample(a_handler(engine), lines, lines)
    at_once = said(engine)
    assert differences(engine) == []
    forget(monkeypatch)
    handler = a_handler(engine)
    take(handler, founding())
    again = [read_action(line.replace(b'"id":"', b'"id":"2-').replace(b'"round":"', b'"round":"2-'), SENDER)
             for line in SAMPLE[:lines]]  # fmt: skip
    for start in range(0, lines, at_a_time):
        handler.commit(again[start : start + at_a_time])
    anew = said(engine)[len(at_once) :]
    # The same feed a second time, under other names: apart from jackpots that went on, word for word the same.
    assert [(fact[1], fact[2], fact[4]) for fact in anew if fact[0].startswith("round/")] == [
        (fact[1], fact[2], fact[4]) for fact in at_once if fact[0].startswith("round/")
    ]
    assert differences(engine) == []
    assert len(handler._recall.rounds) <= 2 + at_a_time


def test_a_round_that_was_forgotten_goes_on_where_it_was(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget(monkeypatch)
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"), deposit("bob"))
    rounds = {name: whole_round(name, "ann") for name in names("r", 6)}
    for step in zip(*rounds.values(), strict=True):
        for request in step:
            take(handler, request)
    assert balance(engine, "ann") == 100_000_000 - 6 * ROUND_COSTS_MINOR
    assert differences(engine) == []


def test_after_something_went_wrong_nothing_is_remembered_that_is_not_so(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts that were folded in and then not written would be decided by for ever."""
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann", "100.00"), opened("r-1"))
    ante = action("ante", round="r-1", seat="1", **tallinn("ann"), amount="60.00")

    def failing(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("backoffice.app.handle.keep_refusals", failing)
    with pytest.raises(OSError, match="the disk is full"):
        handler.commit([ante])
    monkeypatch.undo()
    assert balance(engine, "ann") == 10_000
    take(handler, ante)
    (refused,) = handler.commit([action("bonus", round="r-1", seat="1", amount="60.00")])
    assert isinstance(refused, Declined)
    assert balance(engine, "ann") == 4_000


def test_asking_for_rounds_that_never_were_fills_no_memory(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recall, "KEPT_ROUNDS", 100)
    handler = a_handler(engine)
    take(handler, founding())
    for start in range(0, 2000, 500):
        handler.commit([action("close", round=f"nowhere-{start + one}") for one in range(500)])
    assert len(handler._recall._loaded) < 700


def test_rounds_wallets_and_cases_come_and_go(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round here is cancelled with a royal flush on the table, so that each leaves a case open for ever."""
    monkeypatch.setattr(recall, "KEPT_ROUNDS", 20)
    monkeypatch.setattr(recall, "KEPT_BALANCES", 10)
    handler = a_handler(engine)
    take(handler, founding())
    royal = {"1": ["As", "Ks", "Qs", "Js", "Ts"]}
    for number in range(60):
        name, player = f"r-{number}", f"p-{number}"
        dealt = action("deal", round=name, hands=royal, up="Kd")
        cancelled = action("cancel", round=name, reason="misdeal")
        take(handler, deposit(player), *whole_round(name, player)[:4], dealt, cancelled)
    remembered = handler._recall
    assert len(remembered.rounds) + len(remembered.cases) <= 22
    assert len(remembered.balances) <= 11
    assert len(remembered._loaded) <= 22 + 20
    assert differences(engine) == []
