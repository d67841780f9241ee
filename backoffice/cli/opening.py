"""What every command begins with: the house, as its settings say; and the errors that are no bugs."""

from contextlib import AbstractContextManager

import typer
from alembic.util import CommandError
from psycopg import OperationalError as NoAnswer
from psycopg.errors import UndefinedTable
from sqlalchemy.exc import OperationalError

from backoffice.app.network_file import BadNetworkFile
from backoffice.bootstrap import House, open_house
from backoffice.embedded import EmbeddedUnavailable
from backoffice.log.errors import LogError
from backoffice.projections.projector import UnknownProjection
from backoffice.reports.decoding import Damaged
from backoffice.reports.round_story import UnknownRound
from backoffice.settings import Settings

ANTICIPATED = (
    BadNetworkFile,
    CommandError,
    Damaged,
    EmbeddedUnavailable,
    LogError,
    NoAnswer,
    OSError,
    OperationalError,
    UndefinedTable,
    UnknownProjection,
    UnknownRound,
)


def house_of(context: typer.Context) -> AbstractContextManager[House]:
    """The house that this call of the command line works in."""
    settings = context.obj
    assert isinstance(settings, Settings)
    return open_house(settings)
