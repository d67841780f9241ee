"""Which version of each projection made the rows that are stored: a bookmark beside the checkpoint."""

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from backoffice.log.statements import raw
from backoffice.projections.projection import Projection
from backoffice.projections.tables import versions


class ProjectionStale(Exception):
    """The stored rows were made by another version of the projection: rebuild it."""


def stored_version(connection: Connection, projection: Projection) -> int:
    """The version that made the stored rows; 0 where none did."""
    query = select(versions.c.version).where(versions.c.projection == projection.name)
    return connection.execute(query).scalar() or 0


def note_version(connection: Connection, projection: Projection, *, mended: bool = False) -> None:
    """The stored rows are of this version from now on; `mended`: some that are written with appends were not right."""
    new = insert(versions).values(projection=projection.name, version=projection.version, mended=int(mended))
    anew = {"version": new.excluded.version, "mended": versions.c.mended + new.excluded.mended}
    connection.execute(new.on_conflict_do_update(index_elements=["projection"], set_=anew))


def mendings(connection: Connection) -> int:
    """How often rows were put right: whoever remembers any from before is to forget them."""
    ((count,),) = raw(connection).execute(_MENDINGS)
    return int(count)


_MENDINGS = b"select coalesce(sum(mended), 0) from read.versions"


def refuse_stale(connection: Connection, projection: Projection) -> None:
    """Raise ProjectionStale where the stored rows are not of the version that the program has."""
    stored = stored_version(connection, projection)
    if stored != projection.version:
        raise ProjectionStale(
            f"{projection.name}: stored rows are of version {stored}, the program has {projection.version};"
            f" rebuild it"
        )
