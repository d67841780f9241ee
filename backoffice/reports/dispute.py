"""Everything about one round for whoever disputes it, in one file: story, cards, rules in force, postings, hashes.

The same log at the same position gives the same bytes: the time on it is the log's own, of its last event then.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import exists, select

from backoffice.domain.event import Event
from backoffice.domain.rounds.events import (
    CardExchanged,
    DealerRevealed,
    HandsDealt,
    RoundCorrected,
    RoundOpened,
    StreetDealt,
)
from backoffice.log.envelope import Recorded
from backoffice.projections.cases import case_casinos, cases
from backoffice.reports.case_story import case_story, facts_of_case
from backoffice.reports.chain_excerpt import HOW_TO_VERIFY, chain_excerpt
from backoffice.reports.decoding import Damaged
from backoffice.reports.jackpots_now import jackpot_at
from backoffice.reports.narrowing import Narrowing
from backoffice.reports.reading import Reading
from backoffice.reports.round_story import facts_of_round, round_story
from backoffice.reports.rule_text import rules_in_force
from backoffice.reports.scope import EVERYTHING, Scope

Told = dict[str, Any]
"""Plain data, ready for JSON."""
VERSION = 1


def dispute_pack(reading: Reading, round_id: str, scope: Scope = EVERYTHING) -> Told:
    """The pack of a round as far as `scope` may see it; `reading` needs the cases. Raises UnknownRound.

    What is shown in part only cannot be put to the test by its hash: such facts are told, and counted as left out of the
    chain.
    """
    upto = reading.place.position
    story = round_story(reading.log, reading.codec, round_id, upto, scope)
    narrowing = Narrowing(scope)
    facts = [
        (recorded, event, shown)
        for recorded, event in facts_of_round(reading.log, reading.codec, round_id, upto)
        if (shown := narrowing.shown(event)) is not None
    ]
    cases_ = _cases_of(reading, round_id, scope)
    chained = {recorded.position: recorded for recorded, event, shown in facts if shown is event} | {
        recorded.position: recorded for name in cases_ for recorded in facts_of_case(reading.log, name, upto)
    }
    return {
        "title": f"Dispute pack of round {round_id}",
        "version": VERSION,
        "network": reading.network.id,
        "casinos": list(scope.casinos) or sorted(reading.network.casinos),
        "log": {"id": reading.place.log_id, "position": upto, "hash": reading.place.hash.hex()},
        "as_of": None if reading.recorded_at is None else reading.recorded_at.isoformat(),
        "rules": _rules(reading, ((recorded, shown) for recorded, _, shown in facts)),
        "cards": [
            {"position": recorded.position, "happened_at": recorded.happened_at.isoformat(), **dealt}
            for recorded, _, shown in facts
            if (dealt := _dealt(shown))
        ],
        "story": story,
        "cases": [case_story(reading.log, reading.codec, name, upto, scope) for name in cases_],
        "chain": {
            "how_to_verify": list(HOW_TO_VERIFY),
            "left_out": sum(shown is not event for _, event, shown in facts),
            "events": chain_excerpt(reading.log, reading.place, chained.values()),
        },
    }


def _rules(reading: Reading, facts: Iterable[tuple[Recorded, Event]]) -> Told:
    """As they were when the round was opened."""
    for recorded, event in facts:
        if isinstance(event, RoundOpened):
            name = event.terms.jackpot
            jackpot = None if name is None else jackpot_at(reading, name, recorded.position)
            return rules_in_force(event.terms, None if jackpot is None else jackpot.terms)
    raise Damaged("a round that was never opened has facts: see `backoffice verify`")


def _cases_of(reading: Reading, round_id: str, scope: Scope) -> list[str]:
    theirs = exists().where(case_casinos.c.case_id == cases.c.case_id, scope.holds(case_casinos.c.casino))
    query = select(cases.c.case_id).where(cases.c.round == round_id, theirs).order_by(cases.c.position)
    return list(reading.connection.execute(query).scalars())


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
