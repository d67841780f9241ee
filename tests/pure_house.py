"""The whole domain in memory: commands in, facts out, folded at once. No log, no clock, no database.

    house = PureHouse()
    house.apply_network({"network": {...}, ...})
    house.do("deposit", casino="tallinn", player="ann", amount="10.00", currency="EUR")

Commands are read as the feed's are; a cancellation is carried out as `app/reactions` does, unless `reacting` is off.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from backoffice.domain.cases.commands import Approve, CarryOut, RequestReversal
from backoffice.domain.cases.events import ProposalMade
from backoffice.domain.decide import decide
from backoffice.domain.event import Command, Event
from backoffice.domain.ledger import Account, postings
from backoffice.domain.meters import meter_moves
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile, SetRate
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Refund, TableAction
from backoffice.domain.rounds.events import CancellationRequested
from backoffice.domain.staff import Person, Role
from backoffice.domain.wallet.commands import Deposit, Withdraw

FIRST_PERSON = Person("mia", Role.SHIFT_MANAGER)
SECOND_PERSON = Person("otto", Role.COMPLIANCE)
BEGINNING = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
FeedAction = TableAction | Deposit | Withdraw | SetRate
_ACTION: TypeAdapter[FeedAction] = TypeAdapter(Annotated[FeedAction, Field(discriminator="do")])


class PureHouse:
    """Everything true so far, in order, and what it folds into. Every action comes a second after the one before."""

    def __init__(self, *, reacting: bool = True) -> None:
        self.past = Past()
        self.events: list[Event] = []
        self.now = BEGINNING
        self.reacting = reacting
        self._asked = 0

    def apply_network(self, file: Mapping[str, Any]) -> list[Event]:
        """Make the network what a file's content says."""
        return self.handle(
            ApplyNetwork(id=self._id(), at=self.now, file=NetworkFile.model_validate_json(json.dumps(file)))
        )

    def command(self, do: str, **fields: Any) -> FeedAction:
        """An action of the feed, read as the feed is; `id` and `at` are the next ones unless given."""
        self.now += timedelta(seconds=1)
        moment = {"id": self._id(), "at": self.now.isoformat()}
        return _ACTION.validate_json(json.dumps({**moment, "do": do, **fields}))

    def do(self, action: str, **fields: Any) -> list[Event]:
        """Decide an action of the feed and fold what follows, reactions too. Raises Refused."""
        return self.handle(self.command(action, **fields))

    def handle(self, command: Command) -> list[Event]:
        """Decide `command` and fold what follows. Raises Refused."""
        events = decide(self.past, command)
        for event in events:
            self.past.apply(event)
        self.events.extend(events)
        for event in events:
            if self.reacting and isinstance(event, CancellationRequested):
                events = [*events, *self.refund(event.round)]
        return events

    def refund(self, round_id: str) -> list[Event]:
        """What the reaction to a requested cancellation asks for."""
        return self.handle(Refund(id=self._id(), at=self.now, round=round_id))

    def reverse(self, round_id: str, reason: str) -> list[Event]:
        """A settled round taken back: asked for by one person, approved by another, carried out as the reaction does."""
        asked = self.handle(
            RequestReversal(id=self._id(), at=self.now, by=FIRST_PERSON, round=round_id, reason=reason)
        )
        made = next(event for event in asked if isinstance(event, ProposalMade))
        approved = self.handle(
            Approve(id=self._id(), at=self.now, by=SECOND_PERSON, case=made.case, proposal=made.proposal)
        )
        done = self.handle(CarryOut(id=self._id(), at=self.now, case=made.case))
        return [*asked, *approved, *done]

    def events_of(self, round_id: str) -> list[Event]:
        """A round's own facts."""
        return [event for event in self.events if event.stream == f"round/{round_id}"]

    def next_at(self, moment: datetime) -> None:
        """The next action of the feed happens at `moment`."""
        self.now = moment - timedelta(seconds=1)

    def _id(self) -> str:
        self._asked += 1
        return f"t-{self._asked:06d}"


def replayed(events: Iterable[Event]) -> Past:
    """What `events` fold into from nothing."""
    past = Past()
    for event in events:
        past.apply(event)
    return past


def contents(past: Past) -> dict[str, Any]:
    """Everything a past holds, to be compared."""
    return vars(past)


def accounts(events: Iterable[Event]) -> Counter[tuple[Account, str]]:
    """The ledger's balances after `events`, by account and currency; those at zero are left out."""
    balances: Counter[tuple[Account, str]] = Counter()
    for event in events:
        for account, currency, minor in postings(event):
            balances[account, currency] += minor
    return Counter({key: minor for key, minor in balances.items() if minor})


def imbalance(event: Event) -> dict[str, int]:
    """What an event's postings fail to balance, by currency; empty when they sum to zero in each."""
    sums: Counter[str] = Counter()
    for _, currency, minor in postings(event):
        sums[currency] += minor
    return {currency: minor for currency, minor in sums.items() if minor}


def bucket_sums(events: Iterable[Event]) -> dict[str, dict[tuple[str, str], int]]:
    """What the meters' moves leave in every bucket, by jackpot."""
    buckets: dict[str, dict[tuple[str, str], int]] = {}
    for event in events:
        for move in meter_moves(event):
            bucket = buckets.setdefault(move.jackpot, {})
            key = (move.casino, move.currency)
            bucket[key] = bucket.get(key, 0) + move.balance
    return buckets
