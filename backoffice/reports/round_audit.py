"""Deciding every finished round again from its recorded inputs, and comparing with what was recorded.

The audit folds the log from its beginning by itself: buckets, rates and cycles of the jackpots are its own, not those
of any table. Only the outcome of a command that finished a round is not believed; it is worked out anew and compared.
So it is with what took a finished round back, or corrected it: for that the round, its cases, and the balances of those
who played in it are looked up as they stood; of nobody else a balance is kept.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any

from pydantic_core import to_jsonable_python

from backoffice.domain.cases.commands import CarryOut
from backoffice.domain.cases.events import CaseEvent, CorrectionCarriedOut, ReversalCarriedOut
from backoffice.domain.decide import decide
from backoffice.domain.event import Command, Event, Refused
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.ledger import POSTED
from backoffice.domain.meters import METERED
from backoffice.domain.office import cases_of_result
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Cancel, Refund, Settle
from backoffice.domain.rounds.events import (
    CancellationRequested,
    PotSettled,
    RoundCancelled,
    RoundCorrected,
    RoundEvent,
    RoundOpened,
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
    """Every settlement, cancellation, refund, reversal and correction up to a position decided again, or those of one round.

    Flat memory.
    """
    past = _AuditPast(only, _players_of_undone(log, codec, only, upto))
    for facts in _commands(log, codec, only, upto, balances=bool(past.watched)):
        decided = _decided(facts)
        if decided is not None and only in {None, decided[1].round}:
            recorded, event = decided
            with past.looking_up(log, codec, facts):
                differences = tuple(_differences(past, recorded, event, [fact for _, fact in facts]))
            yield Audited(event.round, recorded.position, event.type_name, differences)
        for _, fact in facts:
            past.apply(fact)


_DECISIONS = (RoundSettled, PotSettled, CancellationRequested, RoundCancelled)
_UNDOING = (RoundReversed, RoundCorrected)


def _decided(facts: Facts) -> tuple[Recorded, RoundEvent] | None:
    """The fact that tells which decision about a round a command was; None if it was none."""
    for recorded, event in facts:
        if isinstance(event, _UNDOING):
            return recorded, event
    recorded, event = facts[0]
    return (recorded, event) if isinstance(event, _DECISIONS) else None


def _players_of_undone(log: Reader, codec: Codec, only: str | None, upto: int | None) -> frozenset[Wallet]:
    """Who played in rounds that were taken back: what they had left decides what became a debt."""
    watched: set[Wallet] = set()
    for recorded in log.read(upto=upto, types=[RoundReversed.type_name]):
        event = decoded(codec, recorded)
        if isinstance(event, RoundReversed) and only in {None, event.round}:
            watched.update(line.wallet for line in event.lines)
    return frozenset(watched)


class _AuditPast(Past):
    """A past that lets go of rounds that are finished, without debts and cases, and of balances with the `watched` only."""

    def __init__(self, only: str | None, watched: Collection[Wallet] = ()) -> None:
        super().__init__()
        self._only = only
        self.watched = watched

    def evolve(self, event: Event) -> None:
        """Fold a fact in, if it is one of a round that is looked at and not over."""
        if isinstance(event, CaseEvent):
            return
        if isinstance(event, RoundEvent) and not self._follows(event):
            return
        super().evolve(event)
        if isinstance(event, RoundSettled | PotSettled | RoundCancelled):
            del self.rounds[event.round]

    def _follows(self, event: RoundEvent) -> bool:
        if self._only not in {None, event.round}:
            return False
        return isinstance(event, RoundOpened) or event.round in self.rounds

    def move_balance(self, wallet: Wallet, minor: int) -> None:
        """Kept for the watched."""
        if wallet in self.watched:
            super().move_balance(wallet, minor)

    def move_debt(self, wallet: Wallet, minor: int) -> None:
        """Not kept."""

    @contextmanager
    def looking_up(self, log: Reader, codec: Codec, facts: Facts) -> Iterator[None]:
        """With what undoing a finished round looks at, as it stood before these facts; for a while."""
        undone = [event for _, event in facts if isinstance(event, ReversalCarriedOut | CorrectionCarriedOut)]
        known = dict(self.rounds) if undone else self.rounds
        for event in undone:
            before = facts[0][0].position
            self._look_up(log, codec, before, [f"round/{event.round}", event.stream])
            hanging = cases_of_result(self.rounds[event.round]) if event.round in self.rounds else []
            self._look_up(log, codec, before, [f"case/{name}" for name in hanging])
        yield
        self.rounds = known
        self.cases.clear()

    def _look_up(self, log: Reader, codec: Codec, before: int, streams: Sequence[str]) -> None:
        for stream in log.read_streams(streams).values():
            for recorded in stream:
                if recorded.position < before:
                    Past.evolve(self, decoded(codec, recorded))


def _commands(
    log: Reader, codec: Codec, only: str | None, upto: int | None, *, balances: bool
) -> Iterator[Facts]:
    """The log command by command: what one became shares its correlation and cause, and stands together."""
    wanted = {kind.type_name for kind in (*METERED, *(POSTED if balances else ()))}
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
    try:
        due = decide(past, _command(recorded, event, facts))
    except Refused as refused:
        yield f"{event.type_name}: recorded, and refused when it is decided again: {refused.reason}"
    else:
        yield from _compared(facts, due)


def _command(recorded: Recorded, event: RoundEvent, facts: Sequence[Event]) -> Command:
    """The command behind a recorded decision, with what of it was recorded: that was let in once and is not asked again."""
    asked: dict[str, Any] = {"id": "audit", "at": recorded.happened_at, "round": event.round}
    match event:
        case RoundSettled() | PotSettled():
            return Settle(do="settle", payouts=_claims(event), **asked)
        case CancellationRequested():
            return Cancel(do="cancel", reason=event.reason, **asked)
        case RoundReversed() | RoundCorrected():
            approved = (
                one.case for one in facts if isinstance(one, ReversalCarriedOut | CorrectionCarriedOut)
            )
            return CarryOut(id="audit", at=recorded.happened_at, case=next(approved, "that anybody approved"))
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
    return None if event is None else {"type": event.type_name, **to_jsonable_python(event)}


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
