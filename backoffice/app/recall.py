"""The past as one process remembers it: loaded from the log as commands need it, kept in step under the head's lock.

Everything is decided while the head row is locked, so what is remembered up to the head is what is true. What others
appended meanwhile is read and folded in at the next lock; what was never asked for is not kept.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import Connection

from backoffice.app.mentioned import Mentioned
from backoffice.domain.accounts import wallet_of
from backoffice.domain.cases.commands import CarryOut, CaseCommand
from backoffice.domain.cases.events import DisputeOpened, LargeWinHeld
from backoffice.domain.cases.names import reversal_id
from backoffice.domain.cases.state import Opening, RoundRequest
from backoffice.domain.event import Command, Event
from backoffice.domain.jackpots.state import SHAPING
from backoffice.domain.ledger import postings
from backoffice.domain.meters import MeterMove, meter_moves
from backoffice.domain.network.commands import ApplyNetwork, SetRate
from backoffice.domain.office import cases_of_result
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Open
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.terms import reserve_of
from backoffice.kernel.ids import Wallet
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head, Recorded
from backoffice.log.protocol import Writer
from backoffice.projections.inline import balances_of, buckets_of, debts_owed
from backoffice.projections.versions import mendings

FAR = 20_000
"""Behind by more events than this, forgetting and asking anew is cheaper than reading on."""
KEPT_ROUNDS = 1_000
KEPT_BALANCES = 100_000


class Recall(Past):
    """A past that knows what it knows. Use it between one `begin` and the end of the writer it was given."""

    def __init__(self, codec: Codec, *, far: int = FAR) -> None:
        super().__init__()
        self._codec = codec
        self._far = far
        self._head: Head | None = None
        self._writer: Writer | None = None
        self._mended = 0
        self._loaded: set[str] = set()
        self._knows_debts = False
        self.moved: dict[Wallet, int] = {}
        self.indebted: dict[Wallet, int] = {}
        self.metered: list[MeterMove] = []

    def begin(self, writer: Writer, commands: Sequence[Command]) -> None:
        """Bring what is remembered up to the writer's head and load what deciding `commands` will look at."""
        mentioned, self._writer = Mentioned(commands), writer
        self.moved, self.indebted, self.metered = {}, {}, []
        self._catch_up(writer)
        self._load(writer, {f"case/{name}" for name in mentioned.cases()})
        opened = list(self._opened_cases(mentioned))
        undone = mentioned.undone() | {one.round for one in opened if isinstance(one, RoundRequest)}
        rounds = undone | mentioned.rounds()
        self._load(writer, {"network", *(f"round/{name}" for name in rounds), *mentioned.registers()})
        self._load(writer, {f"case/{name}" for name in self._related_cases(opened, undone)})
        self._load(writer, self._configuration(mentioned, rounds))
        wallets = {*mentioned.wallets(), *self._seats_taken(mentioned), *self._seated(undone)}
        self._load(writer, {f"rates/{currency}" for currency in self._converted(wallets)})
        self._load_balances(writer, wallets)
        self._load_debts(writer)

    def end(self, head: Head) -> None:
        """What was applied is durable up to `head`. Lets go of what is not likely to be asked again."""
        self._head, self._writer = head, None
        if (
            len(self._loaded) + len(self.cases) > KEPT_ROUNDS
        ):  # those that were asked for and never opened, too
            self._forget_rounds()
        if len(self.balances) > KEPT_BALANCES:
            self.balances.clear()

    def forget(self) -> None:
        """Remember nothing: the transaction this was in step with came to nothing."""
        Past.__init__(self)
        self._head = None
        self._loaded.clear()
        self._knows_debts = False

    def move_balance(self, wallet: Wallet, minor: int) -> None:
        """Add to a wallet: to what is remembered of it, if anything, and to what this commit will write."""
        if wallet in self.balances:
            self.balances[wallet] += minor
        self.moved[wallet] = self.moved.get(wallet, 0) + minor

    def move_debt(self, wallet: Wallet, minor: int) -> None:
        """Add to a debt: to what is remembered of it, and to what this commit will write."""
        super().move_debt(wallet, minor)
        self.indebted[wallet] = self.indebted.get(wallet, 0) + minor

    def move_meter(self, move: MeterMove) -> None:
        """Add to a bucket, and to what this commit will write."""
        super().move_meter(move)
        self.metered.append(move)

    def held(self, wallet: Wallet) -> int:
        """What a wallet holds; looked up, and with what this commit moves, where no decision needs to know it."""
        if wallet not in self.balances:
            assert self._writer is not None  # between `begin` and `end`
            before = balances_of(connection_of(self._writer), {wallet}).get(wallet, 0)
            self.balances[wallet] = before + self.moved.get(wallet, 0)
        return self.balances[wallet]

    def balance(self, wallet: Wallet) -> int:
        """What a wallet holds. Raises KeyError for one that was not loaded: a bug in what is loaded before deciding."""
        return self.balances[wallet]

    def _catch_up(self, writer: Writer) -> None:
        """Fold in what others appended; begin anew if that is far, if this is not the log that was remembered, or if
        rows that are remembered were put right."""
        mended = mendings(connection_of(writer))
        if self._mended != mended:
            self.forget()
        self._mended = mended
        was, head = self._head, writer.head
        if was == head:
            return
        if was is None or was.log_id != head.log_id or not 0 < head.position - was.position <= self._far:
            self.forget()
        else:
            for recorded in writer.read(after=was.position):
                self._observe(recorded)
        self._head = head

    def _observe(self, recorded: Recorded) -> None:
        """Fold in what another process appended, as far as it concerns what is remembered."""
        event = self._decode(recorded)
        if recorded.stream in self._loaded:
            self.evolve(event)
        for account, currency, minor in postings(event):
            wallet = wallet_of(account, currency)
            if account.kind == "player" and wallet in self.balances:
                self.balances[wallet] += minor
            elif account.kind == "receivable":
                Past.move_debt(self, wallet, -minor)
        for move in meter_moves(event):
            if move.jackpot in self.buckets:
                Past.move_meter(self, move)

    def _load(self, writer: Writer, streams: set[str]) -> None:
        missing = streams - self._loaded
        if not missing:
            return
        jackpots = {name for name in missing if name.startswith("jackpot/")}
        self._fold(writer.read_streams(missing - jackpots))
        if jackpots:
            self._fold(writer.read_streams(jackpots, SHAPING))
            names = {name.removeprefix("jackpot/") for name in jackpots}
            self.buckets |= buckets_of(connection_of(writer), names | set(map(reserve_of, names)))
        self._loaded |= missing

    def _fold(self, streams: Mapping[str, Sequence[Recorded]]) -> None:
        for name, recorded in streams.items():
            # A case that was opened here, before anybody asked for it.
            self.cases.pop(name.removeprefix("case/"), None)
            for one in recorded:
                self.evolve(self._decode(one))

    def _opened_cases(self, mentioned: Mentioned) -> Iterator[Opening]:
        """What opened the cases that are decided about."""
        for command in mentioned.of(CaseCommand, CarryOut):
            case = self.cases.get(command.case)
            if case is not None:
                yield case.opened

    def _related_cases(self, opened: Iterable[Opening], undone: Iterable[str]) -> set[str]:
        """The cases that hang on the results of these rounds, and the reversals of the results that these hang on."""
        hanging = {name for one in undone if one in self.rounds for name in cases_of_result(self.rounds[one])}
        return hanging | {
            reversal_id(one.round) for one in opened if isinstance(one, DisputeOpened | LargeWinHeld)
        }

    def _seated(self, rounds: set[str]) -> Iterator[Wallet]:
        """Everyone who played in these rounds."""
        for name in rounds & self.rounds.keys():
            yield from (seat.wallet for seat in self.rounds[name].seats.values())

    def _configuration(self, mentioned: Mentioned, rounds: Iterable[str]) -> set[str]:
        """The streams of the jackpots and rates that what is asked, or the rounds it is about, play with."""
        jackpots: set[str] = set()
        quotes = {currency for casino in self.network.casinos.values() for currency in casino.currencies}
        for applied in mentioned.of(ApplyNetwork):
            jackpots.update(section.id for section in applied.file.jackpot)
            quotes.update(applied.file.rates)
            quotes.update(code for section in applied.file.casino for code in section.currencies)
        quotes.update(given.quote for given in mentioned.of(SetRate))
        for begun in mentioned.of(Open):
            jackpots.update(self._jackpot_of_table(begun.table))
        for name in rounds:
            jackpots.update(self._jackpot_of_round(name))
        return {f"jackpot/{name}" for name in jackpots} | {f"rates/{quote}" for quote in quotes}

    def _converted(self, wallets: Iterable[Wallet]) -> Iterator[str]:
        """The currencies a pool may have to convert, also such as no casino plays in any more."""
        yield from (wallet.currency for wallet in wallets)
        yield from (currency for buckets in self.buckets.values() for _, currency in buckets)

    def _jackpot_of_table(self, table: str) -> list[str]:
        terms = self.network.tables.get(table)
        return [] if terms is None or terms.jackpot is None else [terms.jackpot]

    def _jackpot_of_round(self, round_id: str) -> list[str]:
        state = self.rounds.get(round_id)
        return [] if state is None or state.opened.terms.jackpot is None else [state.opened.terms.jackpot]

    def _load_balances(self, writer: Writer, wallets: set[Wallet]) -> None:
        missing = wallets - self.balances.keys()
        if missing:
            held = balances_of(connection_of(writer), missing)
            self.balances.update({wallet: held.get(wallet, 0) for wallet in missing})

    def _load_debts(self, writer: Writer) -> None:
        """All of them, once: there are few, and whoever stakes is looked up."""
        if not self._knows_debts:
            for wallet, owed in debts_owed(connection_of(writer)).items():
                Past.move_debt(self, wallet, owed)
            self._knows_debts = True

    def _seats_taken(self, mentioned: Mentioned) -> Iterator[Wallet]:
        """Who sits where something is done."""
        for name, seat in mentioned.seats():
            state = self.rounds.get(name)
            if state is not None and seat in state.seats:
                yield state.seats[seat].wallet

    def _forget_rounds(self) -> None:
        """Cases and finished rounds first; if that is not enough, the rounds remembered longest."""
        unfinished = [name for name, state in self.rounds.items() if state.phase not in _FINISHED]
        kept = set(unfinished[-KEPT_ROUNDS // 2 :])
        for name in self.rounds.keys() - kept:
            del self.rounds[name]
        self.cases.clear()
        self._loaded = {name for name in self._loaded if not name.startswith(("round/", "case/"))}
        self._loaded |= {f"round/{name}" for name in kept}

    def _decode(self, recorded: Recorded) -> Event:
        event = self._codec.decode(recorded.type, recorded.schema, recorded.data)
        assert isinstance(event, Event)
        return event


def connection_of(writer: Writer) -> Connection:
    """The writer's transaction. Raises TypeError for a log that has none: requests are handled on a real database."""
    if writer.connection is None:
        raise TypeError("this log has no database")
    return writer.connection


_FINISHED = {Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED}
