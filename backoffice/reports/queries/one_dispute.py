"""The dispute pack of one round, in the snapshot of a query."""

from dataclasses import dataclass

from sqlalchemy import Connection

from backoffice.log.codec import Codec
from backoffice.projections.cases import CASES
from backoffice.projections.levelling import common_place
from backoffice.reports.asked import Asked
from backoffice.reports.dispute import Told, dispute_pack
from backoffice.reports.reading import Reading
from backoffice.reports.scope import Scope


@dataclass(frozen=True, slots=True)
class Pack:
    """A dispute pack, and the position of the log up to which it tells."""

    told: Told
    position: int


def read_dispute(connection: Connection, codec: Codec, scope: Scope, round_id: str) -> Pack:
    """Everything about a round as far as its cases have been projected. Raises UnknownRound, and Incomplete where they
    lack something.
    """
    place = common_place(connection, (CASES,))
    assert place is not None  # one read model is at one place
    told = dispute_pack(Reading(connection, codec, place, Asked()), round_id, scope)
    return Pack(told, place.position)
