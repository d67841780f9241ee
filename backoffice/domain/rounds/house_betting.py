"""What a seat may stake, and take back, while betting is open."""

from collections.abc import Iterable
from functools import lru_cache

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Ante, Blind, Bonus, Close, Leave, Mark, Undo
from backoffice.domain.rounds.events import (
    AntePlaced,
    BettingClosed,
    BlindPlaced,
    BonusPlaced,
    JackpotMarked,
    PlayerLeft,
    StakeUndone,
    TakenBack,
)
from backoffice.domain.rounds.house_state import HouseRound, HouseSeat, Stake
from backoffice.domain.rounds.surroundings import (
    Pool,
    Surroundings,
    amount_in,
    check_cover,
    check_player,
)
from backoffice.domain.terms import ChipTerms
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.ids import Wallet, the_wallet
from backoffice.kernel.money import Money, the_money
from backoffice.rules.book import FixedBonus
from backoffice.rules.settlement import Bet


def place_ante(state: HouseRound, command: Ante, around: Surroundings) -> list[Event]:
    """A seat taken with an ante, or an addition to its ante, within the table's limits."""
    who = f"seat {command.seat}"
    wallet = the_wallet(command.casino, command.player, command.currency)
    seat = state.seats.get(command.seat)
    if seat is None:
        _check_vacant_seat(state, command.seat)
        check_player(around, state.opened.terms.casinos, wallet, who)
        _check_one_seat(state, wallet, who)
    elif seat.blind_by is not None:
        raise Refused(f"{who}: is played blind by seat {seat.blind_by}", "blind")
    elif seat.wallet[:2] != wallet[:2]:
        raise Refused(f"{who}: is taken by another player", "seat")
    elif seat.wallet != wallet:
        raise Refused(f"{who}: plays in {seat.wallet.currency}", "currency")
    minor = amount_in(command.amount, command.currency, who)
    _check_limits(state, seat, "ante", minor, wallet.currency, who)
    check_cover(around, wallet, minor, who)
    return [_taken(AntePlaced, state, command.seat, wallet, minor)]


def place_bonus(state: HouseRound, command: Bonus, around: Surroundings) -> list[Event]:
    """A Bonus stake: within the limits, or exactly what the book asks."""
    bonus = state.book.bonus
    if bonus is None:
        raise Refused(f"{state.book.id} has no Bonus", "bonus")
    seat, who = own_seat(state, command.seat), f"seat {command.seat}"
    currency = seat.wallet.currency
    minor = amount_in(command.amount, currency, who)
    if isinstance(bonus, FixedBonus):
        _check_fixed_bonus(bonus, seat, minor, who)
    _check_limits(state, seat, "bonus", minor, currency, who)
    check_cover(around, seat.wallet, minor, who)
    return [_taken(BonusPlaced, state, command.seat, seat.wallet, minor)]


def mark_jackpot(state: HouseRound, command: Mark, around: Surroundings) -> list[Event]:
    """The seat's chip on the jackpot box, split into the pool's part and the house's."""
    seat, who = own_seat(state, command.seat), f"seat {command.seat}"
    pool, chip = _chip(state, around, seat.wallet.currency, who)
    if seat.mark is not None:
        raise Refused(f"{who}: the jackpot is already marked", "mark")
    _check_total(state, seat, chip.stake, seat.wallet.currency, who)
    check_cover(around, seat.wallet, chip.stake, who)
    return [
        JackpotMarked(
            round=state.opened.round,
            seat=command.seat,
            casino=seat.wallet.casino,
            player=seat.wallet.player,
            stake=the_money(chip.stake, seat.wallet.currency),
            jackpot=pool.jackpot,
            cycle=pool.cycle,
            contribution=chip.pool,
            reserved=pool.overflow(seat.wallet.casino, seat.wallet.currency),
        )
    ]


