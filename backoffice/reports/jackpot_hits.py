"""What pools paid: winner by winner, with the pool before and behind each; and who owes whom of it.

A hit is divided in the network's base currency. Each winner's record tells what the pool was worth before the share and
behind it, in the order in which the shares were given; before less behind is what was paid and, at last, what is left. Every
casino put its bucket in and took its winners' shares out: the difference is what it owes the network, or is owed. Over a hit,
in the base currency, these sum to zero, with what the network itself put in.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import select

from backoffice.domain.jackpots.events import JackpotHit, JackpotHitReversed
from backoffice.domain.terms import SEED
from backoffice.log.envelope import Recorded
from backoffice.log.tables import events
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

AnyHit = JackpotHit | JackpotHitReversed
_STREAMS = "jackpot/"


def _hits(reading: Reading) -> list[tuple[Recorded, AnyHit]]:
    """Every hit, and every hit taken back, in the log's order: there are few."""
    names = select(events.c.stream).distinct().where(events.c.stream.startswith(_STREAMS))
    found = []
    for stream in reading.connection.scalars(names):
        for recorded in reading.log.read_stream(stream):
            if recorded.position > reading.place.position:
                break
            event = decoded(reading.codec, recorded)
            if isinstance(event, AnyHit):
                found.append((recorded, event))
    return sorted(found, key=lambda hit: hit[0].position)


def _winners(reading: Reading) -> Iterator[Row]:
    hits = _hits(reading)
    taken_back = {
        (hit.round, hit.number, hit.percent): recorded.happened_at
        for recorded, hit in hits
        if isinstance(hit, JackpotHitReversed)
    }
    for recorded, hit in hits:
        if isinstance(hit, JackpotHit):
            for row in _shares(recorded, hit, taken_back.get((hit.round, hit.number, hit.percent))):
                casino = row["casino"]
                if reading.is_asked(casino, recorded.happened_at):
                    yield row


def _shares(recorded: Recorded, hit: JackpotHit, taken_back_at: datetime | None) -> Iterator[dict[str, Any]]:
    pool = hit.pool
    for share in hit.shares:
        yield {
            "jackpot": hit.jackpot,
            "cycle": hit.cycle,
            "percent": hit.percent,
            "round": hit.round,
            "seat": share.seat,
            "casino": share.casino,
            "player": share.player,
            "won_at": recorded.happened_at,
            "captured_at": recorded.recorded_at,
            "position": recorded.position,
            "base": hit.base,
            "pool_before": pool,
            "share": share.share_base,
            "pool_behind": pool - share.share_base,
            "rate": share.rate,
            "currency": share.currency,
            "amount": share.amount,
            "held": "yes" if share.held else "no",
            "taken_back_at": taken_back_at,
        }
        pool -= share.share_base


def _settlement(reading: Reading) -> Iterator[Row]:
    """A hit is told whole: of all casinos together, by days of UTC."""
    casino = reading.asked.casino
    for recorded, hit in _hits(reading):
        if reading.is_within(casino or SEED, recorded.happened_at):
            yield from (row for row in _owed(recorded, hit) if casino in {None, row["casino"]})


def _owed(recorded: Recorded, hit: AnyHit) -> Iterator[dict[str, Any]]:
    """Each casino's part, by currency; of a hit that was taken back with other signs."""
    sign = -1 if isinstance(hit, JackpotHitReversed) else 1
    parts: dict[tuple[str, str], Counter[str]] = {}
    for bucket in hit.buckets:
        part = parts.setdefault((bucket.casino, bucket.currency), Counter())
        part.update(put_in=sign * bucket.taken, put_in_base=sign * bucket.base)
    if hit.shortfall:
        part = parts.setdefault((SEED, hit.base), Counter())
        part.update(put_in=sign * hit.shortfall, put_in_base=sign * hit.shortfall)
    for share in hit.shares:
        part = parts.setdefault((share.casino, share.currency), Counter())
        part.update(taken_out=sign * share.amount, taken_out_base=sign * share.share_base)
    for (casino, currency), part in sorted(parts.items()):
        yield {
            "jackpot": hit.jackpot,
            "round": hit.round,
            "position": recorded.position,
            "happened_at": recorded.happened_at,
            "casino": casino,
            "currency": currency,
            "put_in": part["put_in"],
            "taken_out": part["taken_out"],
            "net": part["put_in"] - part["taken_out"],
            "base": hit.base,
            "put_in_base": part["put_in_base"],
            "taken_out_base": part["taken_out_base"],
            "net_base": part["put_in_base"] - part["taken_out_base"],
        }


JACKPOT_HITS = Report(
    name="jackpot-hits",
    title="Jackpot hits, winner by winner",
    about="every share of a pool: the pool before and behind it, amount, rate, when it was won and when captured",
    columns=(
        *texts("jackpot"),
        *counts("cycle", "percent", summed=False),
        *texts("round", "seat", "casino", "player"),
        Column("won_at", Kind.TIME),
        Column("captured_at", Kind.TIME),
        *counts("position", summed=False),
        *texts("base"),
        *sums("pool_before", currency="base", summed=False),
        *sums("share", currency="base"),
        *sums("pool_behind", currency="base", summed=False),
        Column("rate", Kind.NUMBER),
        *texts("currency"),
        *sums("amount", summed=False),
        *texts("held"),
        Column("taken_back_at", Kind.TIME),
    ),
    rows=_winners,
    totals_by=("jackpot", "base"),
)
JACKPOT_SETTLEMENT = Report(
    name="jackpot-settlement",
    title="Settlement between casinos for jackpot hits",
    about="what each casino put into a hit and took out of it, and what it owes or is owed: sums to zero",
    columns=(
        *texts("jackpot", "round"),
        *counts("position", summed=False),
        Column("happened_at", Kind.TIME),
        *texts("casino", "currency"),
        *sums("put_in", "taken_out", "net", summed=False),
        *texts("base"),
        *sums("put_in_base", "taken_out_base", "net_base", currency="base"),
    ),
    rows=_settlement,
    totals_by=("jackpot", "round", "base"),
)
