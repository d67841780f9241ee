"""The accountant's chart: what it may say, and what it is refused for."""

from pathlib import Path

import pytest
from sqlalchemy import literal, select
from sqlalchemy.dialects import postgresql

from backoffice.projections.entries import entries
from backoffice.reports.books.chart import BadChart, default_chart, read_chart

ONE = """
title = "Small"
[[account]]
number = "10"
name = "Desk"
type = "asset"
takes = ["cashier:*"]
"""


def account(takes: str, number: str = "20") -> str:
    return f'[[account]]\nnumber = "{number}"\nname = "Other"\ntype = "liability"\ntakes = ["{takes}"]\n'


def chart(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "chart.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_default_chart_takes_every_kind_of_account_once() -> None:
    kinds = [pattern for account in read_chart().account for pattern in account.patterns]
    assert sorted({kind for kind, *_ in kinds}) == [
        "cashier", "compensation", "exchange", "held", "house", "network", "player", "pool", "receivable",
        "reserve", "rounding", "seed", "settlement", "stakes",
    ]  # fmt: skip
    assert len(kinds) == 15  # what casinos owe stands in two books


def test_the_default_chart_is_a_file_to_begin_with(tmp_path: Path) -> None:
    assert read_chart(chart(tmp_path, default_chart())) == read_chart()


def test_accounts_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    read = read_chart(chart(tmp_path, ONE + account("player:*:*", "100")))
    assert list(read.by_number) == ["10", "100"]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (account("cashier:tallinn"), "cashier:tallinn is taken by both 10 Desk and 20 Other"),
        (account("cashier:*"), r"cashier:\* is taken by both 10 Desk and 20 Other"),
        (account("player:*:*", "10"), "two accounts have the number 10"),
        (account("*"), r"20 takes \*: that is no name of an account"),
        (account("player:"), "20 takes player:: that is no name of an account"),
        ('[[account]]\nnumber = "x"\nname = "N"\ntype = "asset"\ntakes = ["a"]\n', r"account\.2\.number"),
        ('[[account]]\nnumber = "2"\nname = "N"\ntype = "debt"\ntakes = ["a"]\n', r"account\.2\.type"),
        ('[[account]]\nnumber = "2"\nname = "N"\ntype = "asset"\n', r"account\.2\.takes: Field required"),
        ("tax = 1\n", r"account\.1\.tax"),
        ("[[account\n", "chart.toml"),
    ],
)
def test_what_is_wrong_with_a_chart_is_said(tmp_path: Path, more: str, reason: str) -> None:
    with pytest.raises(BadChart, match=reason):
        read_chart(chart(tmp_path, ONE + more))


def test_a_pattern_takes_accounts_with_as_many_parts(tmp_path: Path) -> None:
    read = read_chart(chart(tmp_path, ONE + account("settlement:-:*") + account("settlement:*", "30")))
    query = select(read.number_of(entries)).where(literal(1) == 1)
    text = str(query.compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True}))
    assert "read.entries.owner = '-' AND read.entries.holder != ''" in text
    assert "read.entries.owner != '' AND read.entries.holder = ''" in text
