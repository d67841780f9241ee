"""What a pure house was asked, asked of a real one: the same facts in a log, for tests of what is read from it."""

from pure_house import PureHouse
from sqlalchemy import Engine

from backoffice.app.handle import Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Declined, Request
from backoffice.bootstrap import CODEC, House, house_on
from backoffice.log.postgres import PostgresLog


def written(engine: Engine, house: PureHouse) -> House:
    """A house on `engine` with everything that `house` was asked, refused alike; its read tables are caught up."""
    handler = Handler(PostgresLog(engine), CODEC, Recall(CODEC), reacts=house.reacting)
    outcomes = handler.commit([Request(command, "pure", actor="somebody") for command, _ in house.asked])
    for (_, reason), outcome in zip(house.asked, outcomes, strict=True):
        assert (outcome.reason if isinstance(outcome, Declined) else None) == reason
    made = house_on(engine, reacts=house.reacting)
    made.projector().catch_up()
    return made
