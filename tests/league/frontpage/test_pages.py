"""First steps, health, test mail, backups, late tasks and kept filters."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from pytest_django import Settings

from league import heartbeats
from league.models import Arena, Email, Player, SavedFilter, Season
from league.services.core.clock import database_now
from league.services.frontpage import late_tasks
from league.services.frontpage.first_steps import first_steps
from league.services.notices import delivery
from league.worker_signals import DONE
from tests.support.web_steps import browser_of, words


def told(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_steps_are_ticked_by_what_is_true(olga: Player, settings: Settings) -> None:
    settings.BACKUP_FOLDER = "/backups"
    assert first_steps(database_now()) == dict.fromkeys(
        ("name", "mail", "arena", "season", "people", "backup"), False
    )
    page = words(browser_of(olga).get("/admin/"))
    assert "First steps" in page
    assert "Create your first arena" in page


def test_a_league_that_runs_needs_only_mail_and_backups(
    duel: Arena, alice: Player, olga: Player, settings: Settings
) -> None:
    Season.objects.update(opened_at=database_now())
    steps = first_steps(database_now())
    assert steps
    assert [name for name, done in steps.items() if done] == ["arena", "season", "people"]
    Season.objects.update(opened_at="2020-01-01T00:00Z")
    assert first_steps(database_now()) == {"mail": False}
    Email.objects.create(
        recipient="a@b.example",
        sender="a@b.example",
        subject="x",
        text="x",
        state=Email.State.SENT,
        created_at=database_now(),
        closed_at=database_now(),
    )
    settings.MAIL_DELIVERY = "smtp"
    assert first_steps(database_now()) is None
    assert "First steps" not in words(browser_of(olga).get("/admin/"))


def test_a_test_mail_goes_through_the_outbox(olga: Player, settings: Settings) -> None:
    staff, page = browser_of(olga), reverse("admin:test_mail")
    assert "No mail server is configured" in words(staff.get(page))
    assert "Enter a valid email address." in words(staff.post(page, {"address": "olga@"}))
    assert not Email.objects.exists()
    settings.EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"
    answer = staff.post(page, {"address": "olga@example.org"}, follow=True)
    assert "The mail is on its way." in words(answer)
    settings.MAIL_DELIVERY = "django.core.mail.backends.locmem.EmailBackend"
    delivery.deliver_due(database_now())
    assert Email.objects.get().state == Email.State.SENT


def test_backups_are_listed_and_made(olga: Player, settings: Settings, tmp_path: Path) -> None:
    staff, page = browser_of(olga), reverse("admin:backups")
    settings.BACKUP_FOLDER = ""
    assert "No folder for backups is configured." in words(staff.get(page))
    settings.BACKUP_FOLDER = str(tmp_path)
    assert "Make a backup now" in words(staff.get(page))
    assert told(staff.post(page)) == ["A worker is making a backup. Reload in a moment."]


def test_late_tasks_are_listed_and_can_be_run(olga: Player) -> None:
    valkey = heartbeats.client()
    now = heartbeats.valkey_time(valkey)
    valkey.delete(heartbeats.KEY)  # what tasks of other tests did
    try:
        valkey.hset(heartbeats.KEY, DONE + "update_standings", now - 3600)
        valkey.hset(heartbeats.KEY, DONE + "back_up", now - 1000)
        [late] = late_tasks.late_tasks()
        assert late.name == "update_standings"
        assert late.ago.total_seconds() == pytest.approx(3600, abs=60)
        staff = browser_of(olga)
        assert "update_standings Late: last done 1 hour ago" in words(staff.get("/admin/"))
        answer = staff.post(reverse("admin:run_task", args=["update_standings"]))
        assert told(answer) == ["A worker does it now. Reload this page in a moment."]
        assert staff.post(reverse("admin:run_task", args=["make_me_admin"])).status_code == 404
    finally:
        valkey.hdel(heartbeats.KEY, DONE + "update_standings", DONE + "back_up")


def test_a_filter_is_kept_for_its_list_and_its_owner(
    olga: Player, duel: Arena, eve: Player
) -> None:
    staff, page = browser_of(olga), reverse("admin:league_match_changelist")
    form = {"page": "league.match", "name": "Disputed", "query": "status__exact=disputed&p=3"}
    answer = staff.post(reverse("admin:save_filter"), form)
    assert answer["Location"] == f"{page}?status__exact=disputed"
    assert "Your filters: Disputed" in words(staff.get(page))
    assert "Keep this filter as" in words(staff.get(page, {"q": "alice"}))
    assert "Your filters" not in words(staff.get(reverse("admin:league_player_changelist")))
    staff.post(reverse("admin:save_filter"), {"page": "league.match", "forget": "Disputed"})
    assert not SavedFilter.objects.exists()


@pytest.mark.parametrize("page", ["", "league", "league.nothing", "league.standing", "a.b.c"])
def test_filters_are_for_lists_of_the_admin_only(page: str, olga: Player) -> None:
    form = {"page": page, "name": "x", "query": "q=a"}
    assert browser_of(olga).post(reverse("admin:save_filter"), form).status_code == 404
