"""The report on dealing: every table's tests, with chances made larger for the number of tests (Holm).

Games against the dealer: the hands of players and dealer as first dealt; a card that a player then changes depends on the
hand and is left out. Five Card Stud: the first street only, for who gets more cards depends on the cards before.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.dialects.postgresql import distinct_on

from backoffice.domain.rounds.events import StreetDealt
from backoffice.kernel.cards import pretty
from backoffice.log.tables import events
from backoffice.projections.rounds import ROUNDS, round_hands, rounds
from backoffice.reports.chance import holm
from backoffice.reports.dealing import Frequency, Repeats
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, texts
from backoffice.reports.rounds_asked import rounds_ended
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF

LEVEL = 0.01
"""Below this chance, made larger for the number of tests, a test is flagged."""
_AGAINST_THE_DEALER = [book.id for book in SHELF.values() if isinstance(book, HouseBook)]


class Check(NamedTuple):
    """One test of one table."""

    table: str
    test: str
    rounds: int
    counted: int
    expected: str
    statistic: str
    chance: float | None
    striking: str
    note: str | None = None


def _rows(reading: Reading) -> Iterator[Row]:
    checks = [*_against_the_dealer(reading), *_of_pot_games(reading)]
    weighed = holm({number: check.chance for number, check in enumerate(checks) if check.chance is not None})
    for number, check in sorted(enumerate(checks), key=lambda numbered: numbered[1][:2]):
        adjusted = weighed.get(number)
        yield {
            **check._asdict(),
            "chance": _written(check.chance),
            "adjusted": _written(adjusted),
            "flagged": "yes" if adjusted is not None and adjusted < LEVEL else "no",
        }


def _written(chance: float | None) -> str | None:
    return None if chance is None else f"{chance:.9f}"


def _against_the_dealer(reading: Reading) -> Iterator[Check]:
    cards, repeated = _cards(reading), _repeated(reading)
    for row in reading.connection.execute(_tables(reading)).mappings():
        table, hands, rounds_ = row["table_id"], int(row["hands"]), int(row["rounds"])
        dealt = cards.get(table, {})
        yield _frequency(table, rounds_, Frequency(dealt, 5 * hands, int(row["spread"])))
        again = repeated.get(table, {})
        yield _repeats(table, rounds_, again, Repeats(hands, int(row["pairs"]), list(again.values())))


def _frequency(table: str, rounds_: int, frequency: Frequency) -> Check:
    card, statistic = frequency.farthest, frequency.statistic
    return Check(
        table=table,
        test="card frequency",
        rounds=rounds_,
        counted=frequency.cards,
        expected=f"{float(frequency.expected):.1f}",
        statistic="" if statistic is None else f"{float(statistic):.3f}",
        chance=frequency.chance,
        striking=f"{pretty([card])} {frequency.dealt.get(card, 0)} times",
        note="too few cards for a test" if statistic is None else None,
    )


def _repeats(table: str, rounds_: int, again: dict[str, int], repeats: Repeats) -> Check:
    most = max(sorted(again), key=again.__getitem__, default=None)
    return Check(
        table=table,
        test="repeated hands",
        rounds=rounds_,
        counted=repeats.hands,
        expected=f"{float(repeats.expected):.6f}",
        statistic=str(repeats.pairs),
        chance=repeats.chance,
        striking="" if most is None else f"{pretty(most.split())} {again[most]} times",
    )


def _first_hands(reading: Reading) -> Select[Any]:
    """Each seat's hand, and the dealer's, as first recorded."""
    hand = round_hands.c
    return (
        select(rounds.c.table_id, hand.round, hand.seat, hand.cards)
        .join_from(round_hands, rounds, hand.round == rounds.c.round)
        .where(rounds.c.ruleset.in_(_AGAINST_THE_DEALER), rounds_ended(reading))
        .order_by(hand.round, hand.seat, hand.position)
        .ext(distinct_on(hand.round, hand.seat))
    )


def _tables(reading: Reading) -> Select[Any]:
    """Per table: rounds, hands, pairs of hands in one round, and the sum of k (52 - k) over its rounds' k cards."""
    first = _first_hands(reading).subquery("first")
    hands = func.count().label("hands")
    in_round = (
        select(first.c.table_id, first.c.round, hands)
        .group_by(first.c.table_id, first.c.round)
        .subquery("in_round")
    )
    each = in_round.c.hands
    return (
        select(
            in_round.c.table_id,
            func.count().label("rounds"),
            func.sum(each).label("hands"),
            func.sum(each * (each - 1) / 2).label("pairs"),
            func.sum(5 * each * (52 - 5 * each)).label("spread"),
        )
        .group_by(in_round.c.table_id)
        .order_by(in_round.c.table_id)
    )


def _cards(reading: Reading) -> dict[str, dict[str, int]]:
    """How often each card was dealt, by table."""
    first = _first_hands(reading).subquery("first")
    card = func.unnest(func.string_to_array(first.c.cards, " ")).label("card")
    one_by_one = select(first.c.table_id, card).subquery("one_by_one")
    query = select(one_by_one.c.table_id, one_by_one.c.card, func.count()).group_by(*one_by_one.c)
    found: dict[str, dict[str, int]] = {}
    for table, name, times in reading.connection.execute(query):
        found.setdefault(table, {})[name] = times
    return found


def _repeated(reading: Reading) -> dict[str, dict[str, int]]:
    """The hands that came more than once, and how often, by table."""
    first = _first_hands(reading).subquery("first")
    query = (
        select(first.c.table_id, first.c.cards, func.count())
        .group_by(first.c.table_id, first.c.cards)
        .having(func.count() > 1)
    )
    found: dict[str, dict[str, int]] = {}
    for table, cards, times in reading.connection.execute(query):
        found.setdefault(table, {})[cards] = times
    return found


def _of_pot_games(reading: Reading) -> Iterator[Check]:
    """Streets are read from the log: the hands of a pot game are not known whole."""
    dealt: dict[str, Counter[str]] = {}
    deals: dict[str, Counter[int]] = {}
    for row in reading.stream(_streets(reading)):
        event = reading.codec.decode(row["type"], row["schema"], row["data"].encode())
        assert isinstance(event, StreetDealt)
        if event.street == 1:
            cards = [*event.down.values(), *event.up.values()]
            dealt.setdefault(row["table_id"], Counter()).update(cards)
            deals.setdefault(row["table_id"], Counter())[len(cards)] += 1
    for table, sizes in sorted(deals.items()):
        spread = sum(times * k * (52 - k) for k, times in sizes.items())
        yield _frequency(table, sizes.total(), Frequency(dealt[table], dealt[table].total(), spread))


def _streets(reading: Reading) -> Select[Any]:
    return (
        select(rounds.c.table_id, events.c.type, events.c.schema, events.c.data)
        .join_from(events, rounds, rounds.c.round == func.substr(events.c.stream, len("round/") + 1))
        .where(
            rounds.c.ruleset.not_in(_AGAINST_THE_DEALER),
            events.c.type == StreetDealt.type_name,
            events.c.position <= reading.place.position,
            rounds_ended(reading),
        )
    )


DEALING_CHECKS = Report(
    name="dealing-checks",
    title="Dealing checks",
    about="whether cards and hands of each table come as chance has it; chances weighed for many tests by Holm's method",
    columns=(
        *texts("table", "test"),
        *counts("rounds", "counted", summed=False),
        *(Column(name, Kind.NUMBER) for name in ("expected", "statistic", "chance", "adjusted")),
        *texts("flagged", "striking", "note"),
    ),
    rows=_rows,
    needs=(ROUNDS,),
    tells_of_others=True,
)
