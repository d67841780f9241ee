"""Every form there is, by the ending of its files."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from backoffice.reports.making import Made, UnknownReport
from backoffice.reports.rendering.as_csv import csv_form
from backoffice.reports.rendering.as_html import html_form
from backoffice.reports.rendering.as_json import json_form
from backoffice.reports.rendering.as_parquet import parquet_form
from backoffice.reports.rendering.as_text import text_form
from backoffice.reports.rendering.as_xlsx import xlsx_form

FORMS: Mapping[str, Callable[[Made], Iterator[bytes]]] = MappingProxyType(
    {
        "text": text_form,
        "csv": csv_form,
        "json": json_form,
        "html": html_form,
        "xlsx": xlsx_form,
        "parquet": parquet_form,
    }
)
MEDIA_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "text": "text/plain",
        "csv": "text/csv",
        "json": "application/json",
        "html": "text/html",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "parquet": "application/vnd.apache.parquet",
    }
)
"""What each form is called on the web."""


def file_ending(form: str) -> str:
    """What the name of a file of this form ends with."""
    return "txt" if form == "text" else form


def refuse_unknown_form(form: str) -> None:
    """Raise UnknownReport for a form that there is not."""
    if form not in FORMS:
        raise UnknownReport(f"there is no form {form}: {', '.join(FORMS)}", "format")
