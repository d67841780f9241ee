"""The read side's front: what a door, a worker or a test asks of it, by a projection's name."""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Engine

from backoffice.log.codec import Codec
from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.catching_up import catch_up, catch_up_once, catch_up_over
from backoffice.projections.comparing import compare
from backoffice.projections.differences import Difference
from backoffice.projections.leading import Lead
from backoffice.projections.projection import Projection
from backoffice.projections.rebuilding import Rebuilt, rebuild
from backoffice.projections.retrying import Retried, retry
from backoffice.projections.statuses import Lag, Status, lag, status


class UnknownProjection(Exception):
    """There is no projection of this name."""


class Projector:
    """Catches up, rebuilds, compares and tells how projections stand.

    Holds nothing; several may work at once.
    """

    def __init__(self, engine: Engine, codec: Codec, projections: Sequence[Projection] = PROJECTIONS) -> None:
        self._engine = engine
        self._codec = codec
        self._projections = {projection.name: projection for projection in projections}

    @property
    def names(self) -> tuple[str, ...]:
        """Every projection."""
        return tuple(self._projections)

    @property
    def lagging_names(self) -> tuple[str, ...]:
        """Every projection that follows the log, instead of being written with it."""
        return tuple(name for name, projection in self._projections.items() if not projection.inline)

    def catch_up(self, name: str | None = None) -> int:
        """Project what the log has gained, for one projection or for all; how many positions that was.

        An inline projection has nothing to catch up. Raises what `catching_up.catch_up` raises.
        """
        lagging = (projection for projection in self._asked(name) if not projection.inline)
        return sum(catch_up(self._engine, self._codec, projection) for projection in lagging)

    def catch_up_once(self, name: str) -> int:
        """Project one batch for one projection that follows the log; how many positions that was."""
        (projection,) = self._asked(name)
        return catch_up_once(self._engine, self._codec, projection)

    def catch_up_leading(self, connection: Connection, name: str, lead: Lead) -> int:
        """Project one batch for one projection as its leader, in a transaction on the leader's own session; how many
        positions that was.

        Raises Deposed where somebody else leads by now, and what `catching_up.catch_up` raises.
        """
        (projection,) = self._asked(name)
        return catch_up_over(connection, self._codec, projection, lead)

    def retry(self, name: str | None = None) -> list[Retried]:
        """Try what was set aside again, in order, of one projection or of all."""
        lagging = (projection for projection in self._asked(name) if not projection.inline)
        return [retry(self._engine, self._codec, projection) for projection in lagging]

    def rebuild(self, *names: str) -> list[Rebuilt]:
        """Redraw some projections, or all, in one pass over the log, while the stored rows serve."""
        asked = [projection for name in names for projection in self._asked(name)]
        return rebuild(self._engine, self._codec, asked or self._asked(None))

    def compare(self, name: str | None = None) -> Iterator[Difference]:
        """Every stored row that is not what the log says, of one projection or of all."""
        for projection in self._asked(name):
            yield from compare(self._engine, self._codec, projection)

    def status(self, name: str | None = None) -> list[Status]:
        """How one projection stands, or how all do."""
        return [status(self._engine, projection) for projection in self._asked(name)]

    def lags(self) -> list[Lag]:
        """How far each projection that follows the log is behind."""
        return [lag(self._engine, self._projections[name]) for name in self.lagging_names]

    def _asked(self, name: str | None) -> list[Projection]:
        if name is None:
            return list(self._projections.values())
        if name not in self._projections:
            raise UnknownProjection(f"there is no projection {name}: {', '.join(self._projections)}")
        return [self._projections[name]]
