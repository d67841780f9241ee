"""`backoffice cancel` and `backoffice correct`: rounds that went wrong."""

import re
from typing import Annotated

import typer

from backoffice.cli.asking import ask
from backoffice.cli.opening import house_of
from backoffice.cli.people import As
from backoffice.domain.cases.commands import CancelRound, RequestCorrection

RoundId = Annotated[str, typer.Argument(metavar="ROUND", help="The round's id.")]
Reason = Annotated[
    str, typer.Option("--reason", help="Why; at most 200 characters, of nobody in particular.")
]


def cancel(context: typer.Context, round_id: RoundId, reason: Reason, by: As) -> None:
    """Cancel a round: an open one at once, every stake goes back. Of a settled one the reversal is asked for.

    A reversal waits for a second person: `backoffice cases approve reversal/ROUND`. Ends with 1 if it is refused.
    """
    with house_of(context) as house:
        ask(house, CancelRound, by, round=round_id, reason=reason)


def correct(
    context: typer.Context,
    round_id: RoundId,
    reason: Reason,
    by: As,
    hand: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=CARDS", help='A hand as it really was: `1="Ah Kh Qh Jh Th"`, or `shared=...`.'
        ),
    ] = None,
    dealer: Annotated[str | None, typer.Option(help="The dealer's five cards as they really were.")] = None,
    up: Annotated[
        str | None, typer.Option("--open", help="Which of them was open, if not the one recorded.")
    ] = None,
) -> None:
    """Ask for a reversed round to be settled anew with the right cards; stakes and decisions stay as they were.

    A second person approves it: `backoffice cases approve correction/ROUND`. Ends with 1 if it is refused.
    """
    cards = {
        "hands": dict(map(_hand, hand or ())),
        "dealer": None if dealer is None else _cards(dealer),
        "up": up,
    }
    with house_of(context) as house:
        ask(house, RequestCorrection, by, round=round_id, reason=reason, **cards)


def _hand(text: str) -> tuple[str, tuple[str, ...]]:
    seat, separator, cards = text.partition("=")
    if not separator:
        raise typer.BadParameter(f"{text}: a hand is given as SEAT=CARDS")
    return seat, _cards(cards)


def _cards(text: str) -> tuple[str, ...]:
    """`"Ah Kh"`, `"AhKh"`; whether they are cards is for the command to say."""
    return tuple(re.findall(r"\S{1,2}", text))
