"""Staff read the ledger of ratings in the admin."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Player, RatingEvent
from tests.support.admin_steps import staff
from tests.support.season_steps import win

__all__ = ["staff"]


def test_rating_events_have_a_filter_by_month_and_year(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    year = RatingEvent.objects.earliest("pk").rated_at.year
    this_month = f"{timezone.now():%Y-%m}"  # nothing was rated in it
    page = reverse("admin:league_ratingevent_changelist")
    for chosen, found in ((str(year), 2), (this_month, 0), ("nonsense", 2)):
        listed = staff.get(page, {"month": chosen}).context["cl"]
        assert listed.result_count == found, chosen
    assert f"?month={year}" in staff.get(page).content.decode()
