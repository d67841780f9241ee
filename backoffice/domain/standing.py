"""How what a fact touches stands: asked before and behind it, that is what it changed."""

from collections.abc import Iterator
from typing import Any

from backoffice.domain.access.events import KeyEvent
from backoffice.domain.accounts import wallet_of
from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.days.events import DayClosed
from backoffice.domain.event import Event
from backoffice.domain.filings.events import FileProduced
from backoffice.domain.jackpots.events import JackpotEvent
from backoffice.domain.ledger import postings
from backoffice.domain.meters import meter_moves
from backoffice.domain.network.events import (
    ApprovalSet,
    CasinoDefined,
    NetworkEvent,
    NetworkFounded,
    ParticularsGiven,
    RateSet,
    TableDefined,
)
from backoffice.domain.past import Past
from backoffice.domain.rounds.events import RoundEvent
from backoffice.kernel.money import Money


def standing(past: Past, event: Event) -> Iterator[tuple[str, Any]]:
    """What `event` is about and what it moves, each with how it stands in `past`; None for what is not there."""
    yield from _subject(past, event)
    for account, currency, _ in postings(event):
        if account.kind in {"player", "receivable"}:
            wallet = wallet_of(account, currency)
            held = past.held(wallet) if account.kind == "player" else past.owed(wallet)
            what = "balance" if account.kind == "player" else "debt"
            yield f"{what} of {wallet.player} of {wallet.casino} in {currency}", str(Money(held, currency))
    for move in meter_moves(event):
        bucket = past.buckets.get(move.jackpot, {}).get((move.casino, move.currency), 0)
        yield f"pool {move.jackpot}, {move.casino} in {move.currency}", str(Money(bucket, move.currency))


def _subject(past: Past, event: Event) -> Iterator[tuple[str, Any]]:
    match event:
        case RoundEvent():
            state = past.rounds.get(event.round)
            yield f"round {event.round}", None if state is None else state.phase
        case CaseEvent():
            case = past.cases.get(event.case)
            yield f"case {event.case}", None if case is None else case.standing
        case RateSet():
            known = past.rates.get(event.quote)
            yield f"rate {event.quote}", None if known is None or not known.values else known.values[-1]
        case JackpotEvent():
            jackpot = past.jackpots.get(event.jackpot)
            yield f"terms of jackpot {event.jackpot}", None if jackpot is None else jackpot.terms
        case DayClosed():
            closed = past.closed_days.get(event.casino)
            yield f"last closed day of {event.casino}", None if closed is None else closed.day
        case FileProduced():
            yield (
                f"files of {event.casino} for {event.authority}",
                past.files.get((event.casino, event.authority), 0),
            )
        case KeyEvent():
            yield f"key {event.key}", past.keys.get(event.key)
        case FileProduced():
            last = past.files.get((event.casino, event.authority))
            yield f"files of {event.casino} for {event.authority}", last
        case NetworkEvent():
            yield from _configured(past, event)


def _configured(past: Past, event: NetworkEvent) -> Iterator[tuple[str, Any]]:
    network = past.network
    match event:
        case NetworkFounded():
            yield "network", network.id or None
        case CasinoDefined():
            yield f"casino {event.casino}", network.casinos.get(event.casino)
        case ParticularsGiven():
            yield f"particulars of {event.casino}", network.particulars.get(event.casino)
        case TableDefined():
            yield f"table {event.table}", network.tables.get(event.table)
        case ApprovalSet():
            yield "approval", network.approval
        case _:
            raise TypeError(f"{event!r} is no fact of the network")
