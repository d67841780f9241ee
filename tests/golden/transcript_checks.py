"""What a transcript says must have come of it."""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

from pure_house import accounts
from transcript_script import Line, ScriptError, Words
from transcript_stage import BETS, Stage, signed

from backoffice.domain.cases.events import CompensationOpened, DisputeOpened
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import FixedPrizesDrawn, JackpotHit
from backoffice.domain.meters import meter_moves
from backoffice.domain.rounds import events as facts
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.money import Money

_Fact = TypeVar("_Fact")
_AMOUNT = re.compile(r"[0-9]+(\.[0-9]+)?")


class Checks:
    """The words that look and change nothing."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.words: dict[str, Callable[[Words], None]] = {
            "expect": self._expect,
            "change": self._change,
            "balance": self._balance,
            "account": self._account,
            "meter": self._meter,
            "bucket": self._bucket,
            "pool": self._pool,
            "cycle": self._cycle,
            "hit": self._hit,
            "share": self._share,
            "drawn": self._drawn,
            "case": self._case,
            "dispute": self._dispute,
            "phase": self._phase,
            "standing": self._standing,
            "debt": self._debt,
        }

    def knows(self, word: str) -> bool:
        """Whether a line that begins with `word` looks at something."""
        return word in self.words or word == "decided"

    def look(self, line: Line) -> None:
        """One line."""
        if line.word == "decided":
            self._decided(line.text)
            return
        words = Words(line.text)
        self.words[line.word](words)
        words.end()

    # Lines

    def _expect(self, words: Words) -> None:
        """`expect 1 ante win 1:1 10.00, call push 10.00`: all the lines of a seat; `expect 1 nothing`: there are none."""
        self.stage.settled()
        seats = words.seats()
        while words.peek() not in (*BETS, "nothing"):
            seats += words.seats()
        texts = [] if words.take_if("nothing") else self._expected_lines(words)
        for seat in seats:
            found = [_said(line) for line in self._lines() if line.seat == seat]
            _same(f"seat {seat}", sorted(found), sorted(texts))

    def _expected_lines(self, words: Words) -> list[str]:
        lines = []
        while words:
            said = [words.take("a bet"), words.take("a result")]
            if said[0] not in BETS:
                raise ScriptError(f"`{said[0]}` is no bet")
            while words and words.peek() not in BETS:
                said.append(words.take())
            lines.append(" ".join(said))
        return lines

    def _lines(self) -> list[facts.Line]:
        for event in reversed(self.stage.house.events_of(self.stage.round)):
            if isinstance(event, facts.RoundSettled | facts.PotSettled | facts.RoundCancelled):
                return list(event.lines)
            if isinstance(event, facts.RoundReversed):
                return list(event.refunds)
        raise ScriptError("the round is neither settled nor cancelled")

    # Money

    def _change(self, words: Words) -> None:
        """`change 1 +10.00, 2 -5.00`: what playing has brought to the seats' players since the transcript began."""
        while words:
            seats, text = words.seats(), words.take("an amount")
            for seat in seats:
                wallet = self.stage.wallet(seat)
                got = self.stage.change(wallet)
                _same(
                    f"seat {seat}",
                    _signed(got, wallet.currency),
                    _signed(signed(text, wallet.currency), wallet.currency),
                )

    def _balance(self, words: Words) -> None:
        """`balance 1 10.00`: what the seat's player has."""
        while words:
            seats, text = words.seats(), words.take("an amount")
            for seat in seats:
                wallet = self.stage.wallet(seat)
                _same(
                    f"seat {seat}", format_minor(self.stage.house.past.balance(wallet), wallet.currency), text
                )

    def _account(self, words: Words) -> None:
        """`account house:tallinn EUR 12.00`: an account of the ledger."""
        name, currency, text = words.take("an account"), words.take("a currency"), words.take("an amount")
        found = sum(
            minor
            for (account, code), minor in accounts(self.stage.house.events).items()
            if (str(account), code) == (name, currency)
        )
        _same(name, format_minor(found, currency), text)

    # Jackpots

    def _meter(self, words: Words) -> None:
        """`meter royal stockholm SEK contributed 5.00 refunded 0.00 paid 0.00 balance 5.00`."""
        key = (words.take("a jackpot"), words.take("a casino"), words.take("a currency"))
        moves = [move for event in self.stage.house.events for move in meter_moves(event) if move[:3] == key]
        for column, found in {
            "contributed": sum(move.contributed for move in moves),
            "refunded": sum(move.refunded for move in moves),
            "paid": sum(move.paid_out for move in moves),
            "balance": sum(move.balance for move in moves),
        }.items():
            words.expect(column)
            _same(column, format_minor(found, key[2]), words.take("an amount"))

    def _bucket(self, words: Words) -> None:
        """`bucket royal stockholm SEK 5.00`."""
        jackpot, casino, currency = words.take("a jackpot"), words.take("a casino"), words.take("a currency")
        held = self.stage.house.past.buckets[jackpot].get((casino, currency), 0)
        _same("the bucket", format_minor(held, currency), words.take("an amount"))

    def _pool(self, words: Words) -> None:
        """`pool royal 50000.50`: what all buckets are worth at the rates in force."""
        past = self.stage.house.past
        pool = past.pool_at(words.take("a jackpot"), self.stage.house.now + timedelta(seconds=1))
        _same(
            "the pool",
            format_minor(pool.value(pool.buckets), past.network.base_currency),
            words.take("an amount"),
        )

    def _cycle(self, words: Words) -> None:
        """`cycle royal 2`: the number of the running pool."""
        jackpot = self.stage.house.past.jackpots[words.take("a jackpot")]
        _same("the cycle", str(jackpot.cycle), words.take("a number"))

    def _hit(self, words: Words) -> None:
        """`hit 100% pool 50010.00 won 50010.00 rounding -0.01 shortfall 0.00`; the last two may be left out at zero."""
        self.stage.settled()
        percent = words.take("a percentage")
        hit = self._only(event for event in self._own(JackpotHit) if f"{event.percent}%" == percent)
        for column, minor in {"pool": hit.pool, "won": hit.amount}.items():
            words.expect(column)
            _same(column, format_minor(minor, hit.base), words.take("an amount"))
        for column, minor in {"rounding": hit.rounding, "shortfall": hit.shortfall}.items():
            text = words.take("an amount") if words.take_if(column) else format_minor(0, hit.base)
            _same(column, format_minor(minor, hit.base), text)

    def _share(self, words: Words) -> None:
        """`share a 25002.72 at 11.4210 is 285556.07`: the base currency's part, the rate, the player's amount."""
        self.stage.settled()
        seat = words.take("a seat")
        hits = self._own(JackpotHit)
        share = self._only(share for hit in hits for share in hit.shares if share.seat == seat)
        base, amount = (
            format_minor(share.share_base, hits[0].base),
            format_minor(share.amount, share.currency),
        )
        _same("the share", f"{base} at {share.rate} is {amount}", words.rest())

    def _drawn(self, words: Words) -> None:
        """`drawn a 2500.00`: a fixed prize that the pool paid; `drawn nothing`: it paid none."""
        self.stage.settled()
        prizes = {
            prize.seat: prize.amount.text for event in self._own(FixedPrizesDrawn) for prize in event.prizes
        }
        expected = {}
        while words and not words.take_if("nothing"):
            seat = words.take("a seat")
            expected[seat] = words.take("an amount")
        _same("fixed prizes of the pool", prizes, expected)

    # What the round left

    def _case(self, words: Words) -> None:
        """`case 1 straight flush 1250.00, 2 flush 15.00`: all compensation cases of the round; or `case none`."""
        expected = []
        while words and not words.take_if("none"):
            said = [words.take("a seat")]
            while not _AMOUNT.fullmatch(said[-1]) or len(said) == 1:
                said.append(words.take("a hand and an amount"))
            expected.append(" ".join(said))
        opened = self._own(CompensationOpened)
        found = [f"{event.seat} {event.hand} {event.suggested.text}" for event in opened]
        _same("compensation cases", sorted(found), sorted(expected))

    def _dispute(self, words: Words) -> None:
        """`dispute 1 call claimed 10.00 due 20.00`: all disputes of the round; or `dispute none`."""
        self.stage.settled()
        expected = []
        while words and not words.take_if("none"):
            expected.append(" ".join(words.take("a dispute of six words") for _ in range(6)))
        found = [
            f"{event.seat} {event.bet} claimed {event.claimed.text} due {event.due.text}"
            for event in self._own(DisputeOpened)
        ]
        _same("disputes", sorted(found), sorted(expected))

    def _phase(self, words: Words) -> None:
        """`phase dealt`, `phase dealt suspended`."""
        state = self.stage.state
        found = f"{state.phase} suspended" if state.suspended else str(state.phase)
        _same("the phase", found, words.rest())

    def _standing(self, words: Words) -> None:
        """`standing reversal proposed`, `standing dispute a call closed`."""
        state = self.stage.office.state(words)
        _same("the case", str(state.standing), words.take("a standing"))

    def _debt(self, words: Words) -> None:
        """`debt a 50.00`: what the seat's player owes."""
        while words:
            wallet = self.stage.wallet(words.take("a seat"))
            owed = format_minor(self.stage.house.past.owed(wallet), wallet.currency)
            _same("the debt", owed, words.take("an amount"))

    def _decided(self, text: str) -> None:
        """`decided 1 AUTO FOLD`, `decided 1 CALL`, `decided 2 AUTO FOLD because ...`, `decided 2 VOID because ...`."""
        seat, _, expected = text.partition(" ")
        kinds = (facts.HandCalled, facts.HandFolded, facts.HandVoided)
        events = [event for event in self._own_round() if isinstance(event, kinds) and event.seat == seat]
        if not events:
            raise ScriptError(f"seat {seat} has not decided")
        _same(f"seat {seat}", _decision(events[-1]), expected.strip())

    def _own_round(self) -> list[Event]:
        return self.stage.house.events_of(self.stage.round)

    def _own(self, kind: type[_Fact]) -> list[_Fact]:
        return [
            event
            for event in self.stage.house.events
            if isinstance(event, kind) and getattr(event, "round", None) == self.stage.round
        ]

    def _only(self, found: Iterable[_Fact]) -> _Fact:
        everything = list(found)
        if len(everything) != 1:
            raise ScriptError(f"there is not one such thing in this round, but {len(everything)}")
        return everything[0]


def _said(line: facts.Line) -> str:
    """`"ante win 1:1 10.00"`, `"bonus win 0.00 cut 150.00"`."""
    parts = [
        line.bet,
        line.result,
        f"{line.odds}:1" if line.odds else "",
        format_minor(line.payout, line.currency),
    ]
    cut = f"cut {format_minor(line.cut, line.currency)}" if line.cut else ""
    return " ".join(part for part in (*parts, cut) if part)


def _decision(event: Event) -> str:
    match event:
        case facts.HandCalled():
            return "AUTO CALL" if event.decided_by_system else "CALL"
        case facts.HandFolded():
            word = "AUTO FOLD" if event.decided_by_system else "FOLD"
            return f"{word} because {event.reason}" if event.reason else word
        case facts.HandVoided():
            return f"VOID because {event.reason}"
    raise TypeError(event)


def _signed(minor: int, currency: str) -> str:
    return f"{'+' if minor > 0 else ''}{Money(minor, currency)}"


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise ScriptError(f"{what}: {found}, not {expected}")
