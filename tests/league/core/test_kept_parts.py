"""Parts of pages that a process keeps: shared by readers, and never older than their data."""

import pytest
from django.core.cache import caches
from django.template import Context, Template, TemplateSyntaxError
from django.test import Client
from django.utils import timezone, translation
from pytest_django import DjangoAssertNumQueries, Settings

from league.models import Arena, Player
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats
from tests.support.competition_steps import begun, fixture_of, play
from tests.support.web_steps import browser_of, words


@pytest.fixture
def keeping(settings: Settings) -> None:
    settings.PARTS_KEPT_FOR = 60.0
    caches["pages"].clear()


def rendered(number: int, key: object = 1) -> str:
    template = Template('{% load kept %}{% kept "a part" key %}{{ number }}{% endkept %}')
    return template.render(Context({"number": number, "key": key}))


@pytest.mark.usefixtures("keeping")
def test_a_part_is_kept_by_its_key_time_zone_and_language(settings: Settings) -> None:
    assert [rendered(1), rendered(2), rendered(3, key=2)] == ["1", "1", "3"]
    with timezone.override("Asia/Tokyo"):
        assert rendered(4) == "4"
    with translation.override("de"):
        assert rendered(5) == "5"
    settings.PARTS_KEPT_FOR = 0
    assert rendered(6) == "6"


def test_a_part_needs_a_key() -> None:
    with pytest.raises(TemplateSyntaxError, match="a name in quotes and a key"):
        Template('{% load kept %}{% kept "a part" %}{% endkept %}')


@pytest.mark.usefixtures("keeping")
def test_a_competition_is_rendered_again_when_a_result_comes_and_goes(
    duel: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    address, visitor = one.get_absolute_url(), Client()
    before = words(visitor.get(address))
    with django_assert_max_num_queries(5):
        assert words(visitor.get(address)) == before
    assert "you" in words(browser_of(alice).get(address)), "her own line is marked for her"
    assert words(visitor.get(address)) == before
    fixture = one.fixtures.filter(round__number=1).first()
    assert fixture
    assert fixture.home
    assert fixture.away
    play(fixture_of(one, fixture.home.player, fixture.away.player), fixture.home.player)
    after = words(visitor.get(address))
    assert after != before
    assert "1 · 0 · 0" in after
    decided = {"result": "neither", "decided_by": "staff", "decided_at": NOW}
    one.fixtures.filter(pk=fixture.pk).update(**decided)
    assert "1 · 0 · 0" not in words(visitor.get(address))


@pytest.mark.usefixtures("keeping")
def test_a_result_is_rendered_for_its_players_apart(
    duel: Arena, alice: Player, bob: Player
) -> None:
    match = beats(alice, bob, duel)
    confirm(match.pk, by=bob, now=NOW)
    visitor, own = Client(), browser_of(alice)
    for path in ("/arenas/duel/", match.get_absolute_url()):
        seen = words(visitor.get(path))
        mine = words(own.get(path))
        assert "(you)" in mine or "Alice you" in mine
        assert words(visitor.get(path)) == seen
        assert "you)" not in seen
