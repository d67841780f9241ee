"""Everything about one round for whoever disputes it, in one file: story, cards, rules in force, postings, hashes.

The same log at the same position gives the same bytes: the time on it is the log's own, of its last event then.
"""

from typing import Any

from sqlalchemy import Connection, select

from backoffice.domain.event import Event
from backoffice.domain.rounds.events import (
    CardExchanged,
    DealerRevealed,
    HandsDealt,
    RoundCorrected,
    RoundOpened,
    StreetDealt,
)
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head, Recorded
from backoffice.log.protocol import Log, Reader
from backoffice.projections.cases import cases
from backoffice.reports.case_story import case_story, facts_of_case
from backoffice.reports.chain_excerpt import HOW_TO_VERIFY, chain_excerpt
from backoffice.reports.round_story import facts_of_round, round_story
from backoffice.reports.rule_text import rules_in_force

Told = dict[str, Any]
"""Plain data, ready for JSON."""
VERSION = 1


def dispute_pack(connection: Connection, log: Log, codec: Codec, round_id: str) -> Told:
    """The pack of a round as the log stands now; `connection` reads its cases, already caught up. Raises UnknownRound."""
    head = log.head()
    story = round_story(log, codec, round_id, head.position)
    facts = list(facts_of_round(log, codec, round_id, head.position))
    opened = next(event for _, event in facts if isinstance(event, RoundOpened))
    names = _cases_of(connection, round_id, head.position)
    chained = {recorded.position: recorded for recorded, _ in facts} | {
        recorded.position: recorded for name in names for recorded in facts_of_case(log, name, head.position)
    }
    return {
        "title": f"Dispute pack of round {round_id}",
        "version": VERSION,
        "log": {"id": head.log_id, "position": head.position, "hash": head.hash.hex()},
        "as_of": _recorded_at(log, head),
        "rules": rules_in_force(opened.terms),
        "cards": [
            {"position": recorded.position, "happened_at": recorded.happened_at.isoformat(), **dealt}
            for recorded, event in facts
            if (dealt := _dealt(event))
        ],
        "story": story,
        "cases": [case_story(log, codec, name, head.position) for name in names],
        "chain": {
            "how_to_verify": list(HOW_TO_VERIFY),
            "events": chain_excerpt(log, head, chained.values()),
        },
    }


def _cases_of(connection: Connection, round_id: str, upto: int) -> list[str]:
    query = select(cases.c.case_id).where(cases.c.round == round_id, cases.c.position <= upto)
    return list(connection.execute(query.order_by(cases.c.position)).scalars())


def _recorded_at(log: Reader, head: Head) -> str:
    last: Recorded = next(log.read(after=head.position - 1, upto=head.position))
    return last.recorded_at.isoformat()


def _dealt(event: Event) -> Told | None:
    """Which cards lay where, by one fact; None for one that deals none."""
    match event:
        case HandsDealt():
            return {"what": "hands dealt", "hands": _hands(event.hands), "open": event.up}
        case CardExchanged():
            return {"what": f"seat {event.seat} changes a card", "discard": event.discard, "draw": event.draw}
        case StreetDealt():
            return {"what": f"street {event.street}", "down": dict(event.down), "up": dict(event.up)}
        case DealerRevealed():
            return {"what": "dealer's hand", "dealer": list(event.dealer)}
        case RoundCorrected():
            told = {"what": "as they really were", "hands": _hands(event.hands)}
            return {**told, "dealer": list(event.dealer), "open": event.up} if event.dealer else told
        case _:
            return None


def _hands(hands: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {seat: list(cards) for seat, cards in hands.items()}
