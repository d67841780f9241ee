"""The facts of jackpots, cases, wallets and the network in words: one entry for each kind of fact."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from backoffice.domain.access import events as access
from backoffice.domain.cases import events as cases
from backoffice.domain.claims import CorrectedCards
from backoffice.domain.days.events import DayClosed
from backoffice.domain.event import Event
from backoffice.domain.filings.events import FileProduced
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.jackpots import events as jackpots
from backoffice.domain.network import events as network
from backoffice.domain.wallet import events as wallets
from backoffice.kernel.cards import pretty
from backoffice.kernel.money import Money
from backoffice.reports.round_sentences import counted, when


def _terms(event: jackpots.JackpotDefined | jackpots.JackpotTermsChanged) -> str:
    terms = event.terms
    chips = ", ".join(str(Money(chip.stake, currency)) for currency, chip in terms.chip.items())
    top = "" if terms.ceiling is None else f", a ceiling of {Money(terms.ceiling, terms.currency)}"
    return f"a seed of {Money(terms.seed, terms.currency)}{top} and chips of {chips or 'no currency'}"


def _hit(event: jackpots.JackpotHit) -> str:
    pool, amount = Money(event.pool, event.base), Money(event.amount, event.base)
    shares = counted(len(event.shares), "share")
    return f"jackpot {event.jackpot} is hit: {event.percent}% of {pool}, {amount}, in {shares}"


def _prizes(event: jackpots.FixedPrizesDrawn | jackpots.FixedPrizesReturned) -> str:
    return ", ".join(f"{prize.amount} for seat {prize.seat}" for prize in event.prizes)


def _hit_reversed(event: jackpots.JackpotHitReversed) -> str:
    seed = f"; the pool that followed gives its seed of {event.seed} back" if event.seed else ""
    seed += f", and {_moved(event.to_reserve)} to the reserve" if event.to_reserve else ""
    return f"the hit of jackpot {event.jackpot} is taken back, {counted(len(event.shares), 'share')}{seed}"


def _moved(parts: Iterable[jackpots.BucketMoved]) -> str:
    return ", ".join(str(Money(part.minor, part.currency)) for part in parts)


def _seeded(event: jackpots.JackpotSeeded) -> str:
    reserve = f" and {_moved(event.from_reserve)} from the reserve" if event.from_reserve else ""
    return f"pool {event.cycle} of jackpot {event.jackpot} begins with a seed of {event.seed}{reserve}"


def _casino(event: network.CasinoDefined) -> str:
    plays = " and ".join(event.currencies)
    return f"casino {event.casino} plays in {plays}; its day begins at {event.gaming_day_starts}, {event.timezone}"


def _particulars(event: network.ParticularsGiven) -> str:
    given = (f"{field} for {section}" for section, said in event.particulars.items() for field in said)
    return f"casino {event.casino} gives its particulars: {', '.join(given).replace('_', ' ') or 'none'}"


def _file(event: FileProduced) -> str:
    what = f"{event.name} of {event.day}" + (f", {event.part}" if event.part else "")
    instead = "" if event.replaces is None else f", instead of file {event.replaces}"
    return f"casino {event.casino} has file {event.number} for {event.authority}: {what}{instead}"


def _day(event: DayClosed) -> str:
    left = f", {len(event.unfinished)} rounds without a result" if event.unfinished else ""
    return f"{event.by} closes {event.day} of casino {event.casino} as it was at position {event.upto}{left}"


def _rate(event: network.RateSet) -> str:
    since = "from the start" if event.since is None else f"from {when(event.since)} on"
    return f"{event.rate} {event.quote} for one of the base currency, {since}"


def _approval(event: network.ApprovalSet) -> str:
    limited = ", ".join(map(_role, event.terms.limits)) or "nobody"
    return f"proposals stand for {event.terms.expires_seconds // 3600} hours; limited in what they approve: {limited}"


def _proposed(event: cases.ProposalMade) -> str:
    what = "it" if event.amount is None else str(event.amount)
    cards = "" if event.cards is None else f" with {_cards(event.cards)}"
    until = "" if event.expires_at is None else f", until {when(event.expires_at)}"
    return f"proposes {what}{cards} ({event.reason}){until}"


def _cards(cards: CorrectedCards) -> str:
    hands = [f"{seat}: {pretty(hand)}" for seat, hand in cards.hands.items()]
    dealer = [] if cards.dealer is None else [f"the dealer's {pretty(cards.dealer)}"]
    up = [] if cards.up is None else [f"{pretty([cards.up])} open"]
    return "; ".join([*hands, *dealer, *up]) or "the same cards"


def _approved(event: cases.ProposalApproved) -> str:
    return f"{event.by}, {_role(event.role)}, approves{'' if event.final else '; one more must'}"


def _role(name: str) -> str:
    return name.replace("_", " ")


def _case(told: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda event: f"case {event.case}: {told(event)}"


HOUSE_SENTENCES: Mapping[type[Event], Callable[[Any], str]] = {
    KeyConflicted: lambda event: (
        f"{event.sender} used its id {event.key} again for something else; it was refused"
    ),
    access.KeyCreated: lambda event: (
        f"{event.by} gives {event.sender} the key {event.key}, {' and '.join(map(_role, event.roles))}"
        f" at {' and '.join(event.casinos) or 'all casinos'}"
    ),
    access.KeyRevoked: lambda event: f"{event.by} revokes the key {event.key}: {event.reason}",
    access.KeyRotated: lambda event: (
        f"{event.by} gives the key {event.key} a new secret; the old one is good until {when(event.old_until)}"
    ),
    jackpots.FixedPrizesDrawn: lambda event: f"jackpot {event.jackpot} pays {_prizes(event)}",
    jackpots.FixedPrizesReturned: lambda event: f"jackpot {event.jackpot} gets back {_prizes(event)}",
    jackpots.JackpotDefined: lambda event: f"jackpot {event.jackpot} is set up with {_terms(event)}",
    jackpots.JackpotHit: _hit,
    jackpots.JackpotHitReversed: _hit_reversed,
    jackpots.JackpotSeeded: _seeded,
    jackpots.JackpotTermsChanged: lambda event: (
        f"jackpot {event.jackpot} has, from its next pool on, {_terms(event)}"
    ),
    network.ApprovalSet: _approval,
    network.CasinoDefined: _casino,
    network.ParticularsGiven: _particulars,
    DayClosed: _day,
    FileProduced: _file,
    network.NetworkFounded: lambda event: (
        f"network {event.network} is founded; it counts in {event.base_currency}"
    ),
    network.RateSet: _rate,
    network.TableDefined: lambda event: (
        f"table {event.table} plays {event.terms.ruleset} for {' and '.join(event.terms.casinos)}"
    ),
    wallets.DebtRepaid: lambda event: f"{event.player} of {event.casino} pays {event.amount} of a debt back",
    wallets.MoneyDeposited: lambda event: f"{event.player} of {event.casino} brings {event.amount}",
    wallets.MoneyWithdrawn: lambda event: f"{event.player} of {event.casino} takes {event.amount}",
    cases.CaseDismissed: _case(lambda _: "closed without a payment"),
    cases.CaseVoided: _case(lambda event: f"void, {event.reason}"),
    cases.ClaimOpened: _case(lambda event: f"opened by {event.by} for {event.player}: {event.reason}"),
    cases.CompensationOpened: _case(
        lambda event: f"{event.hand} at seat {event.seat}, {event.suggested} suggested as compensation"
    ),
    cases.CompensationPaid: _case(lambda event: f"{event.amount} paid to {event.player} of {event.casino}"),
    cases.CompensationTakenBack: _case(
        lambda event: f"{event.amount} comes back from {event.player} of {event.casino}"
    ),
    cases.CorrectionCarriedOut: _case(lambda event: f"round {event.round} is settled anew"),
    cases.CorrectionRequested: _case(
        lambda event: f"{event.by} asks to settle round {event.round} anew: {event.reason}"
    ),
    cases.DebtWrittenOff: _case(lambda event: f"{event.amount} owed by {event.player} is written off"),
    cases.DisputeOpened: _case(
        lambda event: f"the table claims {event.claimed} for the {event.bet}, the rules pay {event.due}"
    ),
    cases.LargeWinHeld: _case(
        lambda event: f"{event.held} of jackpot {event.jackpot} is held until somebody confirms it"
    ),
    cases.LargeWinReleased: _case(lambda event: f"{event.amount} goes to {event.player} of {event.casino}"),
    cases.ProposalApproved: _case(_approved),
    cases.ProposalMade: _case(lambda event: f"{event.by} {_proposed(event)}"),
    cases.ProposalRefused: _case(lambda event: f"{event.by} refuses: {event.reason}"),
    cases.ReversalCarriedOut: _case(lambda event: f"round {event.round} is taken back"),
    cases.ReversalRequested: _case(
        lambda event: f"{event.by} asks to take round {event.round} back: {event.reason}"
    ),
    cases.WriteOffRequested: _case(
        lambda event: f"{event.by} asks to write {event.amount} off: {event.reason}"
    ),
}
