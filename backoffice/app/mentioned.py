"""What the commands of one commit name, before any is decided: it can be loaded together.

Sorted by their kind first: what a kind names is asked once a kind, not once a command.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from backoffice.domain.access.commands import KeyCommand
from backoffice.domain.cases.commands import CarryOut, CaseCommand, OpenCase, RequestWriteOff, WholeRound
from backoffice.domain.cases.names import claim_id, correction_id, reversal_id, write_off_id
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.days.events import days_stream
from backoffice.domain.event import Command
from backoffice.domain.filings.commands import RegisterFile
from backoffice.domain.filings.events import files_stream
from backoffice.domain.network.commands import ApplyNetwork
from backoffice.domain.rounds.commands import Ante, Blind, RoundCommand, SeatCommand, Sit
from backoffice.domain.wallet.commands import WalletCommand
from backoffice.kernel.ids import Wallet, the_wallet


class Mentioned:
    """The commands of one commit by their kinds."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self._kinds: dict[type[Command], list[Command]] = {}
        for command in commands:
            self._kinds.setdefault(type(command), []).append(command)

    def of(self, *kinds: type[Command]) -> Iterator[Any]:
        """Those of some kinds, or of a kind of these."""
        for kind, commands in self._kinds.items():
            if issubclass(kind, kinds):
                yield from commands

    def rounds(self) -> set[str]:
        """The rounds that are asked about."""
        claims = {claim.round for claim in self.of(OpenCase) if claim.round is not None}
        return {command.round for command in self.of(RoundCommand)} | self.undone() | claims

    def undone(self) -> set[str]:
        """The rounds whose result may be undone, or by what follows in the same commit."""
        return {command.round for command in self.of(WholeRound)}

    def cases(self) -> Iterator[str]:
        """The cases that are decided about, and those that would be opened."""
        yield from (command.case for command in self.of(CaseCommand, CarryOut))
        for command in self.of(WholeRound):
            yield from (reversal_id(command.round), correction_id(command.round))
        yield from map(claim_id, self.of(OpenCase))
        yield from map(write_off_id, self.of(RequestWriteOff))

    def registers(self) -> Iterator[str]:
        """The streams of the files among which one is entered, of the days of which one is closed, or of a casino whose
        clock may be set, and of keys.
        """
        yield from (files_stream(entry.casino, entry.authority) for entry in self.of(RegisterFile))
        yield from (days_stream(closing.casino) for closing in self.of(CloseDay))
        for applied in self.of(ApplyNetwork):
            yield from (days_stream(section.id) for section in applied.file.casino)
        yield from ("access" for _ in self.of(KeyCommand))

    def wallets(self) -> Iterator[Wallet]:
        """The wallets that are named."""
        for command in self.of(WalletCommand, Ante, Sit):
            yield the_wallet(command.casino, command.player, command.currency)

    def seats(self) -> Iterator[tuple[str, str]]:
        """A round and a seat of it on which something is done, or whose player does it."""
        yield from ((command.round, command.seat) for command in self.of(SeatCommand))
        yield from ((command.round, command.by) for command in self.of(Blind))
