"""What became true by a request, told: all that followed from it, what was carried out in the same commit too."""

from itertools import groupby, islice
from operator import attrgetter

from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import decoded
from backoffice.reports.sentences import sentence


def followed(log: Reader, first: int, last: int) -> list[Recorded]:
    """The facts of a request at these positions, and what followed from it behind them in the same commit.

    Of a request that changed nothing, whose first position is behind its last, there are none.
    """
    if last < first:
        return []
    groups = groupby(log.read(after=first - 1, batch=50), key=attrgetter("correlation", "recorded_at"))
    return [fact for _, facts in islice(groups, 1) for fact in facts]


def sentences_of(codec: Codec, facts: list[Recorded]) -> list[str]:
    """Each fact in a sentence."""
    return [sentence(decoded(codec, recorded), "") for recorded in facts]
