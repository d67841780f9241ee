"""What decisions look at: every state that facts fold into, side by side. A plain container; whoever holds it fills it."""

from collections.abc import Callable
from datetime import datetime

from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.cases.state import Case, evolve_case
from backoffice.domain.event import Event, Refused
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.jackpots.events import JackpotEvent
from backoffice.domain.jackpots.pool import RunningPool
from backoffice.domain.jackpots.state import Buckets, Jackpot, evolve_jackpot
from backoffice.domain.ledger import postings, wallet_of
from backoffice.domain.meters import MeterMove, meter_moves
from backoffice.domain.network.events import NetworkEvent, RateSet
from backoffice.domain.network.state import Network, Rates, evolve_network, evolve_rates
from backoffice.domain.rounds.decisions import Round, evolve_round
from backoffice.domain.rounds.events import RoundEvent
from backoffice.domain.wallet.events import WalletEvent
from backoffice.kernel.ids import Wallet


class Past:
    """Folded facts. A wallet or a bucket that never moved holds nothing; a round that is not here was never opened."""

    def __init__(self) -> None:
        self.network = Network()
        self.rates: dict[str, Rates] = {}
        self.jackpots: dict[str, Jackpot] = {}
        self.buckets: dict[str, Buckets] = {}
        self.rounds: dict[str, Round] = {}
        self.cases: dict[str, Case] = {}
        self.balances: dict[Wallet, int] = {}
        self.debts: dict[Wallet, int] = {}

    def apply(self, event: Event) -> None:
        """Fold one new fact in: its own stream's state, and the balances and buckets it moves."""
        self.evolve(event)
        for account, currency, minor in postings(event):
            if account.kind == "player":
                self.move_balance(wallet_of(account, currency), minor)
            elif account.kind == "receivable":
                self.move_debt(wallet_of(account, currency), -minor)
        for move in meter_moves(event):
            self.move_meter(move)

    def move_balance(self, wallet: Wallet, minor: int) -> None:
        """Add to a wallet, or take from it."""
        self.balances[wallet] = self.balances.get(wallet, 0) + minor

    def move_debt(self, wallet: Wallet, minor: int) -> None:
        """Add to what a wallet's owner owes, or take from it."""
        self.debts[wallet] = self.debts.get(wallet, 0) + minor

    def move_meter(self, move: MeterMove) -> None:
        """Add to a bucket, or take from it."""
        buckets = self.buckets.setdefault(move.jackpot, {})
        bucket = (move.casino, move.currency)
        buckets[bucket] = buckets.get(bucket, 0) + move.balance

    def evolve(self, event: Event) -> None:
        """Fold one fact into its stream's state alone: for facts whose money is already in balances and buckets."""
        match event:
            case RoundEvent():
                self.rounds[event.round] = evolve_round(self.rounds.get(event.round), event)
            case JackpotEvent():
                self.jackpots[event.jackpot] = evolve_jackpot(self.jackpots.get(event.jackpot), event)
            case NetworkEvent():
                self.network = evolve_network(self.network, event)
            case RateSet():
                self.rates[event.quote] = evolve_rates(self.rates.get(event.quote, Rates()), event)
            case CaseEvent():
                self.cases[event.case] = evolve_case(self.cases.get(event.case), event)
            case WalletEvent() | KeyConflicted():
                pass
            case _:
                raise TypeError(f"nothing folds {event!r}")

    def balance(self, wallet: Wallet) -> int:
        """What a wallet holds, in minor units."""
        return self.balances.get(wallet, 0)

    def debt(self, wallet: Wallet) -> int:
        """What a wallet's owner owes since a reversal, in minor units."""
        return self.debts.get(wallet, 0)

    def rate_at(self, moment: datetime) -> Callable[[str], str]:
        """The rates in force at `moment`: a currency's, as it was given, "1" for the base currency.

        The returned function raises Refused where no rate is in force.
        """

        def rate_of(currency: str) -> str:
            if currency == self.network.base_currency:
                return "1"
            rate = self.rates.get(currency, Rates()).at(moment)
            if rate is None:
                raise Refused(f"no rate for {currency} is in force", "rate")
            return rate

        return rate_of

    def pool_at(self, jackpot: str, moment: datetime) -> RunningPool:
        """The running pool of a jackpot with what is in it now and the rates in force at `moment`."""
        return RunningPool(self.jackpots[jackpot], self.buckets.get(jackpot, {}), self.rate_at(moment))
