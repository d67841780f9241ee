"""`backoffice debts`: what players owe since a reversal. Who owes stakes nothing and takes nothing out until it is settled."""

import json
import sys
from typing import Annotated

import typer

from backoffice.cli.asking import ask
from backoffice.cli.cancelling import Reason
from backoffice.cli.cases import AsJson
from backoffice.cli.opening import house_of
from backoffice.cli.people import As
from backoffice.domain.cases.commands import RequestWriteOff
from backoffice.domain.wallet.commands import RepayDebt
from backoffice.reports.case_list import list_debts

app = typer.Typer(no_args_is_help=True, help=__doc__)
Word = Annotated[str, typer.Argument()]


@app.command("list")
def list_(
    context: typer.Context,
    casino: Annotated[str | None, typer.Option(help="Only what is owed to this casino.")] = None,
    as_json: AsJson = False,
) -> None:
    """List who owes what."""
    with house_of(context) as house, house.engine.connect() as connection:
        for told in list_debts(connection, casino):
            line = json.dumps(told, ensure_ascii=False) if as_json else _line(told)
            sys.stdout.write(f"{line}\n")


@app.command()
def repay(context: typer.Context, casino: Word, player: Word, currency: Word, amount: Word, by: As) -> None:
    """Settle a debt, or a part of it, out of the player's wallet. Ends with 1 if it is refused."""
    with house_of(context) as house:
        ask(house, RepayDebt, by, casino=casino, player=player, currency=currency, amount=amount)


@app.command("write-off")
def write_off(
    context: typer.Context,
    casino: Word,
    player: Word,
    currency: Word,
    amount: Word,
    reason: Reason,
    by: As,
) -> None:
    """Ask for a debt to be written off; a second person approves it as any case. Ends with 1 if it is refused."""
    with house_of(context) as house:
        whose = {"casino": casino, "player": player, "currency": currency}
        ask(house, RequestWriteOff, by, amount=amount, reason=reason, **whose)


def _line(told: dict[str, str]) -> str:
    return f"{told['casino']:<16} {told['player']:<24} {told['owed']:>16} {told['currency']}"
