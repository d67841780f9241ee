"""With which hands the dealer plays."""

import pytest

from backoffice.kernel.hands import hand_value
from backoffice.rules.book import Qualifier, qualifies


def plays(qualifier: Qualifier, text: str) -> bool:
    cards = tuple(text.split())
    return qualifies(qualifier, hand_value(cards), cards)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As Kh 4d 3c 2s", True),
        ("As Qh Jd Tc 9s", False),
        ("Ks Qh Jd Tc 8s", False),
        ("As Kh Qd Jc 9s", True),
        ("2s 2h 5d 4c 3s", True),
        ("2s 3h 4d 5c 6s", True),
        ("As 2h 3d 4c 5s", True),
        ("2s 3s 4s 5s 7s", True),
        ("7s 5h 4d 3c 2s", False),
    ],
)
def test_ace_king_or_better(cards, expected):
    assert plays(Qualifier.ACE_KING, cards) is expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As 7h 4d 3c 2s", True),
        ("Ks 7h 4d 3c 2s", True),
        ("As Kh 4d 3c 2s", True),
        ("Qs Jh Td 9c 7s", False),
        ("2s 2h 5d 4c 3s", True),
        ("2s 3h 4d 5c 6s", True),
        ("7s 5h 4d 3c 2s", False),
    ],
)
def test_ace_or_king_high_or_better(cards, expected):
    assert plays(Qualifier.ACE_OR_KING_HIGH, cards) is expected
