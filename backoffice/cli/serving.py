"""`backoffice serve`: the HTTP API."""

import ipaddress
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import entry_points
from types import FrameType
from typing import Annotated
from urllib.parse import urlsplit

import typer
import uvicorn
from pydantic import ValidationError

from backoffice.api.allowance import Allowance, MakeAllowance
from backoffice.api.application import create_app, leave, rate_of
from backoffice.api.wire import Wire
from backoffice.cli.opening import Unusable, house_of, settings_of
from backoffice.settings import ApiSettings, Settings

GRACE_SECONDS = 30
"""So long a server that is asked to end goes on answering what it has taken in."""


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0: any that is free.")] = 8000,
    development: Annotated[
        bool, typer.Option("--development", help="Issue tokens to whoever asks; on this machine only.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy in front, whose X-Forwarded-For is believed: evidence says from where they come.",
        ),
    ] = None,
) -> None:
    """Serve the HTTP API until asked to end; what was taken in is answered first."""
    settings = _settings(development=development)
    if development and not _is_loopback(host):
        raise Unusable(f"development mode gives everybody a token: not at {host}, only at a loopback address")
    with house_of(context) as house:
        app = create_app(house, settings, shared_allowance=_allowance(settings_of(context), settings))
        config = uvicorn.Config(
            app,
            host=host,
            port=port,
            http=Wire,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxy),
            forwarded_allow_ips=list(proxy or ()),
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        with config.bind_socket() as listening:
            listening.listen(config.backlog)
            # Whoever asked for any free port reads here which.
            sys.stderr.write("serving at http://{}:{}\n".format(*listening.getsockname()))
            sys.stderr.flush()
            _end_in_order()
            _Server(config, partial(leave, app)).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that tells those who wait that it is to end: it would wait for them else, and they for news."""

    def __init__(self, config: uvicorn.Config, leave: Callable[[], None]) -> None:
        super().__init__(config)
        self._leave = leave

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The server was asked to end."""
        self._leave()
        super().handle_exit(sig, frame)


def _allowance(surroundings: Settings, settings: ApiSettings) -> Allowance | None:
    """One that all processes share, where somebody who stands beside the house knows how to keep it at the broker."""
    if surroundings.broker_url is None:
        return None
    for plugged in entry_points(group="backoffice.allowances", name=urlsplit(surroundings.broker_url).scheme):
        make: MakeAllowance = plugged.load()
        return make(surroundings.broker_url, rate_of(settings))
    return None


def _settings(*, development: bool) -> ApiSettings:
    try:
        return ApiSettings(development=development)
    except ValidationError as invalid:
        raise Unusable("; ".join(wrong["msg"] for wrong in invalid.errors())) from invalid


def _end_in_order() -> None:
    """uvicorn raises the signal again by which it was asked to end; the house is left in order all the same."""
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, lambda *_: sys.exit(0))


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False  # a name: wherever it leads
