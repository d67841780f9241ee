"""ops/faults: a trial, and its figures."""

import argparse
import logging
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ops.disturbances.points import POINTS
from ops.disturbances.trial import Figures, trial


def main() -> None:
    """Run a trial; ends with 1 if the two houses differ or one is wrong by itself."""
    options = _options()
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)  # connections die here; that is the point
    if options.folder is not None:
        options.folder.mkdir(parents=True, exist_ok=True)
        figures = _trial(options.folder, options)
    else:
        with TemporaryDirectory(prefix="faults-") as folder:
            figures = _trial(Path(folder), options)
    show(figures)
    sys.exit(1 if figures.wrong else 0)


def _trial(folder: Path, options: argparse.Namespace) -> Figures:
    return trial(folder, rounds=options.rounds, seed=options.seed, pause_seconds=options.pause)


def show(figures: Figures) -> None:
    """Print what a trial came to."""
    line("rounds", figures.rounds)
    line("seed", figures.seed)
    line("requests", figures.requests)
    line("events", figures.events)
    for kind, count in sorted(figures.reactions.items()):
        line(f"  caused {kind}", count)
    line("faults", sum(figures.faults.values()))
    for kind, count in sorted(figures.faults.items()):
        line(f"  {kind}", count)
    for point in POINTS:
        line(f"  died at {point}", figures.deaths[point])
    line("processes started again", figures.restarts)
    line("longest from cause to effect", f"{figures.longest_wait_seconds:.1f} s")
    line("quiet", f"{figures.quiet_seconds:.1f} s")
    line("in trouble", f"{figures.troubled_seconds:.1f} s")
    line("wrong", len(figures.wrong))
    for wrong in figures.wrong[:50]:
        print(f"  {wrong[:500]}")


def line(name: str, value: object) -> None:
    shown = f"{value:,}" if isinstance(value, int) else value
    print(f"{name:<40} {shown:>12}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ops/faults",
        description="Play an evening while everything goes wrong; it must come to the same.",
    )
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--pause",
        type=float,
        default=0.5,
        help="seconds between two faults, on average, or more: a worker is up by then",
    )
    parser.add_argument("--folder", type=Path, help="keep the processes' logs here")
    return parser.parse_args()


if __name__ == "__main__":
    main()
