"""Every kind of fact there is, by its published name. The log's codec and the event catalogue are made from this."""

from collections.abc import Iterator

from backoffice.domain import intake
from backoffice.domain.access import events as access
from backoffice.domain.cases import events as cases
from backoffice.domain.days import events as days
from backoffice.domain.event import Event
from backoffice.domain.filings import events as filings
from backoffice.domain.jackpots import events as jackpots
from backoffice.domain.network import events as network
from backoffice.domain.rounds import events as rounds
from backoffice.domain.wallet import events as wallet

_ROOMS = (access, cases, days, filings, intake, jackpots, network, rounds, wallet)


def _kinds() -> Iterator[type[Event]]:
    for room in _ROOMS:
        for kind in vars(room).values():
            if isinstance(kind, type) and issubclass(kind, Event) and "type_name" in vars(kind):
                yield kind


EVENTS: tuple[type[Event], ...] = tuple(sorted(_kinds(), key=lambda kind: kind.type_name))
"""All event classes, by type name."""
