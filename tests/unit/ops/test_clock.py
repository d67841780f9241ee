"""The clock that is an hour off in the fault harness: whoever asks for the time of day in that process is misled."""

import json
import subprocess
import sys
import time
from pathlib import Path

ASK = """
import json, sys
from ops.disturbances.clock import set_off
set_off(3600)
import calendar, io, logging, time
from datetime import UTC, date, datetime
from celery import Celery
from kombu.transport.redis import time as kombu_time
from kombu.utils import json as kombu_json
from uuid_utils.compat import uuid7
app = Celery()
told = {
    "time": time.time(),
    "time_ns": time.time_ns() / 1e9,
    "gmtime": calendar.timegm(time.gmtime()),
    "localtime": time.mktime(time.localtime()),
    "now": datetime.now(UTC).timestamp(),
    "now without a zone": datetime.now().timestamp(),
    "celery": app.now().timestamp(),
    "kombu": kombu_time(),
    "event ids": (uuid7().int >> 80) / 1000,
}
moment = datetime.now(UTC)
assert type(moment).__name__ == "datetime" and isinstance(moment, datetime) and isinstance(moment, date)
assert kombu_json.loads(kombu_json.dumps({"at": moment}))["at"] == moment
said = io.StringIO()
logging.basicConfig(stream=said, format="%(asctime)s", datefmt="%Y-%m-%d %H:%M:%S")
logging.getLogger("any").warning("something")
told["log lines"] = datetime.strptime(said.getvalue().strip(), "%Y-%m-%d %H:%M:%S").timestamp()
print(json.dumps(told))
"""


def test_whoever_asks_for_the_time_of_day_is_an_hour_off():
    root = Path(__file__).parents[3]
    asked = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ASK], cwd=root, capture_output=True, text=True, check=True
    )
    now = time.time()
    off = {name: round((told - now) / 60) for name, told in json.loads(asked.stdout).items()}
    assert off == dict.fromkeys(off, 60)
    assert len(off) == 10
