"""Short lists are in the order of the reader's language."""

import itertools

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from league.models.collation import reading_key
from league.web.privacy.forms import countries_in

ORDERED = {
    "en": ["Adam", "Łukasz", "Lydia", "Müller", "Muzak", "ñandú", "Nora"],
    "de": ["Ärger", "Ast", "Müller", "Muzak", "Zorn"],
    "pl": ["Adam", "Ąbc", "Celina", "Ćma", "Lydia", "lzu", "Łukasz", "Marek", "Źdźbło",
           "Żak"],
    "es": ["nadie", "nzz", "ñandú", "oca"],
    "zh-hans": ["Adam", "Zoe", "阿根廷", "德国", "法国", "日本", "英国", "中国"],
    "ar": ["أحمد", "باسم", "سعيد", "يوسف"],
}  # fmt: skip


@pytest.mark.parametrize("language", ORDERED)
def test_names_are_in_the_order_of_the_language(language: str) -> None:
    with override(language):
        for before, after in itertools.pairwise(ORDERED[language]):
            assert reading_key(before) < reading_key(after), (before, after)


@pytest.mark.parametrize("language", ORDERED)
@given(name=st.text("aAłŁżŻñ王伟ب 1'", max_size=6))
def test_every_name_has_a_place(language: str, name: str) -> None:
    with override(language):
        assert (reading_key(name) <= reading_key(f"{name}a")) is True


def test_countries_are_in_the_order_of_the_language() -> None:
    with override("zh-hans"):
        names = [name for _code, name in countries_in("zh-hans")]
        assert names.index("阿根廷") < names.index("德国") < names.index("日本")
