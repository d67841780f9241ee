"""kombu's Redis transport, where an acknowledgement that does not get through costs no place.

A worker takes one message a process and no other before that one is acknowledged. When Redis is away at that very moment
kombu logs the error and keeps the message among those that are still to be acknowledged, for ever: its place is never
free again, and a worker whose places are all lost that way waits for nothing, alive and well to look at. Here the place
is free again. The message itself is gone with Redis, or comes again; either way the log knows what is due.
"""

from typing import Any

from kombu import transport
from kombu.transport import redis, virtual


class FreeingQoS(redis.QoS):  # type: ignore[misc, unused-ignore]
    """Messages that were taken, without those whose acknowledgement failed."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge; the place is free whatever becomes of it."""
        self._freeing(delivery_tag, super().ack, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give back or throw away; the place is free whatever becomes of it."""
        self._freeing(delivery_tag, super().reject, delivery_tag, requeue)

    def _freeing(self, delivery_tag: str, settle: Any, *given: object) -> None:
        try:
            settle(*given)
        except BaseException:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


class Channel(redis.Channel):  # type: ignore[misc, unused-ignore]
    """A channel with such places."""

    QoS = FreeingQoS


class Transport(redis.Transport):  # type: ignore[misc, unused-ignore]
    """What `redis://` means to the workers."""

    Channel = Channel


def use_it() -> None:
    """From now on, for this process; also where a connection was made before."""
    for name in ("redis", "rediss"):
        transport.TRANSPORT_ALIASES[name] = f"{__name__}:Transport"
        transport._transport_cache.pop(name, None)  # noqa: SLF001 - kombu remembers what a name meant
