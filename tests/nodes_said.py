"""What a record says, element by element."""

from backoffice.reports.regulators.nodes import Node


def said(node: Node) -> dict[str, list[str]]:
    """Every text in an element, by name; an iterator inside is used up."""
    if isinstance(node.content, str):
        return {node.name: [node.content]}
    found: dict[str, list[str]] = {}
    for child in node.content:
        for name, texts in said(child).items():
            found.setdefault(name, []).extend(texts)
    return found
