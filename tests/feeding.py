"""Fills a log through the front door with the sample feed, as often as a test likes."""

from collections.abc import Iterator
from datetime import UTC, datetime

from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app.feed import read_action
from backoffice.app.handle import Handler
from backoffice.app.network_file import read_network
from backoffice.app.recall import Recall
from backoffice.app.requests import Request
from backoffice.bootstrap import CODEC
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.log.postgres import PostgresLog

SENDER = "floor-19"


class Feeding:
    """The sample feed, taken in bit by bit; when it is at its end it begins anew with other rounds."""

    def __init__(self, engine: Engine) -> None:
        self._handler = Handler(PostgresLog(engine), CODEC, Recall(CODEC))
        self._lines = _lines_for_ever()
        network = read_network(shared("feeds", "network.toml"))
        founding = ApplyNetwork(id="network", at=datetime.now(UTC), file=network)
        self._handler.commit([Request(founding, SENDER, actor="test")])

    def take(self, actions: int) -> None:
        """Take in so many more actions of the feed, in one commit."""
        self._handler.commit([read_action(next(self._lines), SENDER) for _ in range(actions)])

    def take_all(self) -> None:
        """Take in the sample feed, whole, once."""
        for start in range(0, len(SAMPLE), 1000):
            self.take(min(1000, len(SAMPLE) - start))


SAMPLE = shared("feeds", "sample.jsonl").read_bytes().splitlines()


def _lines_for_ever() -> Iterator[bytes]:
    yield from SAMPLE
    evening = 1
    while True:
        for line in SAMPLE:
            again = line.replace(b'"id":"', b'"id":"%d-' % evening)
            yield again.replace(b'"round":"', b'"round":"%d-' % evening)
        evening += 1
