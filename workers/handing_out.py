"""Reactions handed to Celery."""

from kombu.exceptions import OperationalError

from workers.tail import NotHandedOut
from workers.tasks import carry_out_reactions


def hand_out(position: int) -> None:
    """Send the position and nothing else. Raises NotHandedOut at once where the broker does not answer."""
    try:
        carry_out_reactions.apply_async(kwargs={"position": position}, retry=False)
    except OperationalError as refused:
        raise NotHandedOut(f"the broker does not answer: {refused}") from refused
