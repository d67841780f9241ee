"""What people of the staff do in a transcript, each by name (`by mia`, `by otto:compliance@tallinn`), why behind `because`.

    cancel     by mia because the camera failed            # an open round at once, of a settled one a reversal is asked
    reversal   by mia because a card was marked            # asked for
    approve    reversal by otto
    correct    a Ah Kh Qh Jh Th, dealer 9c 9d 4s 4h 2c, by mia because the scanner misread
    claim      a, dealing error, by mia because he was not asked
    write-off  a 50.00 by mia because he has left the country
    propose    dispute a call 10.00 by mia because the camera agrees
    refuse     dispute a call by otto because it does not
    repay      a 20.00 by cai:cashier

A case is named by its kind and, where there are several, by seat and bet: `reversal`, `correction`, `compensation a`,
`dispute a call`, `large-win a`, `claim`, `write-off` (the last one opened). `approve` and `refuse` mean the proposal that
stands, unless a number says which.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from transcript_script import Line, ScriptError, Words

from backoffice.domain.cases.commands import (
    Approve,
    CancelRound,
    OpenCase,
    Propose,
    RefuseProposal,
    RequestCorrection,
    RequestReversal,
    RequestWriteOff,
)
from backoffice.domain.cases.events import CaseEvent, Kind, case_id
from backoffice.domain.cases.state import Case
from backoffice.domain.wallet.commands import RepayDebt

if TYPE_CHECKING:
    from transcript_stage import Stage

OF_A_ROUND = {Kind.REVERSAL: 0, Kind.CORRECTION: 0, Kind.COMPENSATION: 1, Kind.LARGE_WIN: 1, Kind.DISPUTE: 2}
"""How many words behind its kind tell a round's case."""


class Office:
    """The words of the staff."""

    def __init__(self, stage: "Stage") -> None:
        self.stage = stage
        self.actions: dict[str, Callable[[Words, str], None]] = {
            "cancel": self._cancel,
            "reversal": self._reversal,
            "correct": self._correct,
            "claim": self._claim,
            "write-off": self._write_off,
            "propose": self._propose,
            "approve": self._approve,
            "refuse": self._refuse,
            "repay": self._repay,
        }

    def knows(self, line: Line) -> bool:
        """Whether a line is of the staff: `cancel` without a person is the table's."""
        return line.word in self.actions and (line.word != "cancel" or line.text.startswith("by "))

    def play(self, line: Line) -> None:
        """One line."""
        text, _, reason = line.text.partition(" because ")
        words = Words(text)
        self.actions[line.word](words, reason.strip())
        words.end()

    def case(self, words: Words) -> str:
        """The name of the case that the next words tell."""
        kind = Kind(words.take("a case"))
        if kind in OF_A_ROUND:
            named = [words.take("which one") for _ in range(OF_A_ROUND[kind])]
            return case_id(kind, self.stage.round, *named)
        opened = [event.case for event in self.stage.house.events if isinstance(event, CaseEvent)]
        found = [case for case in opened if case.startswith(f"{kind}/")]
        if not found:
            raise ScriptError(f"no {kind} has been opened")
        return found[-1]

    def state(self, words: Words) -> Case:
        """The case that the next words tell, as it stands."""
        name = self.case(words)
        if name not in self.stage.house.past.cases:
            raise ScriptError(f"there is no case {name}")
        return self.stage.house.past.cases[name]

    def _ask(self, kind: Any, words: Words, **fields: Any) -> None:
        words.expect("by")
        self.stage.up_to_date()
        self.stage.house.ask(kind, words.take("a person"), **fields)

    def _cancel(self, words: Words, reason: str) -> None:
        self._ask(CancelRound, words, round=self.stage.round, reason=reason)

    def _reversal(self, words: Words, reason: str) -> None:
        self._ask(RequestReversal, words, round=self.stage.round, reason=reason)

    def _correct(self, words: Words, reason: str) -> None:
        """`open 9c` where another card of the dealer's was the open one."""
        hands: dict[str, list[str]] = {}
        dealer: dict[str, Any] = {}
        while words.peek() != "by":
            match name := words.take("a seat"):
                case "dealer":
                    dealer["dealer"] = words.cards()
                case "open":
                    dealer["up"] = words.take("a card")
                case _:
                    hands[name] = words.cards()
        self._ask(RequestCorrection, words, round=self.stage.round, reason=reason, hands=hands, **dealer)

    def _claim(self, words: Words, reason: str) -> None:
        """Of a seat's player about this round; with `elsewhere` about none."""
        wallet = self.stage.wallet(words.take("a seat"))
        about = {} if words.take_if("elsewhere") else {"round": self.stage.round}
        grounds = []
        while words.peek() != "by":
            grounds.append(words.take("the grounds"))
        self._ask(OpenCase, words, **wallet._asdict(), **about, grounds=" ".join(grounds), reason=reason)

    def _write_off(self, words: Words, reason: str) -> None:
        wallet, amount = self.stage.wallet(words.take("a seat")), words.take("an amount")
        self._ask(RequestWriteOff, words, **wallet._asdict(), amount=amount, reason=reason)

    def _propose(self, words: Words, reason: str) -> None:
        case, amount = self.case(words), words.take("an amount")
        self._ask(Propose, words, case=case, amount=amount, reason=reason)

    def _approve(self, words: Words, _: str) -> None:
        case = self.case(words)
        self._ask(Approve, words, case=case, proposal=self._proposal(case, words))

    def _refuse(self, words: Words, reason: str) -> None:
        case = self.case(words)
        self._ask(RefuseProposal, words, case=case, proposal=self._proposal(case, words), reason=reason)

    def _proposal(self, case: str, words: Words) -> int:
        if words.peek() != "by":
            return int(words.take("a proposal's number"))
        known = self.stage.house.past.cases.get(case)
        return 1 if known is None or known.proposal is None else known.proposal.number

    def _repay(self, words: Words, _: str) -> None:
        wallet, amount = self.stage.wallet(words.take("a seat")), words.take("an amount")
        self._ask(RepayDebt, words, **wallet._asdict(), amount=amount)
