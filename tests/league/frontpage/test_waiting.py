"""What waits for staff, on the first page of the admin."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Arena, ArenaQueue, Email, Flag, Job, PlayerClaim, Season, Ticket, User
from league.services.core.clock import database_now
from league.services.frontpage.waiting import waiting
from league.services.jobs import jobs
from league.services.results.reports.answers import dispute
from tests.support.cast import NOW, beats
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_nothing_waits_in_a_new_league(olga: Player) -> None:
    assert waiting(NOW) == {}
    assert "Nothing is waiting for you." in words(browser_of(olga).get("/admin/"))


def test_each_kind_is_counted_with_its_oldest(
    duel: Arena, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    season = duel.current_season(NOW)
    assert season
    disputed, _reported = beats(alice, charlie, duel), beats(alice, charlie, duel)
    dispute(disputed.pk, by=charlie, reason="It was a draw.", now=NOW)
    Flag.objects.create(
        kind=Flag.Kind.DODGING, season=season, player=eve, evidence={}, raised_at=NOW
    )
    PlayerClaim.objects.create(account=user_of(eve), player=alice, evidence="So.", made_at=NOW)
    ArenaQueue.objects.create(arena=duel)
    Ticket.objects.create(arena=duel, captain=eve, queued_at=NOW, place=1)
    Season.objects.filter(pk=season.pk).update(ends_at=NOW + 5 * DAY)
    Season.objects.create(arena=duel, name="Next", starts_at=NOW + 5 * DAY, rating_system="elo")
    job = jobs.ask("none", "Some work", by=user_of(olga), now=NOW, arena=duel)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, finished_at=NOW)
    Email.objects.create(
        recipient="a@example.org", sender="b@example.org", subject="x", created_at=NOW,
        closed_at=NOW, state=Email.State.FAILED,
    )  # fmt: skip
    later = NOW + 2 * DAY
    found = waiting(later)
    assert {kind: one.count for kind, one in found.items()} == dict.fromkeys(
        ("disputes", "lapsing", "flags", "claims", "starting", "ending", "queues", "jobs", "mails"),
        1,
    )
    assert found["starting"].since == NOW + 5 * DAY
    assert found["queues"].since == NOW
    other = waiting(later, arenas=[duel.pk + 1])
    assert other == {}
    mine = set(waiting(later, arenas=[duel.pk]))
    assert mine == set(found) - {"claims", "jobs", "mails"}


def test_staff_see_only_what_they_may_look_at(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, duel, now=database_now())
    dispute(match.pk, by=charlie, reason="It was a draw.", now=database_now())
    staff = user_of(eve)
    staff.is_staff = True
    staff.save()
    browser = Client()
    browser.force_login(staff)
    page = words(browser.get("/admin/"))
    assert "disputed" not in page
    assert "Is everything working?" not in page
    staff.user_permissions.add(Permission.objects.get(codename="view_match"))
    browser.force_login(User.objects.get(pk=staff.pk))
    page = words(browser.get("/admin/"))
    assert "1 disputed result the oldest" in page
    assert "First steps" not in page
