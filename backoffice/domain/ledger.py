"""Event -> balanced postings: what every fact does to money, by one pure function (design.md, 6).

The postings of one event sum to zero in every currency, and in the book of every casino.
"""

from collections.abc import Callable, Iterable
from typing import Any

from backoffice.domain.accounts import (
    NETWORK,
    Account,
    Posting,
    Postings,
    across_books,
    house_posting,
    move,
    player_posting,
    pool_posting,
    reserve_posting,
    stakes_posting,
)
from backoffice.domain.cases.events import (
    CompensationPaid,
    CompensationTakenBack,
    DebtWrittenOff,
    LargeWinReleased,
)
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import (
    BucketMoved,
    BucketTaken,
    FixedPrizesDrawn,
    FixedPrizesReturned,
    JackpotHit,
    JackpotHitReversed,
    JackpotSeeded,
    Share,
)
from backoffice.domain.rounds.events import (
    AntePlaced,
    BlindPlaced,
    BonusPlaced,
    CancellationRequested,
    CardExchanged,
    HandCalled,
    JackpotMarked,
    Line,
    PlayerLeft,
    PotSettled,
    Raked,
    RoundCancelled,
    RoundCorrected,
    RoundReversed,
    RoundSettled,
    SeatTaken,
    Shortfall,
    StackReturned,
    StakeTaken,
    StakeUndone,
    TakenBack,
    Withdrawal,
)
from backoffice.domain.terms import SEED
from backoffice.domain.wallet.events import DebtRepaid, MoneyDeposited, MoneyWithdrawn
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


def postings(event: Event) -> list[Posting]:
    """What `event` does to money; empty for a fact that moves none. Sums to zero in every currency."""
    post = _POSTS.get(type(event))
    return [] if post is None else [posting for posting in post(event) if posting.minor]


def _deposited(event: MoneyDeposited) -> Postings:
    yield Posting(Account("cashier", event.casino), event.amount.currency, -event.amount.minor)
    yield player_posting(event.casino, event.player, event.amount.currency, event.amount.minor)


def _withdrawn(event: MoneyWithdrawn) -> Postings:
    yield player_posting(event.casino, event.player, event.amount.currency, -event.amount.minor)
    yield Posting(Account("cashier", event.casino), event.amount.currency, event.amount.minor)


def _stake_taken(event: StakeTaken) -> Postings:
    casino, currency, minor = event.casino, event.stake.currency, event.stake.minor
    return (
        player_posting(casino, event.player, currency, -minor),
        stakes_posting(event.round, casino, currency, minor),
    )


def _marked(event: JackpotMarked) -> Postings:
    currency = event.stake.currency
    yield player_posting(event.casino, event.player, currency, -event.stake.minor)
    yield from _contributed(event, event.jackpot, currency)
    yield stakes_posting(event.round, event.casino, currency, event.stake.minor - event.contribution)


def _blind(event: BlindPlaced) -> Postings:
    currency, total = event.stake.currency, event.stake.minor + event.call + event.chip
    yield player_posting(event.casino, event.player, currency, -total)
    yield stakes_posting(event.round, event.casino, currency, total - event.contribution)
    if event.jackpot is not None:
        yield from _contributed(event, event.jackpot, currency)


def _contributed(event: JackpotMarked | BlindPlaced, jackpot: str, currency: str) -> Postings:
    yield pool_posting(jackpot, event.casino, currency, event.contribution - event.reserved)
    yield reserve_posting(jackpot, event.casino, currency, event.reserved)


def _taken_back(event: StakeUndone | PlayerLeft | RoundCorrected) -> Postings:
    for back in event.stakes:
        currency = back.stake.currency
        yield stakes_posting(event.round, back.casino, currency, back.contribution - back.stake.minor)
        yield from _contribution_back(event.jackpot, back, currency)
        yield player_posting(back.casino, back.player, currency, back.stake.minor)


def _contribution_back(jackpot: str | None, back: TakenBack | Withdrawal, currency: str) -> Postings:
    """Out of the pool and its reserve, or out of the house where it bears it."""
    if jackpot is not None and back.borne_by == "pool":
        yield pool_posting(jackpot, back.casino, currency, back.reserved - back.contribution)
        yield reserve_posting(jackpot, back.casino, currency, -back.reserved)
    else:
        yield house_posting(back.casino, currency, -back.contribution)


