"""The league's name, logo and colours, and the rules of arenas in words."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from django.contrib.staticfiles import finders
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

from league.models import Arena, ArenaText, LeagueLogo, LeagueSettings, Player, StaffAction
from league.services.notices.mailing import message
from league.services.site import settings
from league.services.site.colours import (
    BLACK,
    DARK,
    LEAST,
    LIGHT,
    OUR_DARK,
    WHITE,
    contrast,
    mail_sheet,
    mix,
    sheet,
    worst_contrast,
)
from league.services.site.texts import render_text
from league.web.sharing import drawing
from tests.support.admin_steps import browser_of as admin_of
from tests.support.admin_steps import form_on
from tests.support.pictures import RED, halves, is_near, noise, saved, upload
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words

COLOURS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
PAGE = reverse("admin:league_leaguesettings_changelist")


@pytest.fixture
def staff(olga: Player) -> Client:
    return admin_of(olga.user)


def save(staff: Client, **changes: Any) -> Any:
    return staff.post(PAGE, {"name": "Laurel", "time_zone": "UTC", "language": "en", **changes})


def test_every_page_and_mail_has_the_name_logo_and_colours(
    staff: Client, duel: Arena, alice: Player
) -> None:
    assert_strict(staff, PAGE)
    chosen = {"name": "City  League", "accent": "#8C1F1B", "dark_accent": "#ff9189"}
    assert save(staff, **chosen, upload=upload()).status_code == 302
    page = Client().get(duel.get_absolute_url())
    body = page.content.decode()
    assert "City League" in words(page)
    logo = LeagueLogo.objects.get()
    address = reverse("site_logo", args=[logo.digest])
    assert address in body
    sent = Client().get(address)
    assert (sent["Content-Type"], sent.content[8:12]) == ("image/webp", b"WEBP")
    sheet = Client().get(reverse("site_colours"))
    assert "--laurel: light-dark(#8c1f1b, #ff9189);" in sheet.content.decode()
    assert f"{reverse('site_colours')}?" in body
    assert_strict(Client(), duel.get_absolute_url())
    room = staff.get("/admin/")
    assert "| City League</title>" in room.content.decode()
    assert "City League admin" in words(room)
    assert "Laurel" not in room.content.decode()
    assert f'rel="icon" href="{address}"' in room.content.decode()
    assert f"{reverse('site_colours')}?" in room.content.decode()
    assert "--light-accent: #8c1f1b;" in sheet.content.decode()
    assert "--dark-accent: #ff9189;" in sheet.content.decode()
    made = message(alice, "So", {"lines": []}, "all", "alice@mail.example")
    made.send()
    assert made.subject == "City League: So"
    assert address in str(made.alternatives[0][0])
    assert len(mail.outbox) <= 1
    action = StaffAction.objects.get()
    assert action.before == {
        "Name": "Laurel", "Accent colour": "", "Accent colour on dark pages": "", "Logo": "",
    }  # fmt: skip
    assert save(staff, name="City League", no_logo="on").status_code == 302
    assert address not in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("name", " ", "required"),
        ("name", "x" * 61, "at most 60"),
        ("time_zone", "Middle/Earth", "no such time zone"),
        ("time_zone", "../../etc/passwd", "no such time zone"),
        ("accent", "red", "six digits"),
        ("accent", "#fff; } body { display: none", "7 characters"),
        ("accent", "#ffe680", "Choose a darker one."),
        ("dark_accent", "#1c6a47", "Choose a lighter one."),
    ],
)
def test_bad_settings_are_refused_in_words(
    staff: Client, field: str, value: str, problem: str
) -> None:
    answer = save(staff, **{field: value})
    assert answer.status_code == 200
    assert problem in " ".join(answer.context["form"].errors[field])
    assert not LeagueSettings.objects.exists()


def test_a_logo_that_is_no_image_is_refused(staff: Client) -> None:
    answer = save(staff, upload=upload(b"<svg onload='alert(1)'/>", "logo.svg", "image/svg+xml"))
    assert "not a PNG, JPEG or WebP" in words(answer)
    assert not LeagueLogo.objects.exists()


def test_visitors_see_the_picture_of_the_league_first(
    staff: Client, duel: Arena, alice: Player
) -> None:
    assert reverse("league_picture") not in Client().get("/").content.decode()
    assert Client().get(reverse("league_picture")).status_code == 404
    photo = saved(halves((2000, 1500)), "JPEG")
    answer = save(staff, name="City", new_picture=upload(photo, "hall.jpg", "image/jpeg"))
    assert answer.status_code == 302
    one = LeagueSettings.objects.get().picture
    assert one
    assert (one.width, one.height) == (1600, 600)
    assert_strict(Client(), "/")
    page = Client().get("/").content.decode()
    shown = f'src="{reverse("site_logo", args=[one.digest])}" width="1600" height="600"'
    assert shown in page
    assert "<h1>City</h1>" in page
    assert f"{reverse('league_picture')}" in page
    assert shown not in browser_of(alice).get("/").content.decode(), "for visitors"
    drawn = Client().get(reverse("league_picture"))
    image = Image.open(BytesIO(drawn.content))
    assert (drawn["Content-Type"], image.format, image.size) == ("image/jpeg", "JPEG", (1200, 630))
    assert is_near(image.convert("RGB").getpixel((10, 10)), RED)
    assert LeagueSettings.objects.get().logo is None
    assert save(staff, name="City", no_picture="on").status_code == 302
    assert shown not in Client().get("/").content.decode()
    assert [sorted(action.after or ()) for action in StaffAction.objects.order_by("pk")] == [
        ["Name", "Picture"],
        ["Picture"],
    ]


@pytest.mark.parametrize("ground", [halves((1600, 600)), noise(2000), halves((900, 3000))])
def test_a_picture_loads_fast_and_a_name_on_it_can_be_read_whatever_it_shows(
    ground: Image.Image,
) -> None:
    made = settings.wide(saved(ground, "WEBP", lossless=True))
    assert len(made.webp) <= 60_000
    assert made.width * 3 // 8 == made.height
    for colour in ("white", "yellow"):
        bare = saved(Image.new("RGB", (1600, 600), colour), "WEBP")
        image = Image.open(BytesIO(drawing.jpeg(bare, "", ""))).convert("RGB")
        for y in range(430, 630, 20):
            behind = "#{:02x}{:02x}{:02x}".format(*cast("Any", image.getpixel((600, y))))
            assert contrast("#ffffff", behind) >= LEAST, (colour, y)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"<svg onload='alert(1)'/>", "not a PNG, JPEG or WebP"),
        (saved(halves((799, 900))), "at least 800 × 300 pixels. This one has 799 × 900."),
        (saved(halves((4000, 299))), "at least 800 × 300 pixels. This one has"),
        (saved(halves((900, 400)), "JPEG")[:900], "damaged"),
    ],
)
def test_a_bad_picture_is_refused_in_words_and_nothing_is_saved(
    staff: Client, content: bytes, problem: str
) -> None:
    answer = save(staff, name="City", new_picture=upload(content))
    assert problem in " ".join(answer.context["form"].errors["new_picture"])
    assert not LeagueSettings.objects.exists()


def test_our_own_colours_can_be_read_and_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert worst_contrast("#1c6a47", LIGHT) >= LEAST
    assert worst_contrast(OUR_DARK.accent, DARK) >= LEAST


@given(COLOURS, COLOURS)
def test_the_header_can_be_read_in_the_colours_of_any_league(one: str, other: str) -> None:
    light, dark = mix(one, BLACK, 0.5), mix(other, WHITE, 0.6)
    assume(worst_contrast(light, LIGHT) >= LEAST and worst_contrast(dark, DARK) >= LEAST)
    band = re.search(r"--band: light-dark\((#\w{6}), (#\w{6})\)", sheet(light, dark))
    tokens = Path(str(finders.find("css/core/tokens.css"))).read_text()
    text = re.search(r"--on-band: light-dark\((#\w{6}), (#\w{6})\)", tokens)
    assert band
    assert text
    assert min(contrast(band[one], text[one]) for one in (1, 2)) >= LEAST


@given(COLOURS, COLOURS)
def test_mails_and_pictures_can_be_read_in_the_colours_of_any_league(one: str, other: str) -> None:
    light, dark = mix(one, BLACK, 0.5), mix(other, WHITE, 0.6)
    assume(worst_contrast(light, LIGHT) >= LEAST and worst_contrast(dark, DARK) >= LEAST)
    for accents in ((light, dark), (light, ""), ("", dark), ("", "")):
        on_light, on_dark = mail_sheet(*accents).split("@media (prefers-color-scheme: dark)")
        for rules in (on_light, on_dark):
            ground = re.search(r"background: (#\w{6})", rules)
            inks = re.findall(r"[{ ]color: (#\w{6})", rules)
            assert ground
            assert len(inks) == 2
            assert min(contrast(ink, ground[1]) for ink in inks) >= LEAST
    assert contrast(light, drawing.PAPER) >= LEAST


def test_the_ring_around_a_division_s_dot_can_be_seen_on_every_ground() -> None:
    tokens = str(finders.find("css/core/tokens.css"))
    rings = re.search(r"--ring: light-dark\((#\w{6}), (#\w{6})\)", Path(tokens).read_text())
    assert rings
    for ring, theme in zip(rings.groups(), (LIGHT, DARK), strict=True):
        grounds = (theme.paper, theme.surface, theme.sunken)
        assert min(contrast(ring, ground) for ground in grounds) >= 3


def test_the_league_s_zone_is_used_if_the_browser_tells_none(
    staff: Client, duel: Arena, client: Client
) -> None:
    save(staff, time_zone="Asia/Tokyo")
    client.get("/")  # the process reads it
    assert "Asia/Tokyo" in words(client.get("/"))
    client.cookies["timezone"] = "Europe/Berlin"
    assert "Europe/Berlin" in words(client.get("/"))


def test_an_arena_shows_its_own_rules(staff: Client, duel: Arena, alice: Player) -> None:
    new = reverse("admin:league_arenatext_add")
    form = form_on(staff, new) | {"arena": duel.pk, "rules": "## Manners\n\nBe **kind**.\n- Really"}
    assert staff.post(new, form).status_code == 302
    assert "Rules of Duel" in words(browser_of(alice).get(duel.get_absolute_url()))
    how = reverse("how_it_works", args=[duel.slug])
    assert "<h3>Manners</h3><p>Be <strong>kind</strong>.</p>" in Client().get(how).content.decode()
    assert_strict(Client(), how)
    again = form_on(staff, new) | {"arena": duel.pk, "rules": "Be kind."}
    assert staff.post(new, again).status_code == 200  # one for each arena
    change = reverse("admin:league_arenatext_change", args=[ArenaText.objects.get().pk])
    assert staff.post(change, {"rules": "Be kind."}).status_code == 302
    first, second = StaffAction.objects.order_by("pk")
    assert (first.kind, second.kind) == ("created", "changed")
    assert second.after == {"Rules": "Be kind."}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One\ntwo\n\nthree", "<p>One<br>two</p><p>three</p>"),
        ("- a\n- b\r\nc", "<ul><li>a</li><li>b</li></ul><p>c</p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("**<b>**", "<p><strong>&lt;b&gt;</strong></p>"),
        (
            "[us](https://us.example/?a=1&b=2)",
            '<p><a href="https://us.example/?a=1&amp;b=2" rel="nofollow noopener">us</a></p>',
        ),
        ("[us](javascript:alert%281%29)", "<p>[us](javascript:alert%281%29)</p>"),
        ("[us](//evil.example)", "<p>[us](//evil.example)</p>"),
        ("[us](data:text/html,x)", "<p>[us](data:text/html,x)</p>"),
        (
            'https://us.example/"onclick="x',
            (
                '<p><a href="https://us.example/" rel="nofollow noopener">https://us.example/</a>'
                "&quot;onclick=&quot;x</p>"
            ),
        ),
        ("", ""),
    ],
)
def test_texts_become_html_in_which_nothing_else_has_a_meaning(text: str, html: str) -> None:
    assert render_text(text) == html


def test_long_texts_of_brackets_take_no_time() -> None:
    began = timezone.now()
    render_text("[" * 50_000)
    render_text("**" * 25_000)
    render_text("[a](" * 12_500)
    assert (timezone.now() - began).total_seconds() < 2
