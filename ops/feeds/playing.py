"""How playing is written down: a generator proposes actions one by one and is told whether each was taken."""

from collections.abc import Generator, Iterable
from random import Random
from typing import Any, TypeAlias

Action: TypeAlias = dict[str, Any]
"""An action of the feed without its id and its time."""

Play: TypeAlias = Generator[Action, bool, None]


def interleaved(plays: Iterable[Play], chance: Random) -> Play:
    """All of `plays` at once, whose turn it is by chance."""
    waiting = [(play, action) for play in plays if (action := next(play, None)) is not None]
    while waiting:
        index = chance.randrange(len(waiting))
        play, action = waiting[index]
        taken = yield action
        try:
            waiting[index] = play, play.send(taken)
        except StopIteration:
            waiting.pop(index)


def disturbed(play: Play, round_id: str, chance: Random) -> Play:
    """A round to which a supervisor may come between two actions: to suspend it or to cancel it."""
    action = next(play)
    while True:
        taken = yield action
        try:
            action = play.send(taken)
        except StopIteration:
            return
        happening = chance.random()
        if happening < 0.002:
            yield {"do": "cancel", "round": round_id, "reason": "dealing error"}
            return
        if happening < 0.006:
            yield {"do": "suspend", "round": round_id, "reason": "camera check"}
            if chance.random() < 0.2:
                yield {"do": "cancel", "round": round_id, "reason": "camera shows an irregularity"}
                return
            yield {"do": "resume", "round": round_id, "reason": "cleared"}
