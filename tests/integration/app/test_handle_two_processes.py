"""Two processes on one database: each remembers what it likes, and each decides by what is true."""

from itertools import cycle

import pytest
from front_door import (
    NETWORK,
    ROUND_COSTS_MINOR,
    a_handler,
    action,
    balance,
    deposit,
    differences,
    events,
    founding,
    opened,
    said,
    take,
    tallinn,
    types,
    whole_round,
    withdraw,
)
from sqlalchemy import Engine, text

from backoffice.app import recall
from backoffice.app.handle import Handler
from backoffice.app.requests import Accepted, Declined, Request
from backoffice.domain.network.commands import ApplyNetwork

Two = tuple[Handler, Handler]


@pytest.fixture
def two(engine: Engine) -> Two:
    """Both have been at work: both remember the network, a round and a balance."""
    one, other = a_handler(engine), a_handler(engine)
    take(one, founding(), deposit("ann"), opened("r-0"))
    take(other, action("ante", round="r-0", seat="1", **tallinn("ann"), amount="20.00"))
    return one, other


def test_a_round_may_be_played_through_two_processes_in_turn(engine: Engine, two: Two) -> None:
    for handler, request in zip(cycle(two), whole_round("r-1", "ann"), strict=False):
        take(handler, request)
    assert types(engine, "round/r-1")[-1] == "round.settled"
    assert balance(engine, "ann") == 100_000_000 - 2000 - ROUND_COSTS_MINOR
    assert differences(engine) == []


def test_what_one_spends_the_other_does_not_spend_again(engine: Engine, two: Two) -> None:
    one, other = two
    take(one, deposit("bob", "10.00"))
    assert isinstance(other.commit([withdraw("bob", "4.00")])[0], Accepted)
    assert isinstance(one.commit([withdraw("bob", "7.00")])[0], Declined)
    assert isinstance(other.commit([withdraw("bob", "6.00")])[0], Accepted)
    assert isinstance(one.commit([withdraw("bob", "0.01")])[0], Declined)
    assert balance(engine, "bob") == 0


def test_a_round_that_one_asked_for_in_vain_is_there_once_the_other_opened_it(two: Two) -> None:
    one, other = two
    assert isinstance(one.commit([action("suspend", round="r-2", reason="x")])[0], Declined)
    take(other, opened("r-2"))
    take(one, action("suspend", round="r-2", reason="x"))
    assert isinstance(other.commit([opened("r-2")])[0], Declined)


def test_what_one_changes_in_the_network_holds_for_the_other(two: Two) -> None:
    one, other = two
    low, *rest = [table for table in NETWORK.table if table.id == "low-24h"]
    assert not rest
    wider = low.model_copy(
        update={"limits": low.limits.model_copy(update={"ante": {"EUR": ["0.50", "9000.00"]}}), "id": "new"}
    )
    file = NETWORK.model_copy(update={"table": [*NETWORK.table, wider]})
    take(one, Request(ApplyNetwork(id="n", at=founding().command.at, file=file), "command line", "operator"))
    take(other, opened("r-2", table="new"))
    take(one, action("ante", round="r-2", seat="1", **tallinn("ann"), amount="9000.00"))


def test_a_rate_that_one_takes_in_counts_for_the_others_hit(engine: Engine, two: Two) -> None:
    """The shared jackpot is worth what the last rate makes of its buckets, whoever took that rate in."""
    one, other = two
    seat = {"seat": "s", "casino": "stockholm", "player": "sven", "currency": "SEK"}
    royal = ["As", "Ks", "Qs", "Js", "Ts"]
    take(one, action("deposit", casino="stockholm", player="sven", currency="SEK", amount="1000.00"))
    take(one, opened("hit", table="live-1"), action("ante", round="hit", **seat, amount="100.00"))
    take(other, action("mark", round="hit", seat="s"), action("close", round="hit"))
    take(one, action("deal", round="hit", hands={"shared": royal}, up="2d"))
    take(other, action("call", round="hit", seat="s"))
    take(one, action("rate", quote="SEK", rate="10"))
    dealer = ["2d", "3d", "4c", "7h", "8h"]
    take(other, action("reveal", round="hit", dealer=dealer), action("settle", round="hit"))
    hit = next(one for one in events(engine, "jackpot/royal") if one.type == "jackpot.hit")
    assert b'"rate":"10"' in hit.data
    assert differences(engine) == []


def test_two_processes_come_to_what_one_would_have_come_to(
    engine: Engine, two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where one has been away for so long that it asks anew instead of reading on."""
    monkeypatch.setattr(recall, "FAR", 12)
    requests = [
        request
        for rounds in zip(*(whole_round(f"r-{number}", "ann") for number in range(1, 9)), strict=True)
        for request in rounds
    ]
    away = iter([1, 1, 2, 30, 1, 1, 5, 1, 20, 2, 100])
    turn, left = 0, next(away)
    for request in requests:
        take(two[turn], request)
        left -= 1
        if not left:
            turn, left = 1 - turn, next(away)
    assert balance(engine, "ann") == 100_000_000 - 2000 - 8 * ROUND_COSTS_MINOR
    assert differences(engine) == []
    again = a_handler(engine)
    assert all(type(outcome).__name__ == "Repeated" for outcome in again.commit(requests))


def test_nobody_reads_what_nobody_asked_for(engine: Engine, two: Two) -> None:
    """The other's rounds and wallets are not kept in memory here."""
    one, other = two
    take(one, *whole_round("r-1", "ann"))
    take(one, deposit("bob"), *whole_round("r-2", "bob"))
    take(other, deposit("cid"))
    assert set(other._recall.rounds) == {"r-0"}
    assert {wallet.player for wallet in other._recall.balances} == {"ann", "cid"}


def test_a_log_that_was_exchanged_is_not_taken_for_the_one_that_was_remembered(
    engine: Engine, two: Two
) -> None:
    """A backup was restored, or the tables were emptied, under a process that goes on."""
    one, other = two
    with engine.begin() as connection:
        connection.execute(text("set local session_replication_role = replica"))
        for table in ("log.events", "read.balances", "intake.accepted_keys"):
            connection.execute(text(f"delete from {table}"))  # noqa: S608 - these three
        connection.execute(text("update log.head set log_id = gen_random_uuid(), position = 0"))
    assert one.commit([withdraw("ann", "1.00")]) == [Declined("there is no casino tallinn", "casino")]
    take(one, founding(), deposit("ann", "5.00"))
    assert isinstance(other.commit([withdraw("ann", "6.00")])[0], Declined)


def test_what_is_written_is_the_same_with_any_cut_into_commits(engine: Engine, two: Two) -> None:
    one, other = two
    before = len(said(engine))
    requests = [request for number in (1, 2) for request in whole_round(f"r-{number}", "ann")]
    for request in requests:
        take(one, request)
    singly = said(engine)[before:]
    renamed = [request for number in (3, 4) for request in whole_round(f"r-{number}", "ann")]
    take(other, *renamed)
    together = said(engine)[before + len(singly) :]
    assert [(fact[1], fact[2], fact[4]) for fact in together] == [
        (fact[1], fact[2], fact[4]) for fact in singly
    ]