def play_blind(state: HouseRound, command: Blind, around: Surroundings) -> list[Event]:
    """A vacant box played blind by a seated player: ante, call and chip are taken at once (sheet 003)."""
    if not state.book.blind_boxes:
        raise Refused(f"{state.book.id} has no blind boxes", "blind")
    who = f"box {command.seat}"
    if command.seat in state.seats:
        raise Refused(f"{who}: only a vacant box is played blind", "blind")
    _check_vacant_seat(state, command.seat)
    wallet = own_seat(state, command.by).wallet
    if len(state.blind_boxes(command.by)) >= state.book.blind_boxes:
        raise Refused(f"seat {command.by}: plays {state.book.blind_boxes} boxes blind already", "blind")
    ante = amount_in(command.amount, wallet.currency, who)
    call = 2 * ante
    _check_limits(state, None, "ante", ante, wallet.currency, who, also=call)
    marked = _chip(state, around, wallet.currency, who) if command.mark else None
    chip = marked[1].stake if marked else 0
    if marked:
        _check_total(state, None, ante + call + chip, wallet.currency, who)
    check_cover(around, wallet, ante + call + chip, who)
    return [
        BlindPlaced(
            round=state.opened.round,
            seat=command.seat,
            casino=wallet.casino,
            player=wallet.player,
            stake=Money(ante, wallet.currency),
            by=command.by,
            call=call,
            jackpot=marked[0].jackpot if marked else None,
            cycle=marked[0].cycle if marked else 0,
            chip=chip,
            contribution=marked[1].pool if marked else 0,
            reserved=marked[0].overflow(wallet.casino, wallet.currency) if marked else 0,
        )
    ]


def undo_newest(state: HouseRound, command: Undo, around: Surroundings) -> list[Event]:
    """The seat's newest stake back; a blind box comes back whole."""
    seat = taken_seat(state, command.seat)
    boxes = state.blind_boxes(command.seat)
    if len(seat.placed) == 1 and boxes:
        raise Refused(f"seat {command.seat}: cannot be emptied while it plays {_listed(boxes)} blind", "undo")
    back = _taken_back(command.seat, seat, seat.placed[-1], around)
    return [
        StakeUndone(
            round=state.opened.round, seat=command.seat, stakes=back, jackpot=_jackpot_of(back, state)
        )
    ]


def leave_table(state: HouseRound, command: Leave, around: Surroundings) -> list[Event]:
    """Every stake of the seat and of its blind boxes back."""
    seat = own_seat(state, command.seat)
    boxes = {name: state.seats[name] for name in state.blind_boxes(command.seat)}
    back = tuple(
        taken_back
        for name, box in {command.seat: seat, **boxes}.items()
        for taken_back in _taken_back(name, box, tuple(box.stakes), around)
    )
    return [
        PlayerLeft(round=state.opened.round, seat=command.seat, stakes=back, jackpot=_jackpot_of(back, state))
    ]


def close_betting(state: HouseRound, _: Close, __: Surroundings) -> list[Event]:
    """No more bets; without a seat there is nothing to deal to."""
    if not state.seats:
        raise Refused("nobody plays: betting cannot be closed, the round can only be cancelled", "phase")
    return [BettingClosed(round=state.opened.round)]


def taken_seat(state: HouseRound, name: str) -> HouseSeat:
    """The seat by its name. Raises Refused where nobody sits."""
    seat = state.seats.get(name)
    if seat is None:
        raise Refused(f"seat {name}: nobody plays there", "seat")
    return seat


def own_seat(state: HouseRound, name: str) -> HouseSeat:
    """A seat with a player in it. Raises Refused for an empty one and for a blind box."""
    seat = taken_seat(state, name)
    if seat.blind_by is not None:
        raise Refused(
            f"seat {name}: is played blind by seat {seat.blind_by}, nothing more is done on it", "blind"
        )
    return seat


def _taken_back(
    name: str, seat: HouseSeat, stakes: Iterable[Stake], around: Surroundings
) -> tuple[TakenBack, ...]:
    return tuple(
        TakenBack(
            seat=name,
            casino=seat.wallet.casino,
            player=seat.wallet.player,
            bet=stake.bet,
            stake=Money(stake.minor, seat.wallet.currency),
            contribution=stake.contribution,
            borne_by=around.bearer(stake.cycle, stake.reserved),
            reserved=stake.reserved,
        )
        for stake in stakes
    )


