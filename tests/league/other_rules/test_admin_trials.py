"""Olga tries rules in the arena form, reads what they would change, and decides."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Format, Job, Player, Season, StaffAction, Trial
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.rating import versions
from league.work import WORK
from tests.support.admin_steps import arena_page, errors_of, send, staff
from tests.support.cast import arena
from tests.support.season_steps import win
from tests.support.web_steps import words

__all__ = ["staff"]


@pytest.fixture
def elo(alice: Player, bob: Player, charlie: Player) -> Arena:
    one = arena("elo", rating_system="elo")
    win(one, alice, bob)
    win(one, bob, charlie)
    return one


def saved_versions() -> int:
    """Return how often an arena has been saved."""
    history: Any = Arena.history
    return int(history.count())


def carried_out() -> Job:
    """Let a worker do the waiting job, and return it."""
    job = Job.objects.get(state=Job.State.WAITING)
    jobs.carry_out(job.pk, WORK, database_now())
    job.refresh_from_db()
    return job


def trial_of(staff: Client, elo: Arena, gain: str = "64") -> str:
    """Try a largest gain, and return the page of the trial."""
    send(staff, arena_page(elo), {"elo__max_gain": gain, "_try": "Try these rules"})
    assert carried_out().state == Job.State.DONE
    return reverse("admin:league_trial_change", args=[Trial.objects.latest("pk").pk])


def decide(staff: Client, page: str, way: str, reason: str = "Too slow", **given: str) -> str:
    """Take one of the ways on and return the words of the page it leads to."""
    form = staff.get(page).context["form"]
    fields = {"seen": form["seen"].value(), "candidate": form["candidate"].value() or ""}
    return words(staff.post(page, {**fields, "way": way, "reason": reason, **given}, follow=True))


def test_trying_saves_nothing_and_shows_old_beside_new(staff: Client, elo: Arena) -> None:
    versions_before = saved_versions()
    answer = send(
        staff, arena_page(elo), {"name": "Other", "elo__max_gain": "64", "_try": "Try these rules"}
    )
    job = Job.objects.get()
    assert answer["Location"] == reverse("admin:league_job_change", args=[job.pk])
    assert carried_out().state == Job.State.DONE
    held = Arena.objects.get(pk=elo.pk)
    assert (held.name, held.rating_parameters["max_gain"]) == ("Elo", 32.0)
    assert saved_versions() == versions_before

    done = staff.get(reverse("admin:league_job_change", args=[job.pk]))
    page = staff.get(done.context["result"], follow=True)
    text = words(page)
    assert "Largest gain (K) 32 64" in text
    assert "2 matches with 3 players were rated again." in text
    assert "Alice 1 → 1" in text
    assert "Alice 1 → 1" in words(staff.get(page.request["PATH_INFO"], {"q": "alic"}))
    assert "No rated player" in words(staff.get(page.request["PATH_INFO"], {"q": "zoe"}))


def test_invalid_rules_come_back_with_errors_at_their_fields(staff: Client, elo: Arena) -> None:
    answer = send(
        staff, arena_page(elo), {"name": "Other", "elo__max_gain": "-1", "_try": "Try these rules"}
    )
    assert "elo__max_gain" in errors_of(answer)
    assert "not tried" in words(answer)
    assert not Job.objects.exists()
    assert Arena.objects.get(pk=elo.pk).name == "Elo"


def test_a_refused_trial_says_why_and_keeps_what_was_typed(staff: Client, elo: Arena) -> None:
    typed = {"name": "Other", "elo__max_gain": "32", "_try": "Try these rules"}
    answer = send(staff, arena_page(elo), typed)
    assert "These are the rules" in words(answer)
    assert answer.context["adminform"].form["name"].value() == "Other"
    assert not Job.objects.exists()
    assert Arena.objects.get(pk=elo.pk).name == "Elo"


def test_rules_of_a_trial_apply_from_the_next_match(
    staff: Client, elo: Arena, alice: Player, bob: Player
) -> None:
    page = trial_of(staff, elo)
    win(elo, alice, bob)
    assert "1 more result was rated." in words(staff.get(page))
    assert "Give a reason." in decide(staff, page, "next", reason="")
    decide(staff, page, "next")
    job = carried_out()
    assert job.state == Job.State.DONE, job.refusal
    win(elo, alice, bob)
    season = elo.seasons.get()
    assert (season.rules_version, season.rating_parameters["max_gain"]) == (2, 64.0)
    assert verify(season) == []
    assert elo.rating_parameters["max_gain"] == 32.0
    assert "applied from the next match" in words(staff.get(page))
    action = StaffAction.objects.get(kind=StaffAction.Kind.RULES)
    assert (action.before, action.after, action.reason) == (
        {"Largest gain (K)": "32"},
        {"Largest gain (K)": "64"},
        "Too slow",
    )
    assert "applied already" in decide(staff, page, "next")

    shown = words(staff.get(reverse("how_it_works", args=[elo.slug]), {"season": season.pk}))
    assert "Version 2" in shown
    assert "Olga: “Too slow” Rule Before After Largest gain (K) 32 64" in shown
    first, last = season.matches.earliest("pk"), season.matches.latest("pk")
    assert "under version 1 of" in words(staff.get(first.get_absolute_url()))
    assert "under version 2 of" in words(staff.get(last.get_absolute_url()))
    board = words(staff.get(reverse("leaderboard", args=[elo.slug])))
    assert "The rules of this season have changed" in board


@pytest.mark.parametrize("system", ["elo", "glicko-2"])
def test_a_season_is_rated_again_under_the_rules_of_a_trial(
    staff: Client, elo: Arena, alice: Player, bob: Player, charlie: Player, system: str
) -> None:
    page = trial_of(staff, elo, "48")
    decide(staff, page, "next")
    assert carried_out().state == Job.State.DONE
    win(elo, alice, charlie)
    typed = {"rating_system": system, "elo__max_gain": "64", "_try": "Try these rules"}
    send(staff, arena_page(elo), typed)
    assert carried_out().state == Job.State.DONE
    trial = Trial.objects.latest("pk")
    decide(staff, reverse("admin:league_trial_change", args=[trial.pk]), "rerate")
    job = carried_out()
    assert job.state == Job.State.DONE, job.refusal

    season = elo.seasons.get()
    assert verify(season) == []
    held = dict(season.ratings.values_list("player", "rating"))
    assert held == dict(trial.moves.values_list("player", "rating_after"))
    orders = season.matches.values_list("rated_order", flat=True)
    assert {versions.version_of(season, order) for order in orders} == {3}
    assert StaffAction.objects.get(kind=StaffAction.Kind.RERATED).reason == "Too slow"
    win(elo, bob, alice)
    assert verify(Season.objects.get(pk=season.pk)) == []


def test_two_who_change_the_same_rules_do_not_overwrite_each_other(
    staff: Client, elo: Arena
) -> None:
    first, second = trial_of(staff, elo, "64"), trial_of(staff, elo, "48")
    seen = staff.get(second).context["form"]["seen"].value()
    decide(staff, first, "next")
    decide(staff, second, "next")
    waiting = Job.objects.filter(state=Job.State.WAITING).order_by("pk")
    for job in list(waiting):
        jobs.carry_out(job.pk, WORK, database_now())
    states = Job.objects.filter(kind="rules").order_by("pk").values_list("state", flat=True)
    assert list(states) == ["done", "failed"]
    assert "have changed since" in Job.objects.latest("pk").refusal
    assert elo.seasons.get().rating_parameters["max_gain"] == 64.0
    assert "no longer in force" in words(staff.get(second))
    assert "have changed since you saw this page" in decide(staff, second, "plan", seen=seen)
    assert "have changed since you saw this page" in decide(staff, second, "plan", seen="")
    assert Arena.objects.get(pk=elo.pk).rating_parameters["max_gain"] == 32.0


def test_rules_that_need_another_rating_offer_no_next_match(staff: Client, elo: Arena) -> None:
    send(staff, arena_page(elo), {"rating_system": "glicko-2", "_try": "Try these rules"})
    assert carried_out().state == Job.State.DONE
    page = reverse("admin:league_trial_change", args=[Trial.objects.get().pk])
    text = words(staff.get(page))
    assert "different scales" in text
    assert 'value="next"' not in staff.get(page).content.decode()
    assert "needs the season to be rated again" in decide(staff, page, "next")
    assert not Job.objects.filter(state=Job.State.WAITING).exists()


def test_rules_are_planned_for_the_next_season(staff: Client, elo: Arena) -> None:
    page = trial_of(staff, elo)
    assert "will have these rules" in decide(staff, page, "plan")
    assert Arena.objects.get(pk=elo.pk).rating_parameters["max_gain"] == 64.0
    assert elo.seasons.get().rules_version == 1
    assert StaffAction.objects.get(kind=StaffAction.Kind.RULES).after == {"Largest gain (K)": "64"}
    assert "has these rules already" in decide(staff, page, "plan")
    assert "planned for the next season. (New rules)" in words(staff.get(page))


@pytest.mark.parametrize("way", ["plan", "rerate"])
def test_one_of_several_candidates_is_chosen(staff: Client, elo: Arena, way: str) -> None:
    """A rating system alone leaves all other rules, of this season or of the next."""
    Arena.objects.filter(pk=elo.pk).update(season_rules={"ranked": {"placement_matches": 7}})
    season = elo.seasons.get()
    fields = {"systems": ["glicko-2", "wager"], "split": "2026-01-02T00:00"}
    staff.post(reverse("admin:league_arena_other_rules", args=[elo.pk, season.pk]), fields)
    assert carried_out().state == Job.State.DONE
    page = reverse("admin:league_trial_change", args=[Trial.objects.get().pk])
    assert "Choose one of the candidates." in decide(staff, page, way)
    assert "nonsense is not one of" in decide(staff, page, way, candidate="nonsense")
    assert "Choose one of the ways on" in decide(staff, page, "nonsense", candidate="wager")
    decide(staff, page, way, candidate="glicko-2")
    if way == "rerate":
        assert carried_out().state == Job.State.DONE
        held = elo.seasons.get()
        assert (held.rating_system, held.rules) == ("glicko-2", season.rules)
        assert verify(held) == []
    else:
        saved = Arena.objects.get(pk=elo.pk)
        assert saved.rating_system == "glicko-2"
        assert saved.rules().ranked.placement_matches == 7
    assert "(Glicko-2)" in words(staff.get(page))


def test_a_system_that_no_longer_fits_the_arena_is_not_planned(staff: Client, elo: Arena) -> None:
    send(staff, arena_page(elo), {"rating_system": "wager", "_try": "Try these rules"})
    assert carried_out().state == Job.State.DONE
    page = reverse("admin:league_trial_change", args=[Trial.objects.get().pk])
    Arena.objects.filter(pk=elo.pk).update(sides_max=4, format=Format.FREE_FOR_ALL)
    assert "two sides only" in decide(staff, page, "plan")
    assert Arena.objects.get(pk=elo.pk).rating_system == "elo"


def test_a_discarded_trial_is_gone(staff: Client, elo: Arena) -> None:
    page = trial_of(staff, elo)
    assert "Give a reason." in decide(staff, page, "discard", reason="")
    assert Trial.objects.exists()
    assert "is discarded" in decide(staff, page, "discard", reason="Wrong number")
    assert not Trial.objects.exists()
    noted = StaffAction.objects.get(kind=StaffAction.Kind.DELETED)
    assert (noted.actor.username, noted.reason) == ("olga", "Wrong number")
    assert (noted.arena_id, noted.before) == (elo.pk, {"New rules": "Largest gain (K): 64"})
    assert staff.get(page).status_code == 404
