"""What somebody asks of a report: a casino or all, some days or everything, and the report's own filters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any

from backoffice.kernel.calendar import Days


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asks of a report: a casino or all, some days or everything, and the report's own filters."""

    casino: str | None = None
    first: date | None = None
    last: date | None = None
    """The last day, it too; both or neither."""
    days: Days = Days.GAMING
    only: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def plain(self) -> dict[str, Any]:
        """The same as plain data; see `asked_of`."""
        days = {"first": self.first, "last": self.last}
        written = {name: None if day is None else day.isoformat() for name, day in days.items()}
        return {"casino": self.casino, **written, "days": str(self.days), "only": dict(self.only)}

    def words(self) -> Iterator[tuple[str, str]]:
        """What was asked for, by name, in words."""
        yield "casino", self.casino or "all"
        yield "days", self.days
        yield "from", "the beginning" if self.first is None else self.first.isoformat()
        yield "to", "the log's position" if self.last is None else self.last.isoformat()
        yield "filters", ", ".join(f"{name}={value}" for name, value in sorted(self.only.items())) or "none"


def asked_of(plain: Mapping[str, Any]) -> Asked:
    """What was asked, out of what `plain` made of it."""
    first, last = (
        None if day is None else date.fromisoformat(day) for day in (plain["first"], plain["last"])
    )
    return Asked(plain["casino"], first, last, Days(plain["days"]), dict(plain["only"]))
