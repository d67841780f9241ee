"""The sums of what was told: sessions that were called back are taken off."""

from collections.abc import Iterable
from dataclasses import dataclass

from backoffice.reports.regulators.sessions import Told


@dataclass(frozen=True, slots=True)
class Totals:
    """Of one day, kind of game and currency; sums in minor units."""

    sessions: int = 0
    stake_minor: int = 0
    jackpot_minor: int = 0
    won_minor: int = 0
    rake_minor: int = 0
    players: int = 0
    """Who played a session that was not called back that day."""
    winners: int = 0
    """Who was paid more in one than was staked in it."""


def add_up(told: Iterable[Told]) -> Totals:
    """Everything that was told, summed; what was called back counts against it. Holds a player's name for each player."""
    sessions = stake = jackpot = won = rake = 0
    played: dict[str, int] = {}
    winning: dict[str, int] = {}
    for one in told:
        staked, fed, paid = one.total("stake_minor"), one.total("jackpot_minor"), one.total("won_minor")
        sessions += one.sign
        stake += one.sign * staked
        jackpot += one.sign * fed
        won += one.sign * paid
        rake += one.sign * one.total("rake_minor")
        player = one.first.player
        played[player] = played.get(player, 0) + one.sign
        if paid > staked + fed:
            winning[player] = winning.get(player, 0) + one.sign
    return Totals(sessions, stake, jackpot, won, rake, _present(played), _present(winning))


def _present(counted: dict[str, int]) -> int:
    return sum(count > 0 for count in counted.values())
