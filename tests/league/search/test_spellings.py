"""A search finds names as people of other languages and keyboards type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.models import Arena, Player
from league.models.skeletons import spellings, without_accents
from league.services.search.finding import find
from tests.support.cast import account, arena

TYPED = [
    ("Łukasz Żak", ["lukasz", "Łukasz", "zak"]),
    ("Müller", ["muller", "mueller", "Müller", "MUELL"]),
    ("Jürgen Bauer", ["jurgen", "juergen", "bauer", "Bauer"]),
    ("Mueller", ["mueller", "müller"]),
    ("Goethe", ["goethe", "göthe"]),
    ("Guérin", ["guerin", "Guérin"]),
    ("أحمد", ["احمد", "أحمد", "احـمد"]),
    ("فاطمة علي", ["فاطمه", "فاطمة", "على", "فَاطِمَة"]),
    ("مصطفى", ["مصطفي", "مصطفى"]),
    ("Team 12", ["１２", "١٢", "12"]),
]


@pytest.mark.parametrize(("name", "texts"), TYPED, ids=[name for name, _texts in TYPED])
@pytest.mark.django_db
def test_players_and_arenas_are_found(name: str, texts: list[str]) -> None:
    player, other = account(name), account("Zorro Quick")
    place = arena("named")
    Arena.objects.filter(pk=place.pk).update(name=name)
    for text in texts:
        found = set(Player.objects.search(text))
        assert player in found, text
        assert other not in found, text
        everything = find(text, count=5)
        assert [one.player for one in everything.players] == [player], text
        assert list(everything.arenas) == [place], text


@given(st.text("aeouäöüÄß eéñłهةيى١2", max_size=8))
def test_the_written_form_is_always_among_the_spellings(text: str) -> None:
    forms = spellings(text)
    assert forms[0] == without_accents(text)
    assert len(forms) == len(set(forms)) <= 5
