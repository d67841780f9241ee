"""Every exceptions report."""

from backoffice.reports.exceptions.cancelled import CANCELLED_ROUNDS
from backoffice.reports.exceptions.decided import (
    COMPENSATIONS,
    CORRECTIONS,
    DISCREPANCIES,
    LARGE_WINS,
    REVERSALS,
    WRITE_OFFS,
)
from backoffice.reports.exceptions.refused import REFUSED_ACTIONS
from backoffice.reports.exceptions.side_by_side import ROUNDS_SIDE_BY_SIDE
from backoffice.reports.exceptions.unfinished import UNFINISHED_ROUNDS
from backoffice.reports.exceptions.voided import VOIDED_HANDS
from backoffice.reports.report import Report

EXCEPTIONS: tuple[Report, ...] = (
    CANCELLED_ROUNDS,
    REVERSALS,
    CORRECTIONS,
    COMPENSATIONS,
    DISCREPANCIES,
    LARGE_WINS,
    WRITE_OFFS,
    VOIDED_HANDS,
    REFUSED_ACTIONS,
    UNFINISHED_ROUNDS,
    ROUNDS_SIDE_BY_SIDE,
)
