"""The site map for search engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.sitemaps import Sitemap, views
from django.core.paginator import Page, Paginator
from django.db.models import Max
from django.http import HttpResponse
from django.urls import path
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.caching import kept_part
from league.models import Arena, Competition, Player, Team
from league.rates import limit_gets

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from django.urls import URLPattern


class ByNumber(Paginator[Any]):
    """Parts of a table by ranges of its ids, so that no part has to count or skip rows."""

    @cached_property
    def count(self) -> int:
        highest: int | None = self.object_list.aggregate(highest=Max("pk"))["highest"]  # type: ignore[attr-defined] # a query set
        return highest or 0

    def page(self, number: int | str) -> Page[Any]:
        at = self.validate_number(number)
        until = at * self.per_page
        rows: Any = self.object_list
        return Page(rows.filter(pk__gt=until - self.per_page, pk__lte=until), at, self)


class Pages(Sitemap[Any]):
    """Pages of one kind, with 5,000 addresses in a file at most."""

    limit = 5000

    def __init__(self, rows: QuerySet[Any]) -> None:
        self.rows = rows

    def items(self) -> QuerySet[Any]:
        return self.rows.all()

    @property
    def paginator(self) -> Paginator[Any]:
        return ByNumber(self.items(), self.limit)


SECTIONS = {
    "arenas": Pages(Arena.objects.published().order_by("pk")),
    "players": Pages(Player.objects.listed().only("pk").order_by("pk")),
    "teams": Pages(Team.objects.existing().order_by("pk")),
    "competitions": Pages(
        Competition.objects.published().select_related("season__arena").order_by("pk")
    ),
}


def kept_section(request: HttpRequest, section: str, sitemaps: Any) -> HttpResponseBase:
    """Send a file of the map, which is read at most once in ``settings.PARTS_KEPT_FOR``."""

    def write() -> bytes:
        found: bytes = views.sitemap(request, sitemaps=sitemaps, section=section).render().content
        return found

    key = ("sitemap", section, request.build_absolute_uri(), get_language())
    return HttpResponse(kept_part(key, write), content_type="application/xml")


def urls() -> list[URLPattern]:
    """Return the addresses of the list and of its files."""
    index = limit_gets("costly")(require_safe(views.index))
    section = limit_gets("costly")(require_safe(kept_section))
    given = {"sitemaps": SECTIONS}
    return [
        path("sitemap.xml", index, {**given, "sitemap_url_name": "sitemap"}, name="sitemaps"),
        path("sitemap-<slug:section>.xml", section, given, name="sitemap"),
    ]
