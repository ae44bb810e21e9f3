"""The front page: what is new for a player, and what everybody sees."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from cachetools import TTLCache
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from league.models import (
    Arena,
    ArenaDay,
    Arrangement,
    FinalStanding,
    Follow,
    LeagueSettings,
    Match,
    Notice,
    Player,
    Rating,
    Season,
    Standing,
    StandingDay,
    StandingDayRanks,
    TeamInvitation,
    Visit,
)
from league.services.following.blocks import block
from league.services.home import front, leading, since, visits
from league.services.home.since import results_of_followed
from league.services.results.forecasts import suggestions
from league.services.results.forecasts.candidates import Suggestion
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from league.services.results.reports.reporting import report
from league.services.site import frame
from league.services.standings.days import TOGETHER
from league.services.standings.leaderboards import player_rows
from league.services.teams import inviting
from league.services.teams.founding import found
from tests.support.cast import NOW, arena, beats, put_in_order, side
from tests.support.team_steps import COLOURS, club, meet, team_arena
from tests.support.web_steps import browser_of, words

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def wins(winner: Player, loser: Player, arena: Arena) -> None:
    now = timezone.now()
    confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)
    put_in_order()


def last_visited(player: Player, ago: timedelta) -> None:
    """Let a player's latest visit lie so long ago."""
    Visit.objects.filter(player=player).update(seen_at=timezone.now() - ago)


@pytest.fixture
def front_cache(settings: Settings) -> Iterator[None]:
    """Keep the front page and suggestions as a running site does."""
    settings.FRONT_KEPT_FOR = 60
    front._kept = front.Front()
    suggestions._kept.clear()
    yield
    front._kept = front.Front()
    suggestions._kept.clear()


