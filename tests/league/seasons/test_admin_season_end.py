"""Olga previews the end of a season, and ends it once."""

import json
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from league.models import Arena, FinalStanding, Player, Rating, Season, Standing, Status
from league.services.core.clock import database_now
from league.services.seasons.opening import open_season
from league.services.seasons.planning import plan_season
from league.services.standings import absence
from league.services.standings.updating import update_pending
from tests.support.admin_steps import form_on, messages_of, staff
from tests.support.cast import NOW, arena, beats
from tests.support.competition_steps import begun
from tests.support.season_steps import set_season_rules, win

__all__ = ["staff"]


def page(season: Season) -> str:
    return reverse("admin:league_arena_end_season", args=[season.arena_id, season.pk])


def test_olga_ends_a_season_and_archives_it_after_she_has_seen_what_that_does(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    win(duel, alice, bob)
    win(duel, alice, charlie)
    waiting = beats(bob, charlie, duel)
    season = duel.seasons.get()
    told = staff.get(page(season)).content.decode()
    for words in (
        "<b>Season 1</b>: running",
        "<b>1</b> match is not settled",
        "Matches still unsettled when the season is archived become void",
        "<b>3</b> players, 3 of them ranked",
        "won 2 in a row",
        "For <b>3 days</b> after its end, unsettled results still count",
        "No next season is planned",
        "End the season now",
    ):
        assert words in told
    assert told.count(">Alice<") >= 3  # rank 1, most improved, longest streak
    assert not FinalStanding.objects.exists()

    answer, of_another_page = form_on(staff, page(season)), form_on(staff, page(season))
    assert "has ended" in messages_of(staff.post(page(season), answer, follow=True))
    ended = duel.seasons.get()
    assert ended.ends_at is not None
    again = messages_of(staff.post(page(season), of_another_page, follow=True))
    assert "Nothing was done" in again
    assert duel.seasons.get().ends_at == ended.ends_at

    told = staff.get(page(season)).content.decode()
    assert "over, late results still count" in told
    assert "Archive it now" in told
    answer, of_another_page = form_on(staff, page(season)), form_on(staff, page(season))
    said = staff.post(page(season), answer, follow=True)
    assert "is archived" in messages_of(said)
    assert said.redirect_chain[-1][0] == f"/seasons/{season.pk}/"
    assert FinalStanding.objects.count() == 3
    waiting.refresh_from_db()
    assert waiting.status == Status.VOID
    again = messages_of(staff.post(page(season), of_another_page, follow=True))
    assert "Nothing was done" in again
    assert FinalStanding.objects.count() == 3
    assert (
        "Show the archive" in staff.get(f"/admin/league/arena/{duel.pk}/change/").content.decode()
    )


def test_olga_is_warned_of_competitions_that_are_not_over(
    staff: Client, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    season = duel.seasons.get()
    assert "not over" not in staff.get(page(season)).content.decode()
    begun(duel, olga, [alice, bob])
    told = staff.get(page(season)).content.decode()
    assert "<b>1</b> competition of this season is not over." in told
    assert ">Spring Cup</a>" in told


def test_ending_a_season_needs_the_right_to_open_seasons(
    client: Client, duel: Arena, alice: Player
) -> None:
    season = duel.seasons.get()
    assert alice.user
    client.force_login(alice.user)
    assert client.get(page(season)).status_code == 302
    alice.user.is_staff = True
    alice.user.save()
    assert client.get(page(season)).status_code == 403
    assert client.post(page(season), {"step": "end"}).status_code == 403
    assert duel.seasons.get().ends_at is None


def test_an_unknown_step_does_nothing(staff: Client, duel: Arena) -> None:
    season = duel.seasons.get()
    staff.post(page(season), {"step": "explode"})
    staff.post(page(season), {"step": "freeze"})  # it still runs
    season.refresh_from_db()
    assert (season.ends_at, season.archived_at) == (None, None)
    elsewhere = reverse("admin:league_arena_end_season", args=[duel.pk + 1, season.pk])
    assert staff.get(elsewhere).status_code == 404


def test_olga_calls_off_a_season_that_has_not_begun_and_no_other(
    staff: Client, duel: Arena, olga: Player
) -> None:
    first = duel.seasons.get()
    planned = plan_season(duel, starts_at=database_now() + timedelta(days=30))
    assert page(planned) in staff.get(f"/admin/league/arena/{duel.pk}/change/").content.decode()
    told = staff.get(page(planned)).content.decode()
    for words in (
        "<b>Season 2</b> is planned",
        "<b>Season 1</b> still ends when this season was to",
    ):
        assert words in told
    answer, of_another_page = form_on(staff, page(planned)), form_on(staff, page(planned))
    said = staff.post(page(planned), answer, follow=True)
    assert "“Season 2” is called off" in messages_of(said)
    assert said.redirect_chain[-1][0] == f"/admin/league/arena/{duel.pk}/change/"
    assert [season.name for season in duel.seasons.all()] == ["Season 1"]
    assert LogEntry.objects.latest("pk").change_message == "“Season 2” is called off."
    assert staff.post(page(planned), of_another_page).status_code == 404
    assert "Nothing was done" in messages_of(staff.post(page(first), of_another_page, follow=True))
    assert duel.seasons.get() == first


def test_olga_reads_that_a_season_will_give_no_points_as_these_ended_with_the_one_before(
    staff: Client, duel: Arena
) -> None:
    opening = reverse("admin:league_arena_open_season", args=[duel.pk])
    set_season_rules(duel, points={"counts": True, "ends": "2026-02-01T00:00Z"})
    planned = {"starts_at": "2030-01-01T00:00", "name": "Late"}
    said = messages_of(staff.post(opening, {**form_on(staff, opening), **planned}))
    assert "“Late” is planned." in said
    assert "Its matches give no ladder points" in said
    season = duel.seasons.get(name="Late")
    assert "Its matches give no ladder points" in staff.get(page(season)).content.decode()
    set_season_rules(duel, points={"counts": True, "ends": "2030-02-01T00:00Z"})
    assert "give no ladder points" not in staff.get(page(season)).content.decode()


def test_an_arena_without_players_has_a_preview_of_its_end_and_an_archive(
    staff: Client, duel: Arena
) -> None:
    season = duel.seasons.get()
    assert "<b>0</b> players, 0 of them ranked" in staff.get(page(season)).content.decode()
    staff.post(page(season), {"step": "end"})
    staff.post(page(season), {"step": "freeze"})
    assert "Nobody was rated" in staff.get(f"/seasons/{season.pk}/").content.decode()
    lines = staff.get(f"/seasons/{season.pk}/standings.csv")
    assert len(b"".join(lines.streaming_content).splitlines()) == 1  # type: ignore[attr-defined] # a stream
    held = staff.get(f"/seasons/{season.pk}/standings.json")
    assert json.loads(b"".join(held.streaming_content))["standings"] == []  # type: ignore[attr-defined] # a stream


def test_the_preview_tells_of_the_next_season_and_of_where_late_results_go(
    staff: Client, alice: Player, bob: Player
) -> None:
    made = arena("club", season_rules={"calendar": {"late": "running"}})
    first = made.seasons.get()
    beats(alice, bob, made)
    open_season(made, starts_at=database_now() - timedelta(days=1))
    told = staff.get(page(first)).content.decode()
    assert "move to the season running then" in told
    assert "Archive it now" in told
    assert "lose points to decay" not in told  # time has stopped for it


@pytest.fixture
def absent(alice: Player, bob: Player) -> Arena:
    """An arena where Bob's rating decays and Alice loses her rank within hours."""
    rules = {
        "decay": {"points": 70, "grace_period": "3d", "decay_period": "1w"},
        "ranked": {"opponents": 0, "placement_matches": 1, "window": "10d"},
    }
    made = arena("club", rating_system="elo", season_rules=rules)
    win(made, alice, bob)
    return made


def test_the_preview_of_decay_is_correct(absent: Arena, alice: Player) -> None:
    season = absent.seasons.get()
    now = NOW + timedelta(days=9, hours=12)
    update_pending(now)
    Rating.objects.filter(player=alice).update(last_played_at=NOW + timedelta(days=1))
    update_pending(now)
    until = now + timedelta(days=1)
    told = absence.preview(season, until)
    assert (told.losing, told.leaving, told.complete) == (2, 1, True)
    assert absence.preview(season, now).losing == 0
    before = keys(season)
    update_pending(until)
    after = keys(season)
    assert {loss.player.pk: (loss.rating, loss.becomes) for loss in told.most} == {
        player: (before[player], after[player]) for player in before
    }


def keys(season: Season) -> dict[int, float]:
    rows = Standing.objects.filter(season_id=season.pk).values_list("player_id", "key")
    return {player: -key for player, key in rows}


def test_olga_sees_which_players_lose_points_to_decay(staff: Client, absent: Arena) -> None:
    season = absent.seasons.get()
    Rating.objects.update(last_played_at=database_now() - timedelta(days=4, hours=23))
    update_pending(database_now())
    told = staff.get(page(season)).content.decode()
    assert "2 players lose points to decay" in told


def test_the_end_of_a_ladder_shows_each_rank_once_and_nothing_of_decay(
    staff: Client, alice: Player, bob: Player
) -> None:
    steps = arena("steps", rating_system="ladder")
    win(steps, alice, bob)
    update_pending(database_now())
    pages = [page(steps.seasons.get()), reverse("embed_board", args=[steps.slug])]
    for address in pages:
        assert staff.get(address).content.decode().count(">Rank<") == 1, address
    assert "decay" not in staff.get(pages[0]).content.decode()
