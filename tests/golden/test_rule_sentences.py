"""The table in README.md: every sentence of the rule pages, and of FORMAT.md, stands
there with the tests that show it, and every test named there exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared_folder import shared
from transcript_script import read_scripts

FOLDER = Path(__file__).parent
TESTS = FOLDER.parent
PAGES: dict[str, tuple[str, ...]] = {
    "rules/README.md": (),
    "rules/caribbean-24h.md": (),
    "rules/caribbean-live.md": (),
    "rules/caribbean-swiss.md": (),
    "rules/five-card-stud.md": (),
    "rules/stud-dublinbet.md": (),
    "feeds/FORMAT.md": (
        "Every action",
        "Wallet and rates",
        "Dealer games",
        "Five Card Stud",
        "Bets and results in exports",
        "How a shared jackpot is worked out (exactly)",
    ),
}
"""By page, the sections that must be covered; all of it where none is named."""
_RULE = re.compile(r"\|[-| ]+\|")
_CELL = re.compile(r"(?<!\\)\|")
_BULLET = re.compile(r"^(- |\d+\. )")


def text_of(page: str) -> str:
    """A page's sentences in one line: headings and table headers left out, the cells of a row parted by a dot."""
    lines = shared(page).read_text(encoding="utf-8").splitlines()
    section, kept = "", []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("#"):
            section = line.strip("# ")
        elif (
            (not PAGES[page] or section in PAGES[page])
            and not _RULE.fullmatch(line)
            and not _RULE.fullmatch(following)
        ):
            kept.append(_BULLET.sub("", _row(line) if line.startswith("|") else line))
    return squeezed(" ".join(kept))


def _row(line: str) -> str:
    return " · ".join(cell.strip() for cell in line.strip("|").split("|"))


def squeezed(text: str) -> str:
    return " ".join(text.split())


def claims(page: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a page's table in README.md: a sentence, and what shows it."""
    section = ""
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ").strip("`")
        elif section == page and line.startswith("|") and not _RULE.fullmatch(line):
            sentence, shown = (cell.strip().replace(r"\|", "|") for cell in _CELL.split(line)[1:3])
            if sentence != "sentence":
                yield squeezed(sentence), shown.split("<br>")


def known() -> set[str]:
    """Every transcript by its title, every test by `module::name`."""
    names = {script.title for path in FOLDER.glob("*.txt") for script in read_scripts(path)}
    for path in TESTS.rglob("test_*.py"):
        found = re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
        names |= {f"{path.stem}::{name}" for name in found}
    return names


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_of_a_page_stands_in_the_table(page):
    text = text_of(page)
    covered = [False] * len(text)
    for sentence, _ in claims(page):
        start = text.find(sentence)
        assert start >= 0, f"README.md quotes what {page} does not say: {sentence}"
        while start >= 0:
            covered[start : start + len(sentence)] = [True] * len(sentence)
            start = text.find(sentence, start + 1)
    left = "".join(letter if not done else "\n" for letter, done in zip(text, covered, strict=True))
    assert not [words for words in left.splitlines() if re.search(r"\w", words)]


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_is_shown_by_a_test_that_exists(page):
    names = known()
    for sentence, shown in claims(page):
        missing = [name for name in shown if not name.startswith("remark: ") and name not in names]
        assert shown, sentence
        assert not missing, f"{sentence}: no such test: {missing}"


def test_titles_are_unique():
    titles = [script.title for path in FOLDER.glob("*.txt") for script in read_scripts(path)]
    assert sorted(titles) == sorted(set(titles))
