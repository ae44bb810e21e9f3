"""Valid names, and names that imitate others."""

import pytest
from django.core.exceptions import ValidationError

from league.models.names import fold, tidy, validate_name


@pytest.mark.parametrize(
    "name",
    [
        "Alice", "Åland Islands", "São Tomé and Príncipe", "Côte d’Ivoire", "Sápmi", "Ryūkyū",
        "Αλίκη", "Алиса", "さくらサクラ桜", "山田 Taro", "김철수", "אליס", "أليس", "x_X-2.0", "42",
        "O'Neill", "Jean-Luc",
    ],
)  # fmt: skip
def test_names_of_one_writing_system_are_accepted(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Al\u200dice", "invisible"),
        ("Alice\u202eecila", "invisible"),
        ("Al\x00ice", "invisible"),
        ("Al\nice", "invisible"),
        ("\u3164", "invisible"),
        ("Аlice", "mixed_scripts"),  # the first letter is Cyrillic
        ("Alicе", "mixed_scripts"),  # the last one is
        ("Αlice", "mixed_scripts"),  # the first one is Greek
        ("   ", "empty"),
        ("...", "empty"),
        ("a" * 61, "too_long"),
    ],
)
def test_names_that_hide_or_imitate_are_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_name(name)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "ALICE"),
        ("Alice", "Ａｌｉｃｅ"),
        ("Straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("Ann Lee", "ann  lee"),
        ("Ünal", "U\u0308nal"),
    ],
)
def test_similar_names_are_the_same_name(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_name_is_stored_as_written_except_for_spaces() -> None:
    assert tidy("  Ann   Lee ") == "Ann Lee"
