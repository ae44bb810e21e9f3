"""Pictures of pages, feeds, embedded parts, oEmbed and the site map."""

from datetime import timedelta
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from PIL import Image

from league.models import Arena, Match, Player
from league.services.competitions import pages, progress
from league.services.core.clock import database_now
from league.services.results.records import profiles
from league.services.results.records.lines import in_lines
from league.services.results.reports.answers import confirm
from league.services.teams import pictures, rating
from league.services.teams.pages import records_of
from league.web.sharing import cards, drawing, sitemaps
from tests.support.cast import NOW, account, arena, beats
from tests.support.competition_steps import begun, date_of, play, sides_of
from tests.support.pictures import upload
from tests.support.standing_steps import rated
from tests.support.team_steps import club, meet, team_arena
from tests.support.web_steps import browser_of, words

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def rated_match(duel: Arena, alice: Player, bob: Player) -> Match:
    match = confirm(beats(alice, bob, duel).pk, by=bob, now=NOW)
    rated(alice, duel, 1500)
    return match


def opened(address: str, **query: Any) -> Any:
    answer = Client().get(address, query)
    assert answer.status_code == 200
    return answer


def texts(answer: Any, path: str) -> list[str]:
    return [found.text or "" for found in ET.fromstring(answer.content).iterfind(path)]  # noqa: S314 - our own


def card_of(player: Player) -> cards.Card:
    played = next(iter(profiles.seasons_played(player)), None)
    return cards.of_player(player, played, database_now())


def test_a_feed_has_the_latest_results(rated_match: Match, duel: Arena, alice: Player) -> None:
    for address in (
        reverse("arena_feed", args=[duel.slug]),
        reverse("player_feed", args=[alice.pk]),
    ):
        answer = opened(address)
        assert answer["Content-Type"].startswith("application/atom+xml")
        assert texts(answer, f"{ATOM}entry/{ATOM}title") == ["Alice beat Bob"]
        (link,) = ET.fromstring(answer.content).iterfind(f"{ATOM}entry/{ATOM}link")  # noqa: S314
        assert link.get("href", "").endswith(rated_match.get_absolute_url())


def test_what_nobody_played_is_no_result(rated_match: Match, alice: Player) -> None:
    Match.objects.filter(pk=rated_match.pk).update(kind="forfeit")
    answer = opened(reverse("player_feed", args=[alice.pk]))
    assert not texts(answer, f"{ATOM}entry/{ATOM}title")
    assert Client().get(reverse("match_picture", args=[rated_match.pk])).status_code == 404


def test_drafts_and_arenas_before_their_first_season_are_not_shared(duel: Arena) -> None:
    draft = Arena.objects.create(name="Draft", slug="draft", is_draft=True)
    early = Arena.objects.create(name="Early", slug="early")
    for one in (draft, early):
        for name in ("board_picture", "embed_board"):
            assert Client().get(reverse(name, args=[one.slug])).status_code == 404
        asked = Client().get("/oembed/", {"url": settings.SITE_URL + one.get_absolute_url()})
        assert (asked.status_code, asked["Content-Type"]) == (404, "application/json")
    assert Client().get(reverse("arena_feed", args=["draft"])).status_code == 404
    assert "og:image" not in opened(early.get_absolute_url()).content.decode()


def listed(section: str, pk: int) -> list[str]:
    """Return the addresses in the file that the row with this id belongs to."""
    file = (pk - 1) // sitemaps.Pages.limit + 1
    return texts(opened(f"/sitemap-{section}.xml", p=file), f"{MAP}url/{MAP}loc")


