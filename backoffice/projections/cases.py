"""What people must decide, and have decided: one row a case, as it stands; and whose staff it is for."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Index, Table

from backoffice.db import metadata
from backoffice.domain.cases.events import (
    CaseDismissed,
    CaseEvent,
    CaseVoided,
    ClaimOpened,
    CompensationOpened,
    CompensationPaid,
    CompensationTakenBack,
    CorrectionCarriedOut,
    CorrectionRequested,
    DebtWrittenOff,
    DisputeOpened,
    LargeWinHeld,
    LargeWinReleased,
    MoneyMoved,
    ProposalApproved,
    ProposalMade,
    ProposalRefused,
    ReversalCarriedOut,
    ReversalRequested,
    SeatCaseOpened,
    WriteOffRequested,
)
from backoffice.domain.cases.state import Opening, RoundRequest, Standing
from backoffice.domain.event import Event
from backoffice.projections.changes import Amend, Change, Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

cases = Table(
    "cases",
    metadata,
    Column("case_id", NAME, primary_key=True),
    Column("kind", NAME, nullable=False),
    Column("standing", NAME, nullable=False),
    Column("outcome", NAME),
    Column("round", NAME),
    Column("seat", NAME),
    Column("casino", NAME),
    Column("player", NAME),
    Column("currency", NAME),
    # How it opened: by a person, or by itself.
    Column("opened_by", NAME),
    Column("grounds", NAME),
    Column("reason", NAME),
    Column("hand", NAME),
    Column("cards", NAME),
    Column("suggested_minor", BigInteger),
    Column("bet", NAME),
    Column("claimed_minor", BigInteger),
    Column("due_minor", BigInteger),
    Column("jackpot", NAME),
    Column("held_minor", BigInteger),
    Column("asked_minor", BigInteger),
    # The newest proposal, and what became of it.
    Column("proposal", BigInteger),
    Column("proposed_minor", BigInteger),
    Column("proposed_by", NAME),
    Column("proposed_at", DateTime(timezone=True)),
    Column("proposed_because", NAME),
    Column("expires_at", DateTime(timezone=True)),
    Column("seconded_by", NAME),
    Column("decision", NAME),
    Column("decided_by", NAME),
    Column("decided_at", DateTime(timezone=True)),
    Column("decided_because", NAME),
    Column("moved_minor", BigInteger),
    Column("opened_at", DateTime(timezone=True), nullable=False),
    Column("closed_at", DateTime(timezone=True)),
    Column("position", BigInteger, nullable=False),
    Column("last_position", BigInteger, nullable=False),
    Index(None, "round"),
    Index(None, "standing"),
    Index(None, "player"),
    Index(None, "position", "case_id"),
    schema=SCHEMA,
)
"""`outcome` says how a closed case ended; `seconded_by` approved what another one had to approve as well."""

case_casinos = Table(
    "case_casinos",
    metadata,
    Column("case_id", NAME, primary_key=True),
    Column("casino", NAME, primary_key=True),
    Index(None, "casino"),
    schema=SCHEMA,
)
"""The casinos whose staff decide: the player's, or all that played in the round."""


def changes(fact: Fact) -> Iterator[Change]:
    """A case opens, and everything after it moves it on."""
    event = fact.event
    assert isinstance(event, CaseEvent)
    if isinstance(event, Opening):
        yield Put(cases, _opened(fact, event))
        casinos = event.casinos if isinstance(event, RoundRequest) else (event.casino,)
        yield from (Put(case_casinos, {"case_id": event.case, "casino": casino}) for casino in casinos)
    else:
        yield Amend(
            cases, (event.case,), {**_MOVED_ON[type(event)](fact, event), "last_position": fact.position}
        )


def _opened(fact: Fact, event: Opening) -> dict[str, Any]:
    return {
        **dict.fromkeys(cases.c.keys()),
        "case_id": event.case,
        "kind": event.kind,
        "standing": Standing.OPEN,
        "round": None if isinstance(event, WriteOffRequested) else event.round,
        "opened_at": fact.happened_at,
        "position": fact.position,
        "last_position": fact.position,
        **_OPENED[type(event)](event),
    }


def _seat(event: SeatCaseOpened) -> dict[str, Any]:
    return {"seat": event.seat, "casino": event.casino, "player": event.player}


