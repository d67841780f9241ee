"""Every report there is, by the name it is asked for."""

from collections.abc import Mapping
from types import MappingProxyType

from backoffice.reports.aml_flags import AML_FLAGS
from backoffice.reports.books.chart import read_chart
from backoffice.reports.books.tables import tables
from backoffice.reports.calendar_days import CALENDAR_DAYS
from backoffice.reports.closed_days import CLOSED_DAY, CLOSED_DAYS
from backoffice.reports.dealing_checks import DEALING_CHECKS
from backoffice.reports.exceptions.catalogue import EXCEPTIONS
from backoffice.reports.exposure import EXPOSURE
from backoffice.reports.house_account import HOUSE_ACCOUNT
from backoffice.reports.jackpot_hits import JACKPOT_HITS, JACKPOT_SETTLEMENT
from backoffice.reports.jackpot_reconciliation import JACKPOT_RECONCILIATION
from backoffice.reports.making import UnknownReport
from backoffice.reports.player_statement import PLAYER_STATEMENT
from backoffice.reports.report import Report
from backoffice.reports.returns import RETURNS
from backoffice.reports.revenue import REVENUE, REVENUE_ROUNDS
from backoffice.reports.theoretical_returns import THEORETICAL_RETURNS

_ALL: tuple[Report, ...] = (
    REVENUE,
    REVENUE_ROUNDS,
    HOUSE_ACCOUNT,
    CLOSED_DAYS,
    CLOSED_DAY,
    PLAYER_STATEMENT,
    JACKPOT_RECONCILIATION,
    JACKPOT_HITS,
    JACKPOT_SETTLEMENT,
    CALENDAR_DAYS,
    RETURNS,
    THEORETICAL_RETURNS,
    DEALING_CHECKS,
    AML_FLAGS,
    *EXCEPTIONS,
    EXPOSURE,
    *tables(read_chart()),
)

REPORTS: Mapping[str, Report] = MappingProxyType({report.name: report for report in _ALL})
"""In the order in which they are listed."""


def report_named(name: str) -> Report:
    """The report of this name. Raises UnknownReport."""
    if name not in REPORTS:
        raise UnknownReport(f"there is no report {name}: {', '.join(REPORTS)}")
    return REPORTS[name]