def test_the_map_lists_the_pages_of_the_site(rated_match: Match, alice: Player) -> None:
    Arena.objects.create(name="Draft", slug="draft", is_draft=True)
    index = texts(opened("/sitemap.xml"), f"{MAP}sitemap/{MAP}loc")
    assert {one.rpartition("/")[2].partition("?")[0] for one in index} == {
        f"sitemap-{name}.xml" for name in ("arenas", "players", "teams", "competitions")
    }
    part = sitemaps.ByNumber(Player.objects.order_by("pk"), 1)
    last = Player.objects.latest("pk").pk
    assert part.num_pages == last
    assert [one.pk for one in part.page(last).object_list] == [last]
    assert any(one.endswith(alice.get_absolute_url()) for one in listed("players", alice.pk))
    (only,) = listed("arenas", rated_match.arena_id)
    assert only.endswith(rated_match.arena.get_absolute_url())
    assert "/sitemap.xml" in opened("/robots.txt").content.decode()
    assert Client().get("/sitemap-secrets.xml").status_code == 404
    assert Client().get("/sitemap-players.xml", {"p": "x"}).status_code == 404


def test_a_card_says_what_the_page_says(rated_match: Match, duel: Arena, alice: Player) -> None:
    card = card_of(alice)
    assert card.title == "Alice"
    assert card.lines[0].startswith("1500 ± ")
    assert card.lines[1] == "Rank 1 · percentile 100 of 100"
    assert card.lines[2].startswith("1 won · ")
    assert cards.of_match(in_lines(Match.objects.all()).get()).title == "Alice beat Bob"
    assert card_of(account("Nobody")).lines == ()
    assert cards.of_board(rated_match.season, database_now()).title == "Duel"


def test_a_competition_is_drawn_with_its_table(duel: Arena, alice: Player, olga: Player) -> None:
    one = begun(duel, olga, [alice, olga])
    assert {row[1] for row in cards.of_competition(pages.load(one)).rows} == {"Alice", "Olga"}
    bracket = begun(arena("cup"), olga, [alice, olga], "single")
    shown = cards.of_competition(pages.load(bracket))
    assert shown.heading.endswith(" · Final")
    assert [(name, score) for _place, name, score in shown.rows] in (
        [("Alice against Olga", "")],
        [("Olga against Alice", "")],
    )


def test_a_bracket_is_drawn_with_the_round_that_is_played(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], "single")
    assert cards.of_competition(pages.load(one)).heading.endswith(" · Semi-finals")
    Player.objects.filter(pk=alice.pk).update(is_unlisted=True)
    first, second = one.fixtures.with_sides().filter(home__isnull=False, away__isnull=False)
    play(first, sides_of(first)[0].player)
    shown = cards.of_competition(pages.load(one))
    assert sorted(score for _place, _name, score in shown.rows) == ["", "1–0"]
    assert "Alice" not in str(shown)
    assert "Unlisted player" in str(shown)
    play(second, sides_of(second)[0].player)
    progress.sweep(date_of(second).play_at + timedelta(hours=1))
    assert cards.of_competition(pages.load(one)).heading.endswith(" · Final")


def test_a_team_is_drawn_with_its_picture_rating_and_record(db: None) -> None:
    clubs = team_arena(rate=True)
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    team = owls.team
    assert team
    address = reverse("team_card", args=[team.pk])
    assert cards.of_team(team, records_of(team), b"") == cards.Card("", "Owls [OWL]")
    bare = opened(address).content
    meet(owls, foxes)
    rating.refresh_all(NOW)
    card = cards.of_team(team, records_of(team), b"")
    assert card.lines == ("1024", "1 won · 0 drawn · 0 lost")
    assert card.heading.startswith("Clubs · ")
    played = opened(address).content
    pictures.upload(team, upload(), by=owls.captain, now=NOW)
    assert len({bare, played, opened(address).content}) == 3
    tag = f'<meta property="og:image" content="{settings.SITE_URL}{address}">'
    assert tag in opened(team.get_absolute_url()).content.decode()
    assert Client().get(reverse("team_card", args=[10**9])).status_code == 404


def test_pictures_are_drawn_in_the_size_that_networks_ask_for(
    rated_match: Match, duel: Arena
) -> None:
    for name, key in (
        ("player_picture", rated_match.reported_by_id),
        ("match_picture", rated_match.pk),
        ("board_picture", duel.slug),
    ):
        answer = opened(reverse(name, args=[key]))
        image = Image.open(BytesIO(answer.content))
        assert (image.format, image.size) == ("PNG", (1200, 630))
        assert len(image.getcolors(2**20) or []) > 10, "something is written"
    assert Client().get(reverse("match_picture", args=[10**9])).status_code == 404


