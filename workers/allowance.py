"""Rate limits that all API processes share, counted in Redis. Plugged into `backoffice serve` where a Redis is the broker."""

import logging

from redis.asyncio import Redis
from redis.exceptions import RedisError

from backoffice.api.allowance import OwnAllowance, Rate

log = logging.getLogger(__name__)

# By the clock of Redis, so that it does not matter whose clock is wrong. Times in microseconds.
_TAKE = """
local moment = redis.call('time')
local now = moment[1] * 1000000 + moment[2]
local turn = math.max(tonumber(redis.call('get', KEYS[1]) or now), now) + tonumber(ARGV[1])
local wait = turn - now - tonumber(ARGV[2])
if wait > 0 then return wait end
redis.call('set', KEYS[1], string.format('%d', turn), 'px', math.ceil((turn - now) / 1000) + 1)
return 0
"""


class RedisAllowance:
    """An allowance in Redis; while that does not answer, each process counts by itself."""

    def __init__(self, url: str, rate: Rate) -> None:
        self._redis = Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5)
        self._take = self._redis.register_script(_TAKE)
        self._rate = rate
        self._own = OwnAllowance(rate)
        self._told = False

    async def wait_seconds(self, who: str) -> float:
        """See `Allowance`."""
        microseconds = [round(part * 1e6) for part in (self._rate.apart_seconds, self._rate.early_seconds)]
        try:
            wait = await self._take(keys=[f"backoffice:allowance:{who}"], args=microseconds)
        except (RedisError, OSError) as gone:
            if not self._told:
                log.warning("requests are counted by each process for itself: %s", gone)
            self._told = True
            return await self._own.wait_seconds(who)
        self._told = False
        return float(wait) / 1e6

    async def close(self) -> None:
        """Let go of the connections."""
        await self._redis.aclose()
