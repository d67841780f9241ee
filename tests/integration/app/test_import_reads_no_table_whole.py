"""What a batch costs does not grow with what was imported before: no batch reads through the whole of what is kept."""

from pathlib import Path

import pytest
from front_door import a_handler, rows, take
from sqlalchemy import Engine

from backoffice.app import feed_batches
from backoffice.app.group_commit import GroupCommit
from backoffice.app.importing import import_feed
from backoffice.app.network_file import read_network
from backoffice.app.requests import Request
from backoffice.domain.network.commands import ApplyNetwork
from ops.feeds.evening import NETWORK, Size, feed
from ops.speed.house import NOW

ACTIONS, LINES_A_BATCH = 20_000, 500
EVERY_TIME = ACTIONS / LINES_A_BATCH / 2
"""How often each row is read where every batch reads all that is there."""


def test_no_batch_of_an_import_reads_what_is_kept_from_one_end_to_the_other(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_batches, "BATCH_LINES", LINES_A_BATCH)
    path = tmp_path / "evening.jsonl"
    path.write_text("".join(f"{line}\n" for line in feed(Size(actions=ACTIONS))))
    handler = a_handler(engine)
    take(handler, Request(ApplyNetwork(id="network", at=NOW, file=read_network(NETWORK)), "bench", "bench"))
    with GroupCommit(handler) as group:
        report = import_feed(engine, group, path, "bench")
    assert (report.accepted >= ACTIONS, report.refused) == (True, 0)
    engine.dispose()  # whoever leaves tells the statistics what it did
    scanned = dict(
        rows(
            engine,
            "select schemaname || '.' || relname, seq_tup_read::float / n_tup_ins"
            " from pg_stat_user_tables where n_tup_ins > 1000",
        )
    )
    assert scanned.keys() >= {"log.events", "intake.accepted_keys"}
    # While a table is small, PostgreSQL is right to read all of it.
    assert max(scanned.values()) < EVERY_TIME / 4, scanned
