"""Amounts as SAF-T has them: at most eighteen digits, two of them behind the point; what has more is refused, never cut."""

from backoffice.kernel.currencies import exponent, format_minor

_BEHIND, _ALL = 2, 18


class Untellable(Exception):
    """What a SAF-T file cannot tell, or was not told; the message names it."""


def amount(minor: int, currency: str, where: str) -> str:
    """`minor` units, not below zero. Raises Untellable, naming `where` it stands, for one that has no room."""
    digits = exponent(currency)
    text = format_minor(minor, currency)
    if digits > _BEHIND:
        text, cut = text[: _BEHIND - digits], text[_BEHIND - digits :]
        if cut.strip("0"):
            raise Untellable(
                f"{where}: {format_minor(minor, currency)} {currency} has more digits than the two of SAF-T;"
                f" it is not cut, the other formats hold it whole"
            )
    if len(text.replace(".", "")) > _ALL:
        raise Untellable(f"{where}: {text} {currency} has more digits than the {_ALL} of SAF-T")
    return text
