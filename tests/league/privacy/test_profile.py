"""Pictures, countries and links of players."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, PlayerPicture, Profile, StaffAction
from league.models.words import CONTROLS
from league.services.core.errors import Forbidden, Refused
from league.services.dishonor import bans
from league.services.people.roles import give
from league.services.privacy import profile
from league.services.site.colours import contrast
from league.templatetags.profiles import FACES, initials
from tests.support.cast import NOW, put_in_order
from tests.support.pictures import noise, read, saved, upload
from tests.support.result_steps import user_of
from tests.support.standing_steps import rated
from tests.support.web_steps import browser_of, words

LINK = "https://stream.example/alice"


def sent(player: Player, **form: Any) -> Any:
    return browser_of(player).post("/settings/profile/", {"country": "", "links": "", **form})


def test_a_page_shows_initials_until_there_is_a_picture(alice: Player) -> None:
    page = Client().get(f"/players/{alice.pk}/").content.decode()
    assert 'data-letters="A" aria-hidden="true"' in page
    browser = browser_of(alice)
    assert browser.post("/settings/profile/picture/", {"image": upload()}).status_code == 302
    shown = Profile.objects.get(player=alice)
    page = Client().get(f"/players/{alice.pk}/").content.decode()
    assert f"/players/{alice.pk}/avatar/{shown.picture}.webp" in page
    answer = Client().get(f"/players/{alice.pk}/avatar/{shown.picture}.webp")
    assert answer["Content-Type"] == "image/webp"
    assert "sandbox" in answer["Content-Security-Policy"]
    image = read(answer.content)
    assert image.size == (256, 256)
    assert not image.getexif()
    browser.post("/settings/profile/picture/", {"action": "remove"})
    assert not PlayerPicture.objects.exists()
    assert Client().get(f"/players/{alice.pk}/avatar/{shown.picture}.webp").status_code == 404


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("England", "E"),
        ("Davit Ibarra", "DI"),
        ("anna maria van der berg", "AB"),
        ("1. FC Köln", "1K"),
        ("ß", "S"),
        ("Øystein _", "Ø"),
        ("★ ★", "?"),
        ("李 明", "李明"),
    ],
)
def test_initials_are_of_the_first_and_the_last_word(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_letters_are_legible_on_every_colour_of_a_generated_picture() -> None:
    sheet = Path("static/css/core/base.css").read_text()
    colours = dict(re.findall(r"\.face-(\d+) \{ --face: (#[0-9a-f]{6}); \}", sheet))
    assert colours.keys() == {str(number) for number in range(FACES)}
    for colour in colours.values():
        assert contrast(colour, "#ffffff") >= 4.5, colour


def test_a_leaderboard_shows_pictures_and_countries_in_the_statements_it_had(
    duel: Arena, alice: Player, bob: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number, one in enumerate((alice, bob)):
        rated(one, duel, 1500 - number)
    profile.upload(alice, upload(), NOW)
    profile.save(alice, country="FR", links=[], about="", now=NOW)
    put_in_order()
    Client().get("/arenas/duel/leaderboard/")
    caches["pages"].clear()
    with django_assert_max_num_queries(8):
        page = Client().get("/arenas/duel/leaderboard/").content.decode()
    assert f"/avatar/{Profile.objects.get().picture}.webp" in page
    assert 'aria-label="France" title="France" data-code="FR"' in page
    assert 'data-letters="B"' in page


def test_a_replaced_picture_has_a_new_address(alice: Player) -> None:
    profile.upload(alice, upload(), NOW)
    first = Profile.objects.get().picture
    profile.upload(alice, upload(saved(noise(90))), NOW)
    assert Profile.objects.get().picture != first
    assert profile.content_of(alice.pk, first) is None


def test_country_and_links_are_shown_to_everybody(alice: Player) -> None:
    assert sent(alice, country="FR", links=f"{LINK}\r\n\r\n {LINK} ").status_code == 302
    assert Profile.objects.get().links == [LINK], "once"
    answer = Client().get(f"/players/{alice.pk}/")
    assert 'data-code="FR"></span> France' in answer.content.decode()
    assert f'<a href="{LINK}" rel="ugc nofollow noopener" translate="no">' in (
        answer.content.decode()
    )
    assert sent(alice).status_code == 302
    assert "France" not in words(Client().get(f"/players/{alice.pk}/"))


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("http://stream.example", "does not begin with https://"),
        ("javascript:alert(1)", "does not begin with https://"),
        ("https://", "is not a valid link"),
        ("https://stream", "is not a valid link"),
        ("https://bank.example@evil.example/", "has a name before the host"),
        ("https://bank.example:443@evil.example/", "has a name before the host"),
        ("https://ѕtream.example/", "has letters beyond ASCII"),
        ("https://a.example/\u202egnp.exe", "has letters beyond ASCII"),
        ('https://a.example/"onmouseover="x', "is not a valid link"),
        ("https://[::1", "is not a valid link"),
        ("https://a.example/ b", "is not a valid link"),
        (f"https://a.example/{'x' * 200}", "is longer than 200 characters"),
    ],
)
def test_deceptive_links_are_refused(alice: Player, link: str, why: str) -> None:
    answer = sent(alice, links=link)
    assert answer.status_code == 400
    assert why in words(answer)
    assert not Profile.objects.exists()


def test_banned_players_show_nothing_new(alice: Player, olga: Player, duel: Arena) -> None:
    bans.ban(alice, arena=duel, by=user_of(olga), reason="Spam.", now=NOW)
    with pytest.raises(Forbidden):
        profile.save(alice, country="FR", links=[], about="", now=NOW)
    with pytest.raises(Forbidden):
        profile.upload(alice, upload(), NOW)


def test_moderators_remove_picture_and_links_with_a_reason(
    alice: Player, bob: Player, olga: Player
) -> None:
    profile.upload(alice, upload(), NOW)
    profile.save(alice, country="FR", links=[LINK], about="Hi <b>", now=NOW)
    address = f"/players/{alice.pk}/profile/remove/"
    assert browser_of(bob).post(address, {"reason": "No."}).status_code == 403
    give(user_of(bob), ["moderator"], [])
    assert address in browser_of(bob).get(f"/players/{alice.pk}/").content.decode()
    assert browser_of(bob).post(address, {"reason": " "}).status_code == 400
    assert browser_of(bob).post(address, {"reason": "An advertisement."}).status_code == 302
    shown = Profile.objects.get()
    assert (shown.picture, shown.links, shown.about, shown.country) == ("", [], "", "FR")
    assert not PlayerPicture.objects.exists()
    action = StaffAction.objects.get()
    assert (action.actor, action.reason) == (user_of(bob), "An advertisement.")
    assert action.before
    assert action.before["Links"] == LINK
    assert action.before["Text"] == "Hi <b>"
    page = browser_of(bob).get(f"/players/{alice.pk}/").content.decode()
    assert LINK not in page
    assert address not in page
    with pytest.raises(Refused, match="no picture, link or text"):
        profile.remove_by_staff(alice, by=user_of(bob), reason="Again.", now=NOW)
    with pytest.raises(Forbidden, match="your settings"):
        profile.remove_by_staff(bob, by=user_of(bob), reason="Mine.", now=NOW)


@pytest.mark.parametrize("link", ["javascript:alert(1)", "http://x.example", "https://a@b.example"])
def test_a_stored_link_that_may_not_be_shown_is_not_shown(alice: Player, link: str) -> None:
    good = "https://good.example/"
    Profile.objects.update_or_create(player=alice, defaults={"links": [link, good]})
    page = Client().get(alice.get_absolute_url()).content.decode()
    assert good in page
    assert link not in page


def test_a_text_is_plain_short_and_on_the_page(alice: Player) -> None:
    written = "Plays  on Tuesdays.\r\n\r\n<script>alert(1)</script>\u202eabc"
    assert sent(alice, about=written).status_code == 302
    assert Profile.objects.get().about == "Plays on Tuesdays.\n<script>alert(1)</script>abc"
    page = Client().get(alice.get_absolute_url()).content.decode()
    assert "Plays on Tuesdays.<br>&lt;script&gt;alert(1)&lt;/script&gt;abc" in page
    form = browser_of(alice).get("/settings/profile/").content.decode()
    assert "Plays on Tuesdays.\n&lt;script&gt;" in form
    for wrong, problem in (
        ("x" * 301, "Your text has 301 characters. Use at most 300."),
        ("a\n" * 7, "Your text has 7 lines. Use at most 6."),
    ):
        refused = sent(alice, about=wrong)
        assert refused.status_code == 400
        assert problem in words(refused)
    assert "Tuesdays" in Profile.objects.get().about


@given(st.text(max_size=400))
def test_whatever_is_written_is_refused_or_has_no_more_than_allowed(text: str) -> None:
    try:
        kept = profile.checked_about(text)
    except Refused:
        return
    assert len(kept) <= 300
    assert len(kept.splitlines()) <= 6
    assert profile.checked_about(kept) == kept
    assert not set(kept) & {chr(code) for code in CONTROLS}
