"""The pages about an arena that its page in the admin leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.urls import reverse

from league.models import ArenaQueue
from league.services.core.isolation import gettext as _
from league.services.seasons.starting_lists import may_give

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Arena, User


def list_places(request: HttpRequest, arena: Arena) -> list[tuple[str, str]]:
    """Return the addresses and names of the pages of an arena that the reader may open.

    Django’s button leads to the public page.
    """
    user = cast("User", request.user)
    found = []
    queue = ArenaQueue.objects.filter(arena=arena).values_list("pk", flat=True).first()
    if queue and user.has_perm("league.view_arenaqueue", arena):
        found.append((reverse("admin:league_arenaqueue_change", args=[queue]), _("Queue")))
    elif not queue and user.has_perm("league.add_arenaqueue", arena):
        add = reverse("admin:league_arenaqueue_add")
        found.append((f"{add}?arena={arena.pk}", _("Add a queue")))
    if arena.is_draft:
        return found
    if user.has_perm("league.view_competition", arena):
        rows = reverse("admin:league_competition_changelist")
        chosen = f"{rows}?season__arena__id__exact={arena.pk}"
        found.append((chosen, _("Competitions")))
    season = arena.seasons.opened().order_by("-starts_at").first()
    if season:
        found.append((season.get_absolute_url(), _("Season")))
    if season and may_give(season, user):
        label = _("Starting order") if season.lowest_first else _("Starting ratings")
        found.append((reverse("starting_list", args=[arena.slug]), label))
    return found
