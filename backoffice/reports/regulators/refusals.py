"""Why a file for an authority is not made. Each is anticipated, and says itself in a sentence."""


class NoFile(Exception):
    """A file for an authority is not made; the message says why."""


class UnknownFile(NoFile):
    """There is no kind of file of this name."""


class NotOver(NoFile):
    """A day that goes on has no file yet."""


class ParticularMissing(NoFile):
    """What an authority wants to know and the network file does not say; the message names the field."""


class Unwritable(NoFile):
    """A value that the file of an authority has no room for: it is not cut, the file is not made."""


class InTheWay(NoFile):
    """Where a file belongs there is another one, which is left as it is: this log may have been restored."""


class OtherBytes(NoFile):
    """A file that was produced comes out differently: the program has changed since, or the read tables are wrong."""


class RateMissing(NoFile):
    """A sum is to be told in a currency for which no rate was in force."""
