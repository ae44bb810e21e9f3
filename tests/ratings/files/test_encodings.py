"""Files in encodings without Unicode are guessed by their letters, and can be chosen."""

import pytest

from ratings.files.choices import Choices
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from ratings.files.text_rows import Encoding, find_guessed

NAMES = {
    "German": ("Jörg Müller", "Bärbel Groß"),
    "French": ("Élodie Lefèvre", "François Noël"),
    "Spanish": ("José Núñez", "Ramón García"),
    "Portuguese": ("João Gonçalves", "Luís São"),
    "Swedish": ("Åke Söderström", "Björn Ångström"),
    "Danish": ("Søren Kjær", "Åse Bjørn"),
    "Finnish": ("Jari Hämäläinen", "Mika Räikkönen"),
    "Italian": ("Niccolò Però", "Andrea Gesù"),
    "English": ("Patrick D’Arcy", "Chloë O’Neill"),
    "Dutch": ("Daniël", "Zoë"),
    "with apostrophes alone": ("Mary O’Brien", "Ann’s team"),
}


def table(names: tuple[str, str]) -> str:
    first, second = names
    return f"date,home,away,home score,away score\n2026-01-02,{first},{second},3,1\n"


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize(
    ("codec", "guessed"),
    [
        ("cp1252", Encoding.WINDOWS_1252),
        ("mac_roman", Encoding.MAC_ROMAN),
        ("utf-8", ""),
        ("utf-16", ""),
        ("utf-16-le", ""),
        ("utf-16-be", ""),
    ],
)
def test_names_are_read_in_any_encoding(
    names: tuple[str, str], codec: str, guessed: Encoding | str
) -> None:
    content = table(names).encode(codec)
    found = read(content)
    [result] = found.results
    assert tuple(side.names[0] for side in result.sides) == names
    assert find_guessed(content) == guessed
    if isinstance(guessed, Encoding):
        assert any(f"read as {guessed.label}" in str(remark) for remark in found.remarks)


@pytest.mark.parametrize("encoding", [*Encoding])
def test_an_encoding_can_be_chosen(encoding: Encoding) -> None:
    names = ("Jörg", "Böhm")  # of which Mac Roman and Windows-1252 have the same kinds of signs
    found = read(table(names).encode(encoding.codec), Choices(encoding=encoding))
    [result] = found.results
    assert tuple(side.names[0] for side in result.sides) == names


def test_a_file_in_another_encoding_than_the_chosen_one_says_where() -> None:
    content = table(("Jörg", "Böhm")).encode("cp1252")
    with pytest.raises(UnreadableFile) as refused:
        read(content, Choices(encoding=Encoding.UTF_8))
    assert "Line 2 is not UTF-8" in str(refused.value.sentence)
