"""Where a round stands, whatever its game."""

from enum import StrEnum


class Phase(StrEnum):
    """Four phases of a game against the house, three of a pot game, three that any round may reach."""

    BETTING = "betting"
    CLOSED = "closed"
    DEALT = "dealt"
    REVEALED = "revealed"
    SEATING = "seating"
    """Players sit down and post their antes; nothing is dealt."""
    PLAYING = "playing"
    """From the first street's deal to the end of the last betting round."""
    SHOWDOWN = "showdown"
    """The betting is over for good; hands are shown or mucked, unless one player alone is left."""
    SETTLED = "settled"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"
    REVERSED = "reversed"
