"""Deciding every finished round again from its recorded inputs, and comparing with what was recorded.

The audit folds the log from its beginning by itself: buckets, rates and cycles of the jackpots are its own, not those
of any table. Only the outcome of a command that finished a round is not believed; it is worked out anew and compared.
A reversal works nothing out: it undoes what was settled, which is audited where it was settled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.decide import decide
from backoffice.domain.event import Event, Refused
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.meters import METERED
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Cancel, Refund, RoundCommand, Settle
from backoffice.domain.rounds.events import (
    CancellationRequested,
    PotSettled,
    RoundCancelled,
    RoundEvent,
    RoundReversed,
    RoundSettled,
)
from backoffice.kernel.ids import Wallet
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import decoded

Facts = list[tuple[Recorded, Event]]
"""What one command became, in order."""


@dataclass(frozen=True, slots=True)
class Audited:
    """A decision that was made again, and each place where what was recorded is not what is due."""

    round: str
    position: int
    decision: str
    differences: tuple[str, ...]


def audit_rounds(
    log: Reader, codec: Codec, only: str | None = None, upto: int | None = None
) -> Iterator[Audited]:
    """Every settlement, cancellation and refund up to a position decided again, or those of one round. Flat memory."""
    past = _AuditPast(only)
    for facts in _commands(log, codec, only, upto):
        recorded, event = facts[0]
        if isinstance(event, _DECISIONS) and only in {None, event.round}:
            differences = tuple(_differences(past, recorded, event, [fact for _, fact in facts]))
            yield Audited(event.round, recorded.position, event.type_name, differences)
        for _, fact in facts:
            past.apply(fact)


_DECISIONS = (RoundSettled, PotSettled, CancellationRequested, RoundCancelled)


class _AuditPast(Past):
    """A past without balances, debts and cases, which no outcome depends on; it lets go of rounds that are finished."""

    def __init__(self, only: str | None) -> None:
        super().__init__()
        self._only = only

    def evolve(self, event: Event) -> None:
        """Fold a fact in, if it is one of a round that is looked at."""
        if isinstance(event, CaseEvent | RoundReversed):
            return
        if isinstance(event, RoundEvent) and self._only not in {None, event.round}:
            return
        super().evolve(event)
        if isinstance(event, RoundSettled | PotSettled | RoundCancelled):
            del self.rounds[event.round]

    def move_balance(self, wallet: Wallet, minor: int) -> None:
        """Not kept."""

    def move_debt(self, wallet: Wallet, minor: int) -> None:
        """Not kept."""


def _commands(log: Reader, codec: Codec, only: str | None, upto: int | None) -> Iterator[Facts]:
    """The log command by command: what one became shares its correlation and cause, and stands together."""
    wanted = {kind.type_name for kind in METERED}
    stream = None if only is None else f"round/{only}"
    for _, group in groupby(log.read(upto=upto), key=lambda recorded: (recorded.correlation, recorded.cause)):
        facts = [
            (recorded, decoded(codec, recorded))
            for recorded in group
            if stream is None or recorded.stream == stream or recorded.type in wanted or _configures(recorded)
            if recorded.type
            != KeyConflicted.type_name  # is of the command that was refused, under the same id
        ]
        if facts:
            yield facts


def _configures(recorded: Recorded) -> bool:
    return recorded.stream.startswith(("network", "rates/", "jackpot/", "case/"))


def _differences(past: Past, recorded: Recorded, event: RoundEvent, facts: Sequence[Event]) -> Iterator[str]:
    command = _command(recorded, event)
    try:
        due = decide(past, command)
    except Refused as refused:
        yield f"{event.type_name}: recorded, and refused when it is decided again: {refused.reason}"
    else:
        yield from _compared(facts, due)


def _command(recorded: Recorded, event: RoundEvent) -> RoundCommand:
    """The command behind a recorded decision, with what of it was recorded."""
    asked: dict[str, Any] = {"id": "audit", "at": recorded.happened_at, "round": event.round}
    match event:
        case RoundSettled() | PotSettled():
            return Settle(do="settle", payouts=_claims(event), **asked)
        case CancellationRequested():
            return Cancel(do="cancel", reason=event.reason, **asked)
        case _:
            return Refund(**asked)


def _claims(event: RoundSettled | PotSettled) -> dict[str, dict[str, str]] | None:
    """The claimed payouts that differed; those that agreed are not recorded and need not be."""
    claims: dict[str, dict[str, str]] = {}
    for one in event.discrepancies:
        claims.setdefault(one.seat, {})[one.bet] = one.claimed.text
    return claims or None


def _compared(recorded: Sequence[Event], due: Sequence[Event]) -> Iterator[str]:
    for was, should in zip_longest(recorded, due):
        if was == should:
            continue
        yield from _differing(_plain(was), _plain(should), was.type_name if was else "nothing")


def _plain(event: Event | None) -> Any:
    return None if event is None else {"type": event.type_name, **event.model_dump(mode="json")}


def _differing(was: Any, should: Any, place: str) -> Iterator[str]:
    """Each place at which two plain values differ, down to the single amount."""
    if isinstance(was, dict) and isinstance(should, dict):
        for key in {**was, **should}:
            yield from _differing(was.get(key), should.get(key), f"{place}.{key}")
    elif isinstance(was, list) and isinstance(should, list):
        for index, (one, other) in enumerate(zip_longest(was, should)):
            yield from _differing(one, other, f"{place}[{_whose(one or other, index)}]")
    elif was != should:
        yield f"{place}: recorded {was}, due {should}"


def _whose(part: Any, index: int) -> str:
    """A part of a list by its seat and bet, where it has them."""
    named = part if isinstance(part, dict) else {}
    return ", ".join(f"{key} {named[key]}" for key in ("seat", "bet") if key in named) or str(index)
