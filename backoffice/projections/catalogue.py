"""Every read model there is."""

from backoffice.projections.balances import BALANCES
from backoffice.projections.cases import CASES
from backoffice.projections.debts import DEBTS
from backoffice.projections.entries import ENTRIES
from backoffice.projections.jackpot_meters import JACKPOT_METERS
from backoffice.projections.jackpot_shares import JACKPOT_SHARES
from backoffice.projections.projection import Projection
from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS
from backoffice.projections.takings import TAKINGS

PROJECTIONS: tuple[Projection, ...] = (
    BALANCES,
    DEBTS,
    ENTRIES,
    JACKPOT_METERS,
    ROUNDS,
    ROUND_LINES,
    JACKPOT_SHARES,
    CASES,
    TAKINGS,
)

HALVES: tuple[tuple[Projection, ...], tuple[Projection, ...]] = (
    (BALANCES, DEBTS, ENTRIES, JACKPOT_METERS, TAKINGS),
    (ROUNDS, ROUND_LINES, JACKPOT_SHARES, CASES),
)
"""All of them again, for two who share the work: about as much for either. The first half is about money: what facts do to
accounts is worked out once for all of it."""
