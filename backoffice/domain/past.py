"""What decisions look at: every state that facts fold into, side by side. A plain container; whoever holds it fills it."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from backoffice.domain.access.events import KeyEvent
from backoffice.domain.access.state import Keys, evolve_keys
from backoffice.domain.accounts import wallet_of
from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.cases.state import Case, evolve_case
from backoffice.domain.days.events import DayClosed
from backoffice.domain.event import Event, Refused
from backoffice.domain.filings.decisions import last_number
from backoffice.domain.filings.events import FileProduced
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.jackpots.events import JackpotEvent, JackpotHit, JackpotHitReversed
from backoffice.domain.jackpots.pool import RunningPool
from backoffice.domain.jackpots.state import Buckets, Jackpot, evolve_jackpot
from backoffice.domain.ledger import POSTED, postings
from backoffice.domain.meters import METERED, MeterMove, meter_moves
from backoffice.domain.network.events import NetworkEvent, RateSet
from backoffice.domain.network.state import Network, Rates, evolve_network, evolve_rates
from backoffice.domain.rounds.decisions import Round, evolve_round
from backoffice.domain.rounds.events import RoundEvent
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.terms import reserve_of
from backoffice.domain.wallet.events import WalletEvent
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money
from backoffice.kernel.values import packing

# For most facts a look at their kind tells that there is nothing to move.
_POSTED, _METERED = frozenset(POSTED), frozenset(METERED)
_surroundings = packing(Surroundings)


class Past:
    """Folded facts. A wallet or a bucket that never moved holds nothing; a round that is not here was never opened."""

    def __init__(self) -> None:
        self.network = Network()
        self.rates: dict[str, Rates] = {}
        self.jackpots: dict[str, Jackpot] = {}
        self.buckets: dict[str, Buckets] = {}
        self.hits: dict[str, list[JackpotHit]] = {}
        """The hits that stand, by their round: a reversal gives each back exactly."""
        self.rounds: dict[str, Round] = {}
        self.cases: dict[str, Case] = {}
        self.keys: Keys = {}
        self.files: dict[tuple[str, str], int] = {}
        """The last number that a casino gave a file for an authority."""
        self.closed_days: dict[str, DayClosed] = {}
        """The last gaming day that a casino closed."""
        self.balances: dict[Wallet, int] = {}
        self.debts: dict[tuple[str, str], dict[str, int]] = {}
        """What players owe their casino, by currency; few ever do."""

    def apply(self, event: Event) -> None:
        """Fold one new fact in: its own stream's state, and the balances and buckets it moves."""
        self.evolve(event)
        if type(event) in _POSTED:
            for account, currency, minor in postings(event):
                if account.kind == "player":
                    self.move_balance(wallet_of(account, currency), minor)
                elif account.kind == "receivable":
                    self.move_debt(wallet_of(account, currency), -minor)
        if type(event) in _METERED:
            for move in meter_moves(event):
                self.move_meter(move)

    def move_balance(self, wallet: Wallet, minor: int) -> None:
        """Add to a wallet, or take from it."""
        self.balances[wallet] = self.balances.get(wallet, 0) + minor

    def move_debt(self, wallet: Wallet, minor: int) -> None:
        """Add to what a wallet's owner owes, or take from it."""
        owed = self.debts.setdefault((wallet.casino, wallet.player), {})
        owed[wallet.currency] = owed.get(wallet.currency, 0) + minor

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
                self._keep_hits(event)
            case NetworkEvent():
                self.network = evolve_network(self.network, event)
            case RateSet():
                self.rates[event.quote] = evolve_rates(self.rates.get(event.quote, Rates()), event)
            case CaseEvent():
                self.cases[event.case] = evolve_case(self.cases.get(event.case), event)
            case FileProduced():
                key = (event.casino, event.authority)
                self.files[key] = last_number(self.files.get(key, 0), event)
            case DayClosed():
                self.closed_days[event.casino] = event
            case KeyEvent():
                self.keys = evolve_keys(self.keys, event)
            case WalletEvent() | KeyConflicted():
                pass
            case _:
                raise TypeError(f"nothing folds {event!r}")

    def held(self, wallet: Wallet) -> int:
        """What any wallet holds, also one that no decision asks for: to tell of what a decision moved."""
        return self.balance(wallet)

    def balance(self, wallet: Wallet) -> int:
        """What a wallet holds, in minor units."""
        return self.balances.get(wallet, 0)

    def owed(self, wallet: Wallet) -> int:
        """What a wallet's owner owes in the wallet's currency, in minor units."""
        return self.debts.get((wallet.casino, wallet.player), {}).get(wallet.currency, 0)

    def debts_of(self, wallet: Wallet) -> Sequence[Money]:
        """What a wallet's owner owes the casino, in whatever currency."""
        owed = self.debts.get((wallet.casino, wallet.player))
        return [Money(minor, currency) for currency, minor in owed.items() if minor] if owed else ()

    def rate_at(self, moment: datetime, after: Sequence[Event] = ()) -> Callable[[str], str]:
        """The rates in force at `moment`: a currency's, as it was given, "1" for the base currency; `after` as below.

        The returned function raises Refused where no rate is in force.
        """
        rates = self._rates_after(after) if after else self.rates

        def rate_of(currency: str) -> str:
            if currency == self.network.base_currency:
                return "1"
            rate = rates.get(currency, Rates()).at(moment)
            if rate is None:
                raise Refused(f"no rate for {currency} is in force", "rate")
            return rate

        return rate_of

    def _rates_after(self, events: Iterable[Event]) -> dict[str, Rates]:
        rates = dict(self.rates)
        for event in events:
            if isinstance(event, RateSet):
                rates[event.quote] = evolve_rates(rates.get(event.quote, Rates()), event)
        return rates

    def opened(self, round_id: str) -> Round:
        """A round. Raises Refused for one that was never opened."""
        state = self.rounds.get(round_id)
        if state is None:
            raise Refused(f"round {round_id} has not been opened", "round")
        return state

    def around(self, state: Round, moment: datetime, after: Sequence[Event] = ()) -> Surroundings:
        """What a decision about a round looks at outside it; `after` as for `pool_at`."""

        def running() -> RunningPool | None:
            jackpot = state.opened.terms.jackpot
            return None if jackpot is None else self.pool_at(jackpot, moment, after)

        return _surroundings((self.balance, self.network.currencies, running, self.debts_of))

    def pool_at(self, jackpot: str, moment: datetime, after: Sequence[Event] = ()) -> RunningPool:
        """The running pool of a jackpot with what is in it now and the rates in force at `moment`.

        `after` are facts that are decided and not folded in yet.
        """
        state, buckets = self.jackpots[jackpot], self.buckets.get(jackpot, {})
        reserve = self.buckets.get(reserve_of(jackpot), {})
        if after:
            state = _evolved(state, after)
            buckets = _moved(jackpot, buckets, after)
            reserve = _moved(reserve_of(jackpot), reserve, after)
        return RunningPool(state, buckets, self.rate_at(moment, after), reserve)

    def _keep_hits(self, event: JackpotEvent) -> None:
        if isinstance(event, JackpotHit):
            self.hits.setdefault(event.round, []).append(event)
        elif isinstance(event, JackpotHitReversed):
            self.hits.pop(event.round, None)


def _evolved(state: Jackpot, events: Iterable[Event]) -> Jackpot:
    for event in events:
        if isinstance(event, JackpotEvent) and event.jackpot == state.id:
            state = evolve_jackpot(state, event)
    return state


def _moved(name: str, buckets: Buckets, events: Iterable[Event]) -> Buckets:
    """The buckets metered under `name` after `events`."""
    buckets = dict(buckets)
    for event in events:
        for move in meter_moves(event):
            if move.jackpot == name:
                bucket = (move.casino, move.currency)
                buckets[bucket] = buckets.get(bucket, 0) + move.balance
    return buckets
