"""The page that says an arena's rules in words, with examples of the reader's own numbers."""

import math
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, ArenaQueue, Format, Match, Offence, PenaltyReason, Player, Season
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.dishonor.discipline import penalise
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons.opening import publish
from league.services.standings.updating import update_pending
from ratings.registry import SYSTEMS
from tests.support.cast import RANKED_AT_ONCE, account, arena, side
from tests.support.imported_histories import HOUR, START, import_matches
from tests.support.rating_histories import contest
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def page(made: Arena, reader: Player | None = None) -> str:
    browser = browser_of(reader) if reader else Client()
    answer = browser.get(reverse("how_it_works", args=[made.slug]))
    assert answer.status_code == 200
    return words(answer)


def played(made: Arena, winner: Player, *losers: Player, ago: timedelta, mode: str = "") -> Match:
    """Report a win, which everybody confirms."""
    now = timezone.now() - ago
    sides = [side(one, place=at) for at, one in enumerate((winner, *losers))]
    match = report(made, sides, reporter=winner, played_at=now, now=now, mode=mode)
    for loser in losers:
        match = confirm(match.pk, by=loser, now=now)
    update_pending(timezone.now())
    return match


HOURS = timedelta(hours=5)


def test_what_being_first_and_a_clear_win_are_worth_is_said_where_they_count() -> None:
    parameters = {"first_side": 100, "margin": "goals"}
    said = page(arena("home", rating_system="elo", rating_parameters=parameters))
    assert "Playing at home, having White or serving is worth 100 rating points." in said
    assert "A clear win moves ratings further than a narrow one." in said
    neutral = page(arena("neutral", rating_system="elo"))
    assert "at home" not in neutral
    assert "A clear win" not in neutral


def test_what_was_learnt_of_a_game_is_said_once_it_is_known() -> None:
    """By a season in which the home side wins two matches of three, by 20 points or 10."""
    fresh = page(arena("fresh", rating_system="laurel"))
    assert "is worth 50 rating points." in fresh
    assert "points stronger usually wins" not in fresh
    names = ["Ann", "Bob", "Cid", "Dan"]
    matches = [
        contest(
            *([names[at]], [names[(at + 1 + number % 3) % 4]])[:: 1 if number % 3 else -1],
            at=START + number * HOUR,
            match_id=str(number),
            scores=[30.0, 10.0] if number % 2 else [30.0, 20.0],
            first=0 if number % 3 else 1,
        )
        for number in range(240)
        for at in [number % 4]
    ]
    known = arena("known", rating_system="laurel", draws_allowed=True)
    import_matches(known, matches)
    said = page(known)
    worth = re.search(r"is worth (\d+) rating points here, as the results so far show", said)
    assert worth
    assert 80 < int(worth[1]) < 160, "two of three is a lead of 129"
    margin = re.search(r"A side that is 200 points stronger usually wins by ([\d.]+\d)", said)
    assert margin
    assert 5 < float(margin[1]) < 15
    drawn = re.search(r"Of matches between equals, (\d+)\s?% are drawn", said)
    assert drawn
    assert int(drawn[1]) <= 2


