"""`/v1/reports`: which there are; one of them, byte for byte as `backoffice report` writes it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from backoffice.api.asking import DEMANDING, TheDesk, check_holds, demands
from backoffice.api.limits import page_policy
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem, documented
from backoffice.api.queries.parameters import ANSWERS_BY_VERSION, Answers
from backoffice.api.queries.report_question import TheQuestion
from backoffice.api.reading import POSITION, TheConditions, TheReading
from backoffice.api.rights import Right
from backoffice.api.strays import NoStrays
from backoffice.api.whole_answers import WholeAnswer
from backoffice.reports.asked import Asked
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.queries.paging import Shown
from backoffice.reports.rendering.as_html import STYLE
from backoffice.reports.rendering.forms import FORMS, MEDIA_TYPES, file_ending
from backoffice.reports.report import Report

router = APIRouter(prefix="/v1/reports", tags=["reports"])
Reader = Annotated[Principal, demands(Right.READ_REPORTS)]
Form = StrEnum("Form", {name: name for name in FORMS})  # type: ignore[misc]
_JSON = Form("json")
_POLICY = page_policy(STYLE)
_SHOWN = frozenset({"json", "html"})
"""Forms that a browser shows; the others are files to it."""


class ColumnTold(Shown):
    """One column of a report."""

    name: str = Field(examples=["ggr"])
    kind: str = Field(examples=["money"])
    summed: bool = Field(description="Whether it stands in the totals.")


class FilterTold(Shown):
    """What a report can be narrowed by, beside a casino and days."""

    name: str = Field(examples=["as"])
    meaning: str = Field(examples=["first-reported (by default): as each day was, or will be, closed"])
    words: list[str] = Field(description="The only values it takes, the default first; none: any.")


class ReportTold(Shown):
    """A report, and what it is asked with."""

    name: str = Field(examples=["revenue"])
    title: str = Field(examples=["Revenue"])
    about: str = Field(examples=["what the games brought each casino, by day, table, book and currency"])
    version: int = Field(description="Goes up when the same log is to give other bytes.", examples=[1])
    wants: list[str] = Field(
        description="Parameters without which it is not made.", examples=[["casino", "player"]]
    )
    filters: list[FilterTold]
    columns: list[ColumnTold]
    whole_network_only: bool = Field(
        description="Whether only somebody who sees all casinos is shown it, also of one of them."
    )
    confidential: bool = Field(
        description="Whether it is for compliance, auditors and administrators only: it tells of suspicions."
    )


class FormTold(Shown):
    """A form that every report comes in."""

    format: str = Field(examples=["csv"])
    content_type: str = Field(examples=["text/csv"])


class ReportsTold(Shown):
    """Every report there is, in every form."""

    rows: list[ReportTold]
    formats: list[FormTold]


@router.get("", responses=documented(*DEMANDING, Kind.INVALID))
async def list_reports(_: Reader, __: NoStrays) -> ReportsTold:
    """List the reports there are, what each tells and what it is asked with; all of them by casino and days, too."""
    return ReportsTold(
        rows=list(map(_told, REPORTS.values())),
        formats=[FormTold(format=form, content_type=MEDIA_TYPES[form]) for form in FORMS],
    )


def _told(report: Report) -> ReportTold:
    return ReportTold(
        name=report.name,
        title=report.title,
        about=report.about,
        version=report.version,
        wants=list(report.wants),
        filters=[
            FilterTold(name=name, meaning=meaning, words=list(report.words.get(name, ())))
            for name, meaning in report.filters.items()
        ],
        columns=[
            ColumnTold(name=column.name, kind=column.kind, summed=column.summed) for column in report.columns
        ],
        whole_network_only=report.tells_of_others,
        confidential=report.confidential,
    )


def _answers() -> Answers:
    """A report is a text or a file, but for JSON; its ETag is a digest of its bytes."""
    content: dict[str, Any] = {kind: {"schema": {"type": "string"}} for kind in MEDIA_TYPES.values()}
    content[MEDIA_TYPES["json"]] = {"schema": {"type": "object"}}
    whole = ANSWERS_BY_VERSION[200]
    headers = {
        **whole["headers"],
        "ETag": {"description": "A digest of the bytes.", "schema": {"type": "string"}},
        "Content-Disposition": {"description": "The name for a file.", "schema": {"type": "string"}},
    }
    told = {"description": "The report.", "content": content, "headers": headers}
    return {**ANSWERS_BY_VERSION, 200: told}


@router.get("/{name}", response_class=Response, responses=_answers())
async def make_report(
    who: Reader,
    desk: TheDesk,
    reading: TheReading,
    conditions: TheConditions,
    response: Response,
    asked: TheQuestion,
    name: Annotated[
        str,
        Path(
            max_length=64,
            description="See the list of reports.",
            json_schema_extra={"enum": list(REPORTS)},
            examples=["revenue"],
        ),
    ],
    form: Annotated[Form, Query(alias="format")] = _JSON,
) -> Response:
    """Make a report from the log as it is now, whole and at one position: the same bytes as `backoffice report`.

    Without a casino it is of all that there are, for who sees all; who sees one only is shown that one.
    """
    report = _named(name)
    if report.confidential:
        check_holds(who, Right.READ_SUSPICIONS)
    if report.tells_of_others and not reading.scope.whole:
        told = f"{name} tells of other casinos at common tables, too: it is for who sees them all"
        raise Problem(Kind.FORBIDDEN, told, rule="casino")
    await reading.behind()
    whole = await desk.reports.make(report, asked, form)
    response.headers[POSITION] = str(whole.position)
    try:
        conditions.check(whole.sha256)
    except Exception:
        desk.reports.let_go(whole)
        raise
    headers = {**response.headers, **_kept_as(report, asked, form)}
    media_type = MEDIA_TYPES[form]
    return WholeAnswer(
        whole.stream, whole.size_bytes, headers, media_type, lambda: desk.reports.let_go(whole)
    )


def _named(name: str) -> Report:
    report = REPORTS.get(name)
    if report is None:
        raise Problem(Kind.NOT_FOUND, "there is no report of this name: see /v1/reports")
    return report


def _kept_as(report: Report, asked: Asked, form: str) -> Mapping[str, str]:
    """The name of its file, and what a page of it may do."""
    days = dict.fromkeys(day.isoformat() for day in (asked.first, asked.last) if day is not None)
    parts = [report.name, *([] if asked.casino is None else [asked.casino]), *days]
    name = quote(f"{'-'.join(parts)}.{file_ending(form)}", safe="")
    kept = "inline" if form in _SHOWN else "attachment"
    told = {"Content-Disposition": f"{kept}; filename*=UTF-8''{name}"}
    return {**told, "Content-Security-Policy": _POLICY} if form == "html" else told
