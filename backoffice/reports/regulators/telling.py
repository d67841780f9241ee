"""What a day has to tell of its sessions: those played, and what was called back that day of those told before."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain

from backoffice.reports.regulators.register import Stretch
from backoffice.reports.regulators.results import Asked, results, taken_back
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.sessions import Key, Moment, Told, as_played, history, sessions


@dataclass(frozen=True, slots=True)
class Telling:
    """The files of one `name`: each adds to those before it what has become known of a day since; of pots or of the house."""

    name: str
    pots: bool

    def untold(self, scope: Scope) -> Iterator[Told]:
        """What of the scope's day no file has told; in flat memory.

        First the sessions that were played, by player; then, session by session, what was called back and what is left.
        What is called back may be of any day: it is put together as it was told then.
        """
        for stretch in self._stretches(scope, scope.day):
            if stretch.upto == scope.position:
                yield from self._told(scope, stretch)

    def so_far(self, scope: Scope, currency: str | None = None) -> Iterator[Told]:
        """All that files have told of the day, and what the next one will; of one currency or all."""
        return chain.from_iterable(
            self._told(scope, stretch, currency) for stretch in self._stretches(scope, scope.day)
        )

    def session_with(self, scope: Scope, key: Key, round_id: str, number: int, settled: Moment) -> Told:
        """The session in which a settled result is told, as it was played."""
        day = scope.calendar.day_of(settled.at, scope.days)
        known = self._stretch_of(scope, day, settled.position)
        asked = Asked(scope.casino, scope.on(day).bounds, known, self.pots)
        for session in sessions(results(scope.reading, asked, key), self._pause(scope, day, known)):
            if any((one.round, one.number) == (round_id, number) for one in session):
                return as_played(session)
        raise LookupError(f"{key} played no round {round_id}")

    def _told(self, scope: Scope, stretch: Stretch, currency: str | None = None) -> Iterator[Told]:
        asked = Asked(scope.casino, scope.bounds, stretch, self.pots, currency)
        pause = self._pause(scope, scope.day, stretch)
        yield from map(as_played, sessions(results(scope.reading, asked), pause))
        for key, day, known in sorted(self._touched(scope, asked)):
            of_that_day = asked._replace(bounds=scope.on(day).bounds, known=known)
            pause = self._pause(scope, day, known)
            for session in sessions(results(scope.reading, of_that_day, key), pause):
                yield from (one for one in history(session) if _is_of(one, asked))

    def _touched(self, scope: Scope, asked: Asked) -> set[tuple[Key, date, Stretch]]:
        """Whose sessions, of which day and told by which file, had a round taken back."""
        return {
            (gone.key, day, self._stretch_of(scope, day, gone.position))
            for gone in taken_back(scope.reading, asked)
            for day in [scope.calendar.day_of(gone.settled_at, scope.days)]
        }

    def _pause(self, scope: Scope, day: date, stretch: Stretch) -> timedelta:
        """How long a player might pause within a session when the file that tells of this stretch was made."""
        for entry in scope.register.chain(self.name, day.isoformat(), ""):
            if entry.file.position == stretch.upto:
                return scope.as_of_file(entry).pause
        return scope.pause

    def _stretches(self, scope: Scope, day: date) -> Iterator[Stretch]:
        return scope.register.stretches(self.name, day.isoformat(), scope.position)

    def _stretch_of(self, scope: Scope, day: date, position: int) -> Stretch:
        """By which stretch what stands at `position` was, or will be, told among what happened on `day`."""
        return next(
            stretch for stretch in self._stretches(scope, day) if stretch.after < position <= stretch.upto
        )


def _is_of(one: Told, asked: Asked) -> bool:
    begin, end = asked.bounds
    return begin <= one.at < end and asked.known.after < one.position <= asked.known.upto
