"""Playing a transcript: its words become commands on the pure domain.

What goes without saying at a table goes without saying here: a player comes with a full purse unless the transcript
gives one, betting is closed before the deal, a revealed round is settled before the first look at its lines, and a
cancellation is carried out at once.
"""

import copy
import tomllib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pure_house import PureHouse
from transcript_office import Office
from transcript_script import Line, ScriptError, Words
from transcript_stud import STUD_TABLE, StudTable

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.decisions import Round
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.wallet.events import MoneyDeposited, MoneyWithdrawn
from backoffice.kernel.currencies import parse_minor
from backoffice.kernel.ids import Wallet

NETWORK = tomllib.loads((Path(__file__).parent / "network.toml").read_text(encoding="utf-8"))
FULL_PURSE = 1_000_000
BETS = ("ante", "call", "bonus", "jackpot", "exchange", "pot")


class Stage:
    """A house with one network, and the round that the transcript is speaking of."""

    def __init__(self) -> None:
        self.house = PureHouse()
        self.file = copy.deepcopy(NETWORK)
        self.file["table"].append(copy.deepcopy(STUD_TABLE))
        self.changed = True
        self.rounds: dict[str, str] = {}
        self.round = ""
        self.players: dict[tuple[str, str], Wallet] = {}
        self.actions: dict[str, Callable[[Words], None]] = {
            "at": self._at,
            "later": self._later,
            "approval": self._approval,
            "table": self._table,
            "jackpot": self._jackpot,
            "rate": self._rate,
            "purse": self._purse,
            "withdraw": self._withdraw,
            "round": self._open,
            "back": self._back,
            "seat": self._seat,
            "ante": self._ante,
            "bonus": self._bonus,
            "mark": self._each("mark"),
            "blind": self._blind,
            "undo": self._each("undo"),
            "leave": self._each("leave"),
            "close": self._whole("close"),
            "deal": self._deal,
            "exchange": self._exchange,
            "call": self._each("call"),
            "fold": self._each("fold"),
            "timeout": self._each("timeout"),
            "announce": self._each("announce"),
            "reveal": self._reveal,
            "settle": self._settle,
        }
        self.office = Office(self)
        self.stud = StudTable(self)
        self.reasoned = ("suspend", "resume", "cancel", "void", "reverse")

    def play(self, line: Line) -> None:
        """One line; where a `refused` stands below it, its last command must be refused with those words."""
        refusal = _refusal(line)
        before = len(self.house.events)
        try:
            self._play(line)
        except Refused as refused:
            if refusal is None:
                raise ScriptError(f"is refused: {refused.reason}") from refused
            if refused.reason != refusal.text:
                raise ScriptError(f"is refused with other words: {refused.reason}") from refused
        else:
            if refusal is not None:
                raise ScriptError(f"is not refused, and comes to {self.house.events[before:]}")

    def _play(self, line: Line) -> None:
        if self.office.knows(line):
            self.office.play(line)
            return
        if self.stud.knows(line):
            self.stud.play(line)
            return
        if line.word in self.reasoned:
            self._with_reason(line)
            return
        if line.word not in self.actions:
            raise ScriptError("is no word of a transcript")
        words = Words(line.text)
        self.actions[line.word](words)
        words.end()

    # What there is

    def _table(self, words: Words) -> None:
        """`table dublin-1 max_payout EUR 500.00`, `table live-1 limits bonus EUR 1.00 50.00`, `table x ruleset y`,
        `table live-1 without bonus EUR`: no limits for it, so none is taken.
        """
        table = self._section("table", words.take("a table"))
        match key := words.take("what changes"):
            case "limits":
                bet, currency = words.take("a bet"), words.take("a currency")
                limits = [words.take("the minimum"), words.take("the maximum")]
                table["limits"].setdefault(bet, {})[currency] = limits
            case "without":
                bet, currency = words.take("a bet"), words.take("a currency")
                del table["limits"][bet][currency]
            case "max_payout":
                currency = words.take("a currency")
                table.setdefault("max_payout", {})[currency] = words.take("the amount")
            case "bonus_returns_stake":
                table[key] = True
            case "stud":
                setting = words.take("a setting")
                table["stud"][setting] = words.take(f"its {setting}")
            case "seats":
                table[key] = int(words.take("a number"))
            case "ruleset" | "jackpot":
                table[key] = words.take(f"a {key}")
            case _:
                raise ScriptError(f"a table has no {key}")
        self.changed = True

    def _jackpot(self, words: Words) -> None:
        """`jackpot royal seed 100.00`, `jackpot royal without ceiling`, `jackpot royal chip EUR 2.00 pool 1.50`."""
        jackpot = self._section("jackpot", words.take("a jackpot"))
        match key := words.take("what changes"):
            case "seed" | "ceiling" | "split" | "fixed_prizes" | "verify_over":
                jackpot[key] = words.take(f"its {key}")
            case "without":
                del jackpot[words.take("what it has no more")]
            case "chip":
                currency, stake = words.take("a currency"), words.take("the chip")
                words.expect("pool")
                jackpot["chip"][currency] = {"stake": stake, "pool": words.take("the pool's part")}
            case _:
                raise ScriptError(f"a jackpot has no {key}")
        self.changed = True

    def _approval(self, words: Words) -> None:
        """`approval expires 48`, in hours; `approval limit shift_manager EUR 500.00`."""
        approval = self.file.setdefault("approval", {})
        match words.take("what changes"):
            case "expires":
                approval["expires_hours"] = int(words.take("hours"))
            case "limit":
                role, currency = words.take("a role"), words.take("a currency")
                limits = approval.setdefault("limits", {}).setdefault(role, {})
                limits[currency] = words.take("an amount")
            case key:
                raise ScriptError(f"an approval has no {key}")
        self.changed = True

    def _section(self, kind: str, name: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = [section for section in self.file[kind] if section["id"] == name]
        if not found:
            raise ScriptError(f"the network has no {kind} {name}")
        return found[0]

    def up_to_date(self) -> None:
        """Apply what the transcript has changed in the network."""
        if self.changed:
            self.changed = False
            self.house.apply_network(self.file)

    def _at(self, words: Words) -> None:
        """`at 20:30:00`: the next action happens then, on the first of March 2026 unless a date stands before it."""
        text = words.take("a time")
        day, text = (text, words.take("a time")) if words else ("2026-03-01", text)
        self.house.next_at(datetime.fromisoformat(f"{day}T{text}+00:00"))

    def _later(self, words: Words) -> None:
        """`later 73 hours`."""
        self.house.now += timedelta(hours=int(words.take("a number")))
        words.expect("hours")

    def _rate(self, words: Words) -> None:
        self._do("rate", quote=words.take("a currency"), rate=words.take("a rate"))

    # Money

    def _purse(self, words: Words) -> None:
        """`purse tallinn ann EUR 10.00`: what the player brings, instead of a full purse."""
        casino, player, currency = words.take("a casino"), words.take("a player"), words.take("a currency")
        self._do("deposit", casino=casino, player=player, currency=currency, amount=words.take("an amount"))

    def _withdraw(self, words: Words) -> None:
        casino, player, currency = words.take("a casino"), words.take("a player"), words.take("a currency")
        self._do("withdraw", casino=casino, player=player, currency=currency, amount=words.take("an amount"))

    def _fill_purse(self, wallet: Wallet) -> None:
        if wallet in self.house.past.balances or wallet.currency not in self._currencies(wallet.casino):
            return
        self._do("deposit", **wallet._asdict(), amount=str(FULL_PURSE))

    def _currencies(self, casino: str) -> tuple[str, ...]:
        return self.house.past.network.currencies.get(casino, ())

    # The round

    def _open(self, words: Words) -> None:
        """`round caribbean-live/1 table live-1 jackpot royal as first`: the book and the jackpot must be the table's."""
        book = words.take("a book")
        words.expect("table")
        table = words.take("a table")
        jackpot = words.take("a jackpot") if words.take_if("jackpot") else None
        name = words.take("a name") if words.take_if("as") else f"round-{len(self.rounds) + 1}"
        self._do("open", round=name, table=table, number=f"20:00:00-{name}")
        self.rounds[name] = self.round = name
        terms = self.state.opened.terms
        if terms.ruleset != book or (jackpot is not None and terms.jackpot != jackpot):
            raise ScriptError(f"{table} plays {terms.ruleset} for {terms.jackpot}")

    def _back(self, words: Words) -> None:
        words.expect("to")
        self.round = self.rounds[words.take("a round")]

    @property
    def state(self) -> Round:
        """The round that the transcript is speaking of."""
        if not self.round:
            raise ScriptError("no round has been opened")
        return self.house.past.rounds[self.round]

    def _do(self, do: str, **fields: Any) -> list[Event]:
        self.up_to_date()
        return self.house.do(do, **fields)

    def act(self, do: str, **fields: Any) -> list[Event]:
        """An action on the round that the transcript is speaking of."""
        return self._do(do, round=self.round, **fields)

    def sit(self, seat: str, wallet: Wallet, stack: str) -> None:
        """A player at a pot game's table, with a full purse unless the transcript gives one."""
        self.up_to_date()
        self._fill_purse(wallet)
        self.act("sit", seat=seat, **wallet._asdict(), stack=stack)
        self.players[self.round, seat] = wallet

    def _each(self, do: str) -> Callable[[Words], None]:
        def act(words: Words) -> None:
            for seat in words.all_seats():
                self.act(do, seat=seat)

        return act

    def _whole(self, do: str) -> Callable[[Words], None]:
        def act(words: Words) -> None:
            self.act(do)

        return act

    def _with_reason(self, line: Line) -> None:
        if line.word == "void":
            seat, _, reason = line.text.partition(" ")
            self.act("void", seat=seat, reason=reason.strip())
        elif line.word == "reverse":
            self.up_to_date()
            self.house.reverse(self.round, line.text)
        else:
            self.act(line.word, reason=line.text)

    # Betting

    def _seat(self, words: Words) -> None:
        """`seat 1-3 tallinn EUR ante 5.00 mark bonus 1.00`: stakes in the order written; `player ann` names the player."""
        seats, casino, currency = words.seats(), words.take("a casino"), words.take("a currency")
        player = words.take("a player") if words.take_if("player") else None
        stakes: list[tuple[str, str | None]] = []
        while words:
            bet = words.take()
            if bet not in {"ante", "bonus", "mark"}:
                raise ScriptError(f"`{bet}` is no stake")
            stakes.append((bet, None if bet == "mark" else words.take("an amount")))
        for seat in seats:
            wallet = Wallet(casino, player or seat, currency)
            self.up_to_date()
            self._fill_purse(wallet)
            for bet, amount in stakes:
                self._stake(seat, wallet, bet, amount)

    def _stake(self, seat: str, wallet: Wallet, bet: str, amount: str | None) -> None:
        match bet:
            case "ante":
                self.act("ante", seat=seat, **wallet._asdict(), amount=amount)
                self.players[self.round, seat] = wallet
            case "bonus":
                self.act("bonus", seat=seat, amount=amount)
            case _:
                self.act("mark", seat=seat)

    def _ante(self, words: Words) -> None:
        """A further ante by the player who sits there."""
        seats, amount = words.seats(), words.take("an amount")
        for seat in seats:
            self._stake(seat, self.wallet(seat), "ante", amount)

    def _bonus(self, words: Words) -> None:
        seats, amount = words.seats(), words.take("an amount")
        for seat in seats:
            self.act("bonus", seat=seat, amount=amount)

    def _blind(self, words: Words) -> None:
        """`blind 4 by 1 ante 10.00 mark`."""
        box = words.take("a box")
        words.expect("by")
        by = words.take("a seat")
        words.expect("ante")
        amount, mark = words.take("an amount"), words.take_if("mark")
        self.act("blind", seat=box, by=by, amount=amount, mark=mark)
        self.players[self.round, box] = self.wallet(by)

    def wallet(self, seat: str) -> Wallet:
        """Whose seat it is, or was, in this round."""
        if (self.round, seat) not in self.players:
            raise ScriptError(f"nobody ever sat at {seat}")
        return self.players[self.round, seat]

    # Cards

    def _deal(self, words: Words) -> None:
        """`deal 1 Ah Kh Qh Jh Th, 2 2c 3c 4c 5c 7d, dealer 9c ....`"""
        if self.state.phase is Phase.BETTING:
            self.act("close")
        hands: dict[str, list[str]] = {}
        while not words.take_if("dealer"):
            seat = words.take("a seat")
            hands[seat] = words.cards()
        up = words.take("the dealer's card")
        words.take_if("....")
        self.act("deal", hands=hands, up=up)

    def _exchange(self, words: Words) -> None:
        """`exchange 1 gives 4c takes Qh`."""
        seat = words.take("a seat")
        words.expect("gives")
        discard = words.take("a card")
        words.expect("takes")
        self.act("exchange", seat=seat, discard=discard, draw=words.take("a card"))

    def _reveal(self, words: Words) -> None:
        cards = []
        while words:
            cards.append(words.take())
        self.act("reveal", dealer=cards)

    def _settle(self, words: Words) -> None:
        """`settle`, or with what the table says it paid: `settle paid 1 ante 10.00 call 20.00, 2 ante 0.00`."""
        paid: dict[str, dict[str, str]] = {}
        if words.take_if("paid"):
            while words:
                seat = words.take("a seat")
                paid[seat] = bets = {}
                while words.peek() in BETS:
                    bet = words.take()
                    bets[bet] = words.take("an amount")
        self.act("settle", **({"payouts": paid} if paid else {}))

    # For expectations

    def settled(self) -> None:
        """Settle a revealed round, if nobody has done so."""
        if self.state.phase is Phase.REVEALED:
            self.act("settle")

    def change(self, wallet: Wallet) -> int:
        """What playing has brought to a wallet, or cost it: its balance without what was brought in and taken out."""
        moved = self.house.past.balance(wallet)
        for event in self.house.events:
            if isinstance(event, MoneyDeposited) and event.wallet == wallet:
                moved -= event.amount.minor
            elif isinstance(event, MoneyWithdrawn) and event.wallet == wallet:
                moved += event.amount.minor
        return moved


def _refusal(line: Line) -> Line | None:
    for below in line.below:
        if below.word != "refused":
            raise ScriptError(f"`{below.word}` cannot stand below a line")
    if len(line.below) > 1:
        raise ScriptError("a line is refused once")
    return line.below[0] if line.below else None


def signed(text: str, currency: str) -> int:
    """`"+5.00"`, `"-5.00"`, `"0.00"` in minor units."""
    if text[0] == "-":
        return -parse_minor(text[1:], currency)
    return parse_minor(text.removeprefix("+"), currency)
