"""A developer starts a worker, a tail and beat with one command, and everything runs as the status says."""

import os
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from ops.disturbances.servers import free_port, wait_until

ROOT = Path(__file__).parents[2]


def test_one_command_starts_the_workers() -> None:
    with TemporaryDirectory(prefix="backoffice-") as folder:
        port = str(free_port())
        surroundings = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BACKOFFICE_")},
            "BACKOFFICE_DATA": f"{folder}/data",
            "BACKOFFICE_REDIS_PORT": port,
        }
        crew = subprocess.Popen(["ops/workers"], cwd=ROOT, env=surroundings, stderr=subprocess.DEVNULL)
        surroundings["BACKOFFICE_BROKER_URL"] = f"redis://127.0.0.1:{port}/0"

        def status() -> int:
            command = [".venv/bin/backoffice", "workers", "status"]
            return subprocess.run(
                command, cwd=ROOT, env=surroundings, check=False, capture_output=True
            ).returncode

        try:
            wait_until(lambda: status() == 0, "all is well", seconds=60)
        finally:
            crew.send_signal(signal.SIGTERM)
            crew.wait(30)
        assert status() == 1
