"""What all requests of a process share."""

from dataclasses import dataclass, field

from backoffice.api.allowance import Allowance
from backoffice.api.denials import Denials
from backoffice.api.following import Follower
from backoffice.api.identities import Identities
from backoffice.api.measures import Measures
from backoffice.api.pulse import Pulse
from backoffice.api.reading_desk import ReadingDesk
from backoffice.api.report_desk import ReportDesk
from backoffice.api.streaming import NewestMeters, Streams
from backoffice.app.group_commit import GroupCommit
from backoffice.bootstrap import House
from backoffice.settings import ApiSettings


@dataclass(frozen=True, slots=True)
class Desk:
    """The house, its front door, who knows who is asking, who follows the log here (None where workers do), what it has come
    to, where it is read and where reports are made, what streams share and what is counted."""

    house: House
    group: GroupCommit
    identities: Identities
    settings: ApiSettings
    follower: Follower | None
    pulse: Pulse
    readings: ReadingDesk
    reports: ReportDesk
    meters: NewestMeters
    streams: Streams
    measures: Measures
    denials: Denials
    allowance: Allowance
    in_flight: set[tuple[str, str]] = field(default_factory=set)
    """The keys under which something is asked and not answered."""
