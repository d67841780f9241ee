"""Carrying out reactions apart from the commit of the fact that caused them.

What is due can be read from the log alone: behind the checkpoint `reactions`, the facts that cause something whose
request is not among the accepted keys. Whoever is told a position reacts to it and to everything before it in its
stream, in one commit: told twice, late, or in another order, it comes to the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from pydantic import ValidationError
from sqlalchemy import Connection, Engine

from backoffice.app.attempts import LOST
from backoffice.app.handle import Handler
from backoffice.app.keys import Key, recall_keys
from backoffice.app.reactions import CAUSES, REACTING, as_fact, reactions_to
from backoffice.app.requests import Declined, Outcome
from backoffice.log.checkpoints import advance, forget, load
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.errors import CheckpointAhead, CheckpointElsewhere, UnknownSchema, UnknownType
from backoffice.log.postgres import PostgresLog
from backoffice.log.statements import binary_cursor, raw, with_ids
from backoffice.projections.reading import age_at, log_head, place_at
from backoffice.projections.retrying import Retried
from backoffice.projections.stuck import (
    Aside,
    release,
    set_aside,
    stuck_events,
    stuck_positions,
    stuck_streams,
)

WINDOW = 50_000
"""So many positions behind the checkpoint are looked at. Where nothing is done for long, no more is handed out."""


class ReactionStopped(Exception):
    """A fact's reaction cannot be carried out: a bug. It is set aside, with those that follow in its stream."""


