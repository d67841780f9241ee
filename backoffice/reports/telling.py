"""What became true by a request, told: all that followed from it, what was carried out in the same commit too."""

from itertools import groupby, islice
from operator import attrgetter

from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import decoded
from backoffice.reports.sentences import sentence


def followed(log: Reader, first: int) -> list[Recorded]:
    """The facts from position `first` on that go back to the same request, as far as they stand together."""
    _, facts = next(islice(groupby(log.read(after=first - 1), key=attrgetter("correlation")), 1), (None, ()))
    return list(facts)


def sentences_of(codec: Codec, facts: list[Recorded]) -> list[str]:
    """Each fact in a sentence."""
    return [sentence(decoded(codec, recorded), "") for recorded in facts]
