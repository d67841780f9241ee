"""The jackpots that tables play for, with the parameters of their running pools, at a report's position."""

from collections.abc import Mapping

from backoffice.domain.jackpots.state import Jackpot, evolve_jackpot
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading


def jackpots_now(reading: Reading) -> Mapping[str, Jackpot]:
    """Every jackpot of a table, by its id."""
    names = sorted({table.jackpot for table in reading.network.tables.values() if table.jackpot})
    found = {name: _jackpot(reading, name) for name in names}
    return {name: state for name, state in found.items() if state is not None}


def _jackpot(reading: Reading, name: str) -> Jackpot | None:
    state: Jackpot | None = None
    for recorded in reading.log.read_stream(f"jackpot/{name}"):
        if recorded.position <= reading.place.position:
            state = evolve_jackpot(state, decoded(reading.codec, recorded))
    return state
