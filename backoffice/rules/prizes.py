"""What a marked hand may claim from the jackpot table."""

from backoffice.kernel.hands import Category, hand_value
from backoffice.rules.book import HouseBook, JackpotPrize
from backoffice.rules.settlement import Box, Decision


def jackpot_hand(book: HouseBook, cards: tuple[str, ...]) -> tuple[Category, JackpotPrize] | None:
    """The hand and its prize in the jackpot table, or None: the first five cards count, whatever the dealer has."""
    if book.jackpot is None:
        return None
    category = hand_value(cards).category
    prize = book.jackpot.prizes.get(category)
    return None if prize is None else (category, prize)


def jackpot_claim(book: HouseBook, box: Box, *, dealer_plays: bool) -> tuple[Category, JackpotPrize] | None:
    """The prize a *marked* box wins at the settling.

    An exchange gives the jackpot up and a void hand wins none. Where the book wants it, a hand that nobody turns over
    (folded, or the dealer does not open) wins only when announced; the dealer turns blind boxes himself.
    """
    if box.exchanged or box.decision is Decision.VOID:
        return None
    won = jackpot_hand(book, box.cards)
    if won is None or book.jackpot is None:
        return None
    turned_over = box.blind or (dealer_plays and box.decision is Decision.CALL)
    if book.jackpot.must_announce and not turned_over and not box.announced:
        return None
    return won