def _requested(event: CancellationRequested) -> Postings:
    """The marks' contributions wait with the round's other stakes for the refund."""
    return _contributions_back(event.round, event.jackpot, event.withdrawals)


def _contributions_back(round_id: str, jackpot: str | None, marks: Iterable[Withdrawal]) -> Postings:
    """Contributions leave the pool, or the house where it bears them, and join the round's stakes."""
    for mark in marks:
        yield from _contribution_back(jackpot, mark, mark.currency)
        yield stakes_posting(round_id, mark.casino, mark.currency, mark.contribution)


def _cancelled(event: RoundCancelled) -> Postings:
    for line in event.lines:
        yield stakes_posting(event.round, line.casino, line.currency, -line.stake)
        yield player_posting(line.casino, line.player, line.currency, line.payout)
    yield from _stacks(event.round, event.stacks)


def _settled(event: RoundSettled) -> Postings:
    for line in event.lines:
        yield from _line(event.round, line)


def _line(round_id: str, line: Line) -> Postings:
    """The stake (but for what the pool has of it) to the house; the payout from the house, unless the pool pays it."""
    taken = line.stake - line.pooled
    paid = line.payout if line.paid_by == "house" else 0
    return (
        stakes_posting(round_id, line.casino, line.currency, -taken),
        house_posting(line.casino, line.currency, taken - paid),
        player_posting(line.casino, line.player, line.currency, paid),
    )


def _pot_settled(event: PotSettled) -> Postings:
    yield from _pot(event.round, event.lines, event.raked)
    yield from _stacks(event.round, event.stacks)


def _pot(round_id: str, lines: Iterable[Line], raked: Iterable[Raked]) -> Postings:
    """What every seat put in, to those who took it out and to the house."""
    for line in lines:
        yield stakes_posting(round_id, line.casino, line.currency, -line.stake)
        yield player_posting(line.casino, line.player, line.currency, line.payout)
    for rake in raked:
        yield house_posting(rake.casino, rake.amount.currency, rake.amount.minor)


def _seat_taken(event: SeatTaken) -> Postings:
    yield player_posting(event.casino, event.player, event.stack.currency, -event.stack.minor)
    yield stakes_posting(event.round, event.casino, event.stack.currency, event.stack.minor)


def _stacks(round_id: str, stacks: Iterable[StackReturned]) -> Postings:
    for stack in stacks:
        yield stakes_posting(round_id, stack.casino, stack.amount.currency, -stack.amount.minor)
        yield player_posting(stack.casino, stack.player, stack.amount.currency, stack.amount.minor)


def _seeded(event: JackpotSeeded) -> Postings:
    yield from move(NETWORK, Account("seed", event.jackpot), event.seed)
    yield from _into_pool(event.jackpot, event.from_reserve)


def _into_pool(jackpot: str, moved: Iterable[BucketMoved]) -> Postings:
    for part in moved:
        yield reserve_posting(jackpot, part.casino, part.currency, -part.minor)
        yield pool_posting(jackpot, part.casino, part.currency, part.minor)


def _fixed_drawn(event: FixedPrizesDrawn | FixedPrizesReturned) -> Postings:
    for prize in event.prizes:
        yield pool_posting(event.jackpot, prize.casino, prize.amount.currency, -prize.amount.minor)
        yield player_posting(prize.casino, prize.player, prize.amount.currency, prize.amount.minor)


def _hit(event: JackpotHit | JackpotHitReversed) -> Postings:
    """Every bucket into the base currency's seed account, the shares out of it, each conversion two balanced pairs."""
    seed, exchange = Account("seed", event.jackpot), Account("exchange", event.jackpot)
    for bucket in event.buckets:
        yield from _bucket_taken(event, bucket, seed, exchange)
    yield from move(NETWORK, seed, Money(event.shortfall, event.base))
    for share in event.shares:
        yield from _share(event, share, seed, exchange)
    yield from move(exchange, Account("rounding", event.jackpot), Money(event.rounding, event.base))


def _bucket_taken(
    event: JackpotHit | JackpotHitReversed, bucket: BucketTaken, seed: Account, exchange: Account
) -> Postings:
    if bucket.casino == SEED:
        return
    pool = Account("pool", event.jackpot, bucket.casino)
    taken = Money(bucket.taken, bucket.currency)
    if bucket.currency == event.base:
        yield from move(pool, seed, taken)
        return
    yield from move(pool, exchange, taken)
    yield from move(exchange, seed, Money(bucket.base, event.base))


