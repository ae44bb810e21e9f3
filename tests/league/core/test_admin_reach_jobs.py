"""Organisers of single arenas reach no other one through jobs, trials, imports and evenings."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    ArenaText,
    Case,
    CasePlayer,
    FileImport,
    Job,
    Match,
    Player,
    Roster,
    StaffAction,
    User,
)
from league.models.own_words import own_words
from league.models.reach import ARENA_ORGANISER
from league.services.core.errors import Forbidden
from league.services.corrections import voiding_all
from league.services.jobs import jobs
from league.services.moderation import bulk
from league.services.other_rules import outcomes
from league.services.people import roles
from league.services.results.reports.answers import confirm
from league.services.transfer.evenings import evening_undoing
from league.services.transfer.files import file_imports
from league.services.transfer.files.result_imports import Done
from tests.support.admin_steps import browser_of, form_on
from tests.support.cast import NOW, beats
from tests.support.other_rules_steps import a_trial
from tests.support.result_steps import user_of


@pytest.fixture
def organiser(duel: Arena, bob: Player) -> Client:
    """Bob organises the duels, and no other arena."""
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    return browser_of(User.objects.get(player=bob))


@pytest.fixture
def rated_match(teams: Arena, alice: Player, charlie: Player) -> Match:
    """A rated match of the teams."""
    return confirm(beats(alice, charlie, teams).pk, by=charlie, now=NOW)


def done(kind: str, by: Player, match: Match, **result: Any) -> Job:
    """A finished job about the season of a match."""
    season = match.season
    job = jobs.ask(kind, kind, by=user_of(by), now=NOW, arena=season.arena, season=season)
    job.state, job.result = Job.State.DONE, result
    job.save()
    return job


def test_pages_behind_jobs_are_for_the_arena_of_the_job(
    organiser: Client, olga: Player, rated_match: Match
) -> None:
    arena, by = rated_match.arena, user_of(olga)
    trial, of_trial = a_trial(rated_match.season, by)
    file = file_imports.upload(
        arena, FileImport.What.ROSTERS, name="r.csv", content=b"a\nb\n", season=None, by=by, now=NOW
    )
    evening = StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.EVENING,
        details={"arena_id": arena.pk, "arena": arena.name, "matches": [rated_match.pk]},
        at=NOW,
    )
    of_evening = evening_undoing.ask_undo(evening, arena, by=by, reason="So.", now=NOW)
    of_file = file_imports.ask_check(file, by=by, now=NOW)
    void_all = done("void_all", olga, rated_match, matches=1, players=2, player=1)
    for route, number in (
        ("league_job_change", of_trial.pk),
        ("league_trial_change", trial.pk),
        ("league_arenaqueue_rerun", done("queue-trial", olga, rated_match).pk),
        ("league_fileimport_of_job", of_file.pk),
        ("league_fileimport_errors", file.pk),
        ("league_arena_evening_of_job", of_evening.pk),
        ("league_arena_rerated", done("rerate", olga, rated_match).pk),
        ("league_player_voided_all", void_all.pk),
        ("league_arena_import", arena.pk),
        ("league_arena_data", arena.pk),
        ("league_arena_evening", arena.pk),
        ("league_arena_evening_names", arena.pk),
        ("league_arena_draft", arena.pk),
    ):
        address = reverse(f"admin:{route}", args=[number])
        assert organiser.get(address).status_code == 403, route
    for route, numbers in (
        ("league_arena_evening_entered", [arena.pk, evening.pk]),
        ("league_arena_rerate", [arena.pk, rated_match.season_id]),
        ("league_arena_other_rules", [arena.pk, rated_match.season_id]),
    ):
        address = reverse(f"admin:{route}", args=numbers)
        assert organiser.post(address, {"reason": "So."}).status_code == 403, route
    address = reverse("admin:league_fileimport_change", args=[file.pk])
    assert organiser.post(address, {"import": "1"}).status_code == 404
    assert organiser.get(reverse("match_erratum", args=[rated_match.pk])).status_code == 403
    assert organiser.get(reverse("match_reopen", args=[rated_match.pk])).status_code == 403


def test_an_evening_of_another_arena_is_not_reached_through_their_own(
    organiser: Client, olga: Player, duel: Arena, rated_match: Match
) -> None:
    evening = StaffAction.objects.create(
        actor=user_of(olga),
        kind=StaffAction.Kind.EVENING,
        details={"arena_id": rated_match.arena_id, "arena": "", "matches": [rated_match.pk]},
        at=NOW,
    )
    address = reverse("admin:league_arena_evening_entered", args=[duel.pk, evening.pk])
    assert organiser.get(address).status_code == 404
    assert organiser.post(address, {"undo": "1", "reason": "So."}).status_code == 404
    previewed = reverse("admin:league_arena_preview", args=["decay"])
    assert organiser.get(f"{previewed}?of={rated_match.arena_id}").status_code == 404


def test_a_job_does_not_do_what_its_asker_may_not(
    organiser: Client, bob: Player, rated_match: Match
) -> None:
    by = user_of(bob)
    evening = StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.EVENING,
        details={"arena_id": rated_match.arena_id, "arena": "", "matches": [rated_match.pk]},
        at=NOW,
    )
    job = evening_undoing.ask_undo(evening, rated_match.arena, by=by, reason="So.", now=NOW)
    with pytest.raises(Forbidden):
        evening_undoing.undo(job, lambda _step, _done, _total: None, NOW)  # type: ignore[arg-type]
    trial, _job = a_trial(rated_match.season, by)
    job = jobs.ask("rules", "A", by=by, now=NOW, trial=trial.pk, reason="So.", version=1)
    with pytest.raises(Forbidden):
        outcomes.lock_for(job)


def test_matches_are_voided_together_in_their_arenas_only(
    organiser: Client, duel: Arena, rated_match: Match, alice: Player, charlie: Player
) -> None:
    own = confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    address = reverse("admin:league_player_void_all", args=[alice.pk])
    page = organiser.get(address).content.decode()
    assert str(own.season) in page
    assert str(rated_match.season) not in page
    answer = organiser.post(address, {"season": rated_match.season_id, "reason": "So."})
    assert "Select a valid choice" in answer.content.decode()


def test_rules_in_their_own_words_are_for_their_arena(
    organiser: Client, duel: Arena, teams: Arena
) -> None:
    add = reverse("admin:league_arenatext_add")
    organiser.post(add, {**form_on(organiser, add), "arena": teams.pk, "rules": "No."})
    assert not ArenaText.objects.exists()
    organiser.post(add, {**form_on(organiser, add), "arena": duel.pk, "rules": "Be kind."})
    assert ArenaText.objects.get().arena == duel
    assert organiser.get(reverse("admin:index")).context["staff_actions"]


def test_organisers_undo_evenings_and_referees_do_not(
    organiser: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    match = confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    evening = StaffAction.objects.create(
        actor=user_of(bob),
        kind=StaffAction.Kind.EVENING,
        details={"arena_id": duel.pk, "arena": duel.name, "matches": [match.pk]},
        reason="Club",
        at=NOW,
    )
    address = reverse("admin:league_arena_evening_entered", args=[duel.pk, evening.pk])
    assert "Undo the evening" in organiser.get(address).content.decode()
    roles.give(user_of(charlie), ["referee"], [])
    referee = browser_of(User.objects.get(player=charlie))
    assert "Undo the evening" not in referee.get(address).content.decode()
    assert referee.post(address, {"undo": "1", "reason": "So."}).status_code == 403
    job = evening_undoing.ask_undo(
        evening, duel, by=User.objects.get(player=bob), reason="Another club.", now=NOW
    )
    evening_undoing.undo(job, jobs.Progress(job), NOW)
    match.refresh_from_db()
    assert match.status == "void"
    log = organiser.get(reverse("admin:league_staffaction_changelist")).content.decode()
    assert "Another club." in log
    undo = StaffAction.objects.get(kind=StaffAction.Kind.EVENING, details__undoes=evening.pk)
    address = reverse("admin:league_arena_evening_entered", args=[duel.pk, undo.pk])
    assert organiser.get(address).status_code == 404


def test_nobody_reads_of_cases_about_themselves_in_the_staff_log(
    alice: Player, bob: Player, olga: Player
) -> None:
    roles.give(user_of(alice), ["moderator"], [])
    reader = browser_of(User.objects.get(player=alice))
    case = Case.objects.create(title="Ring", opened_at=NOW, opened_by=user_of(olga))
    secrets = [{"player_ids": [alice.pk]}, {"player": alice.pk}, {"case": case.pk}]
    for number, details in enumerate([*secrets, {"player": bob.pk}]):
        StaffAction.objects.create(
            actor=user_of(olga),
            kind=StaffAction.Kind.CASE,
            reason=f"Entry {number}",
            details=details,
            at=NOW,
        )
    CasePlayer.objects.create(case=case, player=alice)
    hidden = StaffAction.objects.get(reason="Entry 0")
    for address in (
        reverse("admin:league_staffaction_changelist"),
        reverse("admin:league_staffaction_changelist") + "?q=Entry",
        reverse("admin:league_staffaction_export"),
        reverse("admin:league_staffaction_change", args=[hidden.pk]),
    ):
        answer: Any = reader.get(address)
        sent = b"".join(answer.streaming_content) if answer.streaming else answer.content
        for number in range(3):
            assert f"Entry {number}" not in sent.decode()
    log = reader.get(reverse("admin:league_staffaction_changelist")).content.decode()
    assert "Entry 3" in log
    staff = browser_of(user_of(olga))
    assert "Entry 0" in staff.get(reverse("admin:league_staffaction_changelist")).content.decode()


def test_they_read_decisions_in_their_arena_in_the_staff_log(
    organiser: Client, olga: Player, duel: Arena, teams: Arena, alice: Player, charlie: Player
) -> None:
    by = user_of(olga)
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    season = duel.seasons.get()
    seen = voiding_all.preview(alice, season, by=by)
    voiding_all.void_all(
        alice, season, by=by, reason="A cheat", digest=seen.digest, horizon=seen.horizon, now=NOW
    )
    for arena, roster in ((duel, "Owls"), (teams, "Foxes")):
        made = Roster.objects.create(arena=arena, name=roster, captain=alice)
        bulk.add_to_roster([alice.pk, charlie.pk], made, by=by, now=NOW)
    file = file_imports.upload(
        duel, FileImport.What.ROSTERS, name="r.csv", content=b"a\nb\n", season=None, by=by, now=NOW
    )
    why = own_words("file", file=file.file_name)
    file_imports.note(file, StaffAction.Kind.IMPORTED, by, NOW, Done({}), why)
    log = organiser.get(reverse("admin:league_staffaction_changelist")).content.decode()
    for reason in ("A cheat", "Added to the roster Owls", "File r.csv"):
        assert reason in log
    assert "Foxes" not in log
