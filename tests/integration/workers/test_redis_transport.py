"""A worker whose acknowledgement was lost goes on to take messages."""

import pytest
from evening_floor import Broker
from kombu.entity import Queue
from redis.exceptions import ConnectionError as RedisIsAway

from ops.disturbances.servers import Redis
from workers.redis_transport import Channel, use_it


@pytest.mark.parametrize("settle", ["ack", "reject"])
def test_a_lost_acknowledgement_costs_no_place(redis: Redis, settle: str) -> None:
    use_it()
    with Broker(redis.url).app.connection_for_write() as connection, connection.channel() as channel:
        assert isinstance(channel, Channel)
        channel.basic_qos(prefetch_count=1)
        queue = Queue("cases")(channel)
        queue.declare()
        connection.Producer(channel).publish("first", exchange="", routing_key="cases")
        message = queue.get()
        assert not channel.qos.can_consume()
        redis.stop()
        with pytest.raises(RedisIsAway):
            getattr(message, settle)()
        assert channel.qos.can_consume()
        redis.start()
