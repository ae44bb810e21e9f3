"""A draft is for staff who may change it: nobody else finds it anywhere before it is published."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import get_resolver, reverse

from league.models import Arena, ArenaQueue, Player, StaffAction
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.core.errors import Conflict
from league.services.operations.metrics import exposition
from league.services.seasons.opening import open_season, publish
from league.services.seasons.planning import plan_following, plan_season
from tests.support.admin_steps import browser_of, may
from tests.support.cast import NOW
from tests.support.result_steps import user_of

ONLOOKING = (
    "view_arena",
    "view_arenaqueue",
    "view_match",
    "view_tick",
    "add_roster",
    "view_roster",
)
"""Permissions in the admin other than to change arenas."""


@pytest.fixture
def draft(olga: Player) -> Arena:
    """The published ranked arena as a draft: with a queue, points, dates and rosters."""
    preset = PRESETS["gw2-ranked"]
    return from_preset(preset, name="Secret Cup", slug="secret", by=user_of(olga), now=NOW)


def routes_of_arenas() -> Iterator[str]:
    """Yield the address of every page and API route of the draft."""
    urls = get_resolver()
    for found, names in ((urls, ""), (urls.namespace_dict["api"][1], "api:")):
        for name in {each for each in found.reverse_dict if isinstance(each, str)}:
            for pattern in found.reverse_dict.getlist(name):
                arguments = pattern[0][0][1]
                if "slug" in arguments and set(arguments) <= {"slug", "pk"}:
                    values = {"slug": "secret", "pk": 1}
                    yield reverse(names + name, kwargs={key: values[key] for key in arguments})


def test_nobody_finds_a_draft_on_any_page_or_api_route(
    draft: Arena, duel: Arena, olga: Player, alice: Player
) -> None:
    addresses = sorted(set(routes_of_arenas()))
    assert len(addresses) > 30
    onlooker = may("Frank", *ONLOOKING)
    for user in (None, alice.user, onlooker):
        browser = browser_of(user)
        for address in addresses:
            for ask in (browser.get, browser.post):
                answer = ask(address)
                assert answer.status_code in {302, 401, 403, 404, 405}, address
                assert "Secret Cup" not in answer.text
        for page in ("/", "/api/v1/arenas/", "/api/v1/matches/?arena=secret", "/players/?q=secret"):
            assert "Secret Cup" not in browser.get(page, follow=True).text
    assert b'"secret"' not in exposition()
    for page in ("arena", "arenaqueue", "match", "roster", "roster/add", "tick"):
        shown = browser_of(onlooker).get(f"/admin/league/{page}/")
        assert shown.status_code == 200
        assert "Secret Cup" not in shown.text, page
    assert "duel" in browser_of(onlooker).get("/admin/league/arena/").text


def test_staff_who_may_change_it_see_its_page_and_its_rules(draft: Arena) -> None:
    organiser = browser_of(may("Frank", "change_arena"))
    for name in ("arena", "how_it_works"):
        page = organiser.get(reverse(name, args=["secret"]))
        assert page.status_code == 200
        assert "This arena is a draft" in page.text
    assert organiser.get(reverse("leaderboard", args=["secret"])).status_code == 404
    assert "Secret Cup" in organiser.get("/admin/league/arena/").text


def test_a_draft_has_no_season_and_its_queue_is_closed(draft: Arena) -> None:
    for begin in (open_season, plan_season):
        with pytest.raises(ValidationError, match="is a draft"):
            begin(draft, starts_at=NOW)
    assert not ArenaQueue.objects.open().exists()
    assert plan_following(NOW) == []


def test_publishing_shows_it_to_everybody_and_opens_its_season_once(
    draft: Arena, olga: Player
) -> None:
    season = publish(draft.pk, by=user_of(olga), now=NOW, name="Spring")
    assert (season.name, season.opened_at) == ("Spring", NOW)
    assert season.ends_at == season.starts_at + timedelta(days=55)
    assert "Secret Cup" in browser_of(None).get("/").text
    assert ArenaQueue.objects.open().get().arena == draft
    with pytest.raises(Conflict, match="published already"):
        publish(draft.pk, by=user_of(olga), now=NOW)
    action = StaffAction.objects.get(kind="season")
    assert action.after
    assert (action.after["season"], action.after["rating system"]) == ("Spring", "Glicko-2")


def test_publishing_can_plan_the_season_for_later(draft: Arena, olga: Player) -> None:
    season = publish(draft.pk, by=user_of(olga), now=NOW, starts_at=NOW + timedelta(days=3))
    assert (season.opened_at, season.starts_at) == (None, NOW + timedelta(days=3))
    assert browser_of(None).get("/arenas/secret/").status_code == 200
