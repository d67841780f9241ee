"""Shared commits: callers from many threads hand in requests, one thread decides and commits all that wait, together.

The price of the log is one commit at a time (design.md, 2.2): while one is being made durable the next ones gather.
"""

import queue
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Self

import psycopg
import sqlalchemy.exc

from backoffice.app.handle import Beside, Crashed, Handler
from backoffice.app.requests import Outcome, Request, Unreadable

LOST = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    sqlalchemy.exc.OperationalError,
    sqlalchemy.exc.InterfaceError,
)
"""The connection is gone, and with it the knowledge whether the commit was made: the keys will tell."""
_RETRY_AFTER_SECONDS = (0.1, 0.5, 1, 2, 5)


@dataclass(slots=True)
class _Ticket:
    """What one caller handed in, and where the answers go."""

    requests: Sequence[Request | Unreadable]
    beside: Beside | None
    answer: Future[list[Outcome]] = field(default_factory=Future)


class GroupCommit:
    """Commits requests for many callers at once. Use as a context manager: leaving it finishes what was handed in."""

    def __init__(self, handler: Handler, *, most: int = 4000) -> None:
        self._handler = handler
        self._most = most
        self._tickets: queue.SimpleQueue[_Ticket | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="group-commit", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._tickets.put(None)
        self._thread.join()

    def submit(
        self, requests: Sequence[Request | Unreadable], beside: Beside | None = None
    ) -> Future[list[Outcome]]:
        """Hand requests in; they are decided in their order, in one commit, after all that was handed in before.

        The future gives one answer a request once they are durable. It raises what nobody anticipated: then none of
        these requests was committed, while other callers' were. `beside` writes rows in the same transaction.
        """
        ticket = _Ticket(requests, beside)
        self._tickets.put(ticket)
        return ticket.answer

    def handle(self, request: Request) -> Outcome:
        """Hand one request in and wait for its answer."""
        return self.submit([request]).result()[0]

    def _run(self) -> None:
        while (first := self._tickets.get()) is not None:
            tickets, last = self._gathered(first)
            self._commit(tickets)
            if last:
                return

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

    def _commit(self, tickets: list[_Ticket]) -> None:
        """Commit what can be; whoever handed in a request that crashes is told, and the others go on without it."""
        while tickets:
            try:
                answers = self._commit_durably(tickets)
            except Crashed as crash:
                culprit = _whose(tickets, crash.index)
                culprit.answer.set_exception(crash.__cause__ or crash)
                tickets = [ticket for ticket in tickets if ticket is not culprit]
            except BaseException as error:
                for ticket in tickets:
                    ticket.answer.set_exception(error)
                if not isinstance(error, Exception):
                    raise
                return
            else:
                for ticket, answer in zip(tickets, answers, strict=True):
                    ticket.answer.set_result(answer)
                return

    def _commit_durably(self, tickets: Sequence[_Ticket]) -> list[list[Outcome]]:
        """Commit, again where the connection was lost: what an earlier try made durable answers with its positions."""
        for wait in (*_RETRY_AFTER_SECONDS, None):
            try:
                return self._commit_once(tickets)
            except LOST:
                if wait is None:
                    raise
                time.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _commit_once(self, tickets: Sequence[_Ticket]) -> list[list[Outcome]]:
        requests: list[Request | Unreadable] = []
        parts, beside = [], []
        for ticket in tickets:
            part = slice(len(requests), len(requests) + len(ticket.requests))
            requests += ticket.requests
            parts.append(part)
            if ticket.beside is not None:
                beside.append((part, ticket.beside))
        outcomes = self._handler.commit(requests, beside)
        return [outcomes[part] for part in parts]


def _whose(tickets: Sequence[_Ticket], index: int) -> _Ticket:
    for ticket in tickets:
        if index < len(ticket.requests):
            return ticket
        index -= len(ticket.requests)
    raise IndexError(index)
