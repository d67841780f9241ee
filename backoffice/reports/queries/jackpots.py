"""Jackpots: what is in each pool and from whom, and who won of it.

A casino sees its own buckets, its own players' shares, and what the whole pool is worth.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, select

from backoffice.domain.jackpots.events import JackpotHit
from backoffice.domain.terms import RESERVE, SEED
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.exchange import parse_rate, to_base
from backoffice.log.codec import Codec
from backoffice.log.seen import SeenLog
from backoffice.projections.jackpot_meters import JACKPOT_METERS, jackpot_meters
from backoffice.projections.jackpot_shares import JACKPOT_SHARES, jackpot_shares
from backoffice.reports.decoding import decoded
from backoffice.reports.queries.network import rates_in_force
from backoffice.reports.queries.paging import Asked, Order, Page, Shown, read_page
from backoffice.reports.queries.snapshot import told_upto
from backoffice.reports.scope import Scope


class Bucket(Shown):
    """What one casino has in a pool in one currency; the network's own money stands under `-`."""

    casino: str = Field(examples=["tallinn"])
    currency: str = Field(examples=["EUR"])
    contributed: str = Field(examples=["140.00"])
    refunded: str = Field(examples=["0.70"])
    paid_out: str = Field(examples=["0.00"])
    balance: str = Field(examples=["139.30"])


class Meter(Shown):
    """A running pool."""

    jackpot: str = Field(examples=["royal"])
    currency: str = Field(description="The network's base currency.", examples=["EUR"])
    worth: str | None = Field(
        description="Of all buckets together, at the rates in force; null where one is missing.",
        examples=["5139.30"],
    )
    buckets: list[Bucket] = Field(description="Those of the casinos whose books you may see.")


class Meters(Shown):
    """Every jackpot's meter, all read at one position."""

    rows: list[Meter]
    position: int = Field(description="The position of the log up to which this tells.", examples=[4711])


class JackpotShare(Shown):
    """What one seat won of a pool; taken back since `reversed_at`, if that is given."""

    hit_position: int = Field(description="The hit in the log.", examples=[4711])
    jackpot: str = Field(examples=["royal"])
    cycle: int = Field(description="Counts the pools of the jackpot.", examples=[3])
    percent: int = Field(description="Of the pool.", examples=[100])
    round: str = Field(examples=["live-1-0017"])
    result_number: int = Field(examples=[1])
    seat: str = Field(examples=["1"])
    casino: str = Field(examples=["tallinn"])
    player: str = Field(examples=["p-1"])
    currency: str = Field(examples=["EUR"])
    amount: str = Field(examples=["5139.30"])
    rate: str = Field(description="Units of `currency` for one of `base_currency`.", examples=["1"])
    base_currency: str = Field(examples=["EUR"])
    share_base: str = Field(examples=["5139.30"])
    pool_before: str = Field(
        description="What the pool was worth, in the base currency.", examples=["5139.30"]
    )
    pool_after: str = Field(description="What the hit left of that, before a new seed.", examples=["0.00"])
    happened_at: datetime = Field(description="By the table's time.")
    recorded_at: datetime = Field(description="By the log's time.")
    reversed_at: datetime | None


def read_meters(connection: Connection, codec: Codec, scope: Scope, jackpot: str | None = None) -> Meters:
    """The meters of all jackpots, or of one; none for a jackpot that there is not. Worth what they are at this moment."""
    query = select(jackpot_meters).where(~jackpot_meters.c.jackpot.startswith(RESERVE, autoescape=True))
    if jackpot is not None:
        query = query.where(jackpot_meters.c.jackpot == jackpot)
    rows = connection.execute(query.order_by(*jackpot_meters.primary_key.columns)).all()
    rates = rates_in_force(connection, codec, {row.currency for row in rows})
    by_jackpot = groupby(rows, key=lambda row: row.jackpot)
    meters = [_meter(name, list(buckets), scope, rates) for name, buckets in by_jackpot]
    return Meters(rows=meters, position=told_upto(connection, JACKPOT_METERS))


