"""Maps are drawn, or left over once captains have banned the others. Cheating gains nothing."""

import re
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.models import Arena, MapBan, MapChoice, Match, MatchMap, Player
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.maps import vetoes
from league.services.maps.draws import draw, promise_of
from league.services.results.reports.live import Finish, StartingSide, finish, start
from tests.support.cast import NOW
from tests.support.web_steps import browser_of, words

MAPS = ["Forest", "Temple", "Harbour", "Mine"]
TURN = timedelta(seconds=30)


@pytest.fixture(autouse=True)
def maps(duel: Arena) -> Arena:
    duel.maps, duel.map_choice, duel.veto_turn = MAPS, MapChoice.VETO, TURN
    duel.full_clean()
    duel.save()
    return duel


def begins(arena: Arena, *players: Player, now: datetime = NOW) -> Match:
    """Start a match in which Alice's side bans first."""
    match = start(arena, [StartingSide(player, [player]) for player in players], now=now)
    MatchMap.objects.filter(match=match).update(first=0)
    return match


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_captains_ban_in_turn_until_one_map_is_left(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = begins(duel, alice, bob)
    vetoes.ban(match.pk, "Temple", by=alice, number=1, now=later(5))
    vetoes.ban(match.pk, "Mine", by=bob, number=2, now=later(9))
    end = vetoes.ban(match.pk, "Forest", by=alice, number=3, now=later(20))
    assert end.chosen == "Harbour"
    choice = MatchMap.objects.get()
    assert (choice.chosen, choice.ended_at) == ("Harbour", later(20))
    stored = MapBan.objects.order_by("number").values_list("map", "by", "at")
    assert list(stored) == [
        ("Temple", alice.pk, later(5)),
        ("Mine", bob.pk, later(9)),
        ("Forest", alice.pk, later(20)),
    ]


def test_a_turn_that_nobody_uses_is_drawn_at_its_deadline_whenever_it_is_stored(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = begins(duel, alice, bob)
    choice = MatchMap.objects.get()
    told = vetoes.veto_of(choice, [], later(31))
    assert not MapBan.objects.exists()
    assert (told.side, told.number, told.deadline) == (1, 2, later(60))
    name = told.bans[0].map
    assert name == draw(choice.seed, 1, MAPS)
    vetoes.ban(match.pk, told.left[0], by=bob, number=2, now=later(40))
    stored = list(MapBan.objects.order_by("number").values_list("map", "by", "at", "side"))
    assert stored == [(name, None, later(30), 0), (told.left[0], bob.pk, later(40), 1)]
    assert vetoes.sweep(later(69)) == 0
    assert MapBan.objects.count() == 2
    assert vetoes.sweep(later(70)) == 1
    assert MapBan.objects.count() == 3
    assert MatchMap.objects.get().chosen in MAPS
    assert vetoes.sweep(later(71)) == 0


def test_silence_of_both_gives_the_same_map_however_often_it_is_computed(
    alice: Player, bob: Player, duel: Arena
) -> None:
    begins(duel, alice, bob)
    choice = MatchMap.objects.get()
    computed = vetoes.veto_of(choice, [], later(500))
    vetoes.sweep(later(40))
    vetoes.sweep(later(65))
    vetoes.sweep(later(1000))
    assert MatchMap.objects.get().chosen == computed.chosen
    assert MatchMap.objects.get().ended_at == later(90)


def test_cheats_are_refused(alice: Player, bob: Player, eve: Player, duel: Arena) -> None:
    match = begins(duel, alice, bob)
    ban = partial(vetoes.ban, match.pk)
    attempts: list[tuple[type[Refused], str, Any]] = [
        (Conflict, "turn", partial(ban, "Mine", by=bob, number=1, now=later(1))),
        (Forbidden, "not_a_captain", partial(ban, "Mine", by=eve, number=1, now=later(1))),
        (Refused, "map", partial(ban, "Moon", by=alice, number=1, now=later(1))),
        (Refused, "map", partial(ban, "", by=alice, number=1, now=later(1))),
        (Conflict, "too_late", partial(ban, "Mine", by=alice, number=None, now=later(1))),
        (Conflict, "too_late", partial(ban, "Mine", by=alice, number=3, now=later(1))),
        (Conflict, "turn", partial(ban, "Mine", by=alice, number=1, now=later(30))),
        (Conflict, "too_late", partial(ban, "Mine", by=alice, number=1, now=later(60))),
        (Refused, "no_veto", partial(vetoes.ban, 10**9, "Mine", by=alice, number=1, now=NOW)),
    ]
    for error, code, attempt in attempts:
        with pytest.raises(error) as refusal:
            attempt()
        assert refusal.value.code == code
    assert not MapBan.objects.exists()
    ban("Mine", by=alice, number=1, now=later(1))
    for number in (1, 2):  # twice in a row
        with pytest.raises(Conflict):
            ban("Temple", by=alice, number=number, now=later(2))
    with pytest.raises(Refused, match="Mine is banned already"):
        ban("Mine", by=bob, number=2, now=later(2))
    assert MapBan.objects.count() == 1


def test_no_map_is_banned_once_the_match_is_reported(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = begins(duel, alice, bob)
    finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=later(10))
    with pytest.raises(Conflict, match="reported"):
        vetoes.ban(match.pk, "Mine", by=alice, number=1, now=later(11))
    assert vetoes.sweep(later(12)) == 1
    assert MatchMap.objects.get().chosen == ""
    said = words(Client().get(match.get_absolute_url()))
    assert "The match was over before the map was chosen" in said


def test_the_draw_of_a_map_can_be_checked_by_everybody(
    alice: Player, bob: Player, charlie: Player, dora: Player, duel: Arena
) -> None:
    duel.map_choice = MapChoice.RANDOM
    duel.save()
    match = start(duel, [StartingSide(alice, [alice]), StartingSide(bob, [bob])], now=NOW)
    choice = MatchMap.objects.get()
    digest = sha256(f"{choice.seed} 0".encode()).digest()
    assert choice.chosen == MAPS[int.from_bytes(digest[:8], "big") % 4]
    said = words(Client().get(match.get_absolute_url()))
    assert f"Map: {choice.chosen}" in said
    assert choice.seed in said
    other = start(duel, [StartingSide(charlie, [charlie]), StartingSide(dora, [dora])], now=NOW)
    assert other.map_choice.seed != choice.seed


def test_a_seed_draws_every_map_about_equally_often() -> None:
    counts = [0] * 4
    for number in range(4000):
        counts[draw("1234", number, range(4))] += 1
    assert min(counts) > 900


def test_a_match_keeps_the_maps_it_began_with(alice: Player, bob: Player, duel: Arena) -> None:
    match = begins(duel, alice, bob)
    duel.maps, duel.map_choice = ["Moon", "Mars"], MapChoice.RANDOM
    duel.save()
    vetoes.ban(match.pk, "Mine", by=alice, number=1, now=later(1))
    with pytest.raises(Refused):
        vetoes.ban(match.pk, "Moon", by=bob, number=2, now=later(2))


def test_an_arena_needs_two_maps_to_choose_from(duel: Arena) -> None:
    duel.maps = ["Mine", " mine "]
    with pytest.raises(ValidationError, match="List two or more maps"):
        duel.full_clean()
    duel.map_choice = MapChoice.NONE
    duel.full_clean()
    assert duel.maps == ["Mine"]


def test_two_captains_ban_by_their_pages_without_scripts(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = begins(duel, alice, bob, now=database_now())
    hers, his, where = browser_of(alice), browser_of(bob), match.get_absolute_url()
    page = words(hers.get(where))
    assert "Your turn: ban a map." in page
    assert promise_of(match.map_choice.seed) in page
    assert match.map_choice.seed not in page
    assert "Alice bans a map." in words(his.get(where))
    ban = reverse("match_map_ban", args=[match.pk])
    said = hers.post(ban, {"map": "Mine", "turn": "1"}, follow=True)
    assert "Now it is the other captain’s turn" in words(said)
    again = hers.post(ban, {"map": "Temple", "turn": "2"}, follow=True)
    assert "It is the other captain’s turn." in words(again)
    his.post(ban, {"map": "Temple", "turn": "2"})
    told = words(hers.post(ban, {"map": "Forest", "turn": "3"}, follow=True))
    assert "Forest is banned. You play on Harbour." in told
    assert "banned by Bob" in told
    assert MatchMap.objects.get().seed in told
    for turn in ("", "x", "99999999999999999999", "-1"):
        assert hers.post(ban, {"map": "\x00", "turn": turn}, follow=True).status_code in {200, 400}


def test_a_poll_gets_the_maps_only_when_they_have_changed(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = begins(duel, alice, bob, now=database_now())
    where, script = reverse("match_maps", args=[match.pk]), {"HX-Request": "true"}
    browser = browser_of(bob)
    first = browser.get(where, {"seen": ""}, headers=script).content.decode()
    assert "Alice</strong> bans a map" in first
    assert 'hx-get="' in first
    assert browser.get(where, {"seen": "0--live"}, headers=script).status_code == 204
    vetoes.ban(match.pk, "Mine", by=alice, number=1, now=database_now())
    assert b"Your turn" in browser.get(where, {"seen": "0--live"}, headers=script).content
    assert browser.get(where).status_code == 302


def test_the_page_shows_ratings_odds_and_who_reports_while_it_is_played(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = begins(duel, alice, bob, now=database_now())
    said = words(Client().get(match.get_absolute_url()))
    assert "Alice Rating 1200 ? provisional Bob Rating 1200" in said
    assert re.search(r"Expected result ?: Alice 50 % ?, Bob 50 %", said)
    assert "When it is over, Alice or Bob reports the result." in said
