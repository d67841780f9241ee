"""Every router there is. Whoever adds one adds a line."""

from collections.abc import Sequence

from fastapi import APIRouter

from backoffice.api import telling

ROUTERS: Sequence[APIRouter] = (telling.router,)
