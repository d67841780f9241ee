"""What a batch costs does not grow with what was imported before: no batch reads through the whole of what is kept."""

from pathlib import Path

import pytest
from front_door import rows
from sqlalchemy import Engine

from backoffice.app import feed_batches
from backoffice.bootstrap import house_on
from ops.feeds.evening import Size, feed
from ops.speed.house import seconds_to_import

ACTIONS, LINES_A_BATCH = 20_000, 500
EVERY_TIME = ACTIONS / LINES_A_BATCH / 2
"""How often each row is read where every batch reads all that is there."""


def test_no_batch_of_an_import_reads_what_is_kept_from_one_end_to_the_other(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_batches, "BATCH_LINES", LINES_A_BATCH)
    path = tmp_path / "evening.jsonl"
    path.write_text("".join(f"{line}\n" for line in feed(Size(actions=ACTIONS))))
    seconds_to_import(house_on(engine), path)  # raises if any is refused
    ((accepted,),) = rows(engine, "select accepted from intake.imports")
    assert accepted >= ACTIONS
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
