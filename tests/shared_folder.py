"""Where the material outside the repository lies: rule pages, the feed format, the example network, the sample feed."""

import os
from pathlib import Path

import pytest

_BESIDE_THE_REPOSITORY = Path(__file__).parents[2] / "shared"


def shared(*parts: str) -> Path:
    """A path in the shared folder (BACKOFFICE_SHARED, by default `../shared`). Where it is missing the tests
    that read it say so and are skipped; under CI they fail.
    """
    folder = Path(os.environ.get("BACKOFFICE_SHARED") or _BESIDE_THE_REPOSITORY)
    path = folder.joinpath(*parts)
    if not path.exists():
        missing = f"{path} is missing: set BACKOFFICE_SHARED to the folder with rules/ and feeds/"
        if os.environ.get("CI"):
            raise FileNotFoundError(missing)
        pytest.skip(missing, allow_module_level=True)
    return path
