"""Saved rules that wait for the next season say so beside their field, and can begin at once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Job, Player, Season, StaffAction
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.work import WORK
from tests.support.admin_steps import errors_of, send, staff
from tests.support.season_steps import win
from tests.support.web_steps import words

__all__ = ["staff"]

MARK = "From the next season on. This season has "


def page_of(arena: Arena) -> str:
    return reverse("admin:league_arena_change", args=[arena.pk])


def apply_page(arena: Arena) -> str:
    return reverse("admin:league_arena_saved_rules", args=[arena.pk])


@pytest.fixture
def played_arena(duel: Arena, alice: Player, bob: Player) -> Arena:
    """An arena whose season has a rated result."""
    win(duel, alice, bob)
    return duel


def save(arena: Arena, **changes: dict[str, Any]) -> None:
    rules = arena.season_rules
    for group, values in changes.items():
        rules[group] = {**rules.get(group, {}), **values}
    arena.save()


def apply(staff: Client, arena: Arena, **given: str) -> Any:
    seen = staff.get(apply_page(arena)).context["form"].initial["seen"]
    return staff.post(apply_page(arena), {"seen": seen, "reason": "We agreed on it.", **given})


def work() -> Job:
    job = Job.objects.latest("pk")
    jobs.carry_out(job.pk, WORK, database_now())
    job.refresh_from_db()
    return job


def test_a_saved_change_says_beside_its_field_that_it_waits(
    staff: Client, played_arena: Arena
) -> None:
    assert MARK not in words(staff.get(page_of(played_arena)))
    was = played_arena.seasons.get().season_rules().decay.points
    save(played_arena, decay={"points": 333.0}, start={"placement": "carry-over"})
    shown = words(staff.get(page_of(played_arena)))
    assert shown.count(MARK) == 1
    assert f"{MARK}{was:g}. Apply from the next match" in shown
    Season.objects.update(ends_at=database_now() - timedelta(minutes=1))
    assert MARK not in words(staff.get(page_of(played_arena)))


def test_saving_a_change_leads_to_applying_it(staff: Client, played_arena: Arena) -> None:
    answer = send(staff, page_of(played_arena), {"season_decay__points": "333"})
    assert answer.status_code == 302, errors_of(answer)
    page = staff.get(answer["Location"])
    assert f'next season. <a href="{apply_page(played_arena)}">' in page.content.decode()


def test_saved_rules_begin_with_the_next_match(
    staff: Client, played_arena: Arena, alice: Player, bob: Player
) -> None:
    save(played_arena, decay={"points": 333.0})
    page = words(staff.get(apply_page(played_arena)))
    assert "333" in page
    answer = apply(staff, played_arena)
    assert answer.status_code == 302, words(answer)
    job = work()
    assert job.state == Job.State.DONE, job.refusal
    season = played_arena.seasons.get()
    assert (season.season_rules().decay.points, season.rules_version) == (333, 2)
    assert StaffAction.objects.latest("pk").reason == "We agreed on it."
    assert MARK not in words(staff.get(page_of(played_arena)))
    assert "has the saved rules already" in words(staff.get(apply_page(played_arena)))
    win(played_arena, alice, bob)
    assert verify(season) == []
    result = staff.get(reverse("admin:league_job_change", args=[job.pk]))
    assert page_of(played_arena) in result.content.decode()


def test_another_rating_system_waits_for_the_next_season(
    staff: Client, played_arena: Arena
) -> None:
    played_arena.rating_system, played_arena.rating_parameters = "elo", {}
    played_arena.save()
    assert MARK in words(staff.get(page_of(played_arena)))
    page = words(staff.get(apply_page(played_arena)))
    assert "These rules cannot begin with the next match." in page
    assert "needs the season to be rated again" in page
    assert reverse(
        "admin:league_arena_other_rules", args=[played_arena.pk, played_arena.seasons.get().pk]
    ) in (staff.get(apply_page(played_arena)).content.decode())
    assert "needs the season to be rated again" in words(apply(staff, played_arena))
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"reason": " "}, "This field is required"),
        ({"seen": "x"}, "The rules have changed since you saw this page."),
        ({"seen": ""}, ""),
    ],
)
def test_what_is_refused_changes_nothing(
    staff: Client, played_arena: Arena, given: dict[str, str], sentence: str
) -> None:
    save(played_arena, decay={"points": 333.0})
    answer = apply(staff, played_arena, **given)
    assert answer.status_code == 200
    assert sentence in words(answer)
    assert not Job.objects.exists()


def test_rules_that_change_before_the_job_are_not_applied_unseen(
    staff: Client, played_arena: Arena
) -> None:
    save(played_arena, decay={"points": 333.0})
    apply(staff, played_arena)
    save(played_arena, decay={"points": 444.0})
    job = work()
    assert job.state == Job.State.FAILED
    assert "The rules have changed" in job.refusal
    assert played_arena.seasons.get().rules_version == 1


def test_without_a_season_there_is_nothing_to_apply(staff: Client, played_arena: Arena) -> None:
    Season.objects.update(ends_at=database_now() - timedelta(minutes=1))
    assert staff.get(apply_page(played_arena)).status_code == 404
