"""Every file for an authority there is, by the name it is asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from backoffice.domain.filings.events import Authority
from backoffice.kernel.calendar import Days
from backoffice.projections.entries import ENTRIES
from backoffice.projections.jackpot_shares import JACKPOT_SHARES
from backoffice.projections.projection import Projection
from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.regulators.danish import DENMARK
from backoffice.reports.regulators.dk_end_of_day import end_of_day_document
from backoffice.reports.regulators.dk_jackpot import jackpot_document
from backoffice.reports.regulators.dk_sessions import MULTI_PLAYER, SINGLE_PLAYER, sessions_document
from backoffice.reports.regulators.gr_end_of_day import END_OF_DAY, games_day_document
from backoffice.reports.regulators.gr_games import GAMES, games_document
from backoffice.reports.regulators.gr_jackpot_parameters import PARAMETERS, parameters_document
from backoffice.reports.regulators.gr_jackpot_winnings import WINNINGS, untold_hits, winnings_document
from backoffice.reports.regulators.gr_peer_to_peer import PEER_TO_PEER, peer_to_peer_document
from backoffice.reports.regulators.greek import GREECE
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.hits import hits
from backoffice.reports.regulators.mga_live_tables import LIVE_TABLES, MALTA, live_tables_document, sheets
from backoffice.reports.regulators.nodes import Document
from backoffice.reports.regulators.pools import jackpots_of
from backoffice.reports.regulators.refusals import UnknownFile
from backoffice.reports.regulators.register import Stretch
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.telling import Telling


@dataclass(frozen=True, slots=True)
class Part:
    """One of the files that a day has under one name."""

    key: str
    """What tells it apart from the others of the day."""
    document: Callable[[Heading], Document]
    due: bool = True
    """Whether it is to be made where none about the same was made before."""


@dataclass(frozen=True, slots=True)
class AuthorityFile:
    """A kind of file: for whom, of which days, what a day has of it, and how a further one goes with those before it."""

    name: str
    authority: Authority
    about: str
    days: Days
    parts: Callable[[Scope], Iterable[Part]]
    adds: bool = False
    """Whether a further file of a day tells what has become known since, instead of replacing the one before."""
    needs: tuple[Projection, ...] = (ROUNDS, ROUND_LINES, JACKPOT_SHARES)


def _telling(
    telling: Telling, document: Callable[[Scope, Heading], Document]
) -> Callable[[Scope], Iterator[Part]]:
    """One part, due where there is something that no file has told: these schemas have no word for nothing."""

    def parts(scope: Scope) -> Iterator[Part]:
        news = next(telling.untold(scope), None) is not None
        yield Part("", partial(document, scope), due=news)

    return parts


def _by_currency(document: Callable[[Scope, Heading], Document]) -> Callable[[Scope], Iterator[Part]]:
    """A part for every currency of the casino, also where nothing happened in it."""

    def parts(scope: Scope) -> Iterator[Part]:
        for currency in scope.currencies:
            yield Part(currency, partial(document, scope))

    return parts


def _danish_jackpots(scope: Scope) -> Iterator[Part]:
    for hit in hits(scope, Stretch(0, scope.position)):
        yield Part(hit.part, partial(jackpot_document, scope, hit=hit), due=hit.taken_back is None)


def _greek_winnings(scope: Scope) -> Iterator[Part]:
    news = next(untold_hits(scope), None) is not None
    yield Part("", partial(winnings_document, scope), due=news)


def _greek_parameters(scope: Scope) -> Iterator[Part]:
    yield Part("", partial(parameters_document, scope), due=bool(jackpots_of(scope)))


def _maltese(scope: Scope) -> Iterator[Part]:
    for sheet in sheets(scope):
        yield Part(sheet.part, partial(live_tables_document, scope, sheet))


def _whole(document: Callable[[Scope, Heading], Document]) -> Callable[[Scope], Iterator[Part]]:
    """One part, due also where nothing happened."""

    def parts(scope: Scope) -> Iterator[Part]:
        yield Part("", partial(document, scope))

    return parts


_DENMARK = (
    AuthorityFile(
        SINGLE_PLAYER.name,
        DENMARK,
        "KasinospilPrSession: a legal day's sessions against the house, and what was called back",
        Days.LEGAL,
        _telling(SINGLE_PLAYER, partial(sessions_document, SINGLE_PLAYER)),
        adds=True,
    ),
    AuthorityFile(
        MULTI_PLAYER.name,
        DENMARK,
        "KasinospilPrSession: a legal day's sessions of games for a pot, and what was called back",
        Days.LEGAL,
        _telling(MULTI_PLAYER, partial(sessions_document, MULTI_PLAYER)),
        adds=True,
    ),
    AuthorityFile(
        "dk-jackpots",
        DENMARK,
        "JackpotUdløsning: a legal day's jackpot hits, a file each",
        Days.LEGAL,
        _danish_jackpots,
    ),
    AuthorityFile(
        "dk-end-of-day",
        DENMARK,
        "EndOfDayRapport: a legal day's totals, a file a currency",
        Days.LEGAL,
        _by_currency(end_of_day_document),
    ),
)

_GREECE = (
    AuthorityFile(
        GAMES.name,
        GREECE,
        "Online_Games: a gaming day's sessions against the house, replaced or called back where rounds were",
        Days.GAMING,
        _telling(GAMES, games_document),
        adds=True,
    ),
    AuthorityFile(
        PEER_TO_PEER.name,
        GREECE,
        "Online_Peer_to_Peer_Games: a gaming day's sessions of games for a pot",
        Days.GAMING,
        _telling(PEER_TO_PEER, peer_to_peer_document),
        adds=True,
    ),
    AuthorityFile(
        WINNINGS,
        GREECE,
        "Online_Jackpot_Winnings: a gaming day's jackpot hits, and those that were taken back",
        Days.GAMING,
        _greek_winnings,
        adds=True,
        needs=(ROUNDS, ROUND_LINES, JACKPOT_SHARES, ENTRIES),
    ),
    AuthorityFile(
        PARAMETERS,
        GREECE,
        "Online_Jackpot_Parameters: the jackpots of the casino as they stood when a gaming day ended",
        Days.GAMING,
        _greek_parameters,
        needs=(ROUND_LINES, JACKPOT_SHARES, ENTRIES),
    ),
    AuthorityFile(
        END_OF_DAY,
        GREECE,
        "Online_EndOfDay_Games: a gaming day's totals of games against the house, by currency",
        Days.GAMING,
        _whole(games_day_document),
    ),
)

_MALTA = (
    AuthorityFile(
        LIVE_TABLES,
        MALTA,
        "B2CTpLvGmSmryRpt: a UTC day's live tables with the jackpots, a file a currency",
        Days.UTC,
        _maltese,
        needs=(ROUNDS, ROUND_LINES, JACKPOT_SHARES, ENTRIES),
    ),
)

FILES: Mapping[str, AuthorityFile] = MappingProxyType(
    {file.name: file for file in (*_DENMARK, *_GREECE, *_MALTA)}
)
"""In the order in which they are listed."""


def file_named(name: str) -> AuthorityFile:
    """The kind of file of this name. Raises UnknownFile."""
    if name not in FILES:
        raise UnknownFile(f"there is no file {name}: {', '.join(FILES)}")
    return FILES[name]
