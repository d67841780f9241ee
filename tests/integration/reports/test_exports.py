"""What goes out: byte for byte what an independent program works out of the sample feed."""

import json
from io import BytesIO

import pytest
from feeding import Feeding
from shared_folder import shared
from sqlalchemy import Engine, insert

from backoffice.bootstrap import CODEC
from backoffice.projections.balances import balances
from backoffice.projections.projector import Projector
from backoffice.reports.exports import EXPORTS, UnknownExport, write_export


def export(engine: Engine, name: str, form: str) -> bytes:
    stream = BytesIO()
    with engine.connect() as connection:
        write_export(connection, name, form, stream)
    return stream.getvalue()


def test_every_export_of_the_sample_feed_is_as_expected(engine: Engine) -> None:
    Feeding(engine).take_all()
    Projector(engine, CODEC).catch_up()
    for name in EXPORTS:
        assert export(engine, name, "csv") == shared("feeds", "expected", f"{name}.csv").read_bytes(), name
