"""Tables of a page: numbers flush right under their heads, names and moments whole, hashes broken where they must be."""

import pytest

from backoffice.reports.markup import table

HASH = "05bb4dc393d064d0d0473190a2056d3c0c082151da77ce8b30e6b621066e940b"


def test_a_head_stands_over_its_numbers_and_is_written_in_words():
    told = table(("happened_at", "payout"), [("noon", "4.00")], ("payout",))
    assert '<th class="whole">payout</th>' not in told
    assert '<th class="amount">payout</th>' in told
    assert '<td class="amount">4.00</td>' in told
    assert "<th>happened at</th>" in told


def test_columns_without_names_have_no_heads():
    assert "<thead>" not in table(("", ""), [("Number", "17")])


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("be-nok-003", ' class="whole"'),
        ("2026-05-04 16:10:55.084 UTC", ' class="whole"'),
        ("2026-05-04T16:10:55.084000+00:00", ' class="whole"'),
        ("the dealer does not qualify", ""),
        ("", ""),
        (HASH, ' class="long"'),
        (f"as {HASH} says", ' class="long"'),
        ("<b>", ' class="whole"'),
    ],
)
def test_a_cell_is_broken_only_where_it_may_be(text, look):
    told = table(("what",), [(text,)])
    assert f"<td{look}>{text.replace('<', '&lt;').replace('>', '&gt;')}</td>" in told
