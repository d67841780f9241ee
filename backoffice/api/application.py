"""Putting the API together: one application on one house."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.trustedhost import TrustedHostMiddleware
from fastapi.telemetry import TelemetryConfig

from backoffice.api.allowance import Allowance, OwnAllowance, Rate
from backoffice.api.denials import Denials
from backoffice.api.desk import Desk
from backoffice.api.development import development_router
from backoffice.api.following import Follower
from backoffice.api.identities import Identities
from backoffice.api.limits import BodyLimit, SafeAnswers
from backoffice.api.measures import Measures
from backoffice.api.openapi import describe
from backoffice.api.pulse import Pulse
from backoffice.api.reading_desk import ReadingDesk
from backoffice.api.refusing import add_handlers
from backoffice.api.report_desk import ReportDesk
from backoffice.api.routers import ROUTERS
from backoffice.api.streaming import NewestMeters, Streams
from backoffice.api.tokens import DevelopmentTokens, provider_tokens
from backoffice.app.keyring import Keyring
from backoffice.bootstrap import House
from backoffice.settings import ApiSettings

SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""The framework would tell whoever the surroundings name of requests and of stack traces."""


def create_app(
    house: House,
    settings: ApiSettings,
    routers: Sequence[APIRouter] = ROUTERS,
    shared_allowance: Allowance | None = None,
) -> FastAPI:
    """The API of a house. While it runs it owns the shared commits and, where no workers do it, the following of the log.

    `shared_allowance` counts requests where all processes do it together.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            measures = Measures()
            group = stack.enter_context(
                house.group_commit(
                    most=settings.commit_most, room=settings.waiting_most, watch=measures.watch
                )
            )
            follower = stack.enter_context(Follower(house)) if house.reacts else None
            pulse = stack.enter_context(Pulse(house.engine))
            readings = ReadingDesk(house.engine)
            app.state.desk = Desk(
                house,
                group,
                identities,
                settings,
                follower,
                pulse,
                readings,
                ReportDesk(house),
                NewestMeters(readings, house.codec),
                Streams(),
                measures,
                await stack.enter_async_context(Denials(group)),
                allowance,
            )
            stack.push_async_callback(allowance.close)
            yield

    development = DevelopmentTokens(settings) if settings.development else None
    identities = Identities(
        development or provider_tokens(settings),
        Keyring(house.log, house.codec),
        settings.key_refresh_seconds,
    )
    allowance = shared_allowance or OwnAllowance(rate_of(settings))
    app = FastAPI(
        title="Casino back office",
        version="1",
        summary="Table feeds go in; audited rounds, balances, jackpots and cases come out.",
        lifespan=lifespan,
        telemetry=SILENT,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(BodyLimit, most_bytes=settings.body_bytes, most_seconds=settings.body_seconds)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID"],
            expose_headers=[
                "Content-Disposition",
                "ETag",
                "Idempotency-Replayed",
                "Log-Position",
                "Retry-After",
            ],
        )
    app.add_middleware(SafeAnswers)
    add_handlers(app)
    for router in routers:
        app.include_router(router)
    if development is not None:
        app.include_router(development_router(development))
        # A page of a foreign name that leads to this machine must get no token.
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", "[::1]"])
    describe(app)
    return app


def leave(app: FastAPI) -> None:
    """The server is to end: whoever waits for news is answered now. For a signal's handler; nothing where it has not begun."""
    desk: Desk | None = getattr(app.state, "desk", None)
    if desk is not None:
        desk.pulse.leave()


def rate_of(settings: ApiSettings) -> Rate:
    """How many requests each may make."""
    return Rate(settings.requests_a_second, settings.requests_at_once)
