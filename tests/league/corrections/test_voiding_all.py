"""Voiding all matches of a player at once: as one after the other, and undone as a whole."""

import re
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from league import tasks
from league.models import (
    Arena,
    CorrectionKind,
    Job,
    Match,
    Player,
    Rating,
    RatingEvent,
    Season,
    StaffAction,
    Status,
    User,
)
from league.services.core.errors import Conflict, Forbidden
from league.services.corrections import Preview, undoing, voiding_all
from league.services.corrections.checks import change_of
from league.services.corrections.making import Decision, carry_through
from league.services.integrity import points, ratings
from league.services.jobs import jobs
from league.services.replay.apply import lock_matches_and_season
from league.services.replay.diff import diff
from league.services.replay.edits import Edit
from league.services.replay.previews import preview_of
from ratings.history import Match as Played
from ratings.history import Participant, Side
from tests.support.cast import NOW, RANKED_AT_ONCE, arena
from tests.support.correction_steps import LATER, correct
from tests.support.effort import LONG
from tests.support.imported_histories import HOUR, START, import_matches, stored_history
from tests.support.point_steps import totals
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

MANY = 360 if LONG else 48
POINTS = {**RANKED_AT_ONCE, "points": {"counts": True}}


def a_season_of(count: int) -> list[Played]:
    """Duels of twenty players, in most of which Mallory takes part."""
    chance = np.random.default_rng(5)
    names = [f"Player {number}" for number in range(20)]
    played = []
    for number in range(count):
        one, other = chance.permutation(names)[:2].tolist()
        if number % 3:
            one = "Mallory"
        sides = [Side(0, [Participant(one)]), Side(1, [Participant(other)])]
        if chance.random() < 0.4:
            sides = [Side(1, [Participant(one)]), Side(0, [Participant(other)])]
        played.append(Played(str(number), START + number * HOUR, sides))
    return played


def void(player: Player, season: Season, by: User) -> tuple[Preview, Job]:
    """Preview it, and let a worker do it."""
    seen = voiding_all.preview(player, season, by=by)
    job = jobs.ask(
        voiding_all.JOB,
        "Void",
        by=by,
        now=NOW,
        season=season,
        player=player.pk,
        reason="A cheat",
        digest=seen.digest,
        horizon=seen.horizon,
    )
    tasks.carry_out_job(job.pk)
    job.refresh_from_db()
    return seen, job


@pytest.mark.parametrize("system", ["elo-mmr", "glicko-2"])
def test_many_matches_are_voided_as_one_after_the_other_and_brought_back(
    boss: User, system: str
) -> None:
    told = a_season_of(MANY)
    one, other = (
        arena(slug, rating_system=system, season_rules=POINTS) for slug in ("one", "other")
    )
    for league in (one, other):
        import_matches(league, told)
    season, mallory = one.seasons.get(), Player.objects.get(name="Mallory")
    before, had = stored_history(season), totals(one)

    seen, job = void(mallory, season, boss)
    assert job.state == Job.State.DONE, job.refusal
    assert job.result
    assert seen.corrected == job.result["matches"] == MANY - MANY // 3
    assert seen.players == job.result["players"]
    assert "Mallory" in [move.player.name for move in seen.movements]

    for match in voiding_all.matches_of(mallory, other.seasons.get()).reverse():
        quietly_void(match, boss)
    assert stored_history(season) == stored_history(other.seasons.get())
    assert totals(one) == totals(other)
    assert ratings.verify(season) == []
    assert points.differences(season) == []
    assert not Rating.objects.filter(season=season, player=mallory).exists()

    made = voiding_all.made_about(mallory).get(season=season)
    assert RatingEvent.ever.filter(superseded_by=made).count() == made.events == seen.events
    back = undoing.preview(made, by=boss)
    assert back.corrected == seen.corrected
    job = jobs.ask(
        voiding_all.UNDO_JOB,
        "Undo",
        by=boss,
        now=LATER,
        season=season,
        correction=made.pk,
        reason="It was somebody else",
        digest=back.digest,
        horizon=back.horizon,
    )
    tasks.carry_out_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    assert (stored_history(season), totals(one)) == (before, had)
    assert ratings.verify(season) == []
    kinds = StaffAction.objects.filter(details__season=str(season)).order_by("pk")
    assert [(one.kind, one.details["players"], one.details["matches"]) for one in kinds] == [
        ("voided_all", ["Mallory"], seen.corrected),
        ("undone", ["Mallory"], seen.corrected),
    ]


def test_hundreds_of_matches_are_voided_as_if_they_had_never_been_played(boss: User) -> None:
    told = a_season_of(360)
    one, other = (arena(slug, rating_system="elo-mmr") for slug in ("one", "other"))
    import_matches(one, told)
    import_matches(other, [match for match in told if not int(match.match_id) % 3])
    season = one.seasons.get()
    seen, job = void(Player.objects.get(name="Mallory"), season, boss)
    assert job.state == Job.State.DONE, job.refusal
    assert seen.corrected == 240
    assert stored_history(season) == stored_history(other.seasons.get())


