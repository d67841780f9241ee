"""Jackpots with the parameters of their running pools, as the log leaves them at a position."""

from collections.abc import Mapping

from backoffice.domain.jackpots.state import Jackpot, evolve_jackpot
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading


def jackpots_now(reading: Reading) -> Mapping[str, Jackpot]:
    """Every jackpot that a table plays for, by its id, at the report's position."""
    names = sorted({table.jackpot for table in reading.network.tables.values() if table.jackpot})
    found = {name: jackpot_at(reading, name, reading.place.position) for name in names}
    return {name: state for name, state in found.items() if state is not None}


def jackpot_at(reading: Reading, name: str, position: int) -> Jackpot | None:
    """One jackpot as it was at a position; None before it was defined."""
    state: Jackpot | None = None
    for recorded in reading.log.read_stream(f"jackpot/{name}"):
        if recorded.position <= position:
            state = evolve_jackpot(state, decoded(reading.codec, recorded))
    return state
