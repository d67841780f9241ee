"""A casino floor that plays at random, by the rules most of the time: seeded, so that every game can be played again.

Jackpot hands are dealt far more often than luck would, pools are small, seeds may be nothing, rates jump.
"""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from pure_house import PureHouse

from backoffice.domain.event import Refused
from backoffice.domain.rounds.house_state import SHARED, HouseRound, HouseSeat
from backoffice.domain.rounds.phase import Phase
from backoffice.kernel.cards import DECK
from backoffice.kernel.currencies import format_minor, units

CASINOS = {"tallinn": ["EUR"], "stockholm": ["SEK", "JPY"], "kuwait": ["KWD"], "lugano": ["CHF"]}
RATES = {"SEK": "11.4210", "CHF": "0.9387", "JPY": "163.05", "KWD": "0.3340"}
TABLES = {
    "live": ("caribbean-live/1", ["tallinn", "stockholm", "kuwait"], "royal"),
    "low": ("caribbean-24h/2", ["tallinn"], "house"),
    "high": ("caribbean-24h/1", ["tallinn"], "house"),
    "dublin": ("stud-dublinbet/1", ["tallinn"], None),
    "floor": ("caribbean-swiss/1", ["lugano"], "ticino"),
}
CHIPS = {"royal": ["EUR", "SEK", "JPY", "KWD"], "house": ["EUR"], "ticino": ["CHF"]}
CEILINGS = {"0.00": ["0.00", "1.00", "5.00"], "0.01": ["0.05", "9.00"], "7.77": ["7.77", "8.50"]}
RARE = ("A K Q J T", "K Q J T 9", "9 8 7 6 5", "5 4 3 2 A")
FINISHED = {Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED}
ANYTHING = (
    "ante",
    "mark",
    "bonus",
    "blind",
    "undo",
    "leave",
    "close",
    "deal",
    "call",
    "fold",
    "timeout",
    "exchange",
)
SELDOM = (
    *ANYTHING,
    "announce",
    "void",
    "reveal",
    "settle",
    "suspend",
    "resume",
    "cancel",
    "refund",
    "rate",
    "check",
)


