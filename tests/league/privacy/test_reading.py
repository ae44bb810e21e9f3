"""Players who hide their match history or are unlisted, on every way out."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache, caches
from django.test import Client

from league.models import Arena, Match, Player, User
from league.services.following.follows import follow
from league.services.home.since import results_of_followed
from league.services.people.roles import give
from league.services.privacy.reading import reads_history, set_privacy
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, arena, beats, put_in_order
from tests.support.permission_asking import ask
from tests.support.permission_roles import World, build_world, fields_in
from tests.support.permission_walk import OURS, address_of
from tests.support.web_steps import browser_of, words

DAY = timedelta(days=1)
URL = "/players/"

NAME = "Zorobabel"
"""A name that is part of nothing else on the site."""
STILL_NAMED = {
    "ranks": {
        "home",
        "arenas",
        "arena",
        "leaderboard",
        "session",
        "api:leaderboard",
        "challenges",
    },
    "single results, and agreed dates": {
        "match",
        "api:match",
        "api:matches",
        "league_results",
        "notice_answer",
        "player_against",
        "live",
        "arena_live",
        "api:live",
        "api:live-matches",
        "challenge",
        "dates",
        "date",
        "date_calendar",
        "api:dates",
        "own_calendar",
        "schedule",
    },
    "competitions, rosters and teams": {
        "fixture",
        "api:entrants",
        "api:rosters",
        "team",
        "api:team",
    },
    "dealings with the reader": {
        "inbox",
        "api:notices",
        "waiting",
        "rosters",
        "api:invitations",
        "my_teams",
        "api:my-team-invitations",
        "team_join",
        "match_player_report",
    },
    "addresses of their own": {
        "player",
        "api:player",
        "player_compare",
        "player_block",
        "player_report",
    },
}
"""Where a stranger still reads the name of an unlisted player."""
OWN_PAGES = ("player", "player_compare", "player_against", "api:player", "api:player-ratings")
"""Pages about a player that stay, without any of their matches."""
CLOSED = (
    "player_points",
    "player_records",
    "player_matches",
    "player_feed",
    "embed_player",
    "player_picture",
    "api:rating-history",
    "api:player-points",
    "api:player-records",
    "api:player-compare",
    "api:player-against",
)
"""Those that are closed to strangers."""


def walked(world: World, client: Client) -> dict[str, str]:
    """Return what a client reads of every page and API route, by route."""
    cache.clear()
    caches["pages"].clear()
    found: dict[str, str] = {}
    for row in OURS:
        if row.method != "GET":
            continue
        answer = ask(client, "GET", address_of(row, world), fields_in(world, row.query))
        if answer.status_code == 200:
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            found[row.route] = found.get(row.route, "") + content.decode(errors="replace")
    return found


def matches_on(text: str) -> set[str]:
    """Return the numbers of the matches that a page or an answer links to."""
    return set(re.findall(r"/matches/(\d+)/", text)) | set(re.findall(r'"match":\s*(\d+)', text))


def test_no_route_leads_strangers_to_a_hidden_players_matches_or_finds_them_unlisted() -> None:
    world = build_world()
    Player.objects.filter(pk=world.alice.pk).update(name=NAME, folded_name=NAME.lower())
    put_in_order()
    shown = walked(world, Client())
    assert shown.keys() >= {*OWN_PAGES, *CLOSED}
    assert matches_on(shown["player"])
    assert NAME in shown["search"]
    set_privacy(world.alice, hides_history=True, is_unlisted=True)
    expected = {name for names in STILL_NAMED.values() for name in names}
    found = set()
    for reader in (Client(), browser_of(world.eve)):
        read = walked(world, reader)
        found |= {route for route, text in read.items() if NAME in text}
        assert not read.keys() & {*CLOSED}
        assert not any(matches_on(read[route]) for route in OWN_PAGES)
    assert found == expected
    for reader in (browser_of(world.alice), browser_of(world.olga)):
        own = reader.get(f"{URL}{world.alice.pk}/").content.decode()
        assert matches_on(own) >= matches_on(shown["player"])
        assert reader.get(f"{URL}{world.alice.pk}/matches/").status_code == 200


@pytest.fixture
def hidden_player(duel: Arena, alice: Player, charlie: Player, eve: Player) -> Player:
    """Alice has beaten Charlie and Eve, and hides it."""
    for loser in (charlie, eve):
        confirm(beats(alice, loser, duel).pk, by=loser, now=NOW)
    put_in_order()
    set_privacy(alice, hides_history=True, is_unlisted=False)
    return Player.objects.get(pk=alice.pk)


def test_opponents_see_their_own_matches_with_a_hidden_player(
    hidden_player: Player, charlie: Player, bob: Player
) -> None:
    together = f"/players/{charlie.pk}/against/{hidden_player.pk}/"
    assert "Alice hides their match history." in words(
        browser_of(charlie).get(f"{URL}{hidden_player.pk}/")
    )
    assert "Alice leads by 1 win" in words(browser_of(charlie).get(together))
    assert "Rating of several players" not in words(browser_of(charlie).get(together))
    stranger = words(browser_of(bob).get(together))
    assert "Only the two players and staff see their matches together." in stranger
    assert "leads by" not in stranger
    assert matches_on(browser_of(charlie).get(f"{URL}{charlie.pk}/").content.decode())


def test_what_a_hidden_player_keeps_is_what_leaderboards_show(hidden_player: Player) -> None:
    page = words(Client().get(f"{URL}{hidden_player.pk}/"))
    assert "Won, drawn, lost 2 · 0 · 0" in page
    assert "Form" not in page
    assert "Most frequent opponents" not in page
    own = words(browser_of(hidden_player).get(f"{URL}{hidden_player.pk}/"))
    assert "Only you and staff see your match history here." in own
    assert "Most frequent opponents" in own


def test_programs_and_curves_are_refused_with_a_reason(
    hidden_player: Player, charlie: Player, eve: Player, duel: Arena
) -> None:
    for address in (
        f"/api/v1/players/{hidden_player.pk}/rating-history/",
        f"/api/v1/matches/?player={hidden_player.pk}",
    ):
        answer = Client().get(address)
        assert answer.status_code == 403
        assert "Alice hides their match history." in answer.content.decode()
        assert browser_of(hidden_player).get(address).status_code == 200
    compared = Client().get(f"{URL}{charlie.pk}/compare/", {"with": "Eve\nAlice"})
    assert compared.status_code == 403
    assert "Alice hides their match history, so their ratings cannot be compared." in words(
        compared
    )
    assert "Rating of several players" not in words(compared)


def test_followers_do_not_read_the_results_of_a_hidden_player(
    hidden_player: Player, charlie: Player, bob: Player
) -> None:
    follow(bob, hidden_player, now=NOW)
    season = Match.objects.latest("pk").season
    seasons = {season.pk: season}
    assert not results_of_followed(bob, seasons, since=NOW - DAY)
    set_privacy(hidden_player, hides_history=False, is_unlisted=False)
    assert len(results_of_followed(bob, seasons, since=NOW - DAY)) == 2


def test_staff_read_what_is_hidden_where_they_are_staff(
    hidden_player: Player, olga: Player
) -> None:
    season = Match.objects.latest("pk").season
    frank = account("Frank").user
    assert frank
    assert not reads_history(hidden_player, frank)
    give(frank, ["moderator"], [])
    assert reads_history(hidden_player, User.objects.get(pk=frank.pk))
    organiser = account("Oscar").user
    assert organiser
    give(organiser, ["arena_organiser"], [arena("melee")])
    assert not reads_history(hidden_player, User.objects.get(pk=organiser.pk), season)
    give(organiser, ["arena_organiser"], [season.arena])
    organiser = User.objects.get(pk=organiser.pk)
    assert reads_history(hidden_player, organiser, season)
    assert not reads_history(hidden_player, organiser), "in all arenas"


def test_an_unlisted_player_is_found_by_their_full_name_only(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    set_privacy(alice, hides_history=False, is_unlisted=True)
    me = browser_of(charlie)
    for address in (
        "/search/?q=ali",
        "/players/?q=ali",
        f"/arenas/{duel.slug}/leaderboard/?q=ali",
        f"/arenas/{duel.slug}/opponents/?opponent=ali",
        "/api/v1/players/?search=ali",
        "/sitemap-players.xml",
    ):
        answer = me.get(address)
        assert answer.status_code == 200
        assert "Alice" not in words(answer).replace("Charlie", ""), address
        assert f"/players/{alice.pk}/" not in answer.content.decode(), address
    form = me.get(f"/arenas/{duel.slug}/report/", {"opponent": "alice"})
    assert "Alice" in words(form)
    page = me.get(f"{URL}{alice.pk}/").content.decode()
    assert '<meta name="robots" content="noindex">' in page
    assert "og:image" not in page
    wrong = me.get(f"/arenas/{duel.slug}/report/", {"opponent": "alicf"})
    assert "Did you mean" not in words(wrong)


def test_alice_chooses_her_privacy(alice: Player) -> None:
    browser = browser_of(alice)
    saved = browser.post("/settings/privacy/", {"hides_history": "on"}, follow=True)
    assert "Your privacy settings are saved." in words(saved)
    shown = Player.objects.get(pk=alice.pk)
    assert (shown.hides_history, shown.is_unlisted) == (True, False)
    browser.post("/settings/privacy/", {"is_unlisted": "on"})
    shown.refresh_from_db()
    assert (shown.hides_history, shown.is_unlisted) == (False, True)
