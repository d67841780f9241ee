"""The sums of what was told: sessions that were called back are taken off."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from backoffice.reports.regulators.sessions import Told


@dataclass(frozen=True, slots=True)
class Totals:
    """Of one day, kind of game and currency; sums in minor units."""

    sessions: int = 0
    """What was told, less what was called back; below zero where more was called back, of other days."""
    played: int = 0
    """The sessions of the day itself that were not called back that day."""
    stake_minor: int = 0
    jackpot_minor: int = 0
    won_minor: int = 0
    rake_minor: int = 0
    players: int = 0
    """Who played a session that was not called back that day."""
    winners: int = 0
    """Who was paid more in one than was staked in it."""


def add_up(told: Iterable[Told], begin: datetime) -> Totals:
    """Everything that was told of a day that began then, summed; what was called back counts against it.

    Holds a player's name for each player.
    """
    sessions = of_the_day = stake = jackpot = won = rake = 0
    playing: dict[str, int] = {}
    winning: dict[str, int] = {}
    for one in told:
        staked, fed, paid = one.total("stake_minor"), one.total("jackpot_minor"), one.total("won_minor")
        sessions += one.sign
        of_the_day += one.sign if one.first.settled_at >= begin else 0
        stake += one.sign * staked
        jackpot += one.sign * fed
        won += one.sign * paid
        rake += one.sign * one.total("rake_minor")
        player = one.first.player
        playing[player] = playing.get(player, 0) + one.sign
        if paid > staked + fed:
            winning[player] = winning.get(player, 0) + one.sign
    return Totals(sessions, of_the_day, stake, jackpot, won, rake, _present(playing), _present(winning))


def _present(counted: dict[str, int]) -> int:
    return sum(count > 0 for count in counted.values())