def _jackpot_of(back: tuple[TakenBack, ...], state: HouseRound) -> str | None:
    return state.opened.terms.jackpot if any(stake.contribution for stake in back) else None


def _taken(
    kind: type[AntePlaced] | type[BonusPlaced], state: HouseRound, seat: str, wallet: Wallet, minor: int
) -> Event:
    return kind(
        round=state.opened.round,
        seat=seat,
        casino=wallet.casino,
        player=wallet.player,
        stake=the_money(minor, wallet.currency),
    )


def _chip(state: HouseRound, around: Surroundings, currency: str, who: str) -> tuple[Pool, ChipTerms]:
    pool = around.pool
    if pool is None:
        raise Refused(f"{who}: this table plays for no jackpot", "mark")
    prizes = state.book.jackpot
    if prizes is None or prizes.lacks(currency):
        # A round keeps its book, and the network may have changed since: no chip without a prize to win.
        raise Refused(f"{who}: {state.book.id} has no prizes in {currency}", "mark")
    return pool, pool.chip(currency)


def _check_vacant_seat(state: HouseRound, name: str) -> None:
    seats = state.opened.terms.seats or state.book.seats
    if seats is None:
        return
    if name not in _names(seats):
        raise Refused(f"seat {name}: this table has seats 1 to {seats}", "seat")


@lru_cache(maxsize=64)
def _names(seats: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, seats + 1))


def _check_one_seat(state: HouseRound, wallet: Wallet, who: str) -> None:
    for name, seat in state.seats.items():
        if seat.wallet.player == wallet.player and seat.wallet.casino == wallet.casino:
            raise Refused(f"{who}: {wallet.player} of {wallet.casino} already plays seat {name}", "seat")


def _check_limits(
    state: HouseRound,
    seat: HouseSeat | None,
    bet: Bet,
    minor: int,
    currency: str,
    who: str,
    also: int = 0,
) -> None:
    """The running total of a bet lies within the table's limits, and so does the total of all bets where one is set."""
    limits = state.opened.terms.limits.get(bet, {}).get(currency)
    if limits is None and not (bet == "bonus" and isinstance(state.book.bonus, FixedBonus)):
        raise Refused(f"{who}: this table takes no {bet} in {currency}", "limits")
    if limits is not None:
        _check_within(limits, minor + (seat.total(bet) if seat else 0), who, bet, currency)
    _check_total(state, seat, minor + also, currency, who)


def _check_total(state: HouseRound, seat: HouseSeat | None, minor: int, currency: str, who: str) -> None:
    limits = state.opened.terms.limits.get("total", {}).get(currency)
    if limits is not None:
        total = minor + sum(stake.minor for stake in (seat.stakes if seat else ()))
        _check_within(limits, total, who, "total of all bets", currency)


def _check_within(limits: tuple[int, int], total: int, who: str, what: str, currency: str) -> None:
    low, high = limits
    if not low <= total <= high:
        shown = [format_minor(minor, currency) for minor in (total, low, high)]
        raise Refused(
            f"{who}: the {what} would be {shown[0]} {currency}; this table takes {shown[1]} to {shown[2]}",
            "limits",
        )


def _check_fixed_bonus(bonus: FixedBonus, seat: HouseSeat, minor: int, who: str) -> None:
    wanted = Money(bonus.stake, bonus.currency)
    if seat.wallet.currency != bonus.currency:
        raise Refused(f"{who}: the Bonus is played in {bonus.currency}, exactly {wanted}", "bonus")
    if seat.total("bonus"):
        raise Refused(f"{who}: the Bonus of {wanted} is already placed", "bonus")
    if minor != bonus.stake:
        raise Refused(f"{who}: the Bonus is exactly {wanted}", "bonus")


def _listed(boxes: list[str]) -> str:
    return " and ".join(f"box {name}" for name in boxes)
