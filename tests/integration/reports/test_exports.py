"""What goes out: byte for byte what an independent program works out of the sample feed; and what that lacks."""

import csv
import json
from io import BytesIO, StringIO

import pytest
from command_line import backoffice
from feeding import Feeding
from shared_folder import shared
from sqlalchemy import Engine, insert, text

from backoffice.bootstrap import CODEC
from backoffice.log.errors import CheckpointAhead
from backoffice.log.postgres import PostgresLog
from backoffice.projections.balances import balances
from backoffice.projections.projector import Projector
from backoffice.reports.exports import EXPORTS, UnknownExport, write_export


def export(engine: Engine, name: str, form: str = "csv") -> str:
    stream = BytesIO()
    with engine.connect() as connection:
        write_export(connection, name, form, stream)
    return stream.getvalue().decode()


def put_balances(engine: Engine, *rows: tuple[str, str, str, int]) -> None:
    with engine.begin() as connection:
        connection.execute(insert(balances), [dict(zip(balances.c.keys(), row, strict=True)) for row in rows])


def test_every_export_of_the_sample_feed_is_as_expected(engine: Engine) -> None:
    Feeding(engine).take_all()
    Projector(engine, CODEC).catch_up()
    for name in EXPORTS:
        assert export(engine, name) == shared("feeds", "expected", f"{name}.csv").read_bytes().decode(), name


def test_what_people_ask_for_is_in_no_export_before_it_is_done(engine: Engine) -> None:
    """Cases without a currency, a reversal asked for and refused, stand beside the compensations."""
    Feeding(engine).take_all()
    Projector(engine, CODEC).catch_up()
    before = {name: export(engine, name) for name in EXPORTS}
    settled = next(
        line for line in csv.DictReader(StringIO(before["round-lines"])) if line["result"] == "win"
    )
    asked = backoffice(engine, "cancel", settled["round"], "--reason", "misread", "--as", "mia:shift_manager")
    assert asked.code == 0, asked.err
    Projector(engine, CODEC).catch_up()
    with engine.connect() as connection:
        assert connection.scalar(text("select count(*) from read.cases where currency is null")) == 1
    for name, told in before.items():
        assert export(engine, name) == told
        assert export(engine, name, "jsonl").count("\n") == told.count("\n") - 1


def test_both_formats_say_the_same(engine: Engine) -> None:
    Feeding(engine).take(1500)
    Projector(engine, CODEC).catch_up()
    for name in EXPORTS:
        lines = [json.loads(line) for line in export(engine, name, "jsonl").splitlines()]
        said = [
            {column: "" if value is None else str(value) for column, value in line.items()} for line in lines
        ]
        assert said == list(csv.DictReader(StringIO(export(engine, name)))), name


def test_json_lines_have_amounts_as_strings_counts_as_numbers_and_nothing_as_null(engine: Engine) -> None:
    Feeding(engine).take(1500)
    Projector(engine, CODEC).catch_up()
    lines = [json.loads(line) for line in export(engine, "round-lines", "jsonl").splitlines()]
    assert {type(line["odds"]) for line in lines} == {int, type(None)}
    assert {type(value) for line in lines for name, value in line.items() if name != "odds"} == {str}


@pytest.mark.parametrize("name", EXPORTS)
def test_an_empty_export_is_its_header(engine: Engine, name: str) -> None:
    assert export(engine, name) == ",".join(EXPORTS[name].columns) + "\n"
    assert export(engine, name, "jsonl") == ""


def test_every_currency_has_its_digits_and_an_amount_below_zero_stays_a_number(engine: Engine) -> None:
    put_balances(
        engine,
        ("a", "1", "EUR", -500),
        ("a", "2", "EUR", -5),
        ("a", "3", "JPY", 160),
        ("a", "4", "KWD", 1),
        ("a", "5", "EUR", 0),
        ("a", "6", "EUR", 2**63 - 1),
        ("a", "7", "KWD", -(2**63)),
    )
    assert export(engine, "balances").splitlines()[1:] == [
        "a,1,EUR,-5.00",
        "a,2,EUR,-0.05",
        "a,3,JPY,160",
        "a,4,KWD,0.001",
        "a,5,EUR,0.00",
        "a,6,EUR,92233720368547758.07",
        "a,7,KWD,-9223372036854775.808",
    ]


def test_rows_are_ordered_as_strings_byte_by_byte(engine: Engine) -> None:
    names = ["b", "B", "a-1", "a1", "a_1", "ä", "10", "9", "a b", "𝄞", "\uffee"]
    put_balances(engine, *((name, "p", "EUR", 1) for name in names))
    exported = [line.split(",")[0] for line in export(engine, "balances").splitlines()[1:]]
    assert exported == sorted(names, key=str.encode)


def test_amounts_are_ordered_as_they_are_written(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            text("""
                insert into read.round_lines
                select
                    'r', '1', 'ante', 1, now(), 'c', 'p', 'EUR', stake, 'win', null, 0, '', 0, 0, 'house', number
                from unnest(array[100000, 9000, 1000, 200]) with ordinality as given (stake, number)
            """)
        )
    stakes = [line.split(",")[6] for line in export(engine, "round-lines").splitlines()[1:]]
    assert stakes == ["10.00", "1000.00", "2.00", "90.00"]


def test_a_field_is_quoted_where_it_must_be_and_only_there(engine: Engine) -> None:
    put_balances(engine, ('a,"b"', "=1+1", "EUR", -1), ("c d", "'x'", "EUR", 1), ("e\\n", "\\.", "EUR", 1))
    assert export(engine, "balances").splitlines()[1:] == [
        '"a,""b""",=1+1,EUR,-0.01',
        "c d,'x',EUR,0.01",
        "e\\n,\\.,EUR,0.01",
    ]
    assert [json.loads(line)["casino"] for line in export(engine, "balances", "jsonl").splitlines()] == [
        'a,"b"',
        "c d",
        "e\\n",
    ]


def test_a_currency_nobody_knows_is_not_written_as_if_it_had_two_digits(engine: Engine) -> None:
    put_balances(engine, ("a", "p", "XQX", 1))
    with pytest.raises(ValueError, match="XQX"):
        export(engine, "balances")


def test_an_export_says_up_to_where_it_tells(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    feeding.take(100)
    projector.catch_up()
    caught_up = PostgresLog(engine).head()
    feeding.take(100)
    with engine.connect() as connection:
        assert write_export(connection, "round-lines", "csv", BytesIO()) == caught_up
        assert write_export(connection, "balances", "csv", BytesIO()) == PostgresLog(engine).head()


def test_rows_of_a_log_that_was_restored_are_not_exported(engine: Engine) -> None:
    Feeding(engine).take(100)
    Projector(engine, CODEC).catch_up()
    with engine.begin() as connection:
        connection.execute(text("update log.checkpoints set position = position + 10"))
    with pytest.raises(CheckpointAhead):
        export(engine, "round-lines")


def test_an_unknown_export_or_format_is_told_with_those_there_are(engine: Engine) -> None:
    with pytest.raises(UnknownExport, match="profits as csv: there are round-lines"):
        export(engine, "profits")
    with pytest.raises(UnknownExport, match="csv, jsonl"):
        export(engine, "balances", "xml")
