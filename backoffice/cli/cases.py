"""`backoffice cases`: what waits for a person's decision. Two people decide: one proposes, another approves or refuses."""

import json
import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from backoffice.bootstrap import House
from backoffice.cli.asking import ask
from backoffice.cli.cancelling import Reason
from backoffice.cli.opening import house_of
from backoffice.cli.people import As
from backoffice.domain.cases.commands import Approve, Grounds, OpenCase, Propose, RefuseProposal
from backoffice.domain.cases.events import Kind
from backoffice.reports.case_list import case_line, list_cases
from backoffice.reports.case_story import as_text, case_state, case_story

app = typer.Typer(no_args_is_help=True, help=__doc__)
CaseName = Annotated[str, typer.Argument(metavar="CASE", help="The case, as `cases list` names it.")]
Proposal = Annotated[
    int | None, typer.Option(min=1, help="The proposal that was looked at; without it, the one that stands.")
]
AsJson = Annotated[bool, typer.Option("--json", help="The same as data.")]


@app.command("list")
def list_(
    context: typer.Context,
    every: Annotated[bool, typer.Option("--all", help="Closed ones, too.")] = False,
    kind: Annotated[Kind | None, typer.Option(help="Only of this kind.")] = None,
    casino: Annotated[str | None, typer.Option(help="Only those that this casino's staff decide.")] = None,
    round_id: Annotated[str | None, typer.Option("--round", help="Only those about this round.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the cases that wait for somebody."""
    with house_of(context) as house:
        house.projector().catch_up("cases")
        with house.engine.connect() as connection:
            now = datetime.now(UTC)
            for told in list_cases(
                connection, now, closed=every, kind=kind, casino=casino, round_id=round_id
            ):
                line = json.dumps(told, ensure_ascii=False) if as_json else case_line(told)
                sys.stdout.write(f"{line}\n")


@app.command()
def show(context: typer.Context, case: CaseName, as_json: AsJson = False) -> None:
    """Tell a case as a story: how it opened, proposals, decisions, reasons, times, money."""
    with house_of(context) as house:
        story = case_story(house.log, house.codec, case)
    if as_json:
        json.dump(story, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    for line in as_text(story):
        sys.stdout.write(f"{line}\n")


@app.command("open")
def open_(
    context: typer.Context,
    casino: Annotated[str, typer.Argument()],
    player: Annotated[str, typer.Argument()],
    currency: Annotated[str, typer.Argument()],
    reason: Reason,
    by: As,
    grounds: Annotated[Grounds, typer.Option(help="Why, in a word of the list.")],
    round_id: Annotated[str | None, typer.Option("--round", help="The round it is about.")] = None,
) -> None:
    """Open a compensation case by hand, for any player of one's casino. Ends with 1 if it is refused."""
    with house_of(context) as house:
        asked = {"casino": casino, "player": player, "currency": currency, "round": round_id}
        ask(house, OpenCase, by, grounds=grounds, reason=reason, **asked)


@app.command()
def propose(
    context: typer.Context,
    case: CaseName,
    amount: Annotated[
        str, typer.Argument(help="What to pay, in the case's currency; 0 closes it without a payment.")
    ],
    reason: Reason,
    by: As,
) -> None:
    """Propose what to pay; it takes the place of a proposal that stands. Ends with 1 if it is refused."""
    with house_of(context) as house:
        ask(house, Propose, by, case=case, amount=amount, reason=reason)


@app.command()
def approve(context: typer.Context, case: CaseName, by: As, proposal: Proposal = None) -> None:
    """Approve a proposal: another person's, before it expires. Ends with 1 if that is refused."""
    with house_of(context) as house:
        ask(house, Approve, by, case=case, proposal=proposal or _standing(house, case))


@app.command()
def refuse(context: typer.Context, case: CaseName, reason: Reason, by: As, proposal: Proposal = None) -> None:
    """Refuse a proposal: another person's. The case stays open; a request is closed. Ends with 1 if that is refused."""
    with house_of(context) as house:
        ask(house, RefuseProposal, by, case=case, proposal=proposal or _standing(house, case), reason=reason)


def _standing(house: House, case: str) -> int:
    state = case_state(house.log, house.codec, case)
    return 1 if state is None or state.proposal is None else state.proposal.number
