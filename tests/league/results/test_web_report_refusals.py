"""Refused reports say why, and the form keeps its values."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Match, Player, Roster, Season
from tests.support.cast import roster
from tests.support.web_steps import browser_of, reports, result_form, words


def first_step(player: Player, arena: Arena, **asked: Any) -> Any:
    return browser_of(player).get(reverse("report", args=[arena.slug]), asked)


@pytest.mark.parametrize(
    ("opponent", "sentence"),
    [
        ("", "Name your opponents."),
        ("Charly", "There is no player “Charly”. Did you mean Charlie?"),
        ("Zzz", "There is no player “Zzz”."),
        ("alice", "You cannot play against yourself."),
        ("Charlie\nEve", "You named 2 opponents. A match in Duel has 1."),
        ("x" * 5000, "There is no player “" + "x" * 59 + "…”."),
    ],
)
def test_an_invalid_opponent_is_refused_at_the_field(
    duel: Arena, alice: Player, charlie: Player, eve: Player, opponent: str, sentence: str
) -> None:
    answer = first_step(alice, duel, opponent=opponent)
    assert answer.status_code == 400
    assert sentence in words(answer)
    assert 'aria-invalid="true"' in answer.content.decode()


def test_an_opponent_is_found_in_any_case_and_width(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    answer = first_step(alice, duel, opponent="ＣＨＡＲＬＩＥ")
    assert answer.status_code == 200
    assert "Charlie won" in words(answer)


@pytest.mark.parametrize(
    ("opponent", "sentence"),
    [
        ("A\nB\nC\nD\nE", "You named 5 opponents. A match in Melee has 1 to 4."),
        ("Charlie\ncharlie", "You named a player twice."),
    ],
)
def test_a_melee_refuses_too_many_opponents_and_duplicates(
    melee: Arena, alice: Player, charlie: Player, opponent: str, sentence: str
) -> None:
    answer = first_step(alice, melee, opponent=opponent)
    assert answer.status_code == 400
    assert sentence in words(answer)
    assert opponent in answer.content.decode()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"outcome": ""}, "Enter this score, too, or choose who won."),
        ({"outcome": "both"}, "Select a valid choice."),
        ({"score-0": "many"}, "Enter a number."),
        ({"score-0": "nan"}, "Enter a number."),
        ({"played_at": "2099-01-01T12:00"}, "A match cannot end in the future."),
        ({"played_at": "2025-12-31T23:59"}, "before the season started (2026-01-01)"),
        ({"played_at": "yesterday"}, "Enter a day and a time such as"),
        ({"played_at": "0001-01-01T00:00"}, "before the season started"),
        ({"client_token": "x"}, "Parts of the form are missing."),
        ({"seconds": "-1"}, "greater than or equal to 0"),
        ({"seconds": "999999"}, "less than or equal to 604800"),
        ({"profession": "x" * 41}, "at most 40 characters"),
    ],
)
def test_an_impossible_result_is_refused_and_the_form_keeps_its_values(
    duel: Arena, alice: Player, charlie: Player, change: dict[str, str], sentence: str
) -> None:
    part = {
        f"{name}-{charlie.pk}": value
        for name, value in change.items()
        if name in {"seconds", "profession"}
    }
    form = result_form("Charlie", **{"score-1": "17", **change, **part})
    answer = reports(alice, duel, form)
    assert answer.status_code == 400
    assert sentence in words(answer)
    assert 'value="17"' in answer.content.decode()
    assert not Match.objects.exists()


def test_an_arena_without_draws_neither_offers_nor_accepts_one(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    Arena.objects.update(draws_allowed=False)
    assert "Draw" not in words(first_step(alice, duel, opponent="Charlie"))
    answer = reports(alice, duel, result_form("Charlie", outcome="draw"))
    assert answer.status_code == 400
    assert "Select a valid choice." in words(answer)


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        (["2", "2", "3"], "At least one side must be first."),
        (["1", "2", "4"], "less than or equal to 3"),
        (["0", "1", "2"], "greater than or equal to 1"),
        (["1", "", "2"], "Enter a place."),
    ],
)
def test_invalid_places_are_refused(
    melee: Arena, alice: Player, charlie: Player, eve: Player, places: list[str], sentence: str
) -> None:
    form = result_form("Charlie\nEve", **{f"place-{n}": place for n, place in enumerate(places)})
    answer = reports(alice, melee, form)
    assert answer.status_code == 400
    assert sentence in words(answer)


def test_nothing_is_reported_where_no_season_runs(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    ended = datetime(2026, 1, 2, tzinfo=UTC)
    Season.objects.update(ends_at=ended, archived_at=ended)
    answer = first_step(alice, duel)
    assert answer.status_code == 409
    assert "No season is running in Duel." in words(answer)
    assert reports(alice, duel, result_form("Charlie")).status_code == 409


def test_a_closed_arena_takes_no_report(duel: Arena, alice: Player, charlie: Player) -> None:
    Arena.objects.update(is_open=False)
    assert reports(alice, duel, result_form("Charlie")).status_code == 409
    assert "This arena is closed" in words(browser_of(alice).get(duel.get_absolute_url()))


@pytest.mark.parametrize(
    ("opponent", "sentence"),
    [
        ("Foxen", "There is no roster “Foxen” in Teams. Did you mean Foxes?"),
        ("Owls", "A roster cannot play against itself."),
    ],
)
def test_an_invalid_roster_is_refused(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, opponent: str, sentence: str
) -> None:
    answer = first_step(alice, teams, opponent=opponent, roster=owls.pk)
    assert answer.status_code == 400
    assert sentence in words(answer)


def test_alice_cannot_report_for_the_foxes_or_without_a_roster(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player
) -> None:
    for asked in (str(foxes.pk), "", "x"):
        answer = first_step(alice, teams, opponent="Foxes", roster=asked)
        assert answer.status_code == 400
        assert "Choose one of the rosters that you lead." in words(answer)


def test_a_player_on_both_sides_is_refused_by_name(
    teams: Arena, owls: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    roster(teams, "Traitors", charlie, bob)
    form = result_form(
        "Traitors",
        roster=owls.pk,
        **{"plays-0": [alice.pk, bob.pk], "plays-1": [charlie.pk, bob.pk]},
    )
    answer = reports(alice, teams, form)
    assert answer.status_code == 400
    assert "Bob is in this match twice." in words(answer)


def test_a_side_without_players_is_refused(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> None:
    form = result_form("Foxes", roster=owls.pk, **{"plays-1": [charlie.pk]})
    answer = reports(alice, teams, form)
    assert answer.status_code == 400
    assert "Select the players." in words(answer)


def test_the_time_is_read_in_the_zone_that_the_form_names(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    ended = timezone.now().replace(second=0, microsecond=0) - timedelta(days=1)
    tokyo = ended.astimezone(ZoneInfo("Asia/Tokyo"))
    form = result_form("Charlie", zone="Asia/Tokyo", played_at=f"{tokyo:%Y-%m-%dT%H:%M}")
    assert reports(alice, duel, form).status_code == 302
    assert Match.objects.get().played_at == ended


def test_the_form_starts_with_the_current_time_in_the_readers_zone(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    browser = browser_of(alice)
    browser.cookies["timezone"] = "Asia/Tokyo"
    page = browser.get(reverse("report", args=["duel"]), {"opponent": "Charlie"})
    assert "Time zone: Asia/Tokyo" in words(page)
    tokyo = timezone.now().astimezone(ZoneInfo("Asia/Tokyo"))
    assert f'value="{tokyo:%Y-%m-%dT%H}' in page.content.decode()


def test_names_are_suggested_while_they_are_typed(
    duel: Arena, teams: Arena, foxes: Roster, alice: Player, charlie: Player
) -> None:
    browser = browser_of(alice)
    suggested = browser.get(reverse("opponents", args=["duel"]), {"opponent": "CHA"})
    assert suggested.content.decode().strip() == '<option value="Charlie"></option>'
    suggested = browser.get(reverse("opponents", args=["teams"]), {"opponent": "fox"})
    assert suggested.content.decode().strip() == '<option value="Foxes"></option>'
    assert browser.get(reverse("opponents", args=["duel"])).content.strip() == b""


def test_a_match_can_end_in_the_hour_that_occurs_twice_and_not_in_one_that_is_skipped(
    alice: Player, charlie: Player, duel: Arena
) -> None:
    Season.objects.update(starts_at=datetime(2025, 1, 1, tzinfo=UTC))
    twice = result_form("Charlie", zone="Europe/Berlin", played_at="2025-10-26T02:30")
    assert reports(alice, duel, twice).status_code == 302
    assert Match.objects.get().played_at == datetime(2025, 10, 26, 0, 30, tzinfo=UTC)
    skipped = result_form("Charlie", zone="Europe/Berlin", played_at="2025-03-30T02:30")
    answer = reports(alice, duel, skipped)
    assert answer.status_code == 400
    assert "The clocks in Europe/Berlin skip this time. Choose another one." in words(answer)


def test_a_missing_winner_is_marked_and_leaves_unrelated_fields_closed(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    form = result_form("Charlie")
    page = reports(alice, duel, form | {"outcome": ""}).content.decode()
    assert re.search(r'<input type="radio" name="outcome"[^>]*aria-invalid="true"', page)
    assert '<details class="parts">' in page
    wrong = reports(alice, duel, form | {f"seconds-{charlie.pk}": "soon"}).content.decode()
    assert '<details class="parts" open>' in wrong
