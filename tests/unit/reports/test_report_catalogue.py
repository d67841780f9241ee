"""What every report keeps to."""

import re

import pytest

from backoffice.reports.catalogue import REPORTS
from backoffice.reports.report import Kind


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_a_report_is_told_apart_and_adds_up_only_what_is_of_one_currency(report):
    names = [column.name for column in report.columns]
    assert len(set(names)) == len(names)
    assert set(report.totals_by) <= set(names)
    assert re.fullmatch(r"[a-z][a-z0-9-]*", report.name)
    assert report.name != "list"
    for column in report.columns:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", column.name)
        if column.kind in {Kind.MONEY, Kind.MEAN}:
            assert column.currency in names
            assert not column.summed or column.currency in report.totals_by
        for part in filter(None, column.ratio):
            assert report.column(part).summed