def test_an_example_is_what_the_next_match_then_does(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = arena("elo", rating_system="elo")
    played(made, alice, bob, ago=HOURS)
    played(made, alice, charlie, ago=HOURS)
    said = page(made, bob)
    assert "Newcomers start at 1500. You have 1484." in said
    found = re.search(r"Alice 1531 expected result 43 % \+(\d+) \+2 −(\d+) Charlie", said)
    assert found, said
    match = played(made, alice, bob, ago=timedelta(0))
    assert f"{-match.events.get(player=bob).change:.0f}" == found[2]


def test_a_fixed_range_as_wide_as_the_scale_of_the_rating_gives_chances(
    alice: Player, bob: Player
) -> None:
    fixed = {"scale": "fixed-range"}
    made = arena("pit", rating_system="fermi", display=fixed)
    shown, chance = made.seasons.get().shows, 1 / (1 + math.exp(-1))
    assert shown.show(1.0) == pytest.approx(10_000 * chance)
    assert "For example, 7,000 wins 61 % of its duels against 6,000." in page(made)
    # 7:3 against an average player and 6:4 against one are 28:18 against each other.
    assert round(100 * 28 / 46) == 61
    assert "7,000 wins" in page(arena("club", rating_system="elo", display=fixed))

    others: list[dict[str, Any]] = [
        {"rating_system": "fermi"},
        {"rating_system": "glicko", "display": fixed},
        {"rating_system": "trueskill", "display": fixed},
        {"rating_system": "elo", "rating_parameters": {"first_side": 50}, "display": fixed},
    ]
    for number, settings in enumerate(others):
        assert "7,000 wins" not in page(arena(f"other-{number}", **settings)), settings

    played(made, alice, bob, ago=HOURS)
    Season.objects.update(shown_mean=0.0, shown_width=2.1)
    assert "7,000 wins" not in page(made)
    made.display = {**fixed, "range_scale": 1 / 2.1}
    made.save()
    assert "7,000 wins 61 %" in page(made)


FORMATS: dict[str, dict[str, Any]] = {
    "duel": {},
    "teams": {"team_size_min": 3, "team_size_max": 3},
    "free-for-all": {"format": Format.FREE_FOR_ALL, "sides_min": 3, "sides_max": 5},
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_examples_from_the_first_match_on(
    system: str, alice: Player, bob: Player, charlie: Player
) -> None:
    for name, settings in FORMATS.items():
        if (system, name) in {("ladder", "teams"), ("wager", "free-for-all")}:
            continue
        made = arena(name, rating_system=system, **settings)
        before = page(made)
        assert ("with the same rating" in before) == (system != "ladder")  # nobody to meet yet
        if name == "teams":
            continue
        played(made, alice, *([bob] if name == "duel" else [bob, charlie]), ago=HOURS)
        seen = {reader: page(made, reader) for reader in (None, alice, charlie)}
        assert "Bob" in seen[alice]
        for text in seen.values():
            assert SYSTEMS[system].summary in text
            assert "None" not in text
            assert " nan" not in text


def test_a_player_reads_what_they_have_and_lack_for_a_rank(alice: Player, bob: Player) -> None:
    made = arena("strict", season_rules={"ranked": {"placement_matches": 4, "window": "14d"}})
    played(made, alice, bob, ago=HOURS)
    said = page(made, alice)
    assert "Play 4 rated matches." in said
    assert "Play at least 3 different ranked players." in said
    assert "At least 30 % of your matches must be against ranked players" in said
    assert "after 14 days without a match you lose your rank" in said
    assert "play 3 more rated matches to be ranked" in said
    assert "a player with the same rating" in said
    assert "You have not played a rated match here yet." in page(made, account("Zoe"))


DECAY = {
    **RANKED_AT_ONCE,
    "decay": {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "1d"},
}


def test_decay_is_said_with_the_readers_own_dates(alice: Player, bob: Player) -> None:
    made = arena("fading", rating_system="elo", season_rules=DECAY)
    played(made, alice, bob, ago=timedelta(days=2))
    said = page(made, alice)
    assert "After 3 days without a match, your shown rating falls evenly, by up to 700" in said
    assert "Each match brings back 100 of them and stops the fall for 3 days." in said
    assert "You last played 2 days ago. If you do not play by" in said
    assert "you lose 100 points a day: after the first day you would have 1416." in said
    later = arena("faded", rating_system="elo", season_rules=DECAY)
    played(later, alice, bob, ago=timedelta(days=5))
    assert re.search(
        r"Decay has taken [12]\d\d points\. The next match restores 100", page(later, alice)
    )
    assert "If you stop playing" not in page(arena("lasting"), alice)


def test_divisions_show_the_readers_own_and_the_next(alice: Player, bob: Player) -> None:
    listed = [{"name": "Low"}, {"name": "High", "first": 1500}, {"name": "Top", "first": 1800}]
    cuts = {"by": "rating", "rating_margin": 20}
    rules = {**RANKED_AT_ONCE, "cuts": cuts, "divisions": listed}
    made = arena("cut", rating_system="elo", season_rules=rules)
    played(made, alice, bob, ago=HOURS)
    said = page(made, alice)
    assert "down once you are 20 points below it" in said
    assert "Top 1800 your next High 1500 you, at 1516 Low everybody else" in said


def test_a_search_that_does_not_widen_is_not_said_to(alice: Player) -> None:
    made = arena("wide")
    queue = ArenaQueue(arena=made)
    queue.start_from("gw2-ranked")
    queue.rules["queue"]["rating_min"] = 1200
    queue.save()
    said = page(made, alice)
    assert "You meet players within 1200 points of your rating, however long you wait." in said
    assert "further away" not in said


@pytest.mark.parametrize("preset", ["gw2-ranked", "recommended-1v1", "small-community"])
def test_the_queue_and_dishonor(preset: str, alice: Player, bob: Player) -> None:
    made = arena("queueing", regions=["Europe", "Asia"], modes=["Conquest", "Keep"])
    assert "The queue" not in page(made, alice)
    queue = ArenaQueue(arena=made)
    queue.start_from(preset)
    queue.save()
    said = page(made, alice)
    rules = queue.matching()
    if preset == "gw2-ranked":
        assert "25 points at first" in said
        assert "1200 points after 10 minutes" in said
    else:
        assert "Only fair matches are made: both teams have a chance of 40 % to 60 %" in said
        assert "points after 30 seconds" in said
    assert f"{rules.rank_filter.steps[0]:.0f}, " in said
    assert "everyone has 30 seconds to accept it" in said
    assert "You choose regions: Europe, Asia." in said
    assert "Not accepting a match 3 3 minutes" in said
    assert "Leaving a match before its end 10 16 minutes" in said
    assert "Stacks expire one after another, one every 4 hours." in said
    assert "You have no stacks." in said
    penalise([alice], Offence.QUEUE_DODGE, made, now=timezone.now())
    assert "You have 3 stacks now." in page(made, alice)
    assert "3 stacks now" not in page(made, bob)
    assert "You have" not in page(made)


def test_the_reasons_for_penalties_of_an_arena_with_and_without_a_queue(alice: Player) -> None:
    made = arena("strict")
    assert "Dishonor" not in page(made, alice)
    PenaltyReason.objects.create(arena=made, name="Insults", stacks=10)
    said = page(made, alice)
    assert "Staff and game servers can give you stacks for: Insults." in said
    assert "Insults 10 16 minutes" in said
    assert "ready check" not in said.split("Dishonor")[1].split("When a result counts")[0]
    PenaltyReason.objects.create(arena=made, name="Cheating", stacks=1_000_000_000)
    assert "Cheating 1000000000 without end" in page(made, alice)
    ArenaQueue.objects.create(arena=made)
    said = page(made, alice)
    assert "Leaving a match before its end 10 16 minutes Insults 10 16 minutes" in said


@pytest.mark.parametrize("rates_events", [True, False])
def test_a_season_that_rates_events_says_so(rates_events: bool) -> None:
    made = arena("frags", rating_system="fermi", rating_parameters={"rate_events": rates_events})
    said = page(made)
    assert ("rated by these in order, not by its places" in said) == rates_events


def test_limits_against_farming_and_ladder_points(alice: Player, bob: Player) -> None:
    rules = {"points": {"counts": True}, "ranked": RANKED_AT_ONCE["ranked"]}
    made = arena("honest", rating_system="elo", season_rules=rules)
    played(made, alice, bob, ago=HOURS)
    said = page(made, alice)
    assert "At most 3 matches against the same opponents can be reported in 24 hours, and" in said
    assert "counts 80 % of the one before: the third counts 64 %." in said
    assert "about 48 points at your rating, 16 for each such win." in said
    assert "Each match against others restores 4 points." in said
    assert "Expected result from" in said
    assert "You have 1 from 1 match." in said


def test_a_ladder(alice: Player, bob: Player, charlie: Player) -> None:
    made = arena("steps", rating_system="ladder")
    played(made, alice, bob, ago=HOURS)
    said = page(made, bob)
    assert "You are number 2." in said
    assert "Alice 1 up 1 = " in said.replace("▲ ", "")
    assert "You can challenge anyone above you." in said
    assert "counts 80 %" not in said
    assert "Bob 2" in page(made, charlie)


def test_no_page_of_a_ladder_asks_for_placement_matches(
    alice: Player, bob: Player, olga: Player
) -> None:
    by, then = user_of(olga), timezone.now() - 2 * HOURS
    draft = from_preset(PRESETS["ladder"], name="Steps", slug="steps", by=by, now=then)
    publish(draft.pk, by=by, now=then)
    made = Arena.objects.get()
    played(made, alice, bob, ago=HOURS)
    organiser = browser_of(olga)
    paths = ["", "how-it-works/", "leaderboard/", "seasons/", "challenges/", "live/"]
    addresses = [f"/arenas/steps/{path}" for path in paths]
    for address in [*addresses, alice.get_absolute_url()]:
        answer = organiser.get(address, follow=True)
        assert answer.status_code == 200, address
        text = words(answer)
        assert not re.search(r"placement|provisional|To be ranked|\d+ rated matches", text), address
        assert "Master" not in text, address
    form = organiser.get(reverse("admin:league_arena_change", args=[made.pk]))
    assert [one.hidden for one in form.context["sections"] if one.key == "ranked"] == [True]


@pytest.mark.parametrize("state", ["over", "planned", "none", "closed"])
def test_an_arena_without_a_running_season(state: str, alice: Player, bob: Player) -> None:
    made = arena("still", season_rules=DECAY)
    played(made, alice, bob, ago=HOURS)
    season, now = made.seasons.get(), timezone.now()
    if state == "over":
        season.ends_at = now - timedelta(minutes=1)
        season.save()
    elif state == "closed":
        made.is_open = False
        made.save()
    else:
        made = Arena.objects.create(name="New", slug="new", season_rules=DECAY)
        if state == "planned":
            planned(made, now + timedelta(days=2))
    said = page(made, alice)
    expected = {
        "over": "These were the rules of Season 1, which ended on",
        "planned": "No season is running. These are the rules of the next one.",
        "none": "No season is running. These are the rules of the next one.",
        "closed": "This arena is closed.",
    }
    assert expected[state] in said
    assert "Opponent Chance" not in said
    assert "by up to 700 points within 7 days" in said
    assert "If you do not play by" not in said or state == "closed"


def planned(made: Arena, starts: datetime) -> None:
    made.seasons.create(name="Soon", starts_at=starts, rating_system="elo", rules=DECAY)


def test_the_page_takes_the_same_statements_for_any_number_of_players(alice: Player) -> None:
    made = arena("busy", season_rules=DECAY)
    ArenaQueue.objects.create(arena=made)
    rivals = [account(f"Rival {number}") for number in range(7)]
    counts = []
    for rival in rivals:
        played(made, rival, alice, ago=HOURS)
        if rival in rivals[3:]:
            browser = browser_of(alice)
            page(made, alice)
            with CaptureQueriesContext(connection) as statements:
                browser.get(reverse("how_it_works", args=[made.slug]))
            counts.append(len(statements))
    assert len(set(counts)) == 1
    assert counts[0] <= 30


def test_newcomers_find_it(alice: Player, bob: Player) -> None:
    made = arena("found")
    match = played(made, alice, bob, ago=HOURS)
    where = reverse("how_it_works", args=["found"])
    for address in (
        made.get_absolute_url(),
        reverse("leaderboard", args=["found"]),
        f"{alice.get_absolute_url()}?season={match.season_id}",
    ):
        assert f'href="{where}' in Client().get(address).content.decode()
    assert Client().get(f"{where}?season={match.season_id}").status_code == 200
    assert Client().get(f"{where}?season=0").status_code == 404
