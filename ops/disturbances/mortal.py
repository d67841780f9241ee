"""Runs a worker, a tail or beat that can be told where to die, with a clock that may be wrong.

`python -m ops.disturbances.mortal worker|beat|tail ...`; DEATHS is the folder of the orders, CLOCK_SECONDS by how much
the process takes the time to be later than it is, SILENT_SECONDS after what time a leader is taken for dead, MOST_DEATHS
how many may die of a task.
"""

import os
import sys
from pathlib import Path

from ops.disturbances.clock import set_off


def main() -> None:
    if off_seconds := float(os.environ.get("CLOCK_SECONDS", "0")):
        set_off(off_seconds)
    # Only now: whoever imports `time.time` by name is to get the wrong one.
    from backoffice.app import runs  # noqa: PLC0415
    from backoffice.projections import leading  # noqa: PLC0415
    from ops.disturbances.points import arm  # noqa: PLC0415

    leading.SILENT_SECONDS = float(os.environ.get("SILENT_SECONDS", leading.SILENT_SECONDS))
    # By default as often as anybody is told to: nobody dies of a task here.
    runs.MOST_DEATHS = int(os.environ.get("MOST_DEATHS", "1000000"))
    arm(Path(os.environ["DEATHS"]))
    role, *options = sys.argv[1:]
    if role == "tail":
        from workers.tail import main as follow  # noqa: PLC0415

        follow()
    else:
        from workers.app import app  # noqa: PLC0415

        app.start([role, *options])


if __name__ == "__main__":
    main()
