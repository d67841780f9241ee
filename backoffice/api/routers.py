"""Every router there is. Whoever adds one adds a line."""

from collections.abc import Sequence

from fastapi import APIRouter

from backoffice.api import actions, commands, health, metrics, telling
from backoffice.api.queries import (
    books,
    cases,
    evidence,
    feeds,
    files,
    jackpots,
    network,
    reports,
    rounds,
    standing,
    streams,
)

ROUTERS: Sequence[APIRouter] = (
    actions.router,
    commands.router,
    telling.router,
    rounds.router,
    books.router,
    jackpots.router,
    cases.router,
    network.router,
    reports.router,
    files.router,
    feeds.router,
    evidence.router,
    standing.router,
    streams.router,
    health.router,
    metrics.router,
)
