"""The seasons that an organiser can choose for a competition, suggested while they type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Q
from django.forms import Select
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from league.models import Competition
from league.models.skeletons import without_accents

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from league.models import Season

    Seasons = QuerySet[Season]

SEASON = Competition._meta.get_field("season")  # noqa: SLF001 - Django's documented name
MOST_PLAIN = 50
"""The most seasons that the form lists for browsers without scripts."""


def seasons(offered: Seasons) -> Seasons:
    """Return those of the seasons offered to an organiser that are not over, the running first."""
    unfinished = Q(ends_at=None) | Q(ends_at__gt=timezone.now())
    found = offered.filter(unfinished, archived_at=None).select_related("arena")
    return found.order_by("arena__sort_name", "starts_at")


def find_by_name(found: Seasons, term: str) -> Seasons:
    """Return the seasons with each word of a term in their own name or their arena's."""
    words = without_accents(term).split()
    names = found.order_by().values_list("pk", "name", "arena__name")
    fitting = [
        pk
        for pk, name, arena in names
        if all(word in without_accents(f"{name} {arena}") for word in words)
    ]
    return found.filter(pk__in=fitting)


class SeasonSelect(AutocompleteSelect):
    """A field that suggests seasons. Without scripts, it lists some that are not over."""

    url_name = "%s:league_competition_seasons"

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        given = attrs or {}
        suggesting = super().render(name, value, {**given, "class": "scripted"}, renderer)
        if given.get("disabled"):
            return suggesting
        label = {"aria-label": _("Season, of those that are not over")}
        plain = Select(label, [("", "---------"), *self.current(value)]).render(name, value)
        return format_html("{}<noscript>{}</noscript>", suggesting, plain)

    def current(self, chosen: Any) -> list[tuple[int, str]]:
        """Return the seasons that are not over, and the one that is chosen."""
        offered = cast("Any", self.choices).queryset
        listed = {row.pk: str(row) for row in seasons(offered)[:MOST_PLAIN]}
        if str(chosen).isdecimal():
            listed |= {row.pk: str(row) for row in offered.filter(pk=chosen)}
        return list(listed.items())


class SuggestedSeasons(AutocompleteJsonView):
    """Suggest the seasons that the form of a competition takes from this organiser."""

    competitions: ModelAdmin[Competition] = cast("ModelAdmin[Competition]", None)

    def process_request(self, request: HttpRequest) -> tuple[str, Any, Any, str]:
        """Return what to search for. No part of the address names a table or a field."""
        return request.GET.get("term", ""), self.competitions, SEASON, "id"

    def has_perm(self, request: HttpRequest, obj: Any = None) -> bool:
        pages = self.competitions
        return pages.has_add_permission(request) or pages.has_change_permission(request, obj)

    def get_queryset(self) -> Seasons:
        field = self.competitions.formfield_for_foreignkey(cast("Any", SEASON), self.request)
        return find_by_name(seasons(cast("Any", field).queryset), self.term)
