"""The network and its rates as their facts leave them."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from backoffice.domain.event import Event
from backoffice.domain.network.events import (
    ApprovalSet,
    CasinoDefined,
    NetworkFounded,
    ParticularsGiven,
    RateSet,
    TableDefined,
)
from backoffice.domain.network.legal import Particulars
from backoffice.domain.terms import ApprovalTerms, TableTerms
from backoffice.kernel.calendar import Calendar, Clock, Setting

_START = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Network:
    """Casinos by id, tables by id. Before it is founded both ids are empty."""

    id: str = ""
    base_currency: str = ""
    casinos: Mapping[str, CasinoDefined] = field(default_factory=dict)
    tables: Mapping[str, TableTerms] = field(default_factory=dict)
    currencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each casino plays in."""
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    """Each casino's days, with all the clocks it ever had."""
    particulars: Mapping[str, Particulars] = field(default_factory=dict)
    """What the law wants to know of each casino."""
    approval: ApprovalTerms = field(default_factory=ApprovalTerms)

    def sets_clock(self, event: CasinoDefined) -> bool:
        """Whether `event` gives a casino that is there another clock."""
        known = self.calendars.get(event.casino)
        return known is not None and known.settings[-1].clock != _clock(event)


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """One currency's rates that can still be in force for some moment: later ones in log order hide earlier ones.

    `since` rises strictly: a rate accepted later whose time is not after an older one's makes that one unreachable. Only
    the first `count` are this state's: whatever follows it goes on with the same lists, so that a rate more costs the
    same however many there are.
    """

    from_file: str | None = None
    count: int = 0
    since: list[datetime] = field(default_factory=list)
    values: list[str] = field(default_factory=list)

    def at(self, moment: datetime) -> str | None:
        """The last rate accepted whose time is not after `moment`."""
        index = bisect_right(self.since, moment, hi=self.count)
        return self.values[index - 1] if index else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rates) and self._said == other._said

    __hash__ = None  # type: ignore[assignment]

    @property
    def _said(self) -> tuple[object, ...]:
        return self.from_file, self.since[: self.count], self.values[: self.count]


def evolve_network(state: Network, event: Event) -> Network:
    """`state` after `event`; never validates."""
    match event:
        case NetworkFounded():
            return replace(state, id=event.network, base_currency=event.base_currency)
        case CasinoDefined():
            return replace(
                state,
                casinos={**state.casinos, event.casino: event},
                currencies={**state.currencies, event.casino: event.currencies},
                calendars={
                    **state.calendars,
                    event.casino: _with_clock(state.calendars.get(event.casino), event),
                },
            )
        case ParticularsGiven():
            return replace(state, particulars={**state.particulars, event.casino: event.particulars})
        case ApprovalSet():
            return replace(state, approval=event.terms)
        case TableDefined():
            return replace(state, tables={**state.tables, event.table: event.terms})
        case _:
            raise TypeError(f"{event!r} is no fact of the network")


def evolve_rates(state: Rates, event: Event) -> Rates:
    """`state` after a rate was set."""
    if not isinstance(event, RateSet):
        raise TypeError(f"{event!r} is no rate")
    since = event.since or _START
    kept, moments, values = bisect_left(state.since, since, hi=state.count), state.since, state.values
    if kept < len(moments):  # it hides later ones, or something else followed this state already
        moments, values = moments[:kept], values[:kept]
    moments.append(since)
    values.append(event.rate)
    return Rates(state.from_file if event.since else event.rate, len(moments), moments, values)


def _clock(event: CasinoDefined) -> Clock:
    return Clock(event.timezone, event.gaming_day_starts)


def _with_clock(known: Calendar | None, event: CasinoDefined) -> Calendar:
    """The casino's days behind `event`; of its clock it may say nothing new."""
    setting = Setting(_clock(event), event.since)
    if known is None:
        return Calendar((setting._replace(since=None),))
    return known if known.settings[-1].clock == setting.clock else Calendar((*known.settings, setting))
