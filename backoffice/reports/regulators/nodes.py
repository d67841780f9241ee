"""XML as data: a name, and a text or the elements inside, which may be made one by one while they are written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from lxml import etree


class Sink(Protocol):
    """What bytes are written to."""

    def write(self, content: bytes, /) -> object:
        """Take bytes."""


Content: TypeAlias = "str | Iterable[Node]"


@dataclass(frozen=True, slots=True)
class Node:
    """An element. `content` that is an iterator is walked once, and never held whole."""

    name: str
    content: Content
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file. `notice` stands before its elements as a comment."""

    root: Node
    notice: str
    namespaces: Mapping[str | None, str]
    """By the prefix they are written with; None: by none, which leaves no room for elements in no namespace."""
    record: str
    """The name of the elements that are counted."""
    within: str | None
    """The namespace of every element whose name says none (`{namespace}name`); None: such are in no namespace."""


def leaves(**texts: str | None) -> Iterator[Node]:
    """An element for every text that is given, in their order."""
    return (Node(name, text) for name, text in texts.items() if text is not None)


def write_document(document: Document, stream: Sink) -> int:
    """Write `document` in flat memory: UTF-8, an element a line, the last line ended. How many records are in it."""
    with etree.xmlfile(stream, encoding="UTF-8") as file:
        file.write_declaration()
        notice = etree.Comment(f" {document.notice} ")
        notice.tail = "\n"
        file.write(notice)
        writer = _Writer(file, document)
        writer.write(document.root)
    stream.write(b"\n")
    return writer.records


class _Writer:
    """Writes the elements of one document."""

    def __init__(self, file: "etree._IncrementalFileWriter", document: Document) -> None:
        self._file = file
        self._document = document
        self.records = 0

    def write(self, node: Node, depth: int = 0) -> None:
        """Write an element with all that is in it."""
        self.records += node.name == self._document.record
        namespaces = None if depth else self._document.namespaces
        with self._file.element(self._name(node.name), dict(node.attributes), nsmap=namespaces):
            if isinstance(node.content, str):
                self._file.write(node.content)
                return
            empty = True
            for child in node.content:
                empty = False
                self._file.write("\n" + "  " * (depth + 1))
                self.write(child, depth + 1)
            if not empty:
                self._file.write("\n" + "  " * depth)

    def _name(self, name: str) -> str:
        within = self._document.within
        return name if within is None or name.startswith("{") else f"{{{within}}}{name}"
