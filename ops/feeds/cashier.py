"""The cashier's desk: money in and out, and new exchange rates."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from backoffice.domain.network.commands import NetworkFile
from backoffice.kernel.currencies import format_minor, units
from backoffice.kernel.ids import Wallet
from ops.feeds.floor import Floor
from ops.feeds.playing import Action, Play


def first_deposits(floor: Floor) -> Play:
    """Everyone brings money, some of them very little."""
    for wallet in _wallets(floor):
        yield _movement("deposit", wallet, floor.chance.choice((20, 500, 5_000, 50_000)))


def desk(floor: Floor, file: NetworkFile) -> Play:
    """What goes on at the desk all day long, without an end."""
    wallets = list(_wallets(floor))
    while True:
        happening = floor.chance.random()
        if happening < 0.1 and file.rates:
            yield _rate(file, floor.chance)
        elif happening < 0.3:
            yield _movement("withdraw", floor.chance.choice(wallets), floor.chance.choice((10, 100, 1_000)))
        else:
            yield _movement(
                "deposit", floor.chance.choice(wallets), floor.chance.choice((100, 1_000, 10_000))
            )


def _wallets(floor: Floor) -> Iterator[Wallet]:
    for players in floor.players.values():
        yield from players


def _movement(do: str, wallet: Wallet, euros: int) -> Action:
    """A sum of about that many euros, roughly at that."""
    minor = euros * units(wallet.currency) * _ROUGHLY.get(wallet.currency, 1)
    return {"do": do, **wallet._asdict(), "amount": format_minor(minor, wallet.currency)}


_ROUGHLY = {"DKK": 7, "NOK": 10, "SEK": 10, "JPY": 150}


def _rate(file: NetworkFile, chance: Random) -> Action:
    """A rate within one and a half percent of the network file's."""
    quote = chance.choice(list(file.rates))
    whole, fraction = divmod(round(Fraction(file.rates[quote]) * chance.randint(9850, 10150)), 10_000)
    return {"do": "rate", "quote": quote, "rate": f"{whole}.{fraction:04}"}