def _compensation(event: CompensationOpened) -> dict[str, Any]:
    return {
        **_seat(event),
        "currency": event.suggested.currency,
        "hand": event.hand,
        "cards": " ".join(event.cards),
        "suggested_minor": event.suggested.minor,
    }


def _dispute(event: DisputeOpened) -> dict[str, Any]:
    return {
        **_seat(event),
        "currency": event.due.currency,
        "bet": event.bet,
        "claimed_minor": event.claimed.minor,
        "due_minor": event.due.minor,
    }


def _large_win(event: LargeWinHeld) -> dict[str, Any]:
    return {
        **_seat(event),
        "currency": event.held.currency,
        "jackpot": event.jackpot,
        "held_minor": event.held.minor,
    }


def _claim(event: ClaimOpened) -> dict[str, Any]:
    return {
        "casino": event.casino,
        "player": event.player,
        "currency": event.currency,
        "grounds": event.grounds,
        "opened_by": event.by,
        "reason": event.reason,
    }


def _about_a_round(event: RoundRequest) -> dict[str, Any]:
    return {"opened_by": event.by, "reason": event.reason}


def _write_off(event: WriteOffRequested) -> dict[str, Any]:
    return {
        "casino": event.casino,
        "player": event.player,
        "currency": event.amount.currency,
        "asked_minor": event.amount.minor,
        "opened_by": event.by,
        "reason": event.reason,
    }


_OPENED: Mapping[type[Event], Callable[[Any], dict[str, Any]]] = {
    CompensationOpened: _compensation,
    DisputeOpened: _dispute,
    LargeWinHeld: _large_win,
    ClaimOpened: _claim,
    ReversalRequested: _about_a_round,
    CorrectionRequested: _about_a_round,
    WriteOffRequested: _write_off,
}


def _proposed(fact: Fact, event: ProposalMade) -> dict[str, Any]:
    """Nothing is decided any more; a case that was closed is open again."""
    return {
        "standing": Standing.PROPOSED,
        "outcome": None,
        "closed_at": None,
        "proposal": event.proposal,
        "proposed_minor": None if event.amount is None else event.amount.minor,
        "proposed_by": event.by,
        "proposed_at": fact.happened_at,
        "proposed_because": event.reason,
        "expires_at": event.expires_at,
        "seconded_by": None,
        **dict.fromkeys(("decision", "decided_by", "decided_at", "decided_because")),
    }


def _approved(fact: Fact, event: ProposalApproved) -> dict[str, Any]:
    if not event.final:
        return {"seconded_by": event.by}
    return {
        "standing": Standing.APPROVED,
        "decision": "approved",
        "decided_by": event.by,
        "decided_at": fact.happened_at,
    }


def _refused(fact: Fact, event: ProposalRefused) -> dict[str, Any]:
    return {
        "standing": Standing.OPEN,
        "decision": "refused",
        "decided_by": event.by,
        "decided_at": fact.happened_at,
        "decided_because": event.reason,
    }


def _closed(outcome: str) -> Callable[[Fact, CaseEvent], dict[str, Any]]:
    def closed(fact: Fact, event: CaseEvent) -> dict[str, Any]:
        moved = {"moved_minor": event.amount.minor} if isinstance(event, MoneyMoved) else {}
        return {"standing": Standing.CLOSED, "outcome": outcome, "closed_at": fact.happened_at, **moved}

    return closed


def _taken_back(_: Fact, __: CompensationTakenBack) -> dict[str, Any]:
    return {"outcome": "taken back", "moved_minor": 0}


_MOVED_ON: Mapping[type[Event], Callable[[Fact, Any], dict[str, Any]]] = {
    ProposalMade: _proposed,
    ProposalApproved: _approved,
    ProposalRefused: _refused,
    CaseDismissed: _closed("dismissed"),
    CaseVoided: _closed("void"),
    CompensationPaid: _closed("paid"),
    CompensationTakenBack: _taken_back,
    LargeWinReleased: _closed("released"),
    DebtWrittenOff: _closed("written off"),
    ReversalCarriedOut: _closed("carried out"),
    CorrectionCarriedOut: _closed("carried out"),
}


CASES = Projection(
    name="cases",
    version=2,
    tables=(cases, case_casinos),
    wants=(*_OPENED, *_MOVED_ON),
    changes=changes,
)
