"""ops/generate: writes a feed to standard output or to a file."""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

from ops.feeds.evening import NETWORK, Size, feed


def main() -> None:
    """Read the options, write the feed."""
    options = _options()
    lines = feed(
        Size(options.rounds, options.actions),
        network=options.network,
        seed=options.seed,
        players=options.players,
    )
    target = options.out.open("w", encoding="utf-8", newline="\n") if options.out else nullcontext(sys.stdout)
    with target as out:
        for line in lines:
            out.write(f"{line}\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ops/generate", description="Make a table feed; same seed, same bytes."
    )
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--rounds", type=int, help="open so many rounds")
    size.add_argument("--actions", type=int, help="open no round behind so many actions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=20, help="players of each casino and currency")
    parser.add_argument("--network", type=Path, default=NETWORK, help="network file (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="file to write (default: standard output)")
    return parser.parse_args()


main()