class UnknownPosition(Exception):
    """Somebody asks for a reaction to a fact that the log does not hold."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What is to be done: positions in order; and whether there is more of the log to look at."""

    due: tuple[int, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many reactions wait, and for how long the oldest has."""

    waiting: int
    age_seconds: float


class Reactor:
    """Carries out what is due. Not for two threads at once; any number of processes may."""

    def __init__(
        self,
        engine: Engine,
        codec: Codec,
        handler: Handler,
        *,
        passing: tuple[type[BaseException], ...] = LOST,
    ) -> None:
        """`passing` are errors that say nothing about the fact: it stays due."""
        self._engine = engine
        self._log = PostgresLog(engine)
        self._codec = codec
        self._handler = handler
        self._passing = passing

    def carry_out(self, position: int) -> list[Outcome]:
        """React to the fact at `position`, after what its stream had caused before; what was done already is repeated.

        Raises ReactionStopped, having set the fact that is to blame aside, where that cannot be done.
        """
        return [outcome for cause in self._causes_upto(position) for outcome in self._react(cause)]

    def give_up(self, position: int, reason: str) -> None:
        """Set the fact at `position` aside: it is not due until it is retried."""
        fact = self._fact(position)
        with self._engine.begin() as connection:
            set_aside(connection, REACTING, [(position, fact.stream, fact.type, None, reason)])

    def survey(self) -> Survey:
        """What is due: the next reaction of every stream that has one. Moves the checkpoint to before the first of them."""
        with self._engine.begin() as connection:
            start = load(connection, REACTING, lock=True)
            end = log_head(connection)
            upto = min(start.position + WINDOW, end.position)
            due = self._due(connection, start.position, upto)
            reached = due[0] - 1 if due else upto
            if reached > start.position:
                advance(connection, REACTING, start.position, place_at(connection, end, reached))
        return Survey(due, more=not due and upto < end.position)

    def oldest_due(self) -> Waiting:
        """How many reactions are due as far as one look goes, and how old the oldest is. Changes nothing."""
        with self._engine.connect() as connection:
            start = load(connection, REACTING)
            upto = min(start.position + WINDOW, log_head(connection).position)
            aside = set(stuck_positions(connection, REACTING))
            undone = self._undone(connection, start.position, upto)
            due = [fact.position for fact, _ in undone if fact.position not in aside]
            return Waiting(len(due), age_at(connection, due[0]) if due else 0.0)

    def carry_out_due(self) -> int:
        """Carry out everything that is due, here and now; how many facts that was. What cannot be done is set aside."""
        done = 0
        while (survey := self.survey()).due or survey.more:
            for position in survey.due:
                try:
                    self.carry_out(position)
                    done += 1
                except ReactionStopped:
                    continue  # it is set aside, shown, and not due any more
        return done

    def retry(self) -> Retried:
        """Try what was set aside again, in order, each stream up to where it still cannot go on.

        Where the log was restored the checkpoint is forgotten: what was carried out stands in the log, and is repeated.
        """
        with self._engine.begin() as connection:
            _mend(connection)
            aside = stuck_events(connection, REACTING)
        held_up: set[str] = set()
        for fact in aside:
            try:
                if fact.stream not in held_up:
                    self.carry_out(fact.position)
            except ReactionStopped:
                held_up.add(fact.stream)
        with self._engine.connect() as connection:
            left = len(stuck_positions(connection, REACTING))
        return Retried(REACTING, len(aside) - left, left)

    def _react(self, cause: Recorded) -> list[Outcome]:
        try:
            return self._commit(cause)
        except self._passing:
            raise
        except Exception as bug:
            self.give_up(cause.position, f"{type(bug).__name__}: {bug}")
            raise ReactionStopped(f"at position {cause.position}, {cause.type}: {bug}") from bug

    def _commit(self, cause: Recorded) -> list[Outcome]:
        def settle(connection: Connection, outcomes: Sequence[Outcome]) -> None:
            _refuse_declined(outcomes)
            release(connection, REACTING, [cause.position])

        return self._handler.commit(reactions_to(as_fact(self._codec, cause)), [(slice(None), settle)])

    def _causes_upto(self, position: int) -> list[Recorded]:
        """What causes something in the stream of the fact at `position`, that fact the last."""
        fact = self._fact(position)
        return [
            recorded
            for recorded in self._log.read_stream(fact.stream)
            if recorded.type in CAUSES and recorded.version <= fact.version
        ]

    def _fact(self, position: int) -> Recorded:
        fact = next(self._log.read(after=position - 1, upto=position), None)
        if fact is None:
            raise UnknownPosition(
                f"the log has nothing at {position}: it was restored, or this is another log"
            )
        return fact

    def _due(self, connection: Connection, after: int, upto: int) -> tuple[int, ...]:
        """The next undone fact of each stream in a range. What is behind one that cannot be done is set aside, too."""
        held_up = stuck_streams(connection, REACTING)
        known = set(stuck_positions(connection, REACTING)) if held_up else set()
        due: dict[str, int] = {}
        aside: list[Aside] = []
        for fact, why in self._undone(connection, after, upto):
            behind = held_up.get(fact.stream)
            if fact.position in known:
                continue
            if behind is not None:
                aside.append((fact.position, fact.stream, fact.type, behind, f"behind {behind}"))
            elif why is not None:
                held_up[fact.stream] = fact.position
                aside.append((fact.position, fact.stream, fact.type, None, why))
            else:
                due.setdefault(fact.stream, fact.position)
        set_aside(connection, REACTING, aside)
        return tuple(due.values())

    def _undone(self, connection: Connection, after: int, upto: int) -> list[tuple[Recorded, str | None]]:
        """The facts of a range that cause something which was not accepted yet, and why not if they cannot be read."""
        facts = [(recorded, *self._keys(recorded)) for recorded in _causes(connection, after, upto)]
        accepted = recall_keys(connection, [key for _, keys, _ in facts for key in keys])
        return [
            (recorded, unread)
            for recorded, keys, unread in facts
            if unread is not None or any(key not in accepted for key in keys)
        ]

    def _keys(self, recorded: Recorded) -> tuple[list[Key], str | None]:
        try:
            return [(REACTING, request.key) for request in reactions_to(as_fact(self._codec, recorded))], None
        except (UnknownSchema, UnknownType, ValidationError) as unreadable:
            return [], str(unreadable)


def _mend(connection: Connection) -> None:
    try:
        load(connection, REACTING)
    except (CheckpointAhead, CheckpointElsewhere):
        forget(connection, REACTING)


def _causes(connection: Connection, after: int, upto: int) -> list[Recorded]:
    """The facts of a range that may cause something, in order."""
    with binary_cursor(raw(connection)) as cursor:
        ids = [event_id for (event_id,) in cursor.execute(_CAUSES, [after, upto, list(CAUSES)])]
        return sorted(with_ids(cursor, ids), key=attrgetter("position"))


_CAUSES = "select event_id from log.events where position > %s and position <= %s and type = any(%s)"


def _refuse_declined(outcomes: Sequence[Outcome]) -> None:
    declined = [outcome.reason for outcome in outcomes if isinstance(outcome, Declined)]
    if declined:
        raise RuntimeError(f"a reaction was refused: {'; '.join(declined)}")