class RandomFloor:
    """A house, a handful of rounds at a time, and what happens next."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)  # noqa: S311
        self.ceilings = Random(f"ceilings {seed}")  # noqa: S311
        self.house = PureHouse(reacting=self.chance.random() < 0.8)
        self.house.apply_network(self.network())
        self.opened = 0
        self.refused = 0
        for casino, currencies in CASINOS.items():
            for currency in currencies:
                for number in range(4):
                    rich = self.chance.random() < 0.8
                    amount = format_minor((100_000 if rich else 30) * units(currency), currency)
                    self.house.do(
                        "deposit", casino=casino, player=f"p{number}", currency=currency, amount=amount
                    )

    def network(self) -> dict[str, Any]:
        """Tables as ever; jackpots with parameters of any kind."""
        limits = {
            code: [format_minor(units(code) // 2 or 1, code), format_minor(500 * units(code), code)]
            for code in ["EUR", *RATES]
        }
        jackpots = [self._jackpot(name, currencies) for name, currencies in CHIPS.items()]
        return {
            "network": {"id": "random", "base_currency": "EUR"},
            "rates": RATES,
            "casino": [{"id": casino, "currencies": of, "timezone": "UTC"} for casino, of in CASINOS.items()],
            "jackpot": jackpots,
            "table": [self._table(name, limits) for name in TABLES],
        }

    def _jackpot(self, name: str, currencies: list[str]) -> dict[str, Any]:
        """A ceiling, where there is one, is soon reached."""
        seed = self.chance.choice(["0.00", "0.01", "7.77", "50000.00"])
        jackpot: dict[str, Any] = {
            "id": name,
            "currency": "EUR",
            "seed": seed,
            "split": self.chance.choice(["equal", "by_stake"]),
            "fixed_prizes": self.chance.choice(["house", "pool"]),
            "chip": {code: self._chip(code) for code in currencies},
        }
        if seed in CEILINGS and self.ceilings.random() < 0.4:
            jackpot["ceiling"] = self.ceilings.choice(CEILINGS[seed])
        return jackpot

    def _chip(self, currency: str) -> dict[str, str]:
        stake = self.chance.randint(1, 3 * units(currency))
        return {
            "stake": format_minor(stake, currency),
            "pool": format_minor(self.chance.randint(0, stake), currency),
        }

    def _table(self, name: str, limits: dict[str, list[str]]) -> dict[str, Any]:
        book, casinos, jackpot = TABLES[name]
        played = {code: limits[code] for casino in casinos for code in CASINOS[casino]}
        bets = {"ante": played, **({"bonus": played} if name == "live" else {})}
        table: dict[str, Any] = {"id": name, "ruleset": book, "casinos": casinos, "limits": bets}
        if jackpot:
            table["jackpot"] = jackpot
        if name == "dublin":
            table["max_payout"] = {"EUR": self.chance.choice(["10.00", "500.00", "20000.00"])}
        return table

    def play(self, actions: int) -> None:
        """So many actions, one after the other; a refusal is an answer, anything else that is raised is a fault."""
        for _ in range(actions):
            try:
                self.step()
            except Refused:
                self.refused += 1

    def finish(self) -> None:
        """Cancel what is still open, and carry out what was requested."""
        for name, state in list(self.house.past.rounds.items()):
            if state.phase is Phase.CANCELLING:
                self.house.refund(name)
            elif state.phase not in FINISHED:
                self.house.do("cancel", round=name, reason="closing time")
                if not self.house.reacting:
                    self.house.refund(name)

    def step(self) -> None:
        """One action: in a round that is open, or a new round; now and then one that was settled is taken back."""
        if self.chance.random() < 0.02:
            self._reverse_or_withdraw()
            return
        alive = [
            state
            for state in self.house.past.rounds.values()
            if isinstance(state, HouseRound) and state.phase not in FINISHED
        ]
        if len(alive) < 4 or self.chance.random() < 0.02:
            self.opened += 1
            table = self.chance.choice([*TABLES, "live", "live"])
            self.house.do("open", round=f"r{self.opened}", table=table, number=str(self.opened))
            return
        state = self.chance.choice(alive)
        self.act(state, self._next(state))

    def _reverse_or_withdraw(self) -> None:
        settled = [name for name, state in self.house.past.rounds.items() if state.phase is Phase.SETTLED]
        if settled and self.chance.random() < 0.5:
            self.house.reverse(self.chance.choice(settled), "the cards were marked")
            return
        wallet = self.chance.choice(list(self.house.past.balances))
        most = self.house.past.balance(wallet)
        amount = format_minor(self.chance.randint(1, max(1, most)), wallet.currency)
        self.house.do("withdraw", **wallet._asdict(), amount=amount)

    def _next(self, state: HouseRound) -> str:
        if self.chance.random() < 0.06:
            return self.chance.choice(SELDOM)
        if state.suspended:
            return self.chance.choice(["resume", "resume", "cancel", "suspend"])
        if state.phase is Phase.BETTING:
            return self._bet(state)
        if state.phase is Phase.DEALT:
            return self._decision(state)
        return {Phase.CLOSED: "deal", Phase.REVEALED: "settle", Phase.CANCELLING: "refund"}[state.phase]

    def _bet(self, state: HouseRound) -> str:
        if not state.seats:
            return "ante"
        book = state.book
        bets = ["ante"] * 6 + ["undo", "leave"] + ["close"] * (len(state.seats) // 2)
        bets += ["mark"] * 6 if book.jackpot else []
        bets += ["bonus"] * 2 if book.bonus else []
        bets += ["blind"] * 3 if book.blind_boxes else []
        return self.chance.choice(bets)

    def _decision(self, state: HouseRound) -> str:
        book = state.book
        if all(seat.decision or seat.blind_by for seat in state.seats.values()):
            return self.chance.choice(["reveal"] * 8 + ["announce", "void", "suspend", "cancel"])
        choices = ["call"] * 6 + ["fold"] * 3 + ["timeout"] * 3 + ["suspend", "cancel"]
        choices += ["exchange"] * 2 + ["announce"] * 2 if book.exchange else []
        choices += ["void"] * 2 if book.voids_hands else []
        return self.chance.choice(choices)

    def act(self, state: HouseRound, do: str) -> None:
        """One action on a round, whether it fits or not."""
        name = state.opened.round
        if do == "refund":
            self.house.refund(name)
        elif do == "rate":
            self._rate()
        else:
            fields = self._fields[do](state) if do in self._fields else {"seat": self._seat(state)}
            self.house.do(do, round=name, **fields)

    @property
    def _fields(self) -> dict[str, Callable[[HouseRound], dict[str, Any]]]:
        reason = {"reason": "so it was"}
        return {
            "ante": self._ante,
            "mark": lambda state: {"seat": self._unmarked(state)},
            "bonus": self._bonus,
            "blind": self._blind,
            "close": lambda state: {},
            "deal": self._deal,
            "exchange": self._exchange,
            "void": lambda state: {"seat": self._seat(state), **reason},
            "reveal": self._reveal,
            "settle": self._settle,
            "suspend": lambda state: reason,
            "resume": lambda state: reason,
            "cancel": lambda state: reason,
        }

    def _rate(self) -> None:
        quote = self.chance.choice(list(RATES))
        at = self.house.now + timedelta(seconds=self.chance.randint(-50, 50))
        rate = f"{self.chance.randint(1, 400)}.{self.chance.randint(0, 9999):04d}"
        self.house.do("rate", quote=quote, rate=rate, at=at.isoformat())

    def _seat(self, state: HouseRound) -> str:
        taken = [name for name, seat in state.seats.items() if seat.decision is None] or list(state.seats)
        if taken and self.chance.random() < 0.95:
            return self.chance.choice(taken)
        return str(self.chance.randint(1, 8))

    def _unmarked(self, state: HouseRound) -> str:
        seats = [name for name, seat in state.seats.items() if seat.mark is None]
        return self.chance.choice(seats) if seats else self._seat(state)

    def _ante(self, state: HouseRound) -> dict[str, Any]:
        boxes = state.book.seats or 8
        name = self._seat(state) if self.chance.random() < 0.3 else str(self.chance.randint(1, boxes))
        casino = self.chance.choice(state.opened.terms.casinos)
        wallet = (casino, f"p{self.chance.randint(0, 4)}", self.chance.choice(CASINOS[casino]))
        seat = state.seats.get(name)
        if seat is not None and self.chance.random() < 0.9:
            wallet = tuple(seat.wallet)
        casino, player, currency = wallet
        return {
            "seat": name,
            "casino": casino,
            "player": player,
            "currency": currency,
            "amount": self._amount(currency),
        }

    def _amount(self, currency: str) -> str:
        minor = self.chance.choice([1, units(currency), self.chance.randint(1, 600 * units(currency))])
        return format_minor(minor, currency)

    def _bonus(self, state: HouseRound) -> dict[str, Any]:
        seat = self._seat(state)
        amount = "1.00" if state.book.capped else self._amount(self._currency(state, seat))
        return {"seat": seat, "amount": amount}

    def _currency(self, state: HouseRound, seat: str) -> str:
        return state.seats[seat].wallet.currency if seat in state.seats else "EUR"

    def _blind(self, state: HouseRound) -> dict[str, Any]:
        return {
            "seat": str(self.chance.randint(1, 8)),
            "by": self._seat(state),
            "amount": self._amount("CHF"),
            "mark": self.chance.random() < 0.6,
        }

    # Cards

    def _deal(self, state: HouseRound) -> dict[str, Any]:
        names = [SHARED] if state.book.shared_hand else list(state.seats)
        used: set[str] = set()
        hands = {name: self._hand(used) for name in names}
        up = self._fresh(used)
        if hands and self.chance.random() < 0.03:
            hands[self.chance.choice(names)][0] = up
        return {"hands": hands, "up": up}

    def _hand(self, used: set[str]) -> list[str]:
        if self.chance.random() < 0.5:
            suit = self.chance.choice("shdc")
            rare = [rank + suit for rank in self.chance.choice(RARE).split()]
            if used.isdisjoint(rare):
                used.update(rare)
                return rare
        return [self._fresh(used) for _ in range(5)]

    def _fresh(self, used: set[str]) -> str:
        card = self.chance.choice([card for card in DECK if card not in used])
        used.add(card)
        return card

    def _exchange(self, state: HouseRound) -> dict[str, Any]:
        seat = self._seat(state)
        hand = (state.hands or {}).get(seat) or DECK[:5]
        return {"seat": seat, "discard": self.chance.choice(hand), "draw": self._fresh(set(state.seen))}

    def _reveal(self, state: HouseRound) -> dict[str, Any]:
        used = set(state.seen)
        closed = [self._fresh(used) for _ in range(4)]
        if self.chance.random() < 0.03:
            closed[0] = closed[1]
        return {"dealer": [*closed, state.up or "As"]}

    def _settle(self, state: HouseRound) -> dict[str, Any]:
        if not state.seats or self.chance.random() < 0.7:
            return {}
        seat = self.chance.choice(list(state.seats))
        claimed = {bet: self._claim(state.seats[seat]) for bet in ("ante", "jackpot")}
        return {"payouts": {seat: claimed}}

    def _claim(self, seat: HouseSeat) -> str:
        return format_minor(self.chance.randint(0, 100), seat.wallet.currency)
