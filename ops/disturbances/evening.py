"""What comes in during a trial: a generated feed of players who can pay, and what staff decide in between."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from backoffice.app.feed import read_action
from backoffice.app.network_file import read_network
from backoffice.app.requests import Request, Unreadable
from backoffice.domain.cases.commands import (
    Approve,
    Grounds,
    OpenCase,
    Propose,
    RefuseProposal,
    RequestReversal,
    StaffCommand,
)
from backoffice.domain.cases.events import CompensationOpened, DisputeOpened, case_id
from backoffice.domain.cases.state import Case
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.staff import Person, Role
from backoffice.kernel.currencies import format_minor
from ops.feeds.evening import NETWORK, Size, feed

SENDER = "harbour"
ANN = Person("ann", Role.SHIFT_MANAGER)
BEN = Person("ben", Role.COMPLIANCE)
_AT = datetime(2026, 5, 5, 12, tzinfo=UTC)


def opening() -> Request:
    """The network."""
    command = ApplyNetwork(id="network", at=_AT - timedelta(days=2), file=read_network(NETWORK))
    return Request(command, SENDER, actor="operator")


def feed_requests(rounds: int, seed: int) -> Iterator[Request | Unreadable]:
    """A feed of so many rounds. Everyone brings more than can be lost: when a refund comes makes no difference then."""
    rich: set[tuple[str, str, str]] = set()
    for line in feed(Size(rounds=rounds), seed=seed):
        action = json.loads(line)
        if action["do"] == "deposit":
            wallet = (action["casino"], action["player"], action["currency"])
            if wallet not in rich:
                rich.add(wallet)
                more = {**action, "id": f"rich-{len(rich)}", "amount": "1000000"}
                yield read_action(json.dumps(more).encode(), SENDER)
        yield read_action(line.encode(), SENDER)


class Office:
    """Ann and Ben, who decide cases by a seed; the same cases are decided the same way, in one order."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)  # noqa: S311 - it is to be the same again
        self._asked = 0

    def decide_cases(self, cases: dict[str, Case]) -> list[Request]:
        """Ann proposes, Ben approves, or now and then refuses; some cases stay open."""
        asked: list[Request] = []
        for name, case in sorted(cases.items()):
            if case.proposal is None and isinstance(case.opened, CompensationOpened | DisputeOpened):
                asked += self._decided(name, *_suggested(case))
        return asked

    def open_claims(self, wallets: Sequence[tuple[str, str, str]], count: int) -> list[Request]:
        """Cases opened by hand for some players, and decided."""
        asked: list[Request] = []
        for casino, player, currency in self._chance.sample(list(wallets), min(count, len(wallets))):
            opened = OpenCase(
                **self._by(ANN),
                casino=casino,
                player=player,
                currency=currency,
                grounds=Grounds.GOODWILL,
                reason="waited long",
            )
            name = case_id("claim", ANN.name, opened.id)
            asked += [_request(opened), *self._decided(name, self._chance.randint(1, 5000), currency)]
        return asked

    def reverse(self, round_id: str) -> list[Request]:
        """A settled round taken back: malfunction voids all pays."""
        asked = RequestReversal(**self._by(ANN), round=round_id, reason="malfunction")
        approved = Approve(**self._by(BEN), case=case_id("reversal", round_id), proposal=1)
        return [_request(asked), _request(approved)]

    def _decided(self, case: str, minor: int, currency: str) -> list[Request]:
        if self._chance.random() < 0.1:
            return []
        amount = format_minor(0 if self._chance.random() < 0.1 else minor, currency)
        proposed = Propose(**self._by(ANN), case=case, amount=amount, reason="as the table says")
        if self._chance.random() < 0.1:
            refused = RefuseProposal(**self._by(BEN), case=case, proposal=1, reason="no")
            return [_request(proposed), _request(refused)]
        return [_request(proposed), _request(Approve(**self._by(BEN), case=case, proposal=1))]

    def _by(self, person: Person) -> Any:
        """Who asks, when, and under which id."""
        self._asked += 1
        return {"id": f"office-{self._asked}", "at": _AT + timedelta(seconds=self._asked), "by": person}


def _request(command: StaffCommand) -> Request:
    return Request(command, "office", actor=command.by.name)


def _suggested(case: Case) -> tuple[int, str]:
    opened = case.opened
    if isinstance(opened, DisputeOpened):
        return max(0, opened.claimed.minor - opened.due.minor), opened.due.currency
    assert isinstance(opened, CompensationOpened)
    return opened.suggested.minor, opened.suggested.currency
