"""The sample feed through the pure domain, with no log and no database: every promise, and every number of `expected/`."""

import json
import tomllib
from collections.abc import Iterable

import pytest
from promises import check_promises
from pure_house import PureHouse
from shared_folder import shared

from backoffice.domain.cases.events import CompensationOpened
from backoffice.domain.jackpots.events import JackpotHit
from backoffice.domain.meters import meter_moves
from backoffice.domain.rounds.events import PotSettled, RoundCancelled, RoundSettled
from backoffice.kernel.currencies import format_minor

Rows = Iterable[Iterable[str]]


@pytest.fixture(scope="module")
def house() -> PureHouse:
    """The feed as it was sent, reactions as they arise; what is sent twice counts once."""
    house = PureHouse()
    house.apply_network(tomllib.loads(shared("feeds", "network.toml").read_text(encoding="utf-8")))
    taken: set[str] = set()
    for line in shared("feeds", "sample.jsonl").read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if fields["id"] not in taken:
            taken.add(fields["id"])
            house.do(fields.pop("do"), **fields)
    return house


def test_every_promise_holds(house):
    check_promises(house)


def round_lines(house: PureHouse) -> Rows:
    for event in house.events:
        if isinstance(event, RoundSettled | RoundCancelled | PotSettled):
            for line in event.lines:
                stake, payout = (format_minor(minor, line.currency) for minor in (line.stake, line.payout))
                odds = "" if line.odds is None else str(line.odds)
                yield event.round, line.seat, *line.wallet, line.bet, stake, line.result, odds, payout


def balances(house: PureHouse) -> Rows:
    for wallet, minor in house.past.balances.items():
        yield *wallet, format_minor(minor, wallet.currency)


def jackpot_meters(house: PureHouse) -> Rows:
    meters: dict[tuple[str, str, str], list[int]] = {}
    for event in house.events:
        for move in meter_moves(event):
            meter = meters.setdefault((move.jackpot, move.casino, move.currency), [0, 0, 0, 0])
            for index, minor in enumerate((move.contributed, move.refunded, move.paid_out, move.balance)):
                meter[index] += minor
    for key, sums in meters.items():
        yield *key, *(format_minor(minor, key[2]) for minor in sums)


def jackpot_shares(house: PureHouse) -> Rows:
    for hit in house.events:
        if isinstance(hit, JackpotHit):
            for share in hit.shares:
                base, amount = (
                    format_minor(share.share_base, hit.base),
                    format_minor(share.amount, share.currency),
                )
                yield hit.jackpot, hit.round, share.seat, *share.wallet, base, share.rate, amount


def compensation_cases(house: PureHouse) -> Rows:
    for case in house.events:
        if isinstance(case, CompensationOpened):
            money = case.suggested
            yield case.round, case.seat, case.casino, case.player, money.currency, case.hand, money.text


@pytest.mark.parametrize("rows", [round_lines, balances, jackpot_meters, jackpot_shares, compensation_cases])
def test_every_number_is_the_independent_programs(house, rows):
    name = rows.__name__.replace("_", "-")
    header, *expected = shared("feeds", "expected", f"{name}.csv").read_text(encoding="utf-8").splitlines()
    assert header
    assert sorted(",".join(row) for row in rows(house)) == sorted(expected)
