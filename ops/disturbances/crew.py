"""Worker processes that can die at any moment, and somebody who starts them again."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
BEAT = ("beat", "-l", "info")
TAIL = ("tail",)


def worker(name: str, *, pool: str = "prefork", processes: int = 2) -> tuple[str, ...]:
    """The command of a worker on all queues."""
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return ("worker", "-n", f"{name}@here", "-P", pool, "-c", str(processes), "-l", "info", *quiet)


class Crew:
    """Processes by name. Each logs into a file of the folder; a file named after a point there kills who passes it."""

    def __init__(
        self, folder: Path, *, database_url: str, broker_url: str | None, **surroundings: str
    ) -> None:
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BACKOFFICE_")},
            "BACKOFFICE_DATABASE_URL": database_url,
            "BACKOFFICE_BROKER_URL": broker_url or "",
            "BACKOFFICE_EXPORTS": str(folder / "exports"),
            "BACKOFFICE_SWEEP_SECONDS": "1",
            "DEATHS": str(folder),
            **surroundings,
        }
        self._commands: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._started_at: dict[str, int] = {}
        self.restarts = 0

    def start(self, name: str, command: tuple[str, ...], **surroundings: str) -> None:
        """Start a process; by the same name it is started again."""
        self._commands[name] = (command, surroundings)
        with self.log(name).open("ab") as log:
            self._started_at[name] = log.tell()
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "ops.disturbances.mortal", *command],
                cwd=ROOT,
                env={**self.environment, **surroundings},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def log(self, name: str) -> Path:
        """Where a process says what it does."""
        return self.folder / f"{name}.log"

    def said(self, name: str, words: str) -> bool:
        """Whether a process has said that."""
        return self.log(name).exists() and words in self.log(name).read_text(errors="replace")

    def ready(self, name: str) -> bool:
        """Whether a worker runs and takes tasks, since it was last started."""
        with self.log(name).open("rb") as log:
            log.seek(self._started_at[name])
            return self.alive(name) and b" ready." in log.read()

    def pid(self, name: str) -> int:
        """The process by that name."""
        return self._processes[name].pid

    def send(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a process itself."""
        self._processes[name].send_signal(number)

    def children(self, name: str) -> list[psutil.Process]:
        """The pool of a prefork worker."""
        try:
            return list(psutil.Process(self.pid(name)).children())
        except psutil.NoSuchProcess:
            return []

    def kill(self, name: str) -> None:
        """SIGKILL a process with all it has forked, and wait for its end."""
        process = self._processes[name]
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def alive(self, name: str) -> bool:
        """Whether it runs."""
        return self._processes[name].poll() is None

    def tend(self) -> None:
        """Start whoever is dead."""
        for name in [name for name in self._processes if not self.alive(name)]:
            command, surroundings = self._commands[name]
            self.start(name, command, **surroundings)
            self.restarts += 1

    def die_at(self, point: str, number: signal.Signals = signal.SIGKILL) -> None:
        """The next process that passes this point, and no other, dies there, or gets another signal."""
        order = self.folder / f"{point}.order"
        order.write_text(str(number.value))
        order.rename(self.folder / point)

    def to_die(self, point: str) -> bool:
        """Whether nobody has passed that point since."""
        return (self.folder / point).exists()

    def spare(self, point: str) -> None:
        """Nobody is to die there any more."""
        (self.folder / point).unlink(missing_ok=True)

    def dismiss(self) -> None:
        """End everyone."""
        for name in self._processes:
            self.kill(name)
