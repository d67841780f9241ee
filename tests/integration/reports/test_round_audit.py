"""Every finished round is decided again from what went into it; whatever was recorded otherwise is named."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from command_line import backoffice
from feeding import Feeding
from front_door import a_handler, action, deposit, founding, opened, take, tallinn, whole_round
from sqlalchemy import Connection, Engine, text

from backoffice.bootstrap import CODEC
from backoffice.log.postgres import PostgresLog
from backoffice.reports import round_audit
from backoffice.reports.round_audit import Audited, audit_rounds

Data = dict[str, Any]


def audited(engine: Engine, only: str | None = None) -> list[Audited]:
    return list(audit_rounds(PostgresLog(engine), CODEC, only))


def differing(engine: Engine, only: str | None = None) -> list[str]:
    return [difference for one in audited(engine, only) for difference in one.differences]


@contextmanager
def tampered(engine: Engine, kind: str, change: Callable[[Data], bool | None]) -> Iterator[int]:
    """The first event of a kind that `change` can change (it says False where not), as if it had been recorded so."""
    for recorded in PostgresLog(engine).read(types=[kind]):
        data = json.loads(recorded.data)
        if change(data) is not False:
            break
    else:
        raise AssertionError(f"no {kind} is like that")
    with engine.begin() as connection:
        _overwrite(connection, recorded.position, json.dumps(data).encode())
    yield recorded.position
    with engine.begin() as connection:
        _overwrite(connection, recorded.position, recorded.data)


def _overwrite(connection: Connection, position: int, data: bytes) -> None:
    """As somebody would who got round the triggers."""
    connection.execute(text("set local session_replication_role = replica"))
    connection.execute(
        text("update log.events set data = cast(:data as json) where position = :position"),
        {"data": data.decode(), "position": position},
    )


def line_where(**like: Any) -> Callable[[Data], Data | None]:
    """The first line of a settlement that is like this."""
    return lambda data: next((one for one in data["lines"] if like.items() <= one.items()), None)


def change(find: Callable[[Data], Data | None], **to: Any) -> Callable[[Data], bool]:
    def changed(data: Data) -> bool:
        found = find(data)
        if found is None:
            return False
        found.update({key: value(found[key]) if callable(value) else value for key, value in to.items()})
        return True

    return changed


def more(minor: int) -> int:
    return minor + 1


def first(name: str) -> Callable[[Data], Data | None]:
    return lambda data: data[name][0] if data[name] else None


FORGERIES = [
    ("round.settled", change(line_where(bet="call", result="win"), payout=more), ".payout: recorded "),
    ("round.settled", change(line_where(bet="call", result="win"), odds=99), ".odds: recorded 99, due "),
    ("round.settled", change(line_where(result="lose"), result="push"), ".result: recorded push, due lose"),
    ("round.settled", change(line_where(result="lose"), rule="luck"), ".rule: recorded luck, due "),
    ("round.settled", change(line_where(bet="ante"), stake=more), ".stake: recorded "),
    ("round.settled", change(line_where(bet="jackpot"), pooled=more), ".pooled: recorded "),
    (
        "round.settled",
        change(line_where(bet="jackpot"), paid_by="pool"),
        ".paid_by: recorded pool, due house",
    ),
    ("round.settled", change(line_where(bet="ante"), player="mallory"), ".player: recorded mallory, due "),
    ("round.settled", lambda data: data.update(lines=data["lines"][1:]), "round.settled.lines["),
    ("round.settled", lambda data: data["lines"].append(data["lines"][0]), ", due None"),
    ("round.pot_settled", change(first("lines"), payout=more), ".payout: recorded "),
    ("round.pot_settled", change(first("stacks"), seat="9"), ".seat: recorded 9, due "),
    ("round.cancelled", change(first("lines"), payout=more), ".payout: recorded "),
    (
        "round.cancellation_requested",
        change(first("withdrawals"), contribution=more),
        ".contribution: recorded ",
    ),
    (
        "round.cancellation_requested",
        change(first("withdrawals"), borne_by="house"),
        "recorded house, due pool",
    ),
    (
        "round.cancellation_requested",
        change(first("entitlements"), hand="flush"),
        ".hand: recorded flush, due ",
    ),
    (
        "case.compensation_opened",
        change(lambda data: data["suggested"], minor=more),
        ".suggested.minor: recorded ",
    ),
    ("jackpot.hit", change(first("shares"), amount=more), ".amount: recorded "),
    ("jackpot.hit", change(first("shares"), share_base=more), ".share_base: recorded "),
    ("jackpot.hit", change(first("shares"), rate="7"), ".rate: recorded 7, due "),
    ("jackpot.hit", change(first("buckets"), before=more), ".before: recorded "),
    ("jackpot.hit", lambda data: data.update(pool=data["pool"] + 1), "jackpot.hit.pool: recorded "),
    ("jackpot.hit", lambda data: data.update(rounding=7), "jackpot.hit.rounding: recorded 7, due "),
    ("jackpot.hit", lambda data: data.update(percent=11), "jackpot.hit.percent: recorded 11, due "),
]


def test_the_sample_feed_audits_clean_and_every_forgery_in_it_is_named(engine: Engine) -> None:
    Feeding(engine).take_all()
    clean = audited(engine)
    assert len(clean) == 250 + len([one for one in clean if one.decision == "round.cancelled"])
    assert [one for one in clean if one.differences] == []
    for kind, forge, told in FORGERIES:
        with tampered(engine, kind, forge):
            found = differing(engine)
            assert any(told in difference for difference in found), (kind, told, found[:3])
    assert differing(engine) == []


def test_a_difference_names_position_seat_and_bet_and_both_values(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"))
    with tampered(engine, "round.settled", change(line_where(bet="call"), payout=4_000)) as position:
        (one,) = audited(engine, "r-1")
        assert (one.round, one.position) == ("r-1", position)
        assert one.differences == ("round.settled.lines[seat 1, bet call].payout: recorded 4000, due 0",)
        for arguments in (("r-1",), ("--all",)):
            done = backoffice(engine, "round", "audit", *arguments)
            assert done.code == 1
            assert f"round r-1, position {position}: {one.differences[0]}" in done.out
    done = backoffice(engine, "round", "audit", "r-1")
    assert (done.code, done.out) == (0, "1 decision made again, 0 differ\n")


def test_one_round_is_audited_like_all(engine: Engine) -> None:
    """Its jackpot as it stood, though no other round is decided."""
    Feeding(engine).take_all()
    everything = audited(engine)
    for name in {one.round for one in everything[::37]}:
        assert audited(engine, name) == [one for one in everything if one.round == name]


def test_a_settlement_that_could_not_have_been_is_a_difference_and_not_the_end(engine: Engine) -> None:
    take(
        a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"), *whole_round("r-2", "ann")
    )
    with engine.begin() as connection:
        connection.execute(text("set local session_replication_role = replica"))
        connection.execute(
            text(
                'update log.events set type = \'round.suspended\', data = \'{"round":"r-1","reason":"x"}\''
                " where stream = 'round/r-1' and type = 'round.dealer_revealed'"
            )
        )
    first_round, second = audited(engine)
    (difference,) = first_round.differences
    assert difference == (
        "round.settled: recorded, and refused when it is decided again: "
        "the round is suspended: only resume and cancel are taken"
    )
    assert second.differences == ()


def test_an_event_that_nobody_ever_wrote_is_said_to_be_one(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"))
    with tampered(engine, "round.settled", lambda data: data.update(lines="none")) as position:
        for command in (("audit", "--all"), ("audit", "r-1"), ("show", "r-1")):
            done = backoffice(engine, "round", *command)
            assert done.code == 2
            assert (
                done.err == f"backoffice: position {position} is no round.settled: see `backoffice verify`\n"
            )


def test_a_tables_own_figures_are_no_difference(engine: Engine) -> None:
    """What it claimed was recorded beside what was paid; a case is open about it, and the audit is content."""
    *play, _ = whole_round("r-1", "ann")
    payouts = {"1": {"call": "80.00", "ante": "0.00", "jackpot": "7.00", "bonus": "1.00"}}
    take(a_handler(engine), founding(), deposit("ann"), *play, action("settle", round="r-1", payouts=payouts))
    assert [one.type for one in PostgresLog(engine).read(types=["case.dispute_opened"])] == [
        "case.dispute_opened"
    ] * 3
    assert differing(engine) == []
    forged = change(first("discrepancies"), bet="tip")
    with tampered(engine, "round.settled", forged):
        assert differing(engine)


def test_an_id_used_again_right_behind_a_settlement_is_no_difference(engine: Engine) -> None:
    handler = a_handler(engine)
    *play, settle = whole_round("r-1", "ann")
    take(handler, founding(), deposit("ann"), *play)
    handler.commit([settle, action("settle", round="r-1", id=settle.key, payouts={})])
    handler.commit([opened("r-2"), action("cancel", round="r-2", reason="x", id="c")])
    handler.commit([action("cancel", round="r-2", reason="y", id="c")])
    assert len(audited(engine)) == 3
    assert differing(engine) == []


def test_a_round_that_is_not_over_has_nothing_to_audit(engine: Engine) -> None:
    at = {"round": "r-1", "seat": "1"}
    take(a_handler(engine), founding(), deposit("ann"), opened("r-1"))
    take(a_handler(engine), action("ante", **at, **tallinn("ann"), amount="20.00"), action("mark", **at))
    assert audited(engine, "r-1") == []
    assert backoffice(engine, "round", "audit", "r-1").out == "0 decisions made again, 0 differ\n"


def test_memory_stays_flat(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished rounds, balances and cases are let go of."""
    pasts: list[Any] = []
    real = round_audit._AuditPast.__init__

    def noted(self: Any, *given: Any) -> None:
        real(self, *given)
        pasts.append(self)

    monkeypatch.setattr(round_audit._AuditPast, "__init__", noted)
    Feeding(engine).take_all()
    audited(engine)
    (past,) = pasts
    assert (past.rounds, past.balances, past.debts, past.cases) == ({}, {}, {}, {})
