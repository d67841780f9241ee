"""One step of the year in a process of its own; its last line says what it came to, and its peak of memory."""

import json
import sys
from pathlib import Path

from backoffice.bootstrap import open_house
from backoffice.settings import Settings
from ops.speed.memory import own_peak_kib
from ops.twelvemonth.calendar import EVERY_DAY, SOME_DAYS
from ops.twelvemonth.steps import Year, steps


def main() -> None:
    """`python -m ops.twelvemonth.one_step NAME ACTIONS FOLDER every|some`, on the database of the surroundings."""
    name, actions, folder, days = sys.argv[1:]
    year = Year(int(actions), Path(folder), EVERY_DAY if days == "every" else SOME_DAYS)
    with open_house(Settings()) as house:
        made = steps()[name](house, year)
    print(json.dumps({**made._asdict(), "peak_kib": own_peak_kib()}))


main()
