"""Where a table's claimed payouts differ from the rules' (FORMAT.md, `settle.payouts`)."""

from collections.abc import Mapping, Sequence

from backoffice.domain.claims import Discrepancy
from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import Line
from backoffice.kernel.currencies import BadAmount
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money

Claims = Mapping[str, Mapping[str, str]]
"""Amounts as the table gave them, by seat and bet; nought for a bet it did not pay."""


def discrepancies(claims: Claims | None, lines: Sequence[Line]) -> tuple[Discrepancy, ...]:
    """Every claim that is not what the rules pay; what is not claimed is not compared.

    A claim for a bet that was not there differs from nothing paid. Raises Refused for a seat where nobody plays and
    for an amount that the seat's currency does not have.
    """
    if not claims:
        return ()
    paid: dict[tuple[str, str], int] = {(line.seat, line.bet): line.payout for line in lines}
    players = {line.seat: line.wallet for line in lines}
    found = []
    for seat, bets in claims.items():
        wallet = _player(players, seat)
        for bet, text in bets.items():
            claimed = _claimed(text, wallet.currency, f"seat {seat}: {bet}")
            due = Money(paid.get((seat, bet), 0), wallet.currency)
            if claimed != due:
                found.append(Discrepancy(seat, wallet.casino, wallet.player, bet, claimed, due))
    return tuple(found)


def _player(players: Mapping[str, Wallet], seat: str) -> Wallet:
    if seat not in players:
        raise Refused(f"seat {seat} is said to be paid, but nobody plays there", "payouts")
    return players[seat]


def _claimed(text: str, currency: str, who: str) -> Money:
    try:
        return Money.parse(text, currency)
    except BadAmount as bad:
        raise Refused(f"{who}: {bad}", "payouts") from bad
