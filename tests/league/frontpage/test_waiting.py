"""What waits for staff, on the first page of the admin."""

from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Arena, Player, User
from league.services.core.clock import database_now
from league.services.results.reports.answers import dispute
from tests.support.cast import beats
from tests.support.result_steps import user_of
from tests.support.web_steps import words


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
