"""How many tasks wait, asked of the broker itself, Redis or RabbitMQ, through kombu."""

from celery import Celery
from kombu.exceptions import ChannelError

PROJECTIONS, CASES, EXPORTS = "projections", "cases", "exports"
QUEUES = (PROJECTIONS, CASES, EXPORTS)


def waiting(app: Celery) -> dict[str, int]:
    """The tasks that no worker has taken yet, by queue. Raises kombu's OperationalError where there is no answer."""
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0.2)
        return {name: _length(connection, name) for name in QUEUES}


def _length(connection: object, name: str) -> int:
    with connection.channel() as channel:  # type: ignore[attr-defined]
        try:
            return int(channel.queue_declare(name, passive=True).message_count)
        except ChannelError:  # no such queue: nobody sent anything yet
            return 0
