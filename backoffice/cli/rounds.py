"""`backoffice round`: one round as a story, and every round decided again."""

import json
import sys
from typing import Annotated

import typer

from backoffice.cli.opening import house_of
from backoffice.reports.round_audit import audit_rounds
from backoffice.reports.round_sentences import counted
from backoffice.reports.round_story import UnknownRound, as_text, round_story

app = typer.Typer(no_args_is_help=True, help=__doc__)
RoundId = Annotated[str, typer.Argument(help="The round's id.")]


@app.command()
def show(
    context: typer.Context,
    round_id: RoundId,
    as_json: Annotated[bool, typer.Option("--json", help="The same as data.")] = False,
) -> None:
    """Tell a round as a story: who, what, when, cards, pay lines with their rules, postings, hashes."""
    with house_of(context) as house:
        story = round_story(house.log, house.codec, round_id)
    if as_json:
        json.dump(story, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return
    for line in as_text(story):
        sys.stdout.write(f"{line}\n")


@app.command()
def audit(
    context: typer.Context,
    round_id: Annotated[str | None, typer.Argument(help="One round; or --all.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every finished round.")] = False,
) -> None:
    """Decide finished rounds again from their recorded inputs. Prints every difference; ends with 1 if there is one."""
    if (round_id is None) is not every:
        raise typer.BadParameter("give a round's id, or --all")
    decisions = differing = 0
    with house_of(context) as house:
        if round_id is not None and not house.log.read_stream(f"round/{round_id}"):
            raise UnknownRound(f"round {round_id} was never opened")
        upto = house.log.head().position
        for audited in audit_rounds(house.log, house.codec, round_id, upto):
            decisions += 1
            differing += bool(audited.differences)
            for difference in audited.differences:
                sys.stdout.write(f"round {audited.round}, position {audited.position}: {difference}\n")
    sys.stdout.write(f"{counted(decisions, 'decision')} made again, {differing} differ\n")
    raise typer.Exit(1 if differing else 0)
