"""The gaming floor: what has happened on it so far, its clock, and which proposals the house accepts."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from backoffice.app.feed import ACTIONS
from backoffice.domain.decide import decide
from backoffice.domain.event import Event, Refused
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Refund
from backoffice.domain.rounds.decisions import Round
from backoffice.domain.rounds.events import CancellationRequested, PotSettled, RoundCancelled, RoundSettled
from backoffice.kernel.ids import Wallet
from ops.feeds.pace import EVENING, Pace
from ops.feeds.playing import Action, Play

_RESENT = 0.004
"""The part of actions that a sender, unsure whether they arrived, sends again."""


class Floor:
    """Keeps the past of unfinished rounds only, so that a feed of any length needs the same memory."""

    def __init__(self, network: NetworkFile, seed: int, players: int, pace: Pace = EVENING) -> None:
        self.chance = Random(seed)  # noqa: S311 - a feed is to be the same again
        self._pace = pace
        self.actions = 0
        self.rounds_opened = 0
        self._past = Past()
        self._now = pace.begins
        for event in decide(self._past, ApplyNetwork(id="network", at=self._now, file=network)):
            self._past.apply(event)
        self.network = self._past.network
        self.players = {
            (casino, currency): [
                Wallet(casino, f"{casino[:2]}-{currency.lower()}-{number:03}", currency)
                for number in range(1, players + 1)
            ]
            for casino, currencies in self.network.currencies.items()
            for currency in currencies
        }

    def happening(self, play: Play) -> Iterator[str]:
        """The lines of the feed, as `play` proposes and the house accepts."""
        action = next(play, None)
        while action is not None:
            self._now += self._pace.step(self.chance, self._now, self.actions)
            line = self._line(action)
            taken = self._taken(line)
            if taken:
                yield line
                if self.chance.random() < _RESENT:
                    yield line
            try:
                action = play.send(taken)
            except StopIteration:
                return

    def round(self, round_id: str) -> Round:
        """How an unfinished round stands."""
        return self._past.rounds[round_id]

    def would_be(self, action: Action) -> Sequence[Event]:
        """What `action` would come to now. Raises Refused."""
        return decide(self._past, ACTIONS.validate_json(self._line(action)))

    def new_round(self) -> str:
        """The id of the next round; time-ordered, as the log likes it."""
        self.rounds_opened += 1
        return f"h{self.rounds_opened:08}"

    def _taken(self, line: str) -> bool:
        try:
            events = decide(self._past, ACTIONS.validate_json(line))
        except Refused:
            return False
        self.actions += 1
        for event in events:
            self._apply(event)
        return True

    def _apply(self, event: Event) -> None:
        self._past.apply(event)
        match event:
            case CancellationRequested():
                for caused in decide(self._past, Refund(id="refund", at=self._now, round=event.round)):
                    self._apply(caused)
            case RoundSettled() | PotSettled() | RoundCancelled():
                del self._past.rounds[event.round]

    def _line(self, action: Action) -> str:
        at = self._now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        whole: dict[str, Any] = {"id": f"{self.network.id}-{self.actions + 1:08}", "at": at, **action}
        return json.dumps(whole, separators=(",", ":"))
