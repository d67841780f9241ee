"""One round as a story: who, what, when, the cards, each pay line with its rule, the postings, the hashes."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any

from backoffice.domain.accounts import Posting
from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.cases.names import correction_id, reversal_id
from backoffice.domain.event import Event
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.rounds.decisions import Round, evolve_round
from backoffice.domain.rounds.events import (
    Line,
    PotSettled,
    RoundCancelled,
    RoundEvent,
    RoundReversed,
    RoundSettled,
)
from backoffice.kernel.currencies import format_minor
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import decoded
from backoffice.reports.narrowing import Narrowing, postings_within
from backoffice.reports.round_sentences import when
from backoffice.reports.scope import EVERYTHING, Scope
from backoffice.reports.sentences import sentence

Told = dict[str, Any]
"""Plain data, ready for JSON: amounts are decimal strings, times RFC 3339 in UTC, hashes hexadecimal."""


class UnknownRound(LookupError):
    """No round of this id was ever opened."""


def round_story(
    log: Reader, codec: Codec, round_id: str, upto: int | None = None, scope: Scope = EVERYTHING
) -> Told:
    """Everything the log knows of a round, up to a position or its end, with what it did to money, as far as `scope` may
    see it. Raises UnknownRound, also for one that was not played at a table of the scope.
    """
    narrowing = Narrowing(scope)
    told: list[Told] = []
    lines: list[Told] = []
    state: Round | None = None
    for recorded, event in facts_of_round(log, codec, round_id, upto):
        if isinstance(event, RoundEvent):
            state = evolve_round(state, event)
        shown = narrowing.shown(event)
        if shown is not None:
            told.append(_tell(recorded, shown, postings_within(scope, event), _chips_of(state)))
            lines += _result(shown)
    if state is None or not scope.meets(state.opened.terms.casinos):
        raise UnknownRound(f"round {round_id} was never opened")
    opened = state.opened
    return {
        "round": round_id,
        "number": opened.number,
        "table": opened.table,
        "ruleset": opened.terms.ruleset,
        "jackpot": opened.terms.jackpot,
        "dealer": opened.dealer,
        "shift": opened.shift,
        "phase": str(state.phase),
        "suspended": state.suspended,
        "events": told,
        "lines": [{**line, "holds": line["result_number"] == lines[-1]["result_number"]} for line in lines],
    }


def _result(event: Event) -> list[Told]:
    """The lines of a fact that gave the round a result; a later result takes an earlier one's place."""
    match event:
        case RoundSettled(lines=lines, number=number) | PotSettled(lines=lines, number=number):
            return [_line(line, number) for line in lines]
        case RoundCancelled(lines=lines):
            return [_line(line, 1) for line in lines]
        case RoundReversed():
            return [_line(line, event.number) for line in event.refunds]
        case _:
            return []


def facts_of_round(
    log: Reader, codec: Codec, round_id: str, upto: int | None = None
) -> Iterator[tuple[Recorded, Event]]:
    """The round's own facts, what became true elsewhere by the commands that ended it, who took it back and who agreed."""
    own, *asked = (f"round/{round_id}", f"case/{reversal_id(round_id)}", f"case/{correction_id(round_id)}")
    streams = log.read_streams([own, *asked])
    facts = {recorded.position: recorded for stream in streams.values() for recorded in stream}
    for recorded in streams.get(own, ()):
        if recorded.type in _ENDINGS:
            others = log.read(after=recorded.position, batch=100)
            facts |= {
                other.position: other for other in takewhile(partial(_is_of_one_command, recorded), others)
            }
    for position in sorted(position for position in facts if upto is None or position <= upto):
        yield facts[position], decoded(codec, facts[position])


_ENDINGS = {kind.type_name for kind in (RoundSettled, PotSettled, RoundCancelled, RoundReversed)}


def _is_of_one_command(recorded: Recorded, other: Recorded) -> bool:
    """A conflict bears the id of the request that it was refused for, and is none of its facts."""
    one, another = ((each.correlation, each.cause) for each in (recorded, other))
    return one == another and other.type != KeyConflicted.type_name


def _chips_of(state: Round | None) -> str:
    """The currency of a pot game's chips."""
    return "" if state is None or state.opened.terms.stud is None else state.opened.terms.stud.currency


def _tell(recorded: Recorded, event: Event, posted: Iterable[Posting], currency: str) -> Told:
    return {
        "position": recorded.position,
        "stream": recorded.stream,
        "version": recorded.version,
        "type": recorded.type,
        "schema": recorded.schema,
        "happened_at": recorded.happened_at.isoformat(),
        "recorded_at": recorded.recorded_at.isoformat(),
        "actor": recorded.actor,
        "correlation": recorded.correlation,
        "cause": None if recorded.cause is None else str(recorded.cause),
        "what": sentence(event, currency),
        "case": event.case if isinstance(event, CaseEvent) else None,
        "postings": [
            {"account": str(account), "currency": currency, "amount": format_minor(minor, currency)}
            for account, currency, minor in posted
        ],
        "hash": recorded.hash.hex(),
    }


def _line(line: Line, number: int) -> Told:
    return {
        "result_number": number,
        "seat": line.seat,
        "casino": line.casino,
        "player": line.player,
        "currency": line.currency,
        "bet": line.bet,
        "stake": format_minor(line.stake, line.currency),
        "result": line.result,
        "odds": line.odds,
        "payout": format_minor(line.payout, line.currency),
        "cut": format_minor(line.cut, line.currency) if line.cut else None,
        "rule": line.rule,
        "paid_by": line.paid_by,
    }


def as_text(story: Told) -> Iterator[str]:
    """The story for a person to read, line by line."""
    run = "".join(f", {who} {story[who]}" for who in ("jackpot", "dealer", "shift") if story[who])
    phase = f"{story['phase']}{', suspended' if story['suspended'] else ''}"
    yield f"Round {story['round']}, number {story['number']}, table {story['table']}, {story['ruleset']}{run}: {phase}"
    for event in story["events"]:
        yield ""
        yield f"{event['position']:>8}  {when(event['happened_at'])}  {event['actor']}"
        yield f"          {event['what']}"
        for posting in event["postings"]:
            yield f"            {posting['account']:<48} {posting['amount']:>16} {posting['currency']}"
        yield f"          {event['type']} v{event['version']}, {event['hash']}"
    for number, lines in groupby(story["lines"], key=itemgetter("result_number")):
        told = list(lines)
        yield ""
        if number > 1 or not told[0]["holds"]:
            yield f"Result {number}, {'which holds' if told[0]['holds'] else 'until another took its place'}:"
        yield from map(_line_text, told)


def _line_text(line: Told) -> str:
    odds = f" {line['odds']}:1" if line["odds"] is not None else ""
    cut = f", cut by {line['cut']}" if line["cut"] else ""
    return (
        f"seat {line['seat']:<4} {line['bet']:<8} {line['stake']:>12} {line['result']:<6}{odds:<7} "
        f"pays {line['payout']:>14} {line['currency']}  {line['rule']}{cut}"
    )
