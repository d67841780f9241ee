"""The whole domain in memory: commands in, facts out, folded at once. No log, no clock, no database.

    house = PureHouse()
    house.apply_network({"network": {...}, ...})
    house.do("deposit", casino="tallinn", player="ann", amount="10.00", currency="EUR")

    house.ask(OpenCase, "mia", casino="tallinn", player="ann", currency="EUR", grounds="goodwill", reason="late")

Commands are read as the feed's are; what is to be carried out is, as `app/reactions` does it, unless `reacting` is off.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pydantic_core import to_jsonable_python

from backoffice.cli.people import person
from backoffice.domain.accounts import Account, book_of
from backoffice.domain.cases.commands import Approve, CarryOut, RequestReversal, StaffCommand
from backoffice.domain.cases.events import ProposalApproved
from backoffice.domain.cases.names import reversal_id
from backoffice.domain.decide import decide
from backoffice.domain.event import Command, Event, Refused, adapter_of
from backoffice.domain.ledger import postings
from backoffice.domain.meters import meter_moves
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile, SetRate
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Refund, TableAction
from backoffice.domain.rounds.events import CancellationRequested
from backoffice.domain.wallet.commands import Deposit, RepayDebt, Withdraw

FIRST_PERSON = "mia"
SECOND_PERSON = "otto:compliance"
"""As `--as` names people on the command line."""
BEGINNING = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
FeedAction = TableAction | Deposit | Withdraw | SetRate
_ACTION: TypeAdapter[FeedAction] = TypeAdapter(Annotated[FeedAction, Field(discriminator="do")])


class PureHouse:
    """Everything true so far, in order, and what it folds into. Every action comes a second after the one before."""

    def __init__(self, *, reacting: bool = True) -> None:
        self.past = Past()
        self.events: list[Event] = []
        self.appends: list[int] = []
        """How many facts there were after each command."""
        self.asked: list[tuple[Command, str | None]] = []
        """Every command that came from outside, and why it was refused if it was."""
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
        try:
            events = self._decide(command)
        except Refused as refused:
            self.asked.append((command, refused.reason))
            raise
        self.asked.append((command, None))
        return [*events, *self._caused(events)]

    def _decide(self, command: Command) -> list[Event]:
        events = decide(self.past, command)
        for event in events:
            self.past.apply(event)
        self.events.extend(events)
        self.appends.append(len(self.events))
        return events

    def _caused(self, events: Iterable[Event]) -> list[Event]:
        caused: list[Event] = []
        for cause in events if self.reacting else ():
            for command in self._reactions(cause):
                events = self._decide(command)
                caused += [*events, *self._caused(events)]
        return caused

    def ask(self, kind: type[StaffCommand] | type[RepayDebt], by: str, **fields: Any) -> list[Event]:
        """A command of a person of the staff, named as on the command line. Raises Refused."""
        self.now += timedelta(seconds=1)
        asked = {"id": self._id(), "at": self.now.isoformat(), "by": to_jsonable_python(person(by))}
        return self.handle(adapter_of(kind).validate_json(json.dumps({**asked, **fields})))

    def _reactions(self, cause: Event) -> list[Command]:
        match cause:
            case CancellationRequested(round=round_id):
                return [Refund(id=self._id(), at=self.now, round=round_id)]
            case ProposalApproved(case=case, final=True):
                return [CarryOut(id=self._id(), at=self.now, case=case)]
            case _:
                return []

    def refund(self, round_id: str) -> list[Event]:
        """What the reaction to a requested cancellation asks for."""
        return self.handle(Refund(id=self._id(), at=self.now, round=round_id))

    def carry_out(self, case: str) -> list[Event]:
        """What the reaction to a final approval asks for."""
        return self.handle(CarryOut(id=self._id(), at=self.now, case=case))

    def approve(self, case: str, by: str = SECOND_PERSON) -> list[Event]:
        """The proposal that stands, approved."""
        stands = self.past.cases[case].proposal
        return self.ask(Approve, by, case=case, proposal=stands.number if stands else 1)

    def reverse(self, round_id: str, reason: str) -> list[Event]:
        """A settled round taken back: asked for by one person, approved by another, carried out as the reaction does."""
        asked = self.ask(RequestReversal, FIRST_PERSON, round=round_id, reason=reason)
        approved = self.approve(reversal_id(round_id))
        done = [] if self.reacting else self.carry_out(reversal_id(round_id))
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


def imbalance(event: Event) -> dict[tuple[str, str], int]:
    """What an event's postings fail to balance, by casino's book and currency; empty when they sum to zero in each."""
    sums: Counter[tuple[str, str]] = Counter()
    for account, currency, minor in postings(event):
        sums[book_of(account), currency] += minor
    return {book: minor for book, minor in sums.items() if minor}


def bucket_sums(events: Iterable[Event]) -> dict[str, dict[tuple[str, str], int]]:
    """What the meters' moves leave in every bucket, by jackpot."""
    buckets: dict[str, dict[tuple[str, str], int]] = {}
    for event in events:
        for move in meter_moves(event):
            bucket = buckets.setdefault(move.jackpot, {})
            key = (move.casino, move.currency)
            bucket[key] = bucket.get(key, 0) + move.balance
    return buckets
