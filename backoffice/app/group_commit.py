"""Shared commits: callers from many threads hand in requests, one thread decides and commits all that wait, together.

The price of the log is one commit at a time (design.md, 2.2): while one is being made durable the next ones gather.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Self

from backoffice.app.attempts import LOST, Attempt
from backoffice.app.handle import Beside, Handler
from backoffice.app.requests import Outcome, Request, Unreadable

_RETRY_AFTER_SECONDS = (0.1, 0.5, 1, 2, 5)
Watch = Callable[[Sequence[Outcome], float], None]
"""Looks on: what one commit answered, and how many seconds it took."""


class Full(Exception):
    """So much waits to be committed that nothing more is taken in; ask again in a moment."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Closed(Exception):
    """This group commit takes nothing in: it was not entered yet, or it was left, or its thread died."""


@dataclass(slots=True)
class _Ticket:
    """What one caller handed in, and where the answers go."""

    requests: Sequence[Request | Unreadable]
    beside: Beside | None
    whole: bool
    answer: Future[list[Outcome]] = field(default_factory=Future)


class GroupCommit:
    """Commits requests for many callers at once. Use as a context manager: leaving it finishes what was handed in."""

    def __init__(
        self, handler: Handler, *, most: int = 4000, room: int | None = None, watch: Watch | None = None
    ) -> None:
        """`most` requests share one commit; of more than `room` that wait none is taken in, without it any number.

        `watch` is shown every commit, on the thread that makes them.
        """
        self._handler = handler
        self._watch = watch
        self._most = most
        self._room = room
        self._waiting = 0
        self._tickets: queue.SimpleQueue[_Ticket | None] = queue.SimpleQueue()
        self._door = threading.Lock()
        self._open = False
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)

    def __enter__(self) -> Self:
        self._open = True
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    @property
    def waiting(self) -> int:
        """How many requests are handed in and not answered."""
        return self._waiting

    def submit(
        self,
        requests: Sequence[Request | Unreadable],
        beside: Beside | None = None,
        *,
        whole: bool = False,
    ) -> Future[list[Outcome]]:
        """Hand requests in; they are decided in their order, in one commit, after all that was handed in before.

        `whole`: all of them are accepted, or none becomes a fact.

        The future gives one answer a request once they are durable. It raises what nobody anticipated: then none of
        these requests was committed, while other callers' were. `beside` writes rows in the same transaction. Raises
        Closed, and Full.
        """
        ticket = _Ticket(requests, beside, whole)
        with self._door:
            if not self._open:
                raise Closed
            if self._room is not None and self._waiting + len(requests) > self._room:
                raise Full
            self._waiting += len(requests)
            self._tickets.put(ticket)
        return ticket.answer

    def handle(self, request: Request) -> Outcome:
        """Hand one request in and wait for its answer."""
        return self.submit([request]).result()[0]

    def _run(self) -> None:
        last = False
        try:
            while not last and (first := self._tickets.get()) is not None:
                tickets, last = self._gathered(first)
                wanted = [ticket for ticket in tickets if ticket.answer.set_running_or_notify_cancel()]
                self._count_out([ticket for ticket in tickets if ticket.answer.cancelled()])
                self._commit(wanted)
        finally:
            self._close()
            self._turn_away()

    def _close(self) -> None:
        with self._door:
            self._open = False
            self._tickets.put(None)

    def _turn_away(self) -> None:
        """Nobody is left who waits for an answer that will not come; after an orderly end nobody waits."""
        while not self._tickets.empty():
            ticket = self._tickets.get()
            if ticket is not None and ticket.answer.set_running_or_notify_cancel():
                ticket.answer.set_exception(Closed())

    def _gathered(self, first: _Ticket) -> tuple[list[_Ticket], bool]:
        """Everything that waits, up to the most that one commit takes; and whether the end was among it."""
        tickets, count = [first], len(first.requests)
        while count < self._most:
            try:
                ticket = self._tickets.get_nowait()
            except queue.Empty:
                return tickets, False
            if ticket is None:
                return tickets, True
            tickets.append(ticket)
            count += len(ticket.requests)
        return tickets, False

    def _count_out(self, tickets: Sequence[_Ticket]) -> None:
        """These do not wait any more. Before they are answered: whoever has an answer is not counted among the waiting."""
        with self._door:
            self._waiting -= sum(len(ticket.requests) for ticket in tickets)

    def _commit(self, tickets: Sequence[_Ticket]) -> None:
        """Commit them all; if somebody's request is a bug, each alone, so that only he is told."""
        try:
            answers = self._commit_durably(tickets) if tickets else []
        except BaseException as error:
            if len(tickets) > 1 and isinstance(error, Exception) and not isinstance(error, LOST):
                for ticket in tickets:
                    self._commit([ticket])
                return
            self._count_out(tickets)
            for ticket in tickets:
                ticket.answer.set_exception(error)
            if not isinstance(error, Exception):
                raise
        else:
            self._count_out(tickets)
            for ticket, answer in zip(tickets, answers, strict=True):
                ticket.answer.set_result(answer)

    def _commit_durably(self, tickets: Sequence[_Ticket]) -> list[list[Outcome]]:
        """Commit, again where the connection was lost: what an earlier try made durable is answered as it would have been."""
        attempt = Attempt()
        for wait in _RETRY_AFTER_SECONDS:
            try:
                return self._commit_once(tickets, attempt)
            except LOST:
                time.sleep(wait)
        return self._commit_once(tickets, attempt)

    def _commit_once(self, tickets: Sequence[_Ticket], attempt: Attempt) -> list[list[Outcome]]:
        requests: list[Request | Unreadable] = []
        parts, beside, whole = [], [], []
        for ticket in tickets:
            part = slice(len(requests), len(requests) + len(ticket.requests))
            requests += ticket.requests
            parts.append(part)
            if ticket.beside is not None:
                beside.append((part, ticket.beside))
            if ticket.whole:
                whole.append(part)
        began = time.monotonic()
        outcomes = self._handler.commit(requests, beside, attempt, whole)
        if self._watch is not None:
            self._watch(outcomes, time.monotonic() - began)
        return [outcomes[part] for part in parts]
