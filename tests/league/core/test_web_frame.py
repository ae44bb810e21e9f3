"""Properties of every page: security, caching, time zones, errors."""

from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player
from league.web.core.middleware import zone_named
from tests.support.cast import beats
from tests.support.web_steps import words


def test_scripts_get_only_the_features_of_the_browser_that_pages_use() -> None:
    denied = Client().get("/")["Permissions-Policy"].split(", ")
    assert {"camera=()", "geolocation=()", "xr-spatial-tracking=()"} <= set(denied)
    assert all(len(feature) > len("x=()") for feature in denied)
    assert not [feature for feature in denied if feature.startswith("autoplay")]  # the queue's


def test_a_page_that_has_not_changed_is_not_sent_again(duel: Arena) -> None:
    first = Client().get(duel.get_absolute_url())
    assert first["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "HX-Request"} <= {part.strip() for part in first["Vary"].split(",")}
    again = Client().get(duel.get_absolute_url(), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304


def test_times_show_in_the_zone_of_the_reader(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    browser = Client()
    assert "1 Mar 2026, 11:00 UTC" in words(browser.get(match.get_absolute_url()))
    browser.cookies["timezone"] = "Asia/Tokyo"
    page = browser.get(match.get_absolute_url())
    assert "1 Mar 2026, 20:00 JST" in words(page)
    assert 'datetime="2026-03-01T11:00:00+00:00"' in page.content.decode()


def test_the_day_of_a_match_whose_hour_is_unknown_is_the_same_for_everyone(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    match.played_at = match.played_at.replace(hour=0, minute=0)
    match.save()
    browser = Client()
    browser.cookies["timezone"] = "America/New_York"
    crumbs = words(browser.get(match.get_absolute_url())).partition("Season 1 ·")[2]
    assert crumbs.startswith(" 1 Mar 2026 Alice")


@pytest.mark.parametrize(
    "name", ["", "Mars/Phobos", "../../etc/passwd", "/etc/passwd", "Europe", "x" * 999, "\x00"]
)
def test_an_unknown_zone_is_utc(name: str) -> None:
    assert zone_named(name).key == "UTC"


def test_errors_have_clear_pages(alice: Player) -> None:
    missing = Client().get("/nowhere/")
    assert missing.status_code == 404
    assert "There is nothing here" in words(missing)
    assert Client().get("/players/999/").status_code == 404
    assert Client().get("/matches/9999999999999999999999/").status_code == 404
    strict = Client(enforce_csrf_checks=True)
    expired = strict.post(reverse("account_login"), {"login": "Alice", "password": "x"})
    assert expired.status_code == 403
    assert "This form has expired" in words(expired)


def test_a_broken_page_says_so_without_needing_anything_that_may_be_broken(olga: Player) -> None:
    browser = Client(raise_request_exception=False)
    with mock.patch("league.web.home.views.first_admin.is_missing_now", side_effect=RuntimeError):
        answer = browser.get("/")
    assert answer.status_code == 500
    assert "Something broke on our side" in words(answer)
