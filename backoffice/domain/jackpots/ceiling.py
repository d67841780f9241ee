"""A pool's ceiling: how much of what is to be added still fits under it. The rest is the reserve's.

Only what is added is measured. A pool that stands above its ceiling because rates moved, or because a hit was taken
back, keeps what it has and takes nothing more.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping

from backoffice.domain.jackpots.events import BucketMoved
from backoffice.domain.jackpots.state import Buckets

Base = Callable[[int, str], int]
"""What minor units of a currency are worth in the base currency, each bucket rounded once."""


def fitting(
    buckets: Mapping[tuple[str, str], int], bucket: tuple[str, str], minor: int, ceiling: int, base: Base
) -> int:
    """The most of `minor` that can be added to `bucket` without the pool's worth passing `ceiling`."""
    held, currency = buckets.get(bucket, 0), bucket[1]
    others = sum(base(had, code) for (casino, code), had in buckets.items() if (casino, code) != bucket)
    room = ceiling - others
    if base(held + minor, currency) <= room:
        return minor
    return max(0, bisect_right(range(minor + 1), room, key=lambda part: base(held + part, currency)) - 1)


def moved_in(
    reserve: Mapping[tuple[str, str], int], begun: Buckets, ceiling: int | None, base: Base
) -> tuple[BucketMoved, ...]:
    """What a pool that has `begun` takes from the reserve, by casino and currency: all of it, as far as it fits."""
    filled, moved = dict(begun), []
    for bucket, minor in sorted(reserve.items()):
        part = minor if ceiling is None else fitting(filled, bucket, minor, ceiling, base)
        if part:
            filled[bucket] = filled.get(bucket, 0) + part
            moved.append(BucketMoved(*bucket, part))
    return tuple(moved)
