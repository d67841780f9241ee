"""`backoffice round`: one round as a story, and every round decided again."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from backoffice.cli.files import whole_file
from backoffice.cli.opening import Unusable, house_of
from backoffice.projections.cases import CASES
from backoffice.reports.asked import Asked
from backoffice.reports.chain_excerpt import broken_links
from backoffice.reports.dispute import dispute_pack
from backoffice.reports.dispute_forms import PACK_FORMS, PackForm, written_json
from backoffice.reports.reading import reading
from backoffice.reports.round_audit import audit_rounds
from backoffice.reports.round_sentences import counted
from backoffice.reports.round_story import UnknownRound, as_text, round_story
from backoffice.reports.scope import EVERYTHING, Scope

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
        sys.stdout.write(written_json(story))
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


@app.command()
def dispute(
    context: typer.Context,
    round_id: RoundId,
    casino: Annotated[
        str | None, typer.Option(help="As this casino may see it; without it, all of it.")
    ] = None,
    pack_format: Annotated[PackForm, typer.Option("--format")] = PackForm.HTML,
    out: Annotated[Path | None, typer.Option(help="The file; without it, the terminal or pipe.")] = None,
) -> None:
    """Write all about a round for whoever disputes it: story, cards, rules in force, postings, hashes to verify."""
    with house_of(context) as house, reading(house.engine, house.codec, (CASES,), Asked(casino)) as snapshot:
        scope = EVERYTHING if casino is None else Scope(snapshot.casinos)
        pack = dispute_pack(snapshot, round_id, scope)
    text = PACK_FORMS[pack_format](pack)
    if out is None:
        sys.stdout.write(text)
        return
    with whole_file(out) as stream:
        stream.write(text.encode())


@app.command()
def check(pack: Annotated[Path, typer.Argument(help="A dispute pack as JSON.", exists=True)]) -> None:
    """Work the hashes of a dispute pack out again, without any log. Ends with 1 if one does not fit."""
    try:
        excerpt = json.loads(pack.read_bytes())["chain"]["events"]
        broken = list(broken_links(excerpt))
    except (ValueError, TypeError, LookupError) as unfit:
        raise Unusable(f"{pack} is no dispute pack") from unfit
    for position in broken:
        sys.stdout.write(f"position {position}: its hash does not fit what stands here\n")
    sys.stdout.write(f"{counted(len(excerpt), 'event')} looked at, {len(broken)} broken\n")
    raise typer.Exit(1 if broken else 0)
