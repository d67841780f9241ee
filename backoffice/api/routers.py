"""Every router there is. Whoever adds one adds a line."""

from collections.abc import Sequence

from fastapi import APIRouter

from backoffice.api import actions, telling

ROUTERS: Sequence[APIRouter] = (actions.router, telling.router)
