"""XML is written as it is walked, one element after the other."""

import tracemalloc
from collections.abc import Iterator
from io import BytesIO

import pytest
from lxml import etree

from backoffice.reports.regulators.nodes import Document, Node, leaves, write_document


class Nowhere:
    """Takes bytes and forgets them."""

    def write(self, content: bytes, /) -> object:
        return len(content)


def document(root: Node, within: str | None = "urn:x") -> Document:
    prefix = None if within else "x"
    return Document(root, "log 1", {prefix: "urn:x"}, "record", within)


def test_a_document_is_its_notice_and_its_elements_a_line_each() -> None:
    stream = BytesIO()
    records = [Node("record", leaves(Ænd="a < b & c", none=None), {"kind": '"x"'}), Node("record", "")]
    assert write_document(document(Node("all", iter(records))), stream) == 2
    assert stream.getvalue().decode() == (
        "<?xml version='1.0' encoding='UTF-8'?>\n<!-- log 1 -->\n"
        '<all xmlns="urn:x">\n  <record kind="&quot;x&quot;">\n    <Ænd>a &lt; b &amp; c</Ænd>\n  </record>\n'
        "  <record></record>\n</all>\n"
    )


def test_an_element_may_be_of_no_namespace_or_say_its_own() -> None:
    stream = BytesIO()
    write_document(
        document(Node("{urn:x}all", [Node("record", "1"), Node("{urn:y}record", "2")]), None), stream
    )
    names = [element.tag for element in etree.fromstring(stream.getvalue()).iter()]
    assert names == ["{urn:x}all", "record", "{urn:y}record"]


def test_however_many_records_there_are_memory_stays_flat() -> None:
    def many(number: int) -> Iterator[Node]:
        return (Node("record", leaves(a=str(index), b="x" * 100)) for index in range(number))

    def peak(number: int) -> int:
        tracemalloc.start()
        assert write_document(document(Node("all", many(number))), Nowhere()) == number
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(20_000) < 2 * peak(200) + 100_000


def test_what_breaks_while_it_is_written_is_not_hidden() -> None:
    def broken() -> Iterator[Node]:
        yield Node("record", "1")
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        write_document(document(Node("all", broken())), Nowhere())
