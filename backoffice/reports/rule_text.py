"""A book in words and tables, as a player or a court may read it: written from the very numbers that pay."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from backoffice.domain.terms import JackpotTerms, TableTerms
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.hands import Category
from backoffice.kernel.money import Money
from backoffice.rules.book import (
    Amounts,
    Book,
    Chips,
    FixedBonus,
    HouseBook,
    JackpotPrize,
    OddsBonus,
    Percent,
    PotBook,
)
from backoffice.rules.books import READINGS, SHELF

Told = dict[str, Any]
"""Plain data, ready for JSON."""


def rules_in_force(terms: TableTerms, jackpot: JackpotTerms | None = None) -> Told:
    """The book a round was opened under, its table's own numbers, its jackpot's parameters: sentences, pay table, limits."""
    book = SHELF[terms.ruleset]
    return {
        "book": book.id,
        "sheet": book.sheet,
        "about": READINGS[book.id],
        "sentences": [*_sentences(book, terms), *(() if jackpot is None else _jackpot(jackpot))],
        "pay_table": _pay_table(book) if isinstance(book, HouseBook) else None,
        "limits": [
            {
                "bet": bet,
                "currency": currency,
                "minimum": format_minor(low, currency),
                "maximum": format_minor(high, currency),
            }
            for bet, by_currency in terms.limits.items()
            for currency, (low, high) in by_currency.items()
        ],
    }


def _sentences(book: Book, terms: TableTerms) -> Iterator[str]:
    yield f"The table is open to players of {_listed(terms.casinos)}."
    if isinstance(book, PotBook):
        yield from _pot_game(book, terms)
        return
    yield from _deal(book, terms)
    yield from _main_game(book)
    yield from _side_bets(book, terms)
    yield from _oddities(book, terms)


def _deal(book: HouseBook, terms: TableTerms) -> Iterator[str]:
    seats = terms.seats or book.seats
    yield f"There are {seats} boxes." if seats else "Any number of players may play."
    yield (
        "One hand of five cards is dealt for all players together."
        if book.shared_hand
        else "Each box is dealt five cards of its own."
    )
    yield "The dealer has five cards, one of them open before players decide."


def _main_game(book: HouseBook) -> Iterator[str]:
    yield "To play on a player calls with twice the ante; to fold gives the ante up."
    yield f"The dealer plays with {book.qualifier.value}."
    ante = "is paid 1 : 1" if book.ante_unqualified == "win" else "goes back"
    but = ", but for the hands that the pay table lists for that case" if book.call_odds_unqualified else ""
    yield f"Where the dealer does not play, the ante {ante} and the call goes back{but}."
    yield "Where the dealer plays and the player's hand is better, the ante is paid 1 : 1 and the call by the pay table."
    yield "Where the dealer's hand is better, ante and call are lost; at a tie both go back."
    if book.timeout_calls_from is None:
        yield "Without a decision in time the hand is folded."
    else:
        yield f"Without a decision in time {book.timeout_calls_from.words} or better is called, anything less folded."


def _side_bets(book: HouseBook, terms: TableTerms) -> Iterator[str]:
    match book.bonus:
        case OddsBonus():
            yield "The 5+1 Bonus is paid on the best five of the hand and the dealer's open card."
        case FixedBonus(currency, stake):
            back = "with" if terms.bonus_returns_stake else "without"
            yield f"The Bonus costs {Money(stake, currency)}; its prizes are paid {back} the stake."
    if book.bonus is not None:
        yield f"A fold {'loses the Bonus too' if book.fold_loses_bonus else 'does not touch the Bonus'}."
    if book.jackpot is not None and terms.jackpot is not None:
        yield f"A mark plays for jackpot {terms.jackpot} with the five cards of the hand, called or folded."
        if book.jackpot.must_announce:
            yield "A jackpot hand that nobody would turn over wins only when it was announced."


def _jackpot(terms: JackpotTerms) -> Iterator[str]:
    for currency, chip in terms.chip.items():
        pool = Money(chip.pool, currency)
        yield f"A chip costs {Money(chip.stake, currency)}, of which {pool} go into the pool."
    divided = "in equal parts" if terms.split == "equal" else "by what each one's chip cost"
    yield f"What several win of the pool is divided among them {divided}."
    yield f"Fixed prizes are paid by the {terms.fixed_prizes}."
    if terms.ceiling is not None:
        yield f"What comes in above {Money(terms.ceiling, terms.currency)} waits in a reserve for the next pool."
    if terms.verify_over is not None:
        over = Money(terms.verify_over, terms.currency)
        yield f"A share of more than {over} is held until a second person confirms it."


def _oddities(book: HouseBook, terms: TableTerms) -> Iterator[str]:
    if book.exchange:
        yield "One card may be changed for a fee of the ante, which the house keeps; it gives the jackpot up."
    if book.blind_boxes:
        yield f"A seated player may play up to {book.blind_boxes} vacant boxes blind: ante and call are taken before the deal."
    if book.voids_hands:
        yield "A hand that broke the rules is void: its ante and call are forfeited, and it wins no Bonus."
    if book.capped:
        for currency, cap in terms.max_payout.items():
            yield f"Winnings of call and Bonus together are paid up to {Money(cap, currency)} a player."
        yield "What is above that comes off the Bonus first."
    if book.return_percent_over_100:
        yield "This book as printed returns more than it takes."


def _pot_game(book: PotBook, terms: TableTerms) -> Iterator[str]:
    stud = terms.stud
    assert stud is not None, "a pot game's table has its stakes"
    yield f"Up to {terms.seats or book.seats} players play against each other for a pot; the house deals."
    stakes = (Money(amount, stud.currency) for amount in (stud.ante, stud.bring_in, stud.small, stud.big))
    yield "The ante is {}, the bring-in {}, the small bet {}, the big bet {}.".format(*stakes)
    yield f"A round of betting has one bet and {book.raises} raises at most; from round {book.big_from_round} on bets are big."
    yield f"In round {book.open_pair_round}, where an open pair shows, one may bet or raise two units."
    yield f"The last card is dealt {stud.last_card}."
    yield "The best hand shown takes the pot; equal hands divide it, an odd unit going to the first left of the dealer."
    yield f"The house takes {stud.rake_percent}% of each pot."


def _pay_table(book: HouseBook) -> Told:
    columns: dict[str, Mapping[Category, str]] = {"call": _odds(book.call_odds)}
    if book.call_odds_unqualified:
        columns["call, dealer not playing"] = _odds(book.call_odds_unqualified)
    match book.bonus:
        case OddsBonus(odds):
            columns["5+1 Bonus"] = _odds(odds)
        case FixedBonus(currency, _, prizes):
            columns["Bonus"] = {hand: str(Money(prize, currency)) for hand, prize in prizes.items()}
    if book.jackpot is not None:
        columns["jackpot"] = {hand: _prize(prize) for hand, prize in book.jackpot.prizes.items()}
    return {
        "columns": ["hand", *columns],
        "rows": [
            [hand.words, *(column.get(hand, "-") for column in columns.values())]
            for hand in sorted(Category, reverse=True)
        ],
    }


def _odds(odds: Mapping[Category, int]) -> Mapping[Category, str]:
    return {hand: f"{n} : 1" for hand, n in odds.items()}


def _prize(prize: JackpotPrize) -> str:
    match prize:
        case Percent(percent):
            return f"{percent}% of the pool"
        case Chips(times):
            return f"{times} chips"
        case Amounts(by_currency):
            return " or ".join(str(Money(minor, currency)) for currency, minor in by_currency.items())


def _listed(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
