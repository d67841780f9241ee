"""A thread that watches the log for as long as the server runs, whatever becomes of the database meanwhile."""

from threading import Event, Thread
from types import TracebackType
from typing import Self

from sqlalchemy import URL

from backoffice.app.attempts import LOST
from backoffice.log.news import News

POLL_SECONDS = 1.0
"""So often the log is looked at, also when no news come through."""


class Watch:
    """Use as a context manager: leaving it ends the thread. What it does is for who derives from it to say."""

    def __init__(self, url: URL, name: str) -> None:
        self._url = url
        self._stop = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether its thread runs: a dead poller reports no lag, and is not healthy."""
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with News(self._url) as news:
                    self._watch(news)
            except LOST as lost:
                self._lost(f"the database is not there: {str(lost).strip().partition(chr(10))[0]}")
                self._stop.wait(POLL_SECONDS)

    def _watch(self, news: News) -> None:
        """Look, and wait for news, until `_stop` is set."""
        raise NotImplementedError

    def _lost(self, why: str) -> None:
        """The database was lost; it is tried again."""
        raise NotImplementedError
