"""What rounds can be searched by, as parameters."""

from typing import Annotated

from fastapi import Depends, Query

from backoffice.api.problems import Finding, Kind, Problem
from backoffice.api.queries.parameters import TheScope, named
from backoffice.domain.event import AmountText, CurrencyCode, Instant
from backoffice.domain.rounds.phase import Phase
from backoffice.kernel.cards import RANKS, SUITS
from backoffice.kernel.currencies import BadAmount, parse_minor
from backoffice.kernel.hands import Category, in_order
from backoffice.reports.queries.round_leads import OVER, Between, RoundSearch

_CARD = f"[{RANKS}][{SUITS}]"
_CARDS = f"^{_CARD}( {_CARD}){{4}}$"
_HANDS = f"^({'|'.join(category.words for category in Category)})$"
_STATES = f"^({'|'.join([*Phase, 'open', 'suspended'])})$"
_UNFINISHED = tuple(phase for phase in Phase if phase not in OVER)
_Amount = Annotated[AmountText | None, Query(examples=["100.00"])]


async def _search(
    scope: TheScope,
    number: Annotated[str | None, named("17")] = None,
    table: Annotated[str | None, named("live-1")] = None,
    player: Annotated[str | None, named("p-1")] = None,
    state: Annotated[
        str | None,
        Query(
            pattern=_STATES,
            description="A phase; `open` for all that are not over; `suspended`.",
            examples=["settled"],
        ),
    ] = None,
    hand: Annotated[
        str | None,
        Query(
            pattern=_HANDS,
            description="A hand that somebody held, by its name. Who sees some casinos only is told of boxes where no other "
            "casino plays, and of shared hands and the dealer's.",
            examples=["full house"],
        ),
    ] = None,
    cards: Annotated[
        str | None,
        Query(
            pattern=_CARDS,
            description="A hand that somebody held, all five cards, in any order.",
            examples=["As Ks Qs Js Ts"],
        ),
    ] = None,
    since: Annotated[
        Instant | None,
        Query(
            description="Rounds opened at this moment or later, by the table's time. With `player`: that the player joined; "
            "else with `hand` or `cards`: in which they were held."
        ),
    ] = None,
    until: Annotated[Instant | None, Query(description="The same, before this moment.")] = None,
    currency: Annotated[CurrencyCode | None, Query(examples=["EUR"])] = None,
    stake_from: _Amount = None,
    stake_to: _Amount = None,
    payout_from: _Amount = None,
    payout_to: _Amount = None,
) -> RoundSearch:
    if player is not None and len(scope.casinos) != 1:
        raise _invalid("casino", "a player is a player of a casino: name it, too")
    return RoundSearch(
        scope=scope,
        number=number,
        table=table,
        player=player,
        phases=_phases(state),
        suspended=state == "suspended",
        hand=hand,
        cards=None if cards is None else " ".join(in_order(cards.split())),
        since=since,
        until=until,
        currency=currency,
        stake=_between(currency, "stake", stake_from, stake_to),
        payout=_between(currency, "payout", payout_from, payout_to),
    )


TheSearch = Annotated[RoundSearch, Depends(_search)]


def _phases(state: str | None) -> tuple[Phase, ...]:
    if state is None:
        return ()
    return _UNFINISHED if state in {"open", "suspended"} else (Phase(state),)


def _between(currency: str | None, name: str, least: str | None, most: str | None) -> Between:
    given = {f"{name}_from": least, f"{name}_to": most}
    minor = {field: None if text is None else _minor(field, text, currency) for field, text in given.items()}
    return Between(*minor.values())


def _minor(field: str, text: str, currency: str | None) -> int:
    if currency is None:
        raise _invalid("currency", "an amount is of a currency: name it, too")
    try:
        return parse_minor(text, currency)
    except BadAmount as bad:
        raise _invalid(field, str(bad)) from bad


def _invalid(field: str, reason: str) -> Problem:
    return Problem(Kind.INVALID, f"{field}: {reason}", errors=[Finding(field=field, reason=reason)])