def test_alice_reads_who_overtook_her_and_whom_to_beat_to_return(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    wins(alice, charlie, duel)
    wins(bob, charlie, duel)
    wins(alice, bob, duel)
    browser = browser_of(alice)
    assert "What is new" in words(browser.get("/"))
    last_visited(alice, 2 * HOUR)
    assert "Nobody has overtaken you since" in words(browser.get("/"))
    wins(bob, alice, duel)
    last_visited(alice, 2 * HOUR)
    page = words(browser.get("/"))
    assert "Since your last visit" in page
    assert "Bob overtook you in Duel. A win against Bob puts you ahead again." in page
    assert page.count("overtook you") == 1
    assert "overtook you" in words(browser.get("/")), "the visit goes on"
    last_visited(alice, 2 * HOUR)
    assert "overtook you" not in words(browser.get("/")), "she has read it"


def test_a_visit_lasts_until_a_pause_of_half_an_hour(alice: Player) -> None:
    first = visits.note_visit(alice, [], NOW)
    assert first.before is None
    again = visits.note_visit(alice, [], NOW + 29 * MINUTE)
    assert (again.before, again.seen_at) == (None, NOW + 29 * MINUTE)
    later = visits.note_visit(alice, [], NOW + 3 * HOUR)
    assert later.before == NOW + 29 * MINUTE
    stored = Visit.objects.get()
    assert (stored.before, stored.seen_at) == (later.before, NOW + 3 * HOUR)


def test_within_five_minutes_a_visit_is_not_written_again(
    alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    visits.note_visit(alice, [], NOW)
    with django_assert_num_queries(1):
        visits.note_visit(alice, [], NOW + 4 * MINUTE)


def test_home_suggests_opponents_and_says_when_they_will_come(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    assert "After your first rated match" in words(browser_of(alice).get("/"))
    wins(alice, charlie, duel)
    page = words(browser_of(alice).get("/")).partition("Who should you play?")[2]
    assert page.index("Charlie") < page.index("Your expected result")
    assert "Won 1, drawn 0, lost 0 against them" in page


def test_no_button_leads_to_somebody_without_an_account(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    wins(alice, charlie, duel)
    assert "Report a result against Charlie" in whom_to_play(browser_of(alice))
    Player.objects.filter(pk=charlie.pk).update(user=None)
    page = whom_to_play(browser_of(alice))
    assert "against Charlie" not in page
    assert "Charlie has no account, so only organisers can enter your matches." in page


def test_home_suggests_rosters_where_teams_meet(db: None, duel: Arena) -> None:
    clubs = team_arena()
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes & Co", "FOX")
    meet(owls, foxes)
    put_in_order()
    browser = browser_of(owls.captain)
    answer = browser.get("/")
    page = words(answer).partition("Who should you play?")[2].partition("Arenas")[0]
    assert page.startswith(" Clubs with Owls Foxes & Co an even match Your expected result: 63 %")
    assert "Won 1, drawn 0, lost 0 against them" in page
    address = "/arenas/clubs/what-if/?sides=Owls&amp;sides=Foxes%20%26%20Co"
    assert address in answer.text
    assert "Owls wins" in words(browser.get(address.replace("&amp;", "&")))
    owls.memberships.all().delete()
    assert "There is nobody to suggest right now" in words(browser.get("/"))
    wins(owls.captain, foxes.captain, duel)
    Rating.objects.filter(season=duel.seasons.get()).update(last_played_at=NOW - DAY)
    assert "Foxes & Co one" in whom_to_play(browser), (
        "where they have no roster any more, duels take its place"
    )


@pytest.mark.usefixtures("front_cache")
def test_kept_suggestions_leave_out_whom_a_block_has_parted_since(
    duel: Arena, alice: Player, bob: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggestions, "_kept", Watched(suggestions.KEPT, suggestions.SECONDS))
    for loser in (bob, charlie):
        wins(alice, loser, duel)
    browser = browser_of(alice)
    assert "Bob" in whom_to_play(browser)
    block(bob, alice, now=NOW)
    assert "Bob" not in whom_to_play(browser)
    assert "Charlie" in whom_to_play(browser)
    assert len(suggestions._kept) == 1


def whom_to_play(browser: Client) -> str:
    return words(browser.get("/")).partition("Who should you play?")[2].partition("Arenas")[0]


class Watched(TTLCache[tuple[object, ...], list[Suggestion]]):
    """Fails where threads could change it at the same time."""

    def get(self, *key: Any) -> Any:
        assert suggestions._lock.locked()
        return super().get(*key)

    def __setitem__(self, *item: Any) -> None:
        assert suggestions._lock.locked()
        super().__setitem__(*item)


def test_home_and_the_bar_count_invitations_to_teams(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    now = timezone.now()
    team = found("Night Owls", "OWL", COLOURS, by=charlie, now=now)
    invitation = inviting.invite(team, alice, by=charlie, now=now)
    Notice.objects.update(seen_at=now)
    browser = browser_of(alice)
    page = words(browser.get("/"))
    assert "1 invitation to a team" in page
    assert "1 team invites you." in page
    assert "up to date" not in page
    TeamInvitation.objects.filter(pk=invitation.pk).update(expires_at=now)
    assert "Nothing waits for you." in words(browser.get("/"))


def test_decay_is_announced_a_week_ahead(duel: Arena, alice: Player, charlie: Player) -> None:
    wins(alice, charlie, duel)
    season = duel.seasons.get()
    season.rules = {**season.rules, "decay": {"points": 10, "grace_period": "14d"}}
    rows = player_rows(alice, [season], now=timezone.now())
    running = {season.pk: season}
    assert not since.decaying(running, rows, timezone.now())
    soon = since.decaying(running, rows, timezone.now() + 8 * DAY)
    assert [round((one.starts_in or DAY) / DAY) for one in soon] == [6]
    late = since.decaying(running, rows, timezone.now() + 15 * DAY)
    assert [one.starts_in for one in late] == [None]
    assert "Your rating in Duel starts to decay in 5 days" in said_of(soon)
    assert "Your rating in Duel is decaying. A match stops it." in said_of(late)


def said_of(decaying: list[since.Decaying]) -> str:
    context = {"since": {"decaying": decaying}, "followed": []}
    return render_to_string("home/_since.html", context)


def test_results_of_the_followed_are_the_latest_played_among_those_that_count(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    now = timezone.now()
    for _each in range(6):
        wins(bob, charlie, duel)
    first, second, third, *later = Match.objects.order_by("pk")
    Match.objects.filter(pk__in=[one.pk for one in later]).update(kind=Match.Kind.FORFEIT)
    for at, match in enumerate((second, third, first)):
        Match.objects.filter(pk=match.pk).update(played_at=now - at * MINUTE)
    Follow.objects.create(player=alice, followed=bob, since=NOW)
    found = results_of_followed(alice, {first.season_id: first.season}, since=now - DAY)
    assert [one.match.pk for one in found] == [second.pk, third.pk, first.pk]


def test_a_result_of_many_names_the_followed(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    now = timezone.now()
    sides = [side(player, place=place) for place, player in enumerate((alice, charlie, bob))]
    match = report(melee, sides, reporter=alice, played_at=now, now=now)
    for player in (bob, charlie):
        confirm(match.pk, by=player, now=now)
    Follow.objects.create(player=alice, followed=bob, since=NOW)
    page = words(browser_of(alice).get("/"))
    assert "Players and teams you follow Bob 1st Alice" in page
    old = now - 10 * DAY
    Match.objects.filter(pk=match.pk).update(played_at=old)
    assert "you follow" not in words(browser_of(alice).get("/")), "it was imported"


def test_an_arena_between_seasons_shows_its_last_champions(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    Season.objects.update(ends_at=NOW, archived_at=NOW)
    season = duel.seasons.get()
    for place, player in enumerate([charlie, alice], 1):
        FinalStanding.objects.create(
            season=season,
            position=place,
            rank=place,
            percentile=50,
            player=player,
            name=player.name,
            rating=1600 - place,
            games=1,
            wins=0,
            draws=0,
            losses=0,
            streak=0,
        )
    page = words(Client().get("/"))
    assert "Season 1 is over" in page
    assert "Champion: Charlie 1599" in page
    assert "No results yet" not in page


def test_visitors_see_live_matches_and_agreed_dates(
    duel: Arena, alice: Player, charlie: Player, bob: Player, dora: Player
) -> None:
    Arrangement.objects.create(
        arena=duel,
        proposer=bob,
        opponent=dora,
        play_at=timezone.now() + DAY,
        created_at=NOW,
        accepted_at=NOW,
        answered_at=NOW,
        state=Arrangement.State.ACCEPTED,
        asked=dora,
    )
    page = words(Client().get("/"))
    assert "Next matches Times in UTC Schedule Bob against Dora" in page
    assert "Live now" not in page
    start(
        duel,
        [StartingSide(player, [player]) for player in (alice, charlie)],
        now=timezone.now(),
    )
    live = words(Client().get("/")).partition("Live now")[2]
    assert live.index("Alice against Charlie") < live.index("Next matches")


def test_who_climbed_within_a_week_is_a_mover(duel: Arena, alice: Player, charlie: Player) -> None:
    season = duel.seasons.get()
    Rating.objects.bulk_create(
        Rating(season=season, player=player, games=3, rating=1500, outcome=1, streak=streak)
        for player, streak in ((alice, 5), (charlie, 2))
    )
    Standing.objects.filter(season_id=season.pk).delete()
    Standing.objects.bulk_create(
        Standing(season_id=season.pk, player_id=player.pk, key=key, active=True, decaying=0)
        for key, player in ((-1600, alice), (-1500, charlie))
    )
    ranks = [0] * TOGETHER
    ranks[alice.pk % TOGETHER], ranks[charlie.pk % TOGETHER] = 7, 1
    StandingDay.objects.create(season_id=season.pk, day=(NOW - 6 * DAY).date(), noted_at=NOW)
    StandingDayRanks.objects.create(
        season_id=season.pk,
        day=(NOW - 6 * DAY).date(),
        chunk=alice.pk // TOGETHER,
        ranks=b"".join(rank.to_bytes(4, "big") for rank in ranks),
    )
    read = leading.read_leading([season], NOW)
    assert [(one.name, one.climbed) for one in leading.movers_in(read)] == [("Alice", 6)]
    assert [(str(one.label), one.holder.name, one.value) for one in leading.records_in(read)] == [
        ("Wins in a row", "Alice", 5),
        ("Matches this season", "Alice", 3),
    ]
    assert not leading.movers_in(leading.read_leading([season], NOW + 9 * DAY))
    page = words(Client().get("/")).partition("Records")[2]
    assert page.startswith(" In the top 100 of each running season Wins in a row: Alice")


def make_arena(name: str) -> Arena:
    made = arena(name.lower())
    made.name = name
    made.save(update_fields=["name"])
    return made


def test_arenas_come_by_activity_and_quiet_ones_last_and_small(
    duel: Arena, alice: Player, bob: Player
) -> None:
    for name in ("Aikido", "Zither"):
        make_arena(name)
    soon = make_arena("Boccia")
    soon.seasons.update(starts_at=timezone.now() + 3 * DAY, opened_at=None)
    wins(alice, bob, Arena.objects.get(slug="zither"))
    wins(alice, bob, duel)
    ArenaDay.objects.update_or_create(
        arena=Arena.objects.get(slug="zither"), day=timezone.now().date(), defaults={"matches": 9}
    )
    entries = front.read(timezone.now()).arenas
    assert [entry.arena.name for entry in entries] == ["Zither", "Duel", "Aikido", "Boccia"]
    page = words(Client().get("/"))
    assert "9 matches in two weeks" in page
    assert "Aikido Season 1 · nobody is ranked now" in page
    assert re.search(r"Boccia starts on \d", page)


def test_the_league_says_what_it_is(duel: Arena, olga: Player) -> None:
    LeagueSettings.objects.create(name="Harbour league", about="Table tennis, Tuesdays at eight.")
    frame.forget()
    page = Client().get("/").content.decode()
    assert '<meta name="description" content="Table tennis, Tuesdays at eight.">' in page
    assert "<h1>Harbour league</h1>" in page


def test_everyone_whom_a_player_follows_is_listed_at_home(
    duel: Arena, alice: Player, bob: Player
) -> None:
    owls = found("Night Owls", "OWL", COLOURS, by=bob, now=NOW)
    for whom in ({"followed": bob}, {"team": owls}):
        Follow.objects.create(player=alice, since=NOW, **whom)
    page = browser_of(alice).get("/")
    assert "You follow Bob Night Owls" in words(page)
    assert owls.get_absolute_url() in page.content.decode()
    assert "You follow" not in words(browser_of(bob).get("/"))
