"""The written-out ledger of the sample feed: it balances everywhere, and says what the other read models say."""

from typing import Any

from feeding import Feeding
from sqlalchemy import BigInteger, Engine, cast, func, select, text

from backoffice.bootstrap import CODEC
from backoffice.domain.ledger import postings
from backoffice.log.postgres import PostgresLog
from backoffice.projections.entries import entries
from backoffice.projections.projector import Projector


def test_the_ledger_of_the_sample_feed_is_written_out(engine: Engine) -> None:
    Feeding(engine).take_all()
    Projector(engine, CODEC).catch_up()

    # Every fact balances in each currency, and in each casino's book.
    unbalanced = "select from read.entries group by position, casino, currency having sum(amount_minor) <> 0"
    assert _asked(engine, unbalanced) == []

    # Every wallet, debt and bucket is the sum of its rows.
    wallets = _sums(engine, "owner holder currency", "player")
    assert wallets == _asked(engine, "select casino, player, currency, balance_minor from read.balances")
    debts = _sums(engine, "owner holder currency", "receivable")
    assert debts == _asked(engine, "select casino, player, currency, -owed_minor from read.debts")
    buckets = _sums(engine, "owner holder currency", "pool")
    meters = "select jackpot, casino, currency, balance_minor from read.jackpot_meters where casino <> '-'"
    assert buckets == _asked(engine, meters)

    # Nothing is left at stake, and what casinos owe each other comes to nought.
    assert [row for row in _sums(engine, "owner holder currency", "stakes") if row[-1]] == []
    assert [row for row in _sums(engine, "currency", "settlement") if row[-1]] == []

    # It is the ledger's function, posting by posting.
    expected = []
    for recorded in PostgresLog(engine).read():
        event: Any = CODEC.decode(recorded.type, recorded.schema, recorded.data)
        for line, (account, currency, minor) in enumerate(postings(event), 1):
            expected.append((recorded.position, line, *account, currency, minor, recorded.recorded_at))
    stored = (
        "select position, line, kind, owner, holder, currency, amount_minor, recorded_at from read.entries"
    )
    assert _asked(engine, stored) == expected


def _sums(engine: Engine, names: str, kind: str) -> list[tuple[Any, ...]]:
    columns = [entries.c[name] for name in names.split()]
    query = select(*columns, cast(func.sum(entries.c.amount_minor), BigInteger))
    with engine.connect() as connection:
        found = connection.execute(query.where(entries.c.kind == kind).group_by(*columns))
        return sorted(tuple(row) for row in found)


def _asked(engine: Engine, query: str) -> list[tuple[Any, ...]]:
    with engine.connect() as connection:
        return sorted(tuple(row) for row in connection.execute(text(query)))
