"""A name from right to left reorders no sentence, and what programs compare has no isolates."""

import re
from typing import Any

import pytest
from django.template import engines
from django.test import Client
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

from league.models import Player
from league.models.words import without_controls
from league.services.core.isolation import Sentence, isolate
from tests.support.permission_asking import send, unlogged
from tests.support.permission_roles import Role, World
from tests.support.permission_walk import Question

HEBREW, ARABIC = "עמית", "علي"
ISOLATES = "\u2068\u2069"
WHOLE = f"\u2068{HEBREW}\u2069"
LABELS = "(?!more|less)"
"""Names of buttons that a script writes for people to read."""
COMPARED = re.compile(
    r"\b(?:href|src|action|value|name|id|for|class|datetime|hx-\w+|"
    rf'data-{LABELS}\w+)="[^"]*[{ISOLATES}]'
)


SENTENCES = [
    "{% blocktranslate with player=p.name %}{{ player }} beat Bob 3–1{% endblocktranslate %}",
    "{% blocktranslate with n=3 trimmed %} {{ name }} beat Bob {{ n }}–1 {% endblocktranslate %}",
    "{% blocktrans count n=3 %}1{% plural %}{{ name }} beat Bob {{ n }}–1{% endblocktrans %}",
    "{% blocktrans asvar it with n=name %}{{ n }} beat Bob 3–1{% endblocktrans %}{{ it }}",
]


def rendered(text: str, **values: Any) -> str:
    return engines["django"].from_string("{% load i18n %}" + text).render(values)


@given(st.text())
def test_only_what_has_letters_from_right_to_left_is_isolated(text: str) -> None:
    text = without_controls(text)
    shown = isolate(text)
    assert without_controls(shown) == text
    if re.search(r"[א-תء-ي]", text):
        assert shown == f"\u2068{text}\u2069"
    if not re.search(r"[\u0590-\u08ff\ufb1d-\ufefc\U00010800-\U0001efff\u200f]", text):
        assert shown is text


@pytest.mark.parametrize("name", [HEBREW, ARABIC, f"{HEBREW} (Tel Aviv)", f"99 {ARABIC} <b>"])
def test_each_value_of_a_sentence_is_isolated(name: str) -> None:
    sentence = Sentence("%(player)s beat %(other)s %(score)s")
    written = sentence % {"player": name, "other": "Bob", "score": "3–1"}
    assert written == f"\u2068{name}\u2069 beat Bob 3–1"
    escaped = name.replace("<", "&lt;").replace(">", "&gt;")
    expected = f"\u2068{escaped}\u2069 beat Bob 3–1"
    for text in SENTENCES:
        assert rendered(text, name=name, p={"name": name}) == expected


def test_markup_in_a_sentence_stays_markup_and_a_missing_value_empty() -> None:
    link = SafeString(f"<a>{HEBREW}</a>")
    shown = rendered("{% blocktranslate %}{{ link }} won{{ no }}{% endblocktranslate %}", link=link)
    assert shown == f"\u2068<a>{HEBREW}</a>\u2069 won"
    assert isinstance(isolate(link), SafeString)
    assert isolate(7) == 7


@pytest.mark.slow
@pytest.mark.usefixtures("accounts_read_once")
def test_no_page_has_isolates_in_what_programs_compare(
    questions: list[Question], world: World
) -> None:
    Player.objects.filter(pk=world.alice.pk).update(name=HEBREW)
    Player.objects.filter(pk=world.charlie.pk).update(name=f"{ARABIC} & 1")
    browser = Client(raise_request_exception=False)
    user = world.user(Role.ADMIN)
    assert user
    browser.force_login(user)
    found, isolates = {}, 0
    with unlogged():
        for question in questions:
            if question.row.method != "GET" or question.row.route.startswith("account"):
                continue
            answer = send(browser, "GET", question.address, data=question.fields)
            if answer.streaming:
                continue
            text = answer.content.decode(errors="replace")
            kind = answer.headers.get("Content-Type", "")
            isolates += text.count("\u2068")
            if "html" in kind:
                leaks = COMPARED.findall(text)
            else:
                for_people = re.compile(
                    r"<title>[^<]*</title>|<summary>[^<]*</summary>"
                )  # of feeds
                leaks = re.findall(f".{{0,40}}[{ISOLATES}]", for_people.sub("", text))
            if leaks:
                found[str(question)] = leaks[:3]
    assert found == {}
    assert isolates > 20
