"""Regions in a queue: players choose theirs, games measure latencies, and choices widen."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Player,
    Proposal,
    RegionPreference,
    Roster,
    Tick,
    Ticket,
)
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.integrity.queue import breaches
from league.services.queue import ready_checks, regions, ticks
from league.services.queue.queueing import join
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY, everyone_is_there
from tests.support.web_steps import browser_of, words

REGIONS = ["Europe", "America", "Asia"]
PAGE = "/arenas/duel/queue/"
API = "/api/v1/arenas/duel/queue/regions/"


def opened(arena: Arena, **region: object) -> ArenaQueue:
    arena.regions = REGIONS
    arena.full_clean()
    arena.save()
    made = ArenaQueue(arena=arena, matcher="laurel")
    made.rules = {"queue": ANYBODY, "laurel": {"asking": -1e6}, "region": region}
    made.full_clean()
    made.save()
    return made


@pytest.fixture
def queue(duel: Arena) -> ArenaQueue:
    return opened(duel)


def found(arena: Arena, now: datetime = NOW, seed: int = 1) -> list[Proposal]:
    arena.ticks.all().delete()
    assert ticks.tick(arena.pk, now=now, seed=seed)
    return list(Proposal.objects.filter(state="open"))


def chooses(player: Player, arena: Arena, *chosen: str, strict: bool = False) -> None:
    regions.set_regions(arena, player, chosen, strict=strict)


def test_a_choice_widens_after_two_minutes_and_the_match_is_where_most_want_it(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    chooses(alice, duel, "Europe")
    chooses(bob, duel, "Asia", strict=True)
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    assert not found(duel, NOW + timedelta(seconds=119))
    [check] = found(duel, NOW + timedelta(seconds=120))
    assert check.region == "Asia", "Bob never leaves, and Alice now would"
    assert "Region: Asia" in words(browser_of(alice).get(PAGE))
    for player in (alice, bob):
        ready_checks.accept(check.pk, by=player, now=NOW + timedelta(seconds=121))
    match = Match.objects.get()
    assert match.region == "Asia"
    assert "Asia" in words(browser_of(alice).get(match.get_absolute_url()))
    assert by_token(bob).get(f"/api/v1/matches/{match.pk}/").json()["region"] == "Asia"
    assert breaches(NOW + timedelta(seconds=121)) == []
    Match.objects.update(region="Europe")
    assert [breach.rule for breach in breaches(NOW)] == [
        "became a match in another game mode or region"
    ]


def test_two_strict_players_of_different_regions_never_meet(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    chooses(alice, duel, "Europe", strict=True)
    chooses(bob, duel, "Asia", strict=True)
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    assert not found(duel, NOW + timedelta(days=1))
    chooses(bob, duel, "Asia", "Europe", strict=True)
    [check] = found(duel, NOW + timedelta(days=1))
    assert check.region == "Europe"


def test_a_match_is_played_where_the_farther_player_is_nearest(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    regions.set_latencies(duel, alice, {"Europe": 20, "America": 80, "Asia": 200}, NOW)
    regions.set_latencies(duel, bob, {"Europe": 110, "America": 60}, NOW)
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    [check] = found(duel)
    assert check.region == "America"


def test_a_region_too_far_away_is_never_used(duel: Arena, alice: Player, bob: Player) -> None:
    opened(duel, most_latency=100)
    regions.set_latencies(duel, alice, {"Europe": 101, "America": 100, "Asia": 300}, NOW)
    chooses(bob, duel, "Europe")
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    assert not found(duel), "Bob would play in Europe only for now"
    [check] = found(duel, NOW + timedelta(minutes=2))
    assert check.region == "America"


def test_a_party_that_no_region_suits_is_told_so(
    teams: Arena, owls: Roster, alice: Player, bob: Player
) -> None:
    opened(teams, most_latency=100)
    chooses(alice, teams, "Europe", strict=True)
    chooses(bob, teams, "Asia", strict=True)
    with pytest.raises(Refused, match="No region suits all of you") as refusal:
        join(teams, alice, [bob], now=NOW, roster=owls)
    assert refusal.value.field == "regions"
    chooses(bob, teams, "Asia")
    join(teams, alice, [bob], now=database_now(), roster=owls)
    everyone_is_there()
    page = words(browser_of(bob).get("/arenas/teams/queue/"))
    assert "Nowhere now, Europe in" in page
    Ticket.objects.all().delete()
    regions.set_latencies(teams, alice, {"Europe": 500}, NOW)
    with pytest.raises(Refused, match="too far away"):
        join(teams, alice, [], now=NOW)


def test_alice_chooses_her_regions_when_she_queues_and_keeps_them(
    queue: ArenaQueue, duel: Arena, alice: Player
) -> None:
    browser = browser_of(alice)
    form = browser.get(PAGE).content.decode()
    assert form.count('name="regions"') == 3
    assert "you can be matched anywhere after 2 minutes" in words(browser.get(PAGE))
    refused = browser.post("/arenas/duel/queue/join/", {})
    assert refused.status_code == 400
    assert "Choose one or more regions: Europe, America, Asia." in words(refused)
    browser.post("/arenas/duel/queue/join/", {"regions": ["Europe"]})
    page = words(browser.get(PAGE))
    assert "Regions Europe now, anywhere in 2 minutes" in page or "anywhere in 1 minute" in page
    assert RegionPreference.objects.get(player=alice).regions == ["Europe"]
    browser.post("/arenas/duel/queue/regions/", {"regions": ["Asia"], "strict_regions": "on"})
    assert "Regions Asia " in words(browser.get(PAGE))
    browser.post("/arenas/duel/queue/leave/")
    kept = browser.get(PAGE).content.decode()
    assert 'value="Asia" checked' in kept
    assert 'value="Europe" checked' not in kept
    assert 'name="strict_regions" checked' in kept


@pytest.mark.parametrize(
    ("chosen", "waited", "after", "said"),
    [
        ((["Europe"], False), 0, 120, "Europe now, anywhere in 2 minutes"),
        ((["Europe", "Asia"], False), 75, 120, "Europe or Asia now, anywhere in 45 seconds"),
        ((["Europe"], False), 120, 120, "Anywhere"),
        ((["Europe"], True), 500, 120, "Europe"),
        ((["Europe"], False), 500, 0, "Europe"),
        ((REGIONS, False), 0, 120, "Anywhere"),
    ],
)
def test_the_search_in_words(
    chosen: tuple[list[str], bool], waited: float, after: float, said: str
) -> None:
    arena = Arena(name="Duel", regions=REGIONS)
    rules = ArenaQueue(arena=arena, rules={"region": {"widen_after": after}}).matching().region
    wishes = regions.Wishes(frozenset(chosen[0]), strict=chosen[1])
    choice = wishes.choice(arena, rules)
    assert regions.search_in_words(arena, rules, choice, waited) == said


def test_a_game_sends_latencies_and_a_choice(queue: ArenaQueue, duel: Arena, alice: Player) -> None:
    client = by_token(alice)
    sent = client.post(API, {"latencies": {"Europe": 31.5, "Asia": 210}}, format="json")
    assert sent.status_code == 200
    sent = client.post(API, {"regions": ["Europe"], "strict": True}, format="json").json()
    assert sent["regions"] == REGIONS
    assert sent["my_regions"] == {
        "regions": ["Europe"],
        "strict": True,
        "latencies": {"Europe": 31.5, "Asia": 210},
    }
    assert "Your game last measured latencies on" in words(browser_of(alice).get(PAGE))
    sent = client.post(API, {"latencies": {"Asia": 190}}, format="json").json()
    assert sent["my_regions"]["latencies"] == {"Europe": 31.5, "Asia": 190}
    assert "Europe 32 ms" in words(browser_of(alice).get(PAGE))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"regions": ["Mars"]}, "regions"),
        ({"regions": []}, "regions"),
        ({"regions": "Europe"}, "regions"),
        ({"regions": ["Europe", "Mars"]}, "regions"),
        ({"latencies": {"Mars": 5}}, "latencies.Mars"),
        ({"latencies": {"Europe": -1}}, "latencies.Europe"),
        ({"latencies": {"Europe": 10_001}}, "latencies.Europe"),
        ({"latencies": {"Europe": "fast"}}, "latencies.Europe"),
        ({"latencies": {"Europe": None}}, "latencies.Europe"),
        ({"latencies": [5]}, "latencies"),
        ({"strict": "very"}, "strict"),
        ({"latency": {}}, "latency"),
    ],
)
def test_wrong_choices_and_latencies_are_refused(
    queue: ArenaQueue, duel: Arena, alice: Player, body: dict[str, Any], field: str
) -> None:
    answer = by_token(alice).post(API, body, format="json")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}
    assert not RegionPreference.objects.exists()


def test_regions_may_change_while_players_have_chosen(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    chooses(alice, duel, "Europe", strict=True)
    regions.set_latencies(duel, alice, {"Europe": 10}, NOW)
    duel.regions = ["Africa"]
    duel.save()
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    [check] = found(duel)
    assert check.region == "Africa"
    regions.set_latencies(duel, alice, {"Africa": 10}, NOW)
    assert RegionPreference.objects.get(player=alice).latencies == {"Africa": 10}


def test_a_tick_can_be_run_again(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    chooses(alice, duel, "Europe", strict=True)
    chooses(bob, duel, "Asia", strict=True)
    chooses(charlie, duel, "Asia")
    for player in (alice, bob, charlie):
        join(duel, player, [], now=NOW)
    [check] = found(duel)
    assert check.region == "Asia"
    tick = Tick.objects.get()
    RegionPreference.objects.all().delete()
    assert ticks.run_again(tick) == tick.found


def test_an_arena_without_regions_has_none_of_this(duel: Arena, alice: Player, bob: Player) -> None:
    opened(duel)
    duel.regions = []
    duel.save()
    assert "egion" not in words(browser_of(alice).get(PAGE))
    assert "egion" not in words(browser_of(alice).get("/arenas/duel/"))
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    [check] = found(duel)
    assert check.region == ""
    assert "egion" not in words(browser_of(alice).get(PAGE))
    assert "regions" not in str(Tick.objects.get().queue)
    assert fields_at_fault(by_token(alice).post(API, {"regions": ["Europe"]}, format="json")) == {
        "regions"
    }