def within(scope: Scope, meters: Iterable[Meter]) -> list[Meter]:
    """Meters of the whole network as a scope may see them."""
    if scope.whole:
        return list(meters)
    return [
        meter.model_copy(update={"buckets": [one for one in meter.buckets if scope.covers(one.casino)]})
        for meter in meters
    ]


def _meter(name: str, buckets: Sequence[Row[Any]], scope: Scope, rates: dict[str, str]) -> Meter:
    base = next(bucket.currency for bucket in buckets if bucket.casino == SEED)
    shown = [_bucket(bucket) for bucket in buckets if scope.covers(bucket.casino)]
    return Meter(
        jackpot=name, currency=base, worth=_worth(buckets, {**rates, base: "1"}, base), buckets=shown
    )


def _bucket(row: Row[Any]) -> Bucket:
    return Bucket(
        casino=row.casino,
        currency=row.currency,
        contributed=format_minor(row.contributed_minor, row.currency),
        refunded=format_minor(row.refunded_minor, row.currency),
        paid_out=format_minor(row.paid_out_minor, row.currency),
        balance=format_minor(row.balance_minor, row.currency),
    )


def _worth(buckets: Iterable[Row[Any]], rates: dict[str, str], base: str) -> str | None:
    """Each bucket converted once, as a hit would."""
    minor = 0
    for bucket in buckets:
        if bucket.currency not in rates:
            return None
        minor += to_base(bucket.balance_minor, bucket.currency, parse_rate(rates[bucket.currency]), base)
    return format_minor(minor, base)


def read_shares(
    connection: Connection,
    codec: Codec,
    scope: Scope,
    jackpot: str | None,
    round_id: str | None,
    asked: Asked,
) -> Page[JackpotShare]:
    """What was won, newest first."""
    query = select(jackpot_shares).where(scope.holds(jackpot_shares.c.casino))
    if jackpot is not None:
        query = query.where(jackpot_shares.c.jackpot == jackpot)
    if round_id is not None:
        query = query.where(jackpot_shares.c.round == round_id)
    page = read_page(
        connection,
        query,
        Order((jackpot_shares.c.position, jackpot_shares.c.seat), falling=True),
        asked,
        told_upto(connection, JACKPOT_SHARES),
        ("shares", scope, jackpot, round_id),
        lambda row: row,
        jackpot_shares.c.position,
    )
    hits = _hits(connection, codec, {row.position for row in page.rows})
    return Page(
        rows=[_share(row, *hits[row.position]) for row in page.rows], next=page.next, position=page.position
    )


def _hits(
    connection: Connection, codec: Codec, positions: set[int]
) -> dict[int, tuple[JackpotHit, datetime]]:
    """The hits themselves, and when each was recorded."""
    hits = {}
    for recorded in SeenLog(connection).read_positions(positions):
        hit = decoded(codec, recorded)
        assert isinstance(hit, JackpotHit)
        hits[recorded.position] = hit, recorded.recorded_at
    return hits


def _share(row: Row[Any], hit: JackpotHit, recorded_at: datetime) -> JackpotShare:
    return JackpotShare(
        pool_before=format_minor(hit.pool, hit.base),
        pool_after=format_minor(max(hit.pool, 0) - hit.amount, hit.base),
        recorded_at=recorded_at,
        hit_position=row.position,
        result_number=row.number,
        amount=format_minor(row.amount_minor, row.currency),
        share_base=format_minor(row.share_base_minor, row.base_currency),
        **{name: getattr(row, name) for name in _AS_STORED},
    )


_AS_STORED = (
    *("jackpot", "cycle", "percent", "round", "seat", "casino", "player"),
    *("currency", "rate", "base_currency", "happened_at", "reversed_at"),
)