def quietly_void(match: Match, by: User) -> None:
    """Void one match, without the page's preview."""
    matches, season = lock_matches_and_season([match.pk])
    edit = Edit([change_of(matches[match.pk], None)])
    seen = preview_of(diff(season, edit))
    decision = Decision(
        season, matches, edit, CorrectionKind.VOID, "One", by, seen.digest, seen.horizon
    )
    carry_through(decision, NOW)


def test_a_new_match_of_the_player_needs_another_preview(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    seen = voiding_all.preview(alice, season, by=boss)
    win(duel, alice, bob)
    with pytest.raises(Conflict, match="Check it again"):
        voiding_all.void_all(
            alice,
            season,
            by=boss,
            reason="A cheat",
            digest=seen.digest,
            horizon=seen.horizon,
            now=NOW,
        )
    assert not Match.objects.filter(status=Status.VOID).exists()


def test_what_cannot_be_voided_says_why(
    duel: Arena, boss: User, alice: Player, bob: Player, olga: Player
) -> None:
    season = duel.seasons.get()
    with pytest.raises(Conflict, match="no match that counts"):
        voiding_all.preview(alice, season, by=boss)
    win(duel, alice, bob)
    assert alice.user
    with pytest.raises(Forbidden, match="Only staff"):
        voiding_all.preview(alice, season, by=alice.user)
    Season.objects.update(archived_at=NOW)
    with pytest.raises(Conflict, match="is archived"):
        voiding_all.preview(alice, Season.objects.get(), by=boss)


def test_one_of_the_matches_leads_to_the_undo_of_all(
    duel: Arena, boss: User, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    first, second = win(duel, alice, bob), win(duel, alice, charlie)
    kept = win(duel, bob, charlie)
    void(alice, duel.seasons.get(), boss)
    made = voiding_all.made_about(alice).get()
    staff = browser_of(olga)
    for match in (first, second):
        page = staff.get(match.get_absolute_url())
        assert "Olga: voided all matches of a player" in words(page)
        assert "A cheat" in words(page)
        undo = reverse("correction_undo", args=[match.pk, made.pk])
        assert undo in page.content.decode()
        assert staff.get(undo).headers["Location"] == reverse(
            "admin:league_player_undo_all", args=[made.pk]
        )
    assert "Undo" not in words(staff.get(kept.get_absolute_url()))
    correct(Match.objects.get(pk=kept.pk), boss)


def test_olga_voids_all_matches_of_a_banned_player_and_undoes_it(
    duel: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    for loser in (bob, charlie):
        win(duel, alice, loser)
    win(duel, charlie, bob)
    staff, season = browser_of(olga), duel.seasons.get()
    banned = staff.post(
        reverse("admin:league_player_ban", args=[alice.pk]),
        {"arena": duel.pk, "reason": "A cheat"},
        follow=True,
    )
    address = reverse("admin:league_player_void_all", args=[alice.pk])
    assert banned.content.decode().count(address) == 2

    form = {"season": season.pk, "reason": "A cheat"}
    assert f"{season} (2 matches)" in words(staff.get(address))
    missing = staff.post(address, {"season": season.pk})
    assert "Give a reason" in words(missing)
    seen = staff.post(address, form)
    assert "2 matches of the player change. 1 other match is rated again." in words(seen)
    assert not Match.objects.filter(status=Status.VOID).exists()
    followed = staff.post(address, {**form, **hidden(seen), "apply": "1"}, follow=True)
    assert f"Void all matches of Alice in {season}" in words(followed)
    tasks.carry_out_jobs()
    job = Job.objects.get()
    done = staff.get(reverse("admin:league_player_voided_all", args=[job.pk]), follow=True)
    assert "2 matches changed" in words(done)
    assert ratings.verify(season) == []

    made = voiding_all.made_about(alice).get()
    undo = reverse("admin:league_player_undo_all", args=[made.pk])
    assert undo in done.content.decode()
    assert 'value="Preview"' in staff.get(undo).content.decode()
    form = {"reason": "No cheat"}
    seen = staff.post(undo, form)
    assert "2 matches of the player change" in words(seen)
    staff.post(undo, {**form, **hidden(seen), "apply": "1"})
    tasks.carry_out_jobs()
    assert not Match.objects.filter(status=Status.VOID).exists()
    assert ratings.verify(season) == []
    assert "(undone)" in words(staff.get(address))


def hidden(page: Any) -> dict[str, str]:
    """Return the fingerprint of a preview on a page."""
    found = re.findall(r'name="(digest|horizon)" value="(\w+)"', page.content.decode())
    return dict(found)
