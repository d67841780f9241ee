"""A network as its file gives it (FORMAT.md, `network.toml`), and a rate as the feed gives it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from backoffice.domain.event import AmountText, Command, CurrencyCode, Id, RateText
from backoffice.domain.network.legal import LegalSection
from backoffice.domain.staff import Role
from backoffice.kernel.values import value

AmountRange = Annotated[list[AmountText], Field(min_length=2, max_length=2)]
ClockTime = Annotated[str, StringConstraints(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class NetworkSection(_Section):
    """`[network]`."""

    id: Id
    base_currency: CurrencyCode


class CasinoSection(_Section):
    """`[[casino]]`."""

    id: Id
    currencies: list[CurrencyCode]
    timezone: Id
    gaming_day_starts: ClockTime = "00:00"
    legal: LegalSection = LegalSection()


class ChipSection(_Section):
    """One currency of `[jackpot.chip]`."""

    stake: AmountText
    pool: AmountText


class JackpotSection(_Section):
    """`[[jackpot]]`."""

    id: Id
    currency: CurrencyCode
    seed: AmountText
    ceiling: AmountText | None = None
    verify_over: AmountText | None = None
    fixed_prizes: Literal["house", "pool"] = "house"
    split: Literal["equal", "by_stake"] = "equal"
    chip: dict[CurrencyCode, ChipSection]


class LimitsSection(_Section):
    """`[table.limits.*]`: smallest and largest, by currency."""

    ante: dict[CurrencyCode, AmountRange] = Field(default_factory=dict)
    bonus: dict[CurrencyCode, AmountRange] = Field(default_factory=dict)
    total: dict[CurrencyCode, AmountRange] = Field(default_factory=dict)


class StudSection(_Section):
    """`[table.stud]`."""

    currency: CurrencyCode
    small: AmountText
    big: AmountText
    ante: AmountText = "0"
    bring_in: AmountText
    rake_percent: RateText = "0"
    last_card: Literal["up", "down"] = "up"


class TableSection(_Section):
    """`[[table]]`."""

    id: Id
    ruleset: Id
    casinos: list[Id]
    jackpot: Id | None = None
    seats: Annotated[int, Field(ge=1, le=1000)] | None = None
    max_payout: dict[CurrencyCode, AmountText] = Field(default_factory=dict)
    bonus_returns_stake: bool = False
    limits: LimitsSection = LimitsSection()
    stud: StudSection | None = None


class ApprovalSection(_Section):
    """`[approval]`: how long a proposal stands, and what a role may approve alone, by currency."""

    expires_hours: Annotated[int, Field(ge=1, le=24 * 365)] = 72
    limits: dict[Annotated[Role, Field(strict=False)], dict[CurrencyCode, AmountText]] = Field(
        default_factory=dict
    )


class NetworkFile(_Section):
    """A whole network file."""

    network: NetworkSection
    approval: ApprovalSection = ApprovalSection()
    rates: dict[CurrencyCode, RateText] = Field(default_factory=dict)
    casino: list[CasinoSection] = Field(default_factory=list)
    jackpot: list[JackpotSection] = Field(default_factory=list)
    table: list[TableSection] = Field(default_factory=list)


@value
class ApplyNetwork(Command):
    """Make the network what its file says; only what changed becomes a fact."""

    file: NetworkFile


@value
class SetRate(Command):
    """A rate of the feed: units of `quote` for one unit of the base currency, from the action's time on."""

    do: Literal["rate"]
    quote: CurrencyCode
    rate: RateText
