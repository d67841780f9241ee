"""A casino floor with its office, at random: what people ask is right now and then, and often enough not at all."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from pure_house import PureHouse
from random_floor import RandomFloor

from backoffice.domain.cases.commands import (
    Approve,
    CancelRound,
    Grounds,
    OpenCase,
    Propose,
    RefuseProposal,
    RequestCorrection,
    RequestReversal,
    RequestWriteOff,
)
from backoffice.domain.cases.state import Standing
from backoffice.domain.event import Refused
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.wallet.commands import RepayDebt
from backoffice.kernel.currencies import format_minor, units
from backoffice.kernel.ids import Wallet

PEOPLE = ("mia", "otto", "nina", "cai")
MOSTLY = (
    "shift_manager",
    "shift_manager",
    "compliance",
    "administrator",
    "administrator",
    "cashier",
    "auditor",
)


class RandomOffice(RandomFloor):
    """A random floor whose staff cancels, reverses, corrects, pays, refuses, writes off."""

    def network(self) -> dict[str, Any]:
        """With limits that matter, proposals that expire, and wins that are held."""
        file = super().network()
        file["approval"] = {
            "expires_hours": self.chance.choice([1, 72]),
            "limits": {
                role: {"EUR": "100.00", "SEK": "1000.00"}
                for role in ("shift_manager", "compliance")
                if self.chance.random() < 0.5
            },
        }
        for jackpot in file["jackpot"]:
            if self.chance.random() < 0.6:
                jackpot["verify_over"] = self.chance.choice(["0.00", "100.00"])
        return file

    def step(self) -> None:
        """Something at a table, or something in the office."""
        if self.chance.random() < 0.75:
            super().step()
            return
        self.chance.choice(self._asks)()

    def _hand(self, used: set[str]) -> list[str]:
        """Pools are won often here, so that hits are reversed after other hits."""
        suit = self.chance.choice("shdc")
        royal = [rank + suit for rank in "AKQJT"]
        if self.chance.random() < 0.3 and used.isdisjoint(royal):
            used.update(royal)
            return royal
        return super()._hand(used)

    def finish(self) -> None:
        """Carry out what was approved as well."""
        super().finish()
        for name, case in list(self.house.past.cases.items()):
            if case.standing is Standing.APPROVED:
                self.house.carry_out(name)

    @property
    def _asks(self) -> list[Callable[[], object]]:
        return [
            *[self._approve] * 8,
            *[self._propose] * 4,
            *[self._reverse] * 3,
            *[self._correct] * 3,
            *[self._write_off] * 2,
            self._refuse,
            self._cancel,
            self._open,
            self._repay,
            self._deposit,
            self._carry_out,
            self._wait,
        ]

    def _ask(self, kind: Any, **fields: Any) -> None:
        casino = self.chance.choice(["", "", "", "@tallinn", "@stockholm"])
        by = f"{self.chance.choice(PEOPLE)}:{self.chance.choice(MOSTLY)}{casino}"
        self.house.ask(kind, by, **fields)

    def _round(self, *phases: Phase) -> str:
        """A round in one of these phases if there is one; any other now and then."""
        rounds = self.house.past.rounds
        fit = [name for name, state in rounds.items() if state.phase in phases]
        return self.chance.choice(fit if fit and self.chance.random() < 0.95 else [*rounds, "none"])

    def _case(self, *standings: Standing) -> str:
        cases = self.house.past.cases
        fit = [name for name, case in cases.items() if case.standing in standings]
        return self.chance.choice(fit if fit and self.chance.random() < 0.95 else [*cases, "none"])

    def _number(self, case: str) -> int:
        known = self.house.past.cases.get(case)
        stands = known.proposal.number if known and known.proposal else 1
        return stands if self.chance.random() < 0.95 else max(1, stands + self.chance.choice([-1, 1]))

    def _approve(self) -> None:
        case = self._case(Standing.PROPOSED)
        self._ask(Approve, case=case, proposal=self._number(case))

    def _refuse(self) -> None:
        case = self._case(Standing.PROPOSED)
        self._ask(RefuseProposal, case=case, proposal=self._number(case), reason="no")

    def _propose(self) -> None:
        case = self._case(Standing.OPEN, Standing.PROPOSED)
        self._ask(Propose, case=case, amount=self._sum(case), reason="so it was")

    def _sum(self, case: str) -> str:
        """What the case itself asks for, most of the time."""
        known = self.house.past.cases.get(case)
        currency = (known.currency if known else None) or "EUR"
        opened: Any = known.opened if known else None
        meant = [getattr(opened, name) for name in ("held", "suggested", "amount") if hasattr(opened, name)]
        if hasattr(opened, "claimed"):
            meant.append(type(opened.due)(max(0, opened.claimed.minor - opened.due.minor), currency))
        if meant and self.chance.random() < 0.8:
            return meant[0].text
        return format_minor(
            self.chance.choice([0, 1, self.chance.randint(0, 200 * units(currency))]), currency
        )

    def _reverse(self) -> None:
        self._ask(RequestReversal, round=self._round(Phase.SETTLED), reason="the cards were marked")

    def _cancel(self) -> None:
        self._ask(CancelRound, round=self._round(Phase.SETTLED, Phase.DEALT), reason="the cards were marked")

    def _correct(self) -> None:
        name = self._round(Phase.REVERSED)
        state = self.house.past.rounds.get(name)
        fields = self._cards(state) if isinstance(state, HouseRound) and state.hands else {}
        self._ask(RequestCorrection, round=name, reason="it was misread", **fields)

    def _cards(self, state: HouseRound) -> dict[str, Any]:
        """Another hand for somebody, or another dealer's hand."""
        used = set(state.seen)
        if state.hands and self.chance.random() < 0.6:
            return {"hands": {self.chance.choice(list(state.hands)): self._hand(used)}}
        return {"dealer": [*(self._fresh(used) for _ in range(4)), state.up]}

    def _open(self) -> None:
        wallet = self.chance.choice(list(self.house.past.balances))
        about = {"round": self._round(Phase.CANCELLED)} if self.chance.random() < 0.5 else {}
        grounds = self.chance.choice(list(Grounds))
        self._ask(OpenCase, **wallet._asdict(), **about, grounds=grounds, reason="so it was")

    def _debtor(self) -> tuple[Wallet, int]:
        owing = [
            (Wallet(*player, currency), minor)
            for player, debts in self.house.past.debts.items()
            for currency, minor in debts.items()
            if minor
        ]
        return self.chance.choice(owing or [(Wallet("tallinn", "p0", "EUR"), 1)])

    def _write_off(self) -> None:
        wallet, owed = self._debtor()
        amount = format_minor(self.chance.randint(0, owed + 1), wallet.currency)
        self._ask(RequestWriteOff, **wallet._asdict(), amount=amount, reason="he is gone")

    def _repay(self) -> None:
        wallet, owed = self._debtor()
        amount = format_minor(self.chance.randint(0, owed + 1), wallet.currency)
        self._ask(RepayDebt, **wallet._asdict(), amount=amount)

    def _deposit(self) -> None:
        wallet, owed = self._debtor()
        amount = format_minor(self.chance.randint(1, owed + 1), wallet.currency)
        self.house.do("deposit", **wallet._asdict(), amount=amount)

    def _carry_out(self) -> None:
        self.house.carry_out(self._case(Standing.APPROVED))

    def _wait(self) -> None:
        self.house.now += timedelta(minutes=self.chance.randint(1, 50))


def played(seed: int, actions: int) -> tuple[PureHouse, int]:
    """A random evening, and how much of it was refused."""
    floor = RandomOffice(seed)
    floor.play(actions)
    try:
        floor.finish()
    except Refused as refused:
        raise AssertionError(f"what was approved is refused when it is carried out: {refused}") from refused
    return floor.house, floor.refused


def evening(seed: int, actions: int = 500) -> PureHouse:
    """A random evening with everything carried out at once, as the log's own reactions do; `asked` has what came in."""
    floor = RandomOffice(seed)
    floor.house.reacting = True
    floor.play(actions)
    floor.finish()
    return floor.house
