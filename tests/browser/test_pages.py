"""Every page is accessible, fits a phone, works in dark mode and makes no foreign requests."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, cast

import pytest
from django.utils import timezone

from league.models import Format, Match, Player
from league.services.core.clock import database_now
from league.services.dates.answers import accept
from league.services.dates.changing import ask_to_move
from league.services.dates.no_shows import claim
from league.services.dates.proposals import propose
from league.services.dates.threads import write as write_about_date
from league.services.ladder.challenges import challenge
from league.services.ladder.deadlines import sweep
from league.services.people.invitations import invite
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.changing import change
from league.services.results.reports.countering import counter
from league.services.results.reports.live import Finish, StartingSide, start
from league.services.results.reports.reporting import report
from league.services.results.staff.objections import object_to
from league.services.results.staff.threads import write
from league.services.seasons.ending import freeze
from league.services.teams import inviting, membership
from league.services.teams.rosters import line_up
from tests.support.axe import COLOURS, EVERYTHING, violations
from tests.support.cast import NOW, RANKED_AT_ONCE, account, arena, beats, put_in_order, side
from tests.support.team_steps import joined, team_of

if TYPE_CHECKING:
    from league.models import Arena, Arrangement, Roster, Season, User
    from tests.browser.conftest import House


pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


FOR_ALL = [
    "/",
    "/arenas/duel/",
    "/arenas/duel/how-it-works/",
    "/arenas/ladder/how-it-works/",
    "/arenas/duel/leaderboard/",
    "/arenas/teams/leaderboard/",
    "/arenas/duel/leaderboard/?q=nobody",
    "/players/",
    "/players/?q=a",
    "/players/{alice}/",
    "/players/{olga}/",
    "/players/{alice}/records/",
    "/players/{alice}/matches/",
    "/players/{alice}/compare/?with=charlie",
    "/players/{alice}/against/{charlie}/",
    "/arenas/duel/what-if/?sides=alice&sides=charlie",
    "/teams/",
    "/teams/{team}/",
    "/matches/{rated}/",
    "/matches/{disputed}/",
    "/matches/{objected}/",
    "/matches/{contest}/",
    "/matches/{climbed}/",
    "/arenas/ladder/leaderboard/",
    "/arenas/ladder/challenges/",
    "/matches/{cost}/",
    "/players/{alice}/?arena=ladder",
    "/arenas/duel/dates/",
    "/arenas/duel/dates/{agreed}/",
    "/arenas/ladder/seasons/",
    "/seasons/{archive}/",
    "/seasons/{archive}/points/",
    "/arenas/old/points/?season={archive}",
    "/players/{charlie}/points/{archive}/",
    "/matches/{pointed}/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]


FOR_CHARLIE = [
    "/",
    "/welcome/?arena=duel",
    "/search/?q=a",
    "/settings/following/",
    "/settings/data/",
    "/settings/tokens/",
    "/players/{alice}/block/",
    "/arenas/duel/what-if/",
    "/arenas/duel/",
    "/arenas/duel/how-it-works/",
    "/arenas/old/how-it-works/?season={archive}",
    "/arenas/duel/leaderboard/",
    "/arenas/duel/report/",
    "/arenas/duel/report/?opponent=Alice",
    "/arenas/teams/report/",
    "/arenas/teams/report/?opponent=Owls&roster={foxes}",
    "/arenas/melee/report/",
    "/arenas/melee/report/?opponent=Alice%0ABob",
    "/arenas/melee/report/order/",
    "/arenas/ladder/leaderboard/",
    "/arenas/ladder/challenges/",
    "/arenas/duel/dates/",
    "/arenas/duel/dates/new/",
    "/arenas/teams/dates/new/",
    "/arenas/duel/dates/{asked}/",
    "/arenas/duel/dates/{agreed}/",
    "/arenas/duel/dates/{agreed}/report/",
    "/arenas/duel/dates/{moving}/",
    "/arenas/duel/dates/{coming}/",
    "/arenas/teams/dates/{waited}/",
    "/arenas/teams/rosters/",
    "/arenas/teams/rosters/new/",
    "/arenas/teams/rosters/{foxes}/",
    "/teams/mine/",
    "/teams/new/",
    "/teams/{team}/",
    "/teams/{team}/edit/",
    "/teams/{team}/manage/",
    "/teams/{team}/rosters/new/",
    "/teams/{team}/rosters/{lined_up}/",
    "/matches/waiting/",
    "/matches/{reported}/",
    "/matches/{reported}/counter/",
    "/matches/{countered}/",
    "/matches/{fresh}/",
    "/matches/{objected}/",
    "/matches/{mine}/change/",
    "/matches/{brawl}/",
    "/matches/{live}/report/",
    "/players/{charlie}/",
    "/players/{charlie}/?arena=contest",
    "/matches/{contest}/?page=2",
    "/settings/",
    "/settings/dishonor/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/accounts/3rdparty/",
    "/accounts/logout/",
]


FOR_OLGA = [
    "/matches/{disputed}/decide/",
    "/matches/{countered}/decide/",
    "/matches/{objected}/correct/",
    "/arenas/duel/enter/",
    "/settings/",
]


@pytest.fixture
def places(
    duel: Arena,
    melee: Arena,
    owls: Roster,
    foxes: Roster,
    alice: Player,
    charlie: Player,
    olga: Player,
) -> dict[str, int]:
    """Create a league with content on every page. Return the ids in its URLs."""
    rated = [beats(alice, charlie, duel, now=NOW) for _ in range(3)]
    for match in rated:
        confirm(match.pk, by=charlie, now=NOW)
    ladder = arena("ladder", rating_system="ladder")
    for winner, loser in ((charlie, alice), (alice, charlie)):
        climbed = confirm(beats(winner, loser, ladder).pk, by=loser, now=NOW)
    (dora,), (bob,) = (roster.members.exclude(pk=roster.captain_id) for roster in (foxes, owls))
    confirm(beats(bob, dora, ladder).pk, by=dora, now=NOW)
    ignored = challenge(ladder, charlie, by=dora, now=NOW)
    sweep(NOW + timedelta(days=5))
    challenge(ladder, charlie, by=dora, now=NOW + timedelta(days=8))
    invite(owls, [charlie], NOW)
    disputed = beats(alice, charlie, duel)
    dispute(disputed.pk, by=charlie, reason="It was a draw.", now=NOW)
    live = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    contest = contest_of_sixty(alice, charlie)
    fighters = [side(one, place=at) for at, one in enumerate((alice, bob, charlie, dora))]
    brawl = report(melee, fighters, reporter=alice, played_at=NOW, now=NOW)
    confirm(brawl.pk, by=bob, now=NOW)
    put_in_order()
    return {
        "alice": alice.pk,
        "charlie": charlie.pk,
        "olga": olga.pk,
        "owls": owls.pk,
        "foxes": foxes.pk,
        "rated": rated[0].pk,
        "disputed": disputed.pk,
        "reported": beats(alice, charlie, duel).pk,
        "live": live.pk,
        "countered": discussed(alice, charlie, duel).pk,
        "mine": beats(charlie, alice, duel, now=NOW + timedelta(days=9)).pk,
        **dates(duel, alice, charlie),
        **recent(alice, charlie, duel),
        **clubs(charlie, dora, bob, alice, foxes.arena),
        **changing_dates(duel, alice, charlie),
        "waited": in_vain(owls, foxes).pk,
        "contest": contest.pk,
        "brawl": brawl.pk,
        "climbed": climbed.pk,
        "cost": Match.objects.get(challenge=ignored).pk,
        "archive": archived(alice, charlie).pk,
        "pointed": Match.objects.filter(arena__slug="old").latest("pk").pk,
    }


def clubs(
    captain: Player, mate: Player, left: Player, guest: Player, where: Arena
) -> dict[str, int]:
    """Create a team with a roster, a past member, and an invitation and a link that are open."""
    team = joined(team_of(captain), mate, left)
    membership.leave(team, by=left, now=NOW)
    lined_up = line_up(team, where, "Night Owls", [captain, mate], captain, by=captain, now=NOW)
    now = database_now()
    inviting.invite(team, guest, by=captain, now=now)
    inviting.make_link(team, 3, by=captain, now=now)
    other = team_of(guest, "Evening Stars", "EVE")
    inviting.invite(other, captain, by=guest, now=now)
    return {"team": team.pk, "lined_up": lined_up.pk}


def dates(arena: Arena, alice: Player, charlie: Player) -> dict[str, int]:
    """Create a proposal to Charlie, and a date of an hour ago with a claimed no-show."""
    now = timezone.now()
    asked = propose(arena, charlie, now + timedelta(days=3), by=alice, now=now)
    yesterday = now - timedelta(days=1)
    agreed = propose(arena, charlie, now - timedelta(hours=1), by=alice, now=yesterday)
    accept(agreed.pk, by=charlie, seen=1, now=yesterday)
    claim(agreed.pk, by=alice, now=now)
    return {"asked": asked.pk, "agreed": agreed.pk}


def recent(winner: Player, loser: Player, arena: Arena) -> dict[str, int]:
    """Create a result of this moment, and another one that its loser objects to."""
    now = database_now()
    fresh, objected = (
        confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now) for _ in range(2)
    )
    object_to(objected.pk, by=loser, reason="It was a draw.", now=now)
    assert winner.user
    write(objected.pk, by=winner.user, player=winner, text="I won.", now=now)
    return {"fresh": fresh.pk, "objected": objected.pk}


def changing_dates(arena: Arena, alice: Player, charlie: Player) -> dict[str, int]:
    """Create a date that Alice asks Charlie to move, with a message, and one to change."""
    now = timezone.now()
    moving, coming = (
        propose(arena, charlie, now + timedelta(days=day), by=alice, now=now) for day in (4, 5)
    )
    for one in (moving, coming):
        accept(one.pk, by=charlie, seen=1, now=now)
    ask_to_move(moving.pk, now + timedelta(days=6), by=alice, seen=1, now=now)
    write_about_date(
        moving.pk, by=cast("User", alice.user), player=alice, text="Does it suit you?", now=now
    )
    return {"moving": moving.pk, "coming": coming.pk}


def in_vain(owls: Roster, foxes: Roster) -> Arrangement:
    """Create a date of an hour ago at which a roster waits for the other one."""
    now = timezone.now()
    yesterday = now - timedelta(days=1)
    one = propose(
        owls.arena,
        foxes.captain,
        now - timedelta(hours=1),
        by=owls.captain,
        now=yesterday,
        roster=owls,
        opponent_roster=foxes,
    )
    return accept(one.pk, by=foxes.captain, seen=1, now=yesterday)


def archived(winner: Player, loser: Player) -> Season:
    """Create a season with an archive."""
    old = arena("old", season_rules={**RANKED_AT_ONCE, "points": {"counts": True}})
    for _ in range(2):
        confirm(beats(winner, loser, old).pk, by=loser, now=NOW)
    season = old.seasons.get()
    season.ends_at = NOW + timedelta(days=1)
    season.save()
    assert freeze(season.pk, now=NOW + timedelta(days=5))
    return season


def discussed(opponent: Player, reporter: Player, arena: Arena) -> Match:
    """Create a dispute about two results, with messages."""
    now = database_now()
    match = beats(reporter, opponent, arena, now=now)
    match = change(match.pk, [Finish(0, 3), Finish(1, 0)], by=reporter, now=now)
    counter(match.pk, [(1, 2), (0, 3)], by=opponent, now=now, comment="Look.", revision=2)
    assert opponent.user
    link = "https://replays.example/" + "a-very-long-name-without-a-space-" * 9
    write(match.pk, by=opponent.user, player=opponent, text="Here it is.", link=link, now=now)
    return match


def contest_of_sixty(winner: Player, last: Player) -> Match:
    """Create a rated contest that fills two pages."""
    made = arena(
        "contest",
        format=Format.FREE_FOR_ALL,
        sides_max=100,
        rating_system="elo-mmr",
        result_rules={"quorum_share": 0, "quorum_least": 1},
    )
    others = [account(f"Runner {number}") for number in range(58)]
    sides = [side(one, place=at, score=60 - at) for at, one in enumerate([winner, *others, last])]
    match = report(made, sides, reporter=winner, played_at=NOW, now=NOW)
    return confirm(match.pk, by=last, now=NOW)


@pytest.mark.parametrize("who", ["anybody", "charlie", "olga"])
def test_every_page_is_accessible_in_light_and_dark_and_fits_a_phone(
    house: House, places: dict[str, int], charlie: Player, olga: Player, who: str
) -> None:
    player, paths = {
        "anybody": (None, FOR_ALL),
        "charlie": (charlie, FOR_CHARLIE),
        "olga": (olga, FOR_OLGA),
    }[who]
    reader = house.reader(player)
    troubles = []
    for path in paths:
        page = reader.open(path.format(**places))
        page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
        found = violations(page, EVERYTHING)
        page.emulate_media(color_scheme="dark")
        found += [f"in the dark: {one}" for one in violations(page, COLOURS)]
        page.emulate_media(color_scheme="light")
        for width in (360, 800, 1200):
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{wide} px wide on a screen of {width}")
        troubles += [f"{path}: {one}" for one in found]
    assert troubles == []


def test_an_unknown_address_and_a_refusal_are_accessible(
    house: House, places: dict[str, int], charlie: Player
) -> None:
    reader = house.reader(charlie)
    for path in ("/nowhere/", "/matches/{disputed}/decide/", "/arenas/duel/report/?opponent=Zed"):
        page = reader.open(path.format(**places))
        assert violations(page, EVERYTHING) == []
    # A browser logs the status of each of these pages as an error.
    assert len(reader.faults) == 3
    assert all("the server responded with a status of 40" in fault for fault in reader.faults)
    reader.faults.clear()


def test_the_keyboard_skips_to_the_content(house: House, duel: Arena) -> None:
    page = house.reader().open("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
