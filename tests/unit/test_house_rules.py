"""House rules that no linter knows, searched for in the syntax tree. Each tells the accident it prevents."""

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PURE = ("backoffice/kernel", "backoffice/rules", "backoffice/domain")
HOUSE = ("backoffice", "workers", "migrations", "ops")


@dataclass(frozen=True)
class Rule:
    """What must not be written where, and why; `breach` is an example of it."""

    name: str
    accident: str
    breach: str
    finds: Callable[[ast.AST], bool]
    where: tuple[str, ...] = PURE
    but_for: tuple[str, ...] = ()


def _is_float(node: ast.AST) -> bool:
    return (isinstance(node, ast.Constant) and isinstance(node.value, float | complex)) or (
        isinstance(node, ast.Name) and node.id == "float"
    )


def _divides(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)


def _asks_the_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today", "time_ns", "monotonic"}


def _swallows(node: ast.AST) -> bool:
    if not isinstance(node, ast.ExceptHandler):
        return False
    everything = node.type is None or bool(
        {"Exception", "BaseException"}
        & {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)}
    )
    return everything and not any(isinstance(inside, ast.Raise) for inside in ast.walk(node))


def _reads_the_environment(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}


def _imports_from_outside(node: ast.AST) -> bool:
    match node:
        case ast.Import():
            modules = [alias.name for alias in node.names]
        case ast.ImportFrom():
            modules = [node.module or ""]
        case _:
            return False
    known = {*sys.stdlib_module_names, "iso4217"}
    return any(
        module.partition(".")[0] not in known and not module.startswith("backoffice.kernel")
        for module in modules
    )


RULES = [
    Rule(
        "money and rates are no floats",
        "0.1 + 0.2 is not 0.3, and a journal that is a cent out does not balance",
        "rate = 11.421",
        _is_float,
    ),
    Rule(
        "nothing is divided but fractions",
        "5 / 2 is a float before anyone notices; whoever divides fractions is named here",
        "share = pool / winners",
        _divides,
        but_for=(
            "backoffice/kernel/exchange.py",
            "backoffice/rules/pots.py",
            "backoffice/rules/returns.py",
            "backoffice/domain/jackpots/division.py",
        ),
    ),
    Rule(
        "the domain asks no clock",
        "a round replayed on another day was booked to that day; time comes in as data",
        "datetime.now(UTC)",
        _asks_the_clock,
    ),
    Rule(
        "the kernel stands on the standard library and the ISO 4217 table alone",
        "a library in the floor that everyone stands on cannot be replaced",
        "import sqlalchemy",
        _imports_from_outside,
        where=("backoffice/kernel",),
    ),
    Rule(
        "nothing is swallowed",
        "a projection passed over an event it could not read, and the month was short by one round",
        "try:\n    project()\nexcept Exception:\n    pass",
        _swallows,
        where=HOUSE,
    ),
    Rule(
        "the environment is read in settings.py",
        "two places read one variable with two defaults, and the test database was the real one",
        "os.environ['BACKOFFICE_DATA']",
        _reads_the_environment,
        where=("backoffice", "workers", "migrations"),
        but_for=(
            "backoffice/settings.py",
            "migrations/env.py",
        ),  # the second is the alembic command's own door
    ),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_house_keeps_the_rule(rule: Rule) -> None:
    breaches = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', '?')}"
        for path in _sources(rule.where)
        if str(path.relative_to(ROOT)) not in rule.but_for
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if rule.finds(node)
    ]
    assert not breaches, f"{rule.name}: {rule.accident}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_rule_would_notice_a_breach(rule: Rule) -> None:
    assert any(rule.finds(node) for node in ast.walk(ast.parse(rule.breach)))


def test_no_module_has_a_name_that_says_nothing() -> None:
    """Nobody finds anything in a drawer labelled "misc", and everybody adds to it."""
    vague = {
        "base",
        "common",
        "data",
        "helper",
        "helpers",
        "info",
        "manager",
        "misc",
        "service",
        "util",
        "utils",
    }
    assert not [path for path in _sources((*HOUSE, "tests")) if {path.stem, path.parent.name} & vague]


def test_every_package_has_a_door_plate() -> None:
    """A package whose docstring does not say what lives there was filled with whatever had no other place."""
    packages = [path for path in _sources((*HOUSE, "tests")) if path.name == "__init__.py"]
    assert packages
    assert not [
        path for path in packages if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]


def _sources(folders: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))
