"""What is asked when a file has been written: that it get its number."""

from typing import Annotated

from pydantic import Field, StringConstraints

from backoffice.domain.event import PRINTABLE, Command, Id
from backoffice.domain.filings.events import Authority
from backoffice.domain.staff import Person
from backoffice.kernel.values import value

Count = Annotated[int, Field(ge=0)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Part = Annotated[str, StringConstraints(max_length=1000, pattern=PRINTABLE)]


@value
class RegisterFile(Command):
    """Enter a written file under the number it was written with; the fields are those of the fact."""

    by: Person
    casino: Id
    authority: Authority
    number: Annotated[int, Field(ge=1)]
    name: Id
    day: Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    part: Part
    version: Count
    replaces: Count | None
    after: Count
    position: Count
    hash: Digest
    records: Count
    size_bytes: Count
    sha256: Digest
