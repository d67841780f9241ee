"""Balances and meters in the append's own transaction are what a replay gives."""

from feeding import Feeding
from sqlalchemy import Engine, select

from backoffice.bootstrap import CODEC
from backoffice.domain.meters import MeterMove
from backoffice.kernel.ids import Wallet
from backoffice.projections.balances import balances
from backoffice.projections.inline import apply_inline, balances_of, buckets_of
from backoffice.projections.jackpot_meters import jackpot_meters
from backoffice.projections.projector import Projector

ANN, BO = Wallet("tallinn", "ann", "EUR"), Wallet("tallinn", "bo", "EUR")


def test_after_every_commit_balances_and_meters_are_what_a_replay_gives(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    for actions in (1, 40, 400, 1000):
        feeding.take(actions)
        assert [str(one) for name in ("balances", "jackpot-meters") for one in projector.compare(name)] == []


def test_movements_add_up_and_a_wallet_that_ended_at_zero_is_there(engine: Engine) -> None:
    with engine.begin() as connection:
        apply_inline(connection, {ANN: 500, BO: 0})
        apply_inline(connection, {ANN: -700})
        assert balances_of(connection, [ANN, BO, Wallet("tallinn", "cy", "EUR")]) == {ANN: -200, BO: 0}
        assert len(connection.execute(select(balances)).all()) == 2


def test_meters_are_summed_by_bucket(engine: Engine) -> None:
    moves = [
        MeterMove("royal", "tallinn", "EUR", contributed=70),
        MeterMove("royal", "tallinn", "EUR", refunded=30),
        MeterMove("royal", "-", "EUR", contributed=1000),
    ]
    with engine.begin() as connection:
        apply_inline(connection, {}, moves)
        apply_inline(connection, {}, [MeterMove("royal", "tallinn", "EUR", paid_out=40)])
        rows = {tuple(row) for row in connection.execute(select(jackpot_meters))}
        buckets = buckets_of(connection, ["royal", "ticino"])
    assert rows == {("royal", "-", "EUR", 1000, 0, 0, 1000), ("royal", "tallinn", "EUR", 70, 30, 40, 0)}
    assert buckets == {"royal": {("tallinn", "EUR"): 0, ("-", "EUR"): 1000}, "ticino": {}}


def test_nothing_is_asked_about_nobody(engine: Engine) -> None:
    with engine.begin() as connection:
        apply_inline(connection, {})
        assert balances_of(connection, []) == {}
        assert buckets_of(connection, []) == {}


def test_amounts_are_counted_beyond_thirty_two_bits(engine: Engine) -> None:
    with engine.begin() as connection:
        apply_inline(connection, {ANN: 2**62})
        apply_inline(connection, {ANN: 2**62 - 1})
        assert balances_of(connection, [ANN]) == {ANN: 2**63 - 1}


def test_a_commit_that_comes_to_nothing_moves_nothing(engine: Engine) -> None:
    with engine.connect() as connection:
        with connection.begin() as transaction:
            apply_inline(connection, {ANN: 500}, [MeterMove("royal", "tallinn", "EUR", contributed=70)])
            transaction.rollback()
        assert connection.execute(select(balances)).all() == []
        assert connection.execute(select(jackpot_meters)).all() == []
