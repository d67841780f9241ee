"""What each case is called: its kind first, then what it is about."""

from backoffice.domain.cases.commands import OpenCase, RequestWriteOff
from backoffice.domain.cases.events import Kind, case_id


def compensation_id(round_id: str, seat: str) -> str:
    """The case about a hand of a cancelled round."""
    return case_id(Kind.COMPENSATION, round_id, seat)


def dispute_id(round_id: str, seat: str, bet: str) -> str:
    """The case about a disputed payout."""
    return case_id(Kind.DISPUTE, round_id, seat, bet)


def large_win_id(round_id: str, seat: str, result: int) -> str:
    """The case about a held share; a round that was settled anew has another one for its later result."""
    return case_id(Kind.LARGE_WIN, round_id, seat, *([str(result)] if result > 1 else []))


def reversal_id(round_id: str) -> str:
    """The case about the reversal of a round, however often it is asked for."""
    return case_id(Kind.REVERSAL, round_id)


def correction_id(round_id: str) -> str:
    """The case about settling a reversed round anew, however often that is asked for."""
    return case_id(Kind.CORRECTION, round_id)


def claim_id(command: OpenCase) -> str:
    """The case that `command` opens."""
    return case_id(Kind.CLAIM, command.by.name, command.id)


def write_off_id(command: RequestWriteOff) -> str:
    """The case that `command` opens."""
    return case_id(Kind.WRITE_OFF, command.by.name, command.id)