def _share(
    event: JackpotHit | JackpotHitReversed, share: Share, seed: Account, exchange: Account
) -> Postings:
    player = Account("held" if share.held else "player", share.casino, share.player)
    paid = Money(share.amount, share.currency)
    if share.currency == event.base:
        yield from move(seed, player, paid)
        return
    yield from move(seed, exchange, Money(share.share_base, event.base))
    yield from move(exchange, player, paid)


def _backwards(postings_done: Postings) -> Postings:
    return (posting._replace(minor=-posting.minor) for posting in postings_done)


def _hit_reversed(event: JackpotHitReversed) -> Postings:
    yield from _backwards(_hit(event))
    if event.seed is not None:
        yield from move(Account("seed", event.jackpot), NETWORK, event.seed)
    yield from _backwards(_into_pool(event.jackpot, event.to_reserve))


def _prizes_returned(event: FixedPrizesReturned) -> Postings:
    return _backwards(_fixed_drawn(event))


def _reversed(event: RoundReversed) -> Postings:
    """The settlement backwards, then every stake to its player as in a cancellation, contributions included."""
    pot = [line for line in event.lines if line.bet == "pot"]
    yield from _backwards(_pot(event.round, pot, event.raked))
    for line in event.lines:
        if line.bet != "pot":
            yield from _backwards(_line(event.round, line))
        yield stakes_posting(event.round, line.casino, line.currency, -line.stake)
        yield player_posting(line.casino, line.player, line.currency, line.stake)
    yield from _contributions_back(event.round, event.jackpot, event.contributions)
    yield from _indebted(event.shortfalls)


def _corrected(event: RoundCorrected) -> Postings:
    """Every stake as if it had just been placed."""
    yield from _backwards(_taken_back(event))
    yield from _indebted(event.shortfalls)


def _indebted(shortfalls: Iterable[Shortfall]) -> Postings:
    for short in shortfalls:
        player = Account("player", short.casino, short.player)
        yield from move(_receivable(short.wallet), player, short.amount)


def _receivable(wallet: Wallet) -> Account:
    return Account("receivable", wallet.casino, wallet.player)


def _compensation_paid(event: CompensationPaid | CompensationTakenBack) -> Postings:
    yield from move(Account("compensation", event.casino), Account("player", *event.wallet[:2]), event.amount)


def _compensation_taken_back(event: CompensationTakenBack) -> Postings:
    return _backwards(_compensation_paid(event))


def _released(event: LargeWinReleased) -> Postings:
    yield from move(Account("held", *event.wallet[:2]), Account("player", *event.wallet[:2]), event.amount)


def _written_off(event: DebtWrittenOff) -> Postings:
    yield from move(Account("house", event.casino), _receivable(event.wallet), event.amount)


def _repaid(event: DebtRepaid) -> Postings:
    yield from move(Account("player", *event.wallet[:2]), _receivable(event.wallet), event.amount)


_POSTS: dict[type[Event], Callable[[Any], Postings]] = {
    MoneyDeposited: _deposited,
    MoneyWithdrawn: _withdrawn,
    AntePlaced: _stake_taken,
    BonusPlaced: _stake_taken,
    HandCalled: _stake_taken,
    CardExchanged: _stake_taken,
    JackpotMarked: _marked,
    BlindPlaced: _blind,
    StakeUndone: _taken_back,
    PlayerLeft: _taken_back,
    CancellationRequested: _requested,
    RoundCancelled: _cancelled,
    RoundSettled: _settled,
    SeatTaken: _seat_taken,
    PotSettled: across_books(_pot_settled),
    JackpotSeeded: _seeded,
    FixedPrizesDrawn: _fixed_drawn,
    JackpotHit: across_books(_hit),
    JackpotHitReversed: across_books(_hit_reversed),
    FixedPrizesReturned: _prizes_returned,
    RoundReversed: across_books(_reversed),
    RoundCorrected: _corrected,
    CompensationPaid: _compensation_paid,
    CompensationTakenBack: _compensation_taken_back,
    LargeWinReleased: _released,
    DebtWrittenOff: _written_off,
    DebtRepaid: _repaid,
}

POSTED: tuple[type[Event], ...] = tuple(_POSTS)
"""The kinds of facts that move money."""
