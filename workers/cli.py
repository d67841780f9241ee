"""`backoffice workers`: how the workers stand. Plugged into the command line where the `workers` extra is installed."""

import sys

import typer

from backoffice.app.runs import forgive
from backoffice.bootstrap import open_house
from backoffice.settings import Settings
from workers.standing import Standing, standing

app = typer.Typer(no_args_is_help=True, help=__doc__)


@app.callback()
def workers() -> None:
    """The workers."""


@app.command()
def status(context: typer.Context) -> None:
    """Show queue lengths, lag, leaders and what is stuck. Ends with 1 and says why if all is not well: a health check."""
    settings = context.obj
    assert isinstance(settings, Settings)
    with open_house(settings) as house:
        stands = standing(house, _queues(settings))
    for line in _told(stands):
        sys.stdout.write(f"{line}\n")
    complaints = list(stands.complaints())
    for complaint in complaints:
        sys.stdout.write(f"not well: {complaint}\n")
    raise typer.Exit(1 if complaints else 0)


@app.command()
def retry(context: typer.Context) -> None:
    """Let tasks be tried again that were left alone because workers died of them; whoever wants one sends it again."""
    settings = context.obj
    assert isinstance(settings, Settings)
    with open_house(settings) as house, house.engine.begin() as connection:
        forgiven = forgive(connection)
    sys.stdout.write(f"{forgiven} deaths are forgotten\n")


def _queues(settings: Settings) -> dict[str, int] | None:
    if settings.broker_url is None:
        return {}
    from kombu.exceptions import OperationalError  # noqa: PLC0415 - a third of a second, for this command alone

    from workers.app import make_app  # noqa: PLC0415
    from workers.queues import waiting  # noqa: PLC0415

    try:
        return waiting(make_app(settings))
    except OperationalError:
        return None


def _told(stands: Standing) -> list[str]:
    lines = [f"{'queue':<24} {'waiting':>9}"]
    lines += [f"{name:<24} {count:>9,}" for name, count in (stands.queues or {}).items()]
    if not stands.queues:
        lines.append("(no broker: everything runs in-process)" if stands.queues == {} else "(no answer)")
    lines += ["", f"{'reader':<24} {'behind':>9} {'seconds':>9}  leader"]
    for lag in stands.lags:
        leader = stands.leaders.get(lag.reader)
        seen = "nobody" if leader is None else f"{leader.leader}, seen {leader.silent_seconds:.0f} s ago"
        lines.append(f"{lag.reader:<24} {lag.events:>9,} {lag.seconds:>9.0f}  {seen}")
    lines += ["", f"stuck {len(stands.stuck):,}, the oldest for {stands.oldest_stuck_seconds:.0f} s"]
    lines.append(f"ordered {stands.unmade:,}, the oldest for {stands.unmade_seconds:.0f} s")
    lines += [
        f"{task.deaths} died of {task.task} since {task.since:%Y-%m-%d %H:%M:%S}" for task in stands.deadly
    ]
    return lines
