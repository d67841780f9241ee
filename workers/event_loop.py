"""Kombu's event loop, kept turning.

Before it waits for news the loop does what was put off; what is put off by that very doing is left for the next turn, and
the wait for news may last ten seconds. Over RabbitMQ that is an acknowledgement again and again: a worker takes no second
message before it is sent, so there is no news to wake it (kombu 5.7). A timer that comes round soon ends every wait.
"""

from kombu.asynchronous import Hub

TURN_SECONDS = 0.1


def keep_turning(hub: Hub) -> None:
    """From now on the loop waits no longer than `TURN_SECONDS`, whatever it overlooks."""
    hub.call_repeatedly(TURN_SECONDS, _nothing)  # type: ignore[no-untyped-call]


def _nothing() -> None:
    """The turn itself is what is wanted."""
