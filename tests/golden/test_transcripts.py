"""Every transcript in this folder, played and looked at; and, after each, every promise of the domain."""

from pathlib import Path

import pytest
from promises import check_promises
from transcript_checks import Checks
from transcript_script import Script, ScriptError, read_scripts
from transcript_stage import Stage

FOLDER = Path(__file__).parent
SCRIPTS = [script for path in sorted(FOLDER.glob("*.txt")) for script in read_scripts(path)]


def play(script: Script) -> None:
    """Play every line. Raises ScriptError, saying where, for a line that is not understood or not so."""
    stage = Stage()
    checks = Checks(stage)
    looked = False
    for line in script.lines:
        try:
            if checks.knows(line.word):
                checks.look(line)
            else:
                stage.play(line)
            looked |= checks.knows(line.word) or bool(line.below)
        except Exception as error:
            where = f"{script.theme}.txt:{line.number}: {line.word} {line.text}"
            raise ScriptError(f"{where}\n    {type(error).__name__}: {error}") from error
    if not looked:
        raise ScriptError(f"{script.theme}.txt: `{script.title}` looks at nothing")
    check_promises(stage.house)


@pytest.mark.parametrize(
    "script", [pytest.param(script, id=f"{script.theme}: {script.title}") for script in SCRIPTS]
)
def test_transcript(script):
    fault = None
    try:
        play(script)
    except ScriptError as error:
        fault = str(error)
    if fault:
        pytest.fail(fault, pytrace=False)
