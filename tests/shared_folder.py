"""Where the material outside the repository lies: rule pages, the feed format, the example network, the sample feed."""

import os
from pathlib import Path

_BESIDE_THE_REPOSITORY = Path(__file__).parents[2] / "shared"


def shared(*parts: str) -> Path:
    """A path in the shared folder (BACKOFFICE_SHARED, by default `../shared`). Fails loudly where it is missing."""
    folder = Path(os.environ.get("BACKOFFICE_SHARED") or _BESIDE_THE_REPOSITORY)
    path = folder.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing: set BACKOFFICE_SHARED to the folder with rules/ and feeds/"
        )
    return path