def test_long_names_are_shortened_and_unknown_letters_left_out() -> None:
    blank = drawing.png(cards.Card("", ""), "")
    assert drawing.png(cards.Card("", "\U0001ecb0"), "") == blank, "no font has it"
    assert drawing.png(cards.Card("", "Łódź Дмитрий Ωδ"), "") != blank
    for letter in "W王م":
        short = drawing.fit_text(letter * 200, 76, 1000, bold=True)
        assert short.endswith("…")
        assert 800 < drawing.length_of(short, 76, bold=True) <= 1000


def test_chinese_and_arabic_letters_are_drawn() -> None:
    drawn = {
        drawing.png(cards.Card("", title), "") for title in ("", "王伟", "محمد", "王伟 – Łukasz 3")
    }
    assert len(drawn) == 4
    joined, apart = (drawing.length_of(text, 76) for text in ("ببب", "ب\u200cب\u200cب"))
    assert joined < 0.9 * apart, "Arabic letters are joined"
    latin, both = (drawing.parts_of(text, bold=False) for text in ("Elo 1500", "王 Elo"))
    assert latin == [("Elo 1500", 0)]
    assert "".join(part for part, _number in both) == "王 Elo"
    assert len({number for _part, number in both}) == 2


def test_names_without_a_font_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    forget = drawing.png, drawing.font, drawing.has
    monkeypatch.setattr(drawing, "FURTHER", (("none.ttf", "none.ttf"),) * 2)
    for kept in forget:
        kept.cache_clear()
    assert drawing.png(cards.Card("", "王伟"), "") == drawing.png(cards.Card("", ""), "")
    for kept in forget:
        kept.cache_clear()


def test_only_embedded_parts_can_be_framed(rated_match: Match, duel: Arena, alice: Player) -> None:
    page = Client().get(alice.get_absolute_url())
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"
    for address, text in (
        (reverse("embed_board", args=[duel.slug]), "Alice"),
        (reverse("embed_player", args=[alice.pk]), "1 won"),
    ):
        answer = browser_of(alice).get(address)
        assert text in words(answer)
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert not answer.cookies


def test_pages_tell_others_how_to_show_and_embed_them(rated_match: Match, alice: Player) -> None:
    page = opened(alice.get_absolute_url()).content.decode()
    picture = reverse("player_picture", args=[alice.pk])
    assert f'<meta property="og:image" content="{settings.SITE_URL}{picture}">' in page
    assert reverse("player_feed", args=[alice.pk]) in page
    told = opened(
        "/oembed/",
        url=f"{settings.SITE_URL}{alice.get_absolute_url()}",
        maxwidth=300,
        maxheight=150,
    )
    answer = told.json()
    assert (answer["type"], answer["title"]) == ("rich", "Alice")
    assert (answer["width"], answer["height"]) == (300, 150)
    assert f"{settings.SITE_URL}{reverse('embed_player', args=[alice.pk])}" in answer["html"]
    assert 'content="Alice beat Bob"' in opened(rated_match.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 404),
        ({"url": "https://elsewhere.example/players/1/"}, 404),
        ({"url": f"{settings.SITE_URL}/settings/"}, 404),
        ({"url": f"{settings.SITE_URL}/players/999999999/"}, 404),
        ({"url": "http://["}, 404),
        ({"url": f"{settings.SITE_URL}/", "format": "xml"}, 501),
    ],
)
def test_addresses_without_a_part_are_refused(query: dict[str, str], status: int) -> None:
    assert Client().get("/oembed/", query).status_code == status


def test_a_name_cannot_break_out_of_the_tags(rated_match: Match, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(name='"><script>')
    page = opened(alice.get_absolute_url()).content.decode()
    assert "&quot;&gt;&lt;script&gt;" in page
    assert '"><script>' not in page
