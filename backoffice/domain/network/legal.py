"""What the law wants to know of a casino and play does not tell: `[casino.legal.*]` of a network file.

Every field is optional: what a file for an authority needs and does not find here, it asks for by name. Each is held to
what the authority's own schema takes, so that a bad one is told with its line, and not when a file is due.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from backoffice.domain.event import PRINTABLE

Particulars: TypeAlias = Mapping[str, Mapping[str, str]]
"""Values by section and field: `{"dk": {"certificate": "spil-4711"}}`."""


def _text(longest: int, pattern: str = PRINTABLE) -> StringConstraints:
    return StringConstraints(min_length=1, max_length=longest, pattern=pattern)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class CompanySection(_Section):
    """`[casino.legal.company]`: who runs the casino, as the trade register has it; for the accounting files."""

    name: Annotated[str, _text(70)] | None = None
    registration_number: Annotated[str, _text(35)] | None = None
    tax_number: Annotated[str, _text(35)] | None = None
    street: Annotated[str, _text(70)] | None = None
    postal_code: Annotated[str, _text(18)] | None = None
    city: Annotated[str, _text(35)] | None = None
    country: Annotated[str, _text(2, r"^[A-Z]{2}$")] | None = None
    contact_first_name: Annotated[str, _text(35)] | None = None
    contact_last_name: Annotated[str, _text(70)] | None = None


class SessionsSection(_Section):
    """`[casino.legal.sessions]`: how long a player may pause within one session, for every authority's files."""

    gap_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = 30


class DenmarkSection(_Section):
    """`[casino.legal.dk]`: the licence's certificate, how games are sold, the certified generator."""

    certificate: Annotated[str, _text(45)] | None = None
    channel: Literal["Forhandler", "Internet", "Mobil", "Selvbetjening", "Andet"] | None = None
    website: Annotated[str, _text(100)] | None = None
    generator: Annotated[str, _text(45)] | None = None
    generator_software: Annotated[str, _text(45)] | None = None


class GreeceSection(_Section):
    """`[casino.legal.gr]`: the licensee's VAT number, the platform's maker, the studio, the site."""

    licensee: Annotated[str, _text(11, r"^el[0-9]{9}$")] | None = None
    manufacturer: Annotated[str, _text(40)] | None = None
    studio: Annotated[str, _text(40)] | None = None
    domain: (
        Annotated[
            str,
            StringConstraints(min_length=8, max_length=40, pattern=r"^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$"),
        ]
        | None
    ) = None


class MaltaSection(_Section):
    """`[casino.legal.mga]`: the licence id of who reports, and the site."""

    licence: Annotated[str, _text(4)] | None = None
    website: (
        Annotated[
            str, _text(255, r"^(https?://)?([a-zA-Z0-9]+[a-zA-Z0-9-]+\.)+[A-Za-z]{2,7}(/[a-zA-Z0-9-]+)*$")
        ]
        | None
    ) = None


class LegalSection(_Section):
    """`[casino.legal]`."""

    company: CompanySection = CompanySection()
    sessions: SessionsSection = SessionsSection()
    dk: DenmarkSection = DenmarkSection()
    gr: GreeceSection = GreeceSection()
    mga: MaltaSection = MaltaSection()


def particulars(section: LegalSection) -> Particulars:
    """What a section says, without what it leaves out."""
    said = section.model_dump(exclude_unset=True, exclude_none=True)
    return {
        name: {field: str(value) for field, value in fields.items()}
        for name, fields in said.items()
        if fields
    }


def legal_contradictions(section: LegalSection) -> Iterator[tuple[tuple[str, str], str]]:
    """Where in a section, and why, it cannot be so."""
    if section.dk.channel in {"Internet", "Mobil"} and section.dk.website is None:
        yield ("dk", "channel"), f"play by {section.dk.channel} happens on a website: it is not given"
