"""KasinospilPrSession: a legal day's sessions of games against the house, or of pots; and what was called back that day.

The schema knows no replacement of such a file: a further one of the same day adds what has become known since. A session
is called back whole, under its own id; what is left of it is a new purchase under the next one.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from backoffice.reports.regulators.danish import (
    HOUSE_GAMES,
    LONG,
    POT_GAMES,
    SHORT,
    danish_document,
    file_information,
    kroner,
    licence_and_game,
)
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.sessions import Told
from backoffice.reports.regulators.telling import Telling
from backoffice.reports.regulators.values import fitted, utc

SINGLE_PLAYER = Telling("dk-single-player-sessions", pots=False)
MULTI_PLAYER = Telling("dk-multi-player-sessions", pots=True)
KIND_OF_GAME = "poker"
"""All of this house's books are poker, by Spillemyndigheden's list of casino games."""


@dataclass(frozen=True, slots=True)
class Offer:
    """How the casino's games are offered, by its particulars; `open_tables` are those that players of other casinos share."""

    channel: str
    website: str | None
    generator: str
    generator_software: str
    open_tables: Collection[str]


def sessions_document(telling: Telling, scope: Scope, heading: Heading) -> Document:
    """A day's sessions. Raises ParticularMissing and, while it is written, Unwritable."""
    offer = offer_of(scope)
    records = (
        session_record(told, scope.identify("session", told.name), offer) for told in telling.untold(scope)
    )
    struktur = (
        file_information(scope, heading),
        licence_and_game(scope, POT_GAMES if telling.pots else HOUSE_GAMES),
        Node("KasinospilAggregeretPrSession", records),
    )
    root = Node("KasinospilPrSessionStruktur", [Node("KasinospilStruktur", struktur)])
    return danish_document(scope, root, "KasinospilSession")


def offer_of(scope: Scope) -> Offer:
    """How the casino's games are offered. Raises ParticularMissing."""
    return Offer(
        channel=scope.particular("channel"),
        website=scope.particular_if_any("website"),
        generator=scope.particular("generator"),
        generator_software=scope.particular("generator_software"),
        open_tables=scope.shared_tables,
    )


def session_record(told: Told, transaction: str, offer: Offer) -> Node:
    """One version of a session, or its being called back: the same record with the flag and the time of that."""
    return Node("KasinospilSession", _session(told, transaction, offer))


def _session(told: Told, transaction: str, offer: Offer) -> Iterator[Node]:
    player, currency, table = told.first.key
    rake = told.total("rake_minor")
    yield from leaves(
        SpilProduktNavn=fitted(told.first.ruleset, SHORT),
        SpilProduktÅbentNetværk="1" if table in offer.open_tables else "0",
        SpillerInformationIdentifikation=fitted(player, SHORT),
        SpilTransaktionIdentifikation=transaction,
        SpilKøbDatoTid=utc(told.began_at),
        SpilFaktiskSlutDatoTid=utc(told.ended_at),
        SpilSalgskanal=offer.channel,
        KasinospilKategori=KIND_OF_GAME,
        KasinospilIndskudSpil=kroner(told.total("stake_minor") - rake, currency),
        KasinospilGevinstSpil=kroner(told.total("won_minor"), currency),
        KasinospilAntalTræk=str(len(told.played)),
        KasinospilKommission=kroner(rake, currency) if rake else None,
        ValutaOplysningKode=currency,
    )
    yield Node("SpilSted", [_place(table, offer)])
    yield Node("TilfældighedGeneratorListe", [Node("TilfældighedGenerator", _generator(offer))])
    if told.called_back:
        yield Node("SpilAnnullering", leaves(SpilAnnullering="1", SpilAnnulleringDatoTid=utc(told.at)))
    yield Node("JackpotListe", _jackpots(told))


def _place(table: str, offer: Offer) -> Node:
    if offer.website is None:
        return Node("SpilTerminalIdentifikation", fitted(table, SHORT))
    return Node("SpilHjemmeside", fitted(offer.website, LONG))


def _generator(offer: Offer) -> Iterator[Node]:
    return leaves(
        TilfældighedGeneratorIdentifikation=offer.generator,
        TilfældighedGeneratorSoftwareId=offer.generator_software,
    )


def _jackpots(told: Told) -> Iterator[Node]:
    for jackpot in told.jackpots:
        fed = sum(one.jackpot_minor for one in told.played if one.jackpot == jackpot)
        yield Node(
            "Jackpot",
            leaves(
                JackpotIdentifikation=fitted(jackpot, SHORT),
                KasinospilIndskudJackpot=kroner(fed, told.first.currency),
            ),
        )
