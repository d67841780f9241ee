"""What all requests of a process share."""

from dataclasses import dataclass

from backoffice.api.following import Follower
from backoffice.api.identities import Identities
from backoffice.app.group_commit import GroupCommit
from backoffice.bootstrap import House
from backoffice.settings import ApiSettings


@dataclass(frozen=True, slots=True)
class Desk:
    """The house, its front door, who knows who is asking, and who follows the log here (None where workers do)."""

    house: House
    group: GroupCommit
    identities: Identities
    settings: ApiSettings
    follower: Follower | None
