"""Particulars of a casino in a network file: what an authority would not take is refused with its line."""

from pathlib import Path

import pytest
from command_line import ROOT

from backoffice.app.network_file import BadNetworkFile, read_network

TEXT = (ROOT / "ops" / "sample" / "network.toml").read_text(encoding="utf-8")


def test_the_repositorys_network_is_licensed() -> None:
    riga, *_ = read_network(ROOT / "ops" / "sample" / "network.toml").casino
    assert riga.legal.dk.certificate == "tt-riga"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('licensee = "el012345678"', 'licensee = "EL012345678"', "licensee: string should match pattern '^el[0-9]{9}$'"),
        ('licence = "HT01"', 'licence = "MGA/B2C/1"', "licence: string should have at most 4 characters"),
        ('channel = "Internet"', 'channel = "Telex"', "channel: input should be 'Forhandler', 'Internet', "),
        ("gap_minutes = 20", "gap_minutes = 0", "gap_minutes: input should be greater than or equal to 1"),
        ('studio = "studio-1"', 'studoi = "studio-1"', "studoi: is not known here"),
        ('website = "harbour.example"\n', "", "play by Internet happens on a website: it is not given"),
    ],
)  # fmt: skip
def test_a_particular_that_cannot_be_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    path = tmp_path / "network.toml"
    path.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadNetworkFile) as refused:
        read_network(path)
    first = TEXT[: TEXT.index(old)].count("\n") + 1
    line = first if new else first - 1  # of the channel, which wants a website
    assert f"line {line}: {reason}" in str(refused.value)
