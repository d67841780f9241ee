"""What became true of the network."""

from dataclasses import dataclass
from datetime import datetime

from backoffice.domain.event import Event
from backoffice.domain.network.legal import Particulars
from backoffice.domain.terms import ApprovalTerms, TableTerms


@dataclass(frozen=True, slots=True)
class NetworkEvent(Event):
    """A fact of the network's make-up."""

    @property
    def stream(self) -> str:
        """`network`: there is one a log."""
        return "network"


@dataclass(frozen=True, slots=True)
class NetworkFounded(NetworkEvent):
    """The network got its id and its base currency, for good."""

    type_name = "network.founded"
    network: str
    base_currency: str


@dataclass(frozen=True, slots=True)
class CasinoDefined(NetworkEvent):
    """A casino joined, or its particulars changed.

    `since` is when that was, None for the first time: a clock set anew counts for the gaming days that begin after it.
    """

    type_name = "network.casino_defined"
    casino: str
    currencies: tuple[str, ...]
    timezone: str
    gaming_day_starts: str
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ParticularsGiven(NetworkEvent):
    """What the law wants to know of a casino was given, or changed: by section and field, as the network file has it."""

    type_name = "network.particulars_given"
    casino: str
    particulars: Particulars


@dataclass(frozen=True, slots=True)
class TableDefined(NetworkEvent):
    """A table was set up, or its terms changed for the rounds opened from now on."""

    type_name = "network.table_defined"
    table: str
    terms: TableTerms


@dataclass(frozen=True, slots=True)
class ApprovalSet(NetworkEvent):
    """How proposals are approved was laid down: limits for every approval from now on, time for every new proposal."""

    type_name = "network.approval_set"
    terms: ApprovalTerms


@dataclass(frozen=True, slots=True)
class RateSet(Event):
    """A rate was given: units of `quote` for one unit of the base currency, from `since` (None: from the start) on."""

    type_name = "network.rate_set"
    quote: str
    rate: str
    since: datetime | None = None

    @property
    def stream(self) -> str:
        """`rates/{quote}`."""
        return f"rates/{self.quote}"
