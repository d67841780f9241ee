"""A dispute pack as a page that prints well: the same pack, for people."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from backoffice.kernel.cards import pretty
from backoffice.reports.markup import Markup, page, table, tag
from backoffice.reports.round_sentences import when

Told = Mapping[str, Any]
_LINE = ("seat", "casino", "player", "bet", "stake", "result", "odds", "payout", "currency", "rule")
_AMOUNTS = ("stake", "odds", "payout")
_EVENT = ("position", "happened_at", "actor", "what")
_LINK = (
    "position",
    "event_id",
    "stream",
    "version",
    "type",
    "schema",
    "happened_at",
    "recorded_at",
    "actor",
    "cause",
)
_LINKED = (*_LINK, "correlation", "previous_hash", "hash")


def dispute_page(pack: Told) -> str:
    """The pack as self-contained HTML."""
    parts = (_about, _rules, _cards, _results, _events, _postings, _cases, _chain)
    return page(pack["title"], *(part for make in parts for part in make(pack)))


def _about(pack: Told) -> Iterator[Markup]:
    story, log = pack["story"], pack["log"]
    suspended = ", suspended" if story["suspended"] else ""
    told = {
        "Number": story["number"],
        "Table": story["table"],
        "Book": story["ruleset"],
        "Jackpot": story["jackpot"],
        "Dealer": story["dealer"],
        "Shift": story["shift"],
        "Phase": f"{story['phase']}{suspended}",
        "Network": pack["network"],
        "As seen by": " and ".join(pack["casinos"]),
        "Made from log": f"{log['id']}, up to position {log['position']}",
        "Hash there": log["hash"],
        "As of": pack["as_of"] and when(pack["as_of"]),
        "Version of this form": str(pack["version"]),
    }
    yield table(("", ""), [(name, value) for name, value in told.items() if value])


def _rules(pack: Told) -> Iterator[Markup]:
    rules = pack["rules"]
    yield tag("h2", f"Rules in force: {rules['book']}")
    yield tag("ul", (tag("li", sentence) for sentence in rules["sentences"]))
    if rules["pay_table"]:
        yield table(rules["pay_table"]["columns"], rules["pay_table"]["rows"])
    if rules["limits"]:
        columns = list(rules["limits"][0])
        yield table(columns, [limit.values() for limit in rules["limits"]], columns[2:])
    yield tag("h3", f"How sheet {rules['sheet']} is read")
    yield tag("pre", rules["about"])


def _cards(pack: Told) -> Iterator[Markup]:
    yield tag("h2", "Cards")
    rows = [(when(dealt["happened_at"]), dealt["what"], _shown(dealt)) for dealt in pack["cards"]]
    yield table(("when", "what", "cards"), rows) if rows else tag("p", "No cards were dealt.")


def _shown(dealt: Told) -> str:
    told = []
    for name, cards in dealt.items():
        match cards:
            case dict():
                told += [f"{name} {seat}: {_pretty(held)}" for seat, held in cards.items()]
            case _ if name not in {"position", "happened_at", "what"}:
                told.append(f"{name}: {_pretty(cards)}")
    return "; ".join(told)


def _pretty(cards: str | list[str]) -> str:
    return pretty([cards] if isinstance(cards, str) else cards)


def _results(pack: Told) -> Iterator[Markup]:
    yield tag("h2", "Results")
    for number, lines in groupby(pack["story"]["lines"], key=itemgetter("result_number")):
        told = list(lines)
        yield tag(
            "h3", f"Result {number}, {'which holds' if told[0]['holds'] else 'until another took its place'}"
        )
        yield table(_LINE, [[_text(line[name]) for name in _LINE] for line in told], _AMOUNTS)
    if not pack["story"]["lines"]:
        yield tag("p", "The round has no result yet.")


def _events(pack: Told) -> Iterator[Markup]:
    yield tag("h2", "What happened")
    yield _told(pack["story"]["events"])


def _told(events: Iterable[Told]) -> Markup:
    """Events in sentences, each with when it happened as people write that."""
    rows = [{**event, "happened_at": when(event["happened_at"])} for event in events]
    return table(_EVENT, [[_text(row[name]) for name in _EVENT] for row in rows], ("position",))


def _postings(pack: Told) -> Iterator[Markup]:
    yield tag("h2", "Postings")
    rows = [
        (str(event["position"]), posting["account"], posting["amount"], posting["currency"])
        for event in pack["story"]["events"]
        for posting in event["postings"]
    ]
    yield table(("position", "account", "amount", "currency"), rows, ("position", "amount"))


def _cases(pack: Told) -> Iterator[Markup]:
    yield tag("h2", "Cases")
    for case in pack["cases"]:
        yield tag("h3", f"{case['case']}, of {' and '.join(case['casinos'])}: {case['standing']}")
        yield _told(case["events"])
    if not pack["cases"]:
        yield tag("p", "There is no case about this round.")


def _chain(pack: Told) -> Iterator[Markup]:
    yield tag("h2", "Hash chain")
    yield tag("ol", (tag("li", sentence) for sentence in pack["chain"]["how_to_verify"]))
    if pack["chain"]["left_out"]:
        yield tag(
            "p",
            f"{pack['chain']['left_out']} events are other casinos' in part, told above and not given here.",
        )
    for event in pack["chain"]["events"]:
        yield tag("h3", f"Position {event['position']}: {event['type']}")
        yield table(("", ""), [(name, _text(event[name])) for name in _LINKED])
        yield tag("pre", event["data"])


def _text(value: object) -> str:
    return "" if value is None else str(value)
