"""What is remembered of the senders themselves."""

from dataclasses import dataclass

from backoffice.domain.event import Event


@dataclass(frozen=True, slots=True)
class KeyConflicted(Event):
    """A sender used an id again for another content; the second one was refused. Contents by their SHA-256."""

    type_name = "sender.key_conflicted"
    sender: str
    key: str
    first_content: str
    other_content: str

    @property
    def stream(self) -> str:
        """`sender/{id}`."""
        return f"sender/{self.sender}"
