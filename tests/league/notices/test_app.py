"""The site as an app: manifest, icons, service worker, and its page without a network."""

import io

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageChops

from league.models import Arena, LeagueLogo, LeagueSettings, Player
from league.services.site import frame
from league.web.notices import icons
from tests.support.date_steps import agree_on_date
from tests.support.web_steps import browser_of, words


def png(address: str) -> Image.Image:
    answer = Client().get(address)
    assert answer["Content-Type"] == "image/png"
    return Image.open(io.BytesIO(answer.content))


def test_the_manifest_names_the_league_and_icons_that_exist(db: None) -> None:
    manifest = Client().get("/manifest.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    said = manifest.json()
    assert said["name"] == "Laurel"
    assert said["theme_color"] == "#14513a"
    assert said["start_url"] == said["scope"] == "/"
    for icon in said["icons"]:
        picture = png(icon["src"])
        assert icon["sizes"] == f"{picture.width}x{picture.height}"
    assert {icon["sizes"] for icon in said["icons"]} == {"192x192", "512x512"}
    assert [icon.get("purpose") for icon in said["icons"]] == [None, None, "maskable"]
    for shortcut in said["shortcuts"]:
        assert Client().get(shortcut["url"]).status_code in {200, 302}
    assert png("/apple-touch-icon.png").size == (180, 180)


def test_icons_show_the_logo_of_the_league_and_change_their_address_with_it(db: None) -> None:
    before = Client().get("/manifest.webmanifest").json()["icons"][0]["src"]
    file = io.BytesIO()
    Image.new("RGB", (300, 100), "#cc0000").save(file, "WEBP", lossless=True)
    logo = LeagueLogo.objects.create(digest="red", webp=file.getvalue(), width=300, height=100)
    LeagueSettings.objects.update_or_create(
        pk=1, defaults={"name": "Reds", "accent": "#8a1c1c", "logo": logo}
    )
    frame.keep(frame.read(), 0)
    said = Client().get("/manifest.webmanifest").json()
    assert said["name"] == "Reds"
    assert said["theme_color"] != "#14513a"
    assert said["icons"][0]["src"] != before
    icon = png(said["icons"][0]["src"]).convert("RGB")
    assert icon.getpixel((96, 96)) == (204, 0, 0)
    assert icon.getpixel((96, 30)) == (255, 255, 255)


@pytest.mark.parametrize("logo", ["", "logo"])
def test_what_a_maskable_icon_shows_is_in_the_circle_that_no_system_cuts(logo: str) -> None:
    file = io.BytesIO()
    Image.new("RGB", (200, 200), "#cc0000").save(file, "WEBP", lossless=True)
    content = icons.png("maskable", "#14513a", file.getvalue() if logo else b"")
    shown = Image.open(io.BytesIO(content)).convert("RGB")
    ground = Image.new("RGB", shown.size, shown.getpixel((0, 0)))
    box = ImageChops.difference(shown, ground).getbbox()
    assert box
    middle, safe = shown.width / 2, shown.width * 0.4
    corners = [(x - middle, y - middle) for x in (box[0], box[2]) for y in (box[1], box[3])]
    assert all((x * x + y * y) ** 0.5 <= safe for x, y in corners)


def test_the_service_worker_is_never_kept_and_allowed_by_our_policy(db: None) -> None:
    answer = Client().get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in Client().get(reverse("players"))["Content-Security-Policy"]


def test_the_page_without_a_network_has_only_the_readers_next_matches(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    agree_on_date(duel, alice, charlie)
    assert "Alice – Charlie" in words(browser_of(alice).get("/offline/"))
    for other in (browser_of(eve), Client()):
        assert "Charlie" not in words(other.get("/offline/"))


def test_logging_out_lets_the_browser_drop_what_it_has_kept(alice: Player) -> None:
    browser = browser_of(alice)
    assert "Clear-Site-Data" not in browser.get(reverse("account_logout"))
    answer = browser.post(reverse("account_logout"))
    assert answer["Clear-Site-Data"] == '"storage"'
    assert answer.status_code == 302
