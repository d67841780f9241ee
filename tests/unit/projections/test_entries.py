"""What a fact comes to in the written-out ledger."""

from datetime import UTC, datetime, timedelta

from backoffice.domain.accounts import Account, book_of
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import BucketTaken, JackpotHit, JackpotSeeded, Share
from backoffice.domain.rounds.events import AntePlaced, JackpotMarked, Line, PotSettled, Raked
from backoffice.kernel.money import Money
from backoffice.projections.changes import Append
from backoffice.projections.entries import ENTRIES, entries
from backoffice.projections.fact import Fact

AT = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
LATER = AT + timedelta(seconds=4)


def rows(event: Event) -> list[dict[str, object]]:
    (change,) = ENTRIES.changes(Fact(7, AT, LATER, event))
    assert isinstance(change, Append)
    assert change.table is entries
    return [dict(zip(entries.columns.keys(), row, strict=True)) for row in change.rows]


def told(event: Event) -> list[tuple[object, ...]]:
    """Book, account, currency and amount of each posting."""
    names = ("casino", "kind", "owner", "holder", "currency", "amount_minor")
    return [tuple(row[name] for name in names) for row in rows(event)]


def test_a_posting_is_a_row_with_its_fact_its_times_its_round_and_its_book() -> None:
    ante = AntePlaced(round="r1", seat="1", casino="tallinn", player="ann", stake=Money(500, "EUR"))
    first, second = rows(ante)
    assert first == {
        "position": 7,
        "line": 1,
        "amount_minor": -500,
        "happened_at": AT,
        "recorded_at": LATER,
        "kind": "player",
        "owner": "tallinn",
        "holder": "ann",
        "currency": "EUR",
        "casino": "tallinn",
        "type": "round.ante_placed",
        "round": "r1",
    }
    assert second["line"] == 2
    assert told(ante)[1] == ("tallinn", "stakes", "r1", "tallinn", "EUR", 500)


def test_a_fact_of_no_round_has_none() -> None:
    seeded = JackpotSeeded(jackpot="royal", cycle=1, seed=Money(5000, "EUR"))
    assert [row["round"] for row in rows(seeded)] == [None, None]
    assert told(seeded) == [
        ("-", "network", "", "", "EUR", -5000),
        ("-", "seed", "royal", "", "EUR", 5000),
    ]


def test_a_mark_puts_its_contribution_into_its_casinos_own_bucket() -> None:
    mark = JackpotMarked(
        round="r1",
        seat="1",
        casino="tallinn",
        player="ann",
        stake=Money(100, "EUR"),
        jackpot="royal",
        cycle=1,
        contribution=70,
    )
    assert ("tallinn", "pool", "royal", "tallinn", "EUR", 70) in told(mark)


def test_what_a_hit_moves_from_casino_to_casino_is_settled_between_them() -> None:
    hit = JackpotHit(
        jackpot="royal",
        round="r1",
        cycle=1,
        percent=100,
        base="EUR",
        pool=100,
        amount=100,
        buckets=(BucketTaken("stockholm", "SEK", 1142, 1142, "11.4210", 100),),
        shares=(Share("1", "tallinn", "ann", "EUR", 100, "1", 100),),
        rounding=0,
    )
    assert told(hit) == [
        ("stockholm", "pool", "royal", "stockholm", "SEK", -1142),
        ("-", "exchange", "royal", "", "SEK", 1142),
        ("-", "exchange", "royal", "", "EUR", -100),
        ("-", "seed", "royal", "", "EUR", 100),
        ("-", "seed", "royal", "", "EUR", -100),
        ("tallinn", "player", "tallinn", "ann", "EUR", 100),
        ("stockholm", "settlement", "stockholm", "", "SEK", 1142),
        ("-", "settlement", "-", "stockholm", "SEK", -1142),
        ("tallinn", "settlement", "tallinn", "", "EUR", -100),
        ("-", "settlement", "-", "tallinn", "EUR", 100),
    ]


def test_a_pot_won_from_another_casinos_player_is_settled_between_their_casinos() -> None:
    pot = PotSettled(
        round="r1",
        lines=(
            Line("1", "tallinn", "ann", "EUR", "pot", 500, "lose", 0, "two pairs"),
            Line("2", "riga", "bo", "EUR", "pot", 500, "win", 950, "flush", cut=50),
        ),
        stacks=(),
        raked=(Raked("riga", Money(50, "EUR")),),
    )
    assert told(pot) == [
        ("tallinn", "stakes", "r1", "tallinn", "EUR", -500),
        ("riga", "stakes", "r1", "riga", "EUR", -500),
        ("riga", "player", "riga", "bo", "EUR", 950),
        ("riga", "house", "riga", "", "EUR", 50),
        ("tallinn", "settlement", "tallinn", "", "EUR", 500),
        ("-", "settlement", "-", "tallinn", "EUR", -500),
        ("riga", "settlement", "riga", "", "EUR", -500),
        ("-", "settlement", "-", "riga", "EUR", 500),
    ]


def test_every_account_stands_in_one_book() -> None:
    for account, book in (
        (Account("player", "tallinn", "ann"), "tallinn"),
        (Account("stakes", "r1", "tallinn"), "tallinn"),
        (Account("pool", "royal", "tallinn"), "tallinn"),
        (Account("reserve", "royal", "tallinn"), "tallinn"),
        (Account("settlement", "tallinn"), "tallinn"),
        (Account("settlement", "-", "tallinn"), "-"),
        (Account("seed", "royal"), "-"),
        (Account("exchange", "royal"), "-"),
        (Account("rounding", "royal"), "-"),
        (Account("network"), "-"),
    ):
        assert book_of(account) == book
