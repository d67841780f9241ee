"""Denmark's files, on PostgreSQL: valid by the schemas, and equal in every figure to the read models and the ledger."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from filing import LEGAL, a_round, assert_valid, correct, license_all, produce, register, reverse
from front_door import a_handler, deposit, rows, take
from produced_files import document, texts, total
from sqlalchemy import Engine, func, select

from backoffice.bootstrap import house_on
from backoffice.kernel.currencies import exponent
from backoffice.projections.entries import entries
from backoffice.projections.rounds import rounds
from backoffice.reports.exports import write_export
from backoffice.reports.regulators.producing import Placed

SESSIONS = ("dk", "view", "KasinospilPrSessionStrukturType.xsd")
JACKPOT = ("dk", "view", "JackpotUdloesningStrukturType.xsd")
END_OF_DAY = ("dk", "view", "EndOfDayRapportStrukturType.xsd")
CASINOS = ("lugano", "stockholm", "tallinn")
SIX = datetime(2026, 3, 1, 18, tzinfo=UTC)
NEXT_DAY = SIX + timedelta(days=1)


def exported(engine: Engine, name: str, casino: str) -> list[dict[str, str]]:
    stream = BytesIO()
    with engine.connect() as connection:
        write_export(connection, name, "csv", stream)
    found = csv.DictReader(stream.getvalue().decode().splitlines())
    return [row for row in found if row["casino"] == casino]


def by_currency(root: Any, name: str, of: str) -> Counter[str]:
    """The sums of an element by the currency of the record it is in, called back records taken off."""
    sums: Counter[str] = Counter()
    for record in root.iter(f"{{*}}{of}"):
        sign = -1 if record.find("{*}SpilAnnullering") is not None else 1
        sums[texts(record, "ValutaOplysningKode")[0]] += sign * total(record, name)
    return sums


def nonzero(sums: dict[str, Any]) -> dict[str, Decimal]:
    return {currency: Decimal(amount) for currency, amount in sums.items() if amount}


@pytest.mark.parametrize("casino", CASINOS)
def test_every_file_of_the_sample_is_valid_and_tells_what_the_exports_and_the_ledger_do(
    licensed: Engine, tmp_path: Path, casino: str
) -> None:
    single = produce(licensed, "dk-single-player-sessions", casino, tmp_path)
    multi = produce(licensed, "dk-multi-player-sessions", casino, tmp_path)
    jackpots = produce(licensed, "dk-jackpots", casino, tmp_path)
    days = produce(licensed, "dk-end-of-day", casino, tmp_path)
    for placed, schema in [
        *((one, SESSIONS) for one in (*single, *multi)),
        *((one, JACKPOT) for one in jackpots),
        *((one, END_OF_DAY) for one in days),
    ]:
        assert_valid(placed, *schema)

    house_on(licensed).projector().catch_up()
    lines = [line for line in exported(licensed, "round-lines", casino) if line["result"] != "refund"]
    shares = exported(licensed, "jackpot-shares", casino)
    pooled = {currency: Decimal(0) for currency in {line["currency"] for line in lines}}
    pooled |= contributions(licensed, casino)
    staked, won = Counter[str](), Counter[str]()
    for line in lines:
        staked[line["currency"]] += Decimal(line["stake"])  # type: ignore[assignment]
        won[line["currency"]] += Decimal(line["payout"])  # type: ignore[assignment]
    for share in shares:
        won[share["currency"]] -= Decimal(share["amount"])  # type: ignore[assignment]

    told = [document(one) for one in (*single, *multi)]
    for name, expected in [
        ("KasinospilIndskudSpil", {currency: staked[currency] - pooled[currency] for currency in staked}),
        ("KasinospilIndskudJackpot", pooled),
        ("KasinospilGevinstSpil", won),
    ]:
        sums = sum((by_currency(root, name, "KasinospilSession") for root in told), Counter())
        assert nonzero(sums) == nonzero(expected), name
    for name, element in [
        ("EndOfDayRapportIndskudSpil", "KasinospilIndskudSpil"),
        ("EndOfDayRapportIndskudJackpot", "KasinospilIndskudJackpot"),
        ("EndOfDayRapportGevinster", "KasinospilGevinstSpil"),
    ]:
        details = sum((by_currency(root, element, "KasinospilSession") for root in told), Counter())
        totals = {texts(root, "ValutaOplysningKode")[0]: total(root, name) for root in map(document, days)}
        assert nonzero(totals) == nonzero(details), name
    assert sum(total(document(one), "EndOfDayRapportAntalSpil") for one in days) == sum(
        one.records for one in (*single, *multi)
    )
    assert sum(total(document(one), "JackpotGevinst") for one in jackpots) == sum(
        Decimal(share["share_base"]) for share in shares
    )
    kept = {currency: staked[currency] - pooled[currency] - won[currency] for currency in staked}
    assert nonzero(kept) == nonzero(kept_by_the_house(licensed, casino))


def contributions(engine: Engine, casino: str) -> dict[str, Decimal]:
    """What the ledger says that settled rounds gave to pools."""
    settled = select(rounds.c.round).where(rounds.c.phase == "settled")
    given = (entries.c.kind == "pool", entries.c.holder == casino, entries.c.round.in_(settled))
    return _by_currency(engine, *given, entries.c.type.like("round.%"))


def kept_by_the_house(engine: Engine, casino: str) -> dict[str, Decimal]:
    """What the ledger says that the house won or lost by settled rounds."""
    won = (entries.c.kind == "house", entries.c.owner == casino)
    return _by_currency(engine, *won, entries.c.type.in_(["round.settled", "round.pot_settled"]))


def _by_currency(engine: Engine, *where: Any) -> dict[str, Decimal]:
    query = select(entries.c.currency, func.sum(entries.c.amount_minor)).where(*where)
    with engine.connect() as connection:
        found = connection.execute(query.group_by(entries.c.currency)).all()
    return {currency: Decimal(minor).scaleb(-exponent(currency)) for currency, minor in found}


@pytest.fixture
def played(engine: Engine) -> Engine:
    """Tallinn, licensed: ann played three rounds at a table, one after the other, and another two hours later."""
    license_all(engine)
    handler = a_handler(engine)
    take(handler, deposit("ann"))
    for name, minutes in [("r-1", 0), ("r-2", 10), ("r-3", 20), ("r-4", 140)]:
        take(handler, *a_round(name, "ann", SIX + timedelta(minutes=minutes)))
    return engine


def transactions(root: Any) -> Iterator[tuple[str, str, bool]]:
    """Id, draws, whether it is called back."""
    for record in root.iter("{*}KasinospilSession"):
        back = record.find("{*}SpilAnnullering")
        yield (
            texts(record, "SpilTransaktionIdentifikation")[0],
            texts(record, "KasinospilAntalTræk")[0],
            back is not None,
        )


def one(placed: Sequence[Placed]) -> Placed:
    (found,) = placed
    return found


def test_rounds_with_a_long_pause_between_them_are_two_sessions(played: Engine, tmp_path: Path) -> None:
    root = document(one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path)))
    assert texts(root, "KasinospilAntalTræk") == ["3", "1"]
    assert texts(root, "SpilKøbDatoTid") == ["2026-03-01T18:00:00Z", "2026-03-01T20:20:00Z"]
    assert texts(root, "SpilFaktiskSlutDatoTid") == ["2026-03-01T18:20:07Z", "2026-03-01T20:20:07Z"]
    assert texts(root, "KasinospilIndskudSpil") == ["180.7500000000", "60.2500000000"]
    assert texts(root, "KasinospilIndskudJackpot") == ["0.7500000000", "0.2500000000"]


def test_how_long_a_pause_may_be_is_a_setting(played: Engine, tmp_path: Path) -> None:
    license_all(played, {**LEGAL, "sessions": {"gap_minutes": 5}})
    root = document(one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path)))
    assert texts(root, "KasinospilAntalTræk") == ["1", "1", "1", "1"]


def test_a_round_reversed_the_same_day_is_a_cancellation_of_its_session_in_the_days_file(
    played: Engine, tmp_path: Path
) -> None:
    reverse(played, "r-2", SIX + timedelta(minutes=50))
    placed = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path))
    assert_valid(placed, *SESSIONS)
    told = list(transactions(document(placed)))
    assert [(draws, back) for _, draws, back in told] == [
        ("3", False),
        ("1", False),
        ("3", True),
        ("2", False),
    ]
    assert told[2][0] == told[0][0]
    assert len({name for name, _, _ in told}) == 3
    assert texts(document(placed), "SpilAnnulleringDatoTid") == ["2026-03-01T18:50:00Z"]
    day = document(one(produce(played, "dk-end-of-day", "tallinn", tmp_path)))
    assert total(day, "EndOfDayRapportIndskudSpil") == 3 * Decimal("60.25")
    assert total(day, "EndOfDayRapportAntalSpil") == 2


def test_a_round_reversed_another_day_is_a_cancellation_of_that_day_and_the_first_file_stays_as_it_is(
    played: Engine, tmp_path: Path
) -> None:
    first = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path))
    before = first.path.read_bytes()
    reverse(played, "r-2", NEXT_DAY)
    again = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path))
    assert (again.number, again.new, again.path.read_bytes()) == (first.number, False, before)
    tomorrow = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path, day=date(2026, 3, 2)))
    assert_valid(tomorrow, *SESSIONS)
    told = list(transactions(document(tomorrow)))
    assert [(draws, back) for _, draws, back in told] == [("3", True), ("2", False)]
    assert told[0][0] == next(transactions(document(first)))[0]
    day = document(one(produce(played, "dk-end-of-day", "tallinn", tmp_path, day=date(2026, 3, 2))))
    assert total(day, "EndOfDayRapportIndskudSpil") == -Decimal("60.25")
    assert total(day, "EndOfDayRapportAntalSpil") == 0


def test_a_session_is_called_back_as_it_was_told_whatever_pause_is_allowed_since(
    played: Engine, tmp_path: Path
) -> None:
    first = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path))
    license_all(played, {**LEGAL, "sessions": {"gap_minutes": 5}})
    reverse(played, "r-2", NEXT_DAY)
    tomorrow = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path, day=date(2026, 3, 2)))
    told = list(transactions(document(tomorrow)))
    assert [(draws, back) for _, draws, back in told] == [("3", True), ("2", False)]
    assert told[0][0] == next(transactions(document(first)))[0]
    day = document(one(produce(played, "dk-end-of-day", "tallinn", tmp_path)))
    assert total(day, "EndOfDayRapportAntalSpil") == 2


def test_a_corrected_round_is_a_purchase_of_the_day_it_was_settled_anew(
    played: Engine, tmp_path: Path
) -> None:
    reverse(played, "r-4", NEXT_DAY)
    hands = {"1": ["2c", "2d", "2h", "2s", "Tc"]}
    correct(played, "r-4", NEXT_DAY + timedelta(minutes=1), hands=hands)
    placed = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path, day=date(2026, 3, 2)))
    assert_valid(placed, *SESSIONS)
    told = list(transactions(document(placed)))
    assert [(draws, back) for _, draws, back in told] == [("1", False), ("1", True)]
    assert told[0][0] != told[1][0]
    won, lost = texts(document(placed), "KasinospilGevinstSpil")
    assert Decimal(won) > Decimal(lost) == 0


def test_a_corrected_round_that_is_reversed_again_is_called_back_under_its_own_id(
    played: Engine, tmp_path: Path
) -> None:
    reverse(played, "r-4", SIX + timedelta(hours=3))
    hands = {"1": ["2c", "2d", "2h", "2s", "Tc"]}
    correct(played, "r-4", NEXT_DAY, hands=hands)
    reverse(played, "r-4", NEXT_DAY + timedelta(days=1), proposal=2)
    told = [
        [(name, back) for name, _, back in transactions(document(placed))]
        for day in (1, 2, 3)
        for placed in produce(
            played, "dk-single-player-sessions", "tallinn", tmp_path, day=date(2026, 3, day)
        )
    ]
    (three, four, four_back), (corrected,), (corrected_back,) = told
    assert four_back == (four[0], True)
    assert corrected_back == (corrected[0], True)
    assert len({three[0], four[0], corrected[0]}) == 3


def test_what_comes_in_late_is_told_by_a_further_file_and_once_only(played: Engine, tmp_path: Path) -> None:
    first = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path))
    take(a_handler(played), *a_round("late", "ann", SIX + timedelta(minutes=25)))
    both = produce(played, "dk-single-player-sessions", "tallinn", tmp_path)
    assert [(each.number, each.records, each.new) for each in both] == [(1, 2, False), (2, 1, True)]
    ids = [name for each in both for name, _, _ in transactions(document(each))]
    assert len(set(ids)) == 3
    assert [each.new for each in produce(played, "dk-single-player-sessions", "tallinn", tmp_path)] == [
        False,
        False,
    ]
    assert first.path.read_bytes() == both[0].path.read_bytes()
    day = document(one(produce(played, "dk-end-of-day", "tallinn", tmp_path)))
    assert total(day, "EndOfDayRapportAntalSpil") == 3
    reverse(played, "late", NEXT_DAY)
    back = one(produce(played, "dk-single-player-sessions", "tallinn", tmp_path, day=date(2026, 3, 2)))
    assert [(name, cancelled) for name, _, cancelled in transactions(document(back))] == [(ids[2], True)]


def test_a_chain_of_three_days_reports_each_replaces_the_one_before_and_all_are_kept(
    played: Engine, tmp_path: Path
) -> None:
    chain = [one(produce(played, "dk-end-of-day", "tallinn", tmp_path))]
    for name, minutes in [("late-1", 25), ("late-2", 30)]:
        take(a_handler(played), *a_round(name, "ann", SIX + timedelta(minutes=minutes)))
        chain.append(one(produce(played, "dk-end-of-day", "tallinn", tmp_path)))
    for placed in chain:
        assert_valid(placed, *END_OF_DAY)
    ids = [texts(document(placed), "SpilFilIdentifikation") for placed in chain]
    replaced = [texts(document(placed), "SpilFilErstatningIdentifikation") for placed in chain]
    assert replaced == [[], *ids[:2]]
    assert [
        (each.file.number, each.file.version, each.file.replaces) for each in register(played, "tallinn")
    ] == [
        (1, 0, None),
        (2, 1, 1),
        (3, 2, 2),
    ]
    latest = one(produce(played, "dk-end-of-day", "tallinn", tmp_path))
    assert (latest.number, latest.new) == (3, False)
    assert total(document(latest), "EndOfDayRapportIndskudSpil") == 6 * Decimal("60.25")


def test_a_hit_that_is_taken_back_is_replaced_by_one_of_nothing(licensed: Engine, tmp_path: Path) -> None:
    before = produce(licensed, "dk-jackpots", "lugano", tmp_path)
    (round_id,) = {
        name for (name,) in rows(licensed, "select round from read.jackpot_shares where casino = 'lugano'")
    }
    reverse(licensed, round_id, NEXT_DAY)
    after = one(produce(licensed, "dk-jackpots", "lugano", tmp_path))
    assert_valid(after, *JACKPOT)
    assert after.new
    assert texts(document(after), "SpilFilErstatningIdentifikation") == texts(
        document(before[-1]), "SpilFilIdentifikation"
    )
    assert total(document(after), "JackpotGevinst") == 0


def test_an_empty_day_has_a_whole_report_of_zeros_and_no_sessions_to_hand_in(
    licensed: Engine, tmp_path: Path
) -> None:
    quiet = date(2026, 2, 3)
    assert produce(licensed, "dk-single-player-sessions", "stockholm", tmp_path, day=quiet) == []
    assert produce(licensed, "dk-jackpots", "stockholm", tmp_path, day=quiet) == []
    days = produce(licensed, "dk-end-of-day", "stockholm", tmp_path, day=quiet)
    assert [texts(document(placed), "ValutaOplysningKode") for placed in days] == [["JPY"], ["SEK"]]
    for placed in days:
        assert_valid(placed, *END_OF_DAY)
        assert total(document(placed), "EndOfDayRapportAntalSpil") == 0
    assert len(register(licensed, "stockholm")) == 2


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 7, 1), 24)]
)
def test_a_legal_day_has_the_hours_its_clocks_give_it(
    engine: Engine, tmp_path: Path, day: date, hours: int
) -> None:
    """Tallinn's midnight is at 22:00 of UTC in winter, at 21:00 in summer; a round is settled seven seconds on."""
    license_all(engine)
    take(a_handler(engine), deposit("ann"))
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    begin = midnight - timedelta(hours=2 if day <= date(2026, 3, 29) else 3)
    end = begin + timedelta(hours=hours)
    for name, moment in [
        ("before", begin - timedelta(seconds=8)),
        ("first", begin - timedelta(seconds=7)),
        ("last", end - timedelta(seconds=8)),
        ("after", end - timedelta(seconds=7)),
    ]:
        take(a_handler(engine), *a_round(name, "ann", moment))
    per_day = [
        total(
            document(one(produce(engine, "dk-end-of-day", "tallinn", tmp_path, day=each))),
            "EndOfDayRapportAntalSpil",
        )
        for each in (day - timedelta(days=1), day, day + timedelta(days=1))
    ]
    assert per_day == [1, 2, 1]
