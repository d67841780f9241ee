"""One suite for allowances, counted here or in a real Redis: so many at once, so many on the long run, each for themselves."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing

import pytest

from backoffice.api.allowance import Allowance, OwnAllowance, Rate, whole_seconds
from ops.disturbances.servers import Redis
from workers.allowance import RedisAllowance

RATE = Rate(a_second=50, at_once=10)


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Redis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server.url
    server.stop()


@pytest.fixture(params=["here", "redis"])
def made(request: pytest.FixtureRequest) -> Callable[[], Allowance]:
    """Makes the allowance of one process; of those in Redis all count together."""
    if request.param == "here":
        return lambda: OwnAllowance(RATE)
    url = request.getfixturevalue("redis_url")
    return lambda: RedisAllowance(url, RATE)


class Closing:
    """An allowance that is closed when it is left."""

    def __init__(self, it: Allowance) -> None:
        self.it = it

    async def aclose(self) -> None:
        await self.it.close()


def run(made: Callable[[], Allowance], scene: Callable[[Allowance], Awaitable[None]]) -> None:
    async def play() -> None:
        async with aclosing(Closing(made())) as open_one:
            await scene(open_one.it)

    asyncio.run(play())


async def taken(allowance: Allowance, who: str, tries: int) -> tuple[int, float]:
    """How many of so many requests may go on, and how long the last one is to wait."""
    waits = [await allowance.wait_seconds(who) for _ in range(tries)]
    return sum(not wait for wait in waits), waits[-1]


def test_so_many_may_go_on_at_once_and_the_rest_is_told_how_long_to_wait(
    made: Callable[[], Allowance],
) -> None:
    async def hasty(allowance: Allowance) -> None:
        went, wait = await taken(allowance, "ann", 30)
        assert 10 <= went <= 20  # some time goes by meanwhile
        assert 0 < wait <= RATE.apart_seconds
        await asyncio.sleep(wait + 0.01)
        assert await allowance.wait_seconds("ann") == 0

    run(made, hasty)


def test_each_waits_for_themselves(made: Callable[[], Allowance]) -> None:
    async def two(allowance: Allowance) -> None:
        await taken(allowance, "bea", 30)
        assert (await taken(allowance, "cleo", 5))[0] == 5

    run(made, two)


def test_processes_that_share_a_redis_count_together(redis_url: str) -> None:
    async def both() -> None:
        async with (
            aclosing(Closing(RedisAllowance(redis_url, RATE))) as first,
            aclosing(Closing(RedisAllowance(redis_url, RATE))) as second,
        ):
            went = (await taken(first.it, "eve", 30))[0] + (await taken(second.it, "eve", 10))[0]
            assert went <= 25

    asyncio.run(both())


def test_without_its_redis_a_process_counts_by_itself() -> None:
    async def alone(allowance: Allowance) -> None:
        went, _ = await taken(allowance, "flo", 30)
        assert 10 <= went <= 20

    run(lambda: RedisAllowance("redis://127.0.0.1:9/0", RATE), alone)


def test_who_has_nothing_to_wait_for_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backoffice.api.allowance.FORGET_ABOVE", 100)
    moments = iter(range(10_000))
    allowance = OwnAllowance(RATE, clock=lambda: float(next(moments)))

    async def many() -> None:
        for number in range(1000):
            await allowance.wait_seconds(f"visitor-{number}")

    asyncio.run(many())
    assert len(allowance._turns) <= 101


def test_a_wait_is_told_in_whole_seconds() -> None:
    assert [whole_seconds(wait) for wait in (0.001, 1.0, 1.2)] == ["1", "1", "2"]
