"""What every command begins with: the house, as its settings say; and the errors that are no bugs."""

from contextlib import AbstractContextManager

import typer
from alembic.util import CommandError
from psycopg import OperationalError as NoAnswer
from sqlalchemy.exc import ArgumentError, OperationalError

from backoffice.app.importing import TakenOver
from backoffice.app.network_file import BadNetworkFile
from backoffice.bootstrap import House, open_house
from backoffice.db import NotMigrated
from backoffice.embedded import EmbeddedUnavailable, UnusableFolder
from backoffice.log.errors import CheckpointError, UnknownSchema, UnknownType
from backoffice.projections.levelling import Incomplete
from backoffice.projections.projector import UnknownProjection
from backoffice.projections.versions import ProjectionStale
from backoffice.reports.books.chart import BadChart
from backoffice.reports.books.files import UnknownFile
from backoffice.reports.books.saft_amounts import Untellable
from backoffice.reports.case_story import UnknownCase
from backoffice.reports.decoding import Damaged
from backoffice.reports.making import UnknownReport
from backoffice.reports.reading import UnknownCasino, Unsettled
from backoffice.reports.regulators.refusals import NoFile
from backoffice.reports.rendering.as_xlsx import TooLong
from backoffice.reports.round_story import UnknownRound
from backoffice.settings import Settings


class Unusable(Exception):
    """What was given on the command line cannot be used; the message says why."""


ANTICIPATED = (
    ArgumentError,
    BadChart,
    BadNetworkFile,
    CheckpointError,
    CommandError,
    Damaged,
    EmbeddedUnavailable,
    Incomplete,
    NoAnswer,
    NoFile,
    NotMigrated,
    OSError,
    OperationalError,
    ProjectionStale,
    TakenOver,
    TooLong,
    UnknownCase,
    UnknownCasino,
    UnknownFile,
    UnknownProjection,
    UnknownReport,
    UnknownRound,
    UnknownSchema,
    UnknownType,
    Unsettled,
    Untellable,
    Unusable,
    UnusableFolder,
)


def settings_of(context: typer.Context) -> Settings:
    """What the surroundings and the command line say, read once by the callback of `main`."""
    settings = context.obj
    assert isinstance(settings, Settings)
    return settings


def house_of(context: typer.Context, *, to_upgrade: bool = False) -> AbstractContextManager[House]:
    """The house that this call of the command line works in."""
    return open_house(settings_of(context), to_upgrade=to_upgrade)


def told(known: Exception) -> str:
    """What was anticipated, in a sentence: of the driver's errors without what SQLAlchemy adds for programmers."""
    return str(getattr(known, "orig", None) or known).strip()
