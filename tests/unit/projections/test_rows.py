"""What a batch of changes is merged into, before the database hears of it."""

import pytest
from sqlalchemy import BigInteger, Column, MetaData, Table, Text

from backoffice.projections.changes import Amend, Keep, Put
from backoffice.projections.rows import Rows, RowThere
from backoffice.projections.statements import add_up, amend, copy_in, key_names, other_names

things = Table(
    "things",
    MetaData(),
    Column("name", Text(collation="C"), primary_key=True),
    Column("count", BigInteger),
    Column("order", Text),
)


def test_a_row_put_twice_in_a_batch_is_a_bug() -> None:
    rows = Rows()
    rows.take([Put(things, {"name": "a", "count": 1, "order": None})])
    with pytest.raises(RowThere, match="things"):
        rows.take([Put(things, {"name": "a", "count": 2, "order": None})])


def test_a_put_does_not_keep_the_row_it_was_given() -> None:
    row = {"name": "a", "count": 1, "order": None}
    Rows().take([Put(things, row), Amend(things, ("a",), {"count": 2})])
    assert row["count"] == 1


def test_of_rows_that_are_kept_the_first_one_stays() -> None:
    rows = Rows()
    first, second = ({"name": "a", "count": n, "order": None} for n in (1, 2))
    rows.take([Keep(things, first), Keep(things, second)])
    assert list(rows._kept[things].values()) == [first]


def test_the_key_comes_first_and_the_rest_in_the_order_of_the_table() -> None:
    assert key_names(things) == ("name",)
    assert other_names(things) == ("count", "order")


def test_statements_quote_names_and_name_their_schema() -> None:
    assert (
        copy_in(things, "pg_temp")
        == 'copy "pg_temp"."things" ("name", "count", "order") from stdin (format binary)'
    )
    assert amend(things, "read", ("order",)) == (
        'update "read"."things" as old set "order" = new."order"'
        ' from unnest(%s::text[], %s::text[]) as new ("name", "order") where old."name" = new."name"'
    )
    assert add_up(things, "read").endswith(
        'do update set "count" = old."count" + excluded."count", "order" = old."order" + excluded."order"'
    )
