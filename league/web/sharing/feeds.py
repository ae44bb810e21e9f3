"""Atom feeds of rated matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.caching import kept_part
from league.models import Match, Player, Season
from league.rates import limit_gets
from league.services.privacy.reading import names_unlisted
from league.services.results.records.lines import in_lines, latest_rated
from league.web.core.lookups import arena_page_or_404
from league.web.results.scoresheets import sheets
from league.web.results.words import result_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Arena
    from league.web.results.scoresheets import Sheet

MOST = 30


class Results(Feed[Any, Any]):
    """The latest rated matches of something."""

    feed_type = Atom1Feed

    def item_title(self, item: Sheet) -> str:
        return result_line(item)

    def item_description(self, item: Sheet) -> str:
        return f"{item.match.arena} · {item.match.season.name}"

    def item_link(self, item: Sheet) -> str:
        return item.match.get_absolute_url()

    def item_pubdate(self, item: Sheet) -> datetime:
        return item.match.played_at

    def item_updateddate(self, item: Sheet) -> datetime:
        return item.match.settled_at or item.match.played_at


class OfArena(Results):
    """Those of an arena's running season, or of its last one, that name nobody unlisted."""

    def get_object(self, request: HttpRequest, slug: str) -> tuple[Arena, Season | None]:
        del request
        arena_page = arena_page_or_404(slug)
        return arena_page.arena, arena_page.default_season()

    def title(self, obj: tuple[Arena, Season | None]) -> str:
        return _("Results of %(arena)s") % {"arena": obj[0]}

    def link(self, obj: tuple[Arena, Season | None]) -> str:
        return obj[0].get_absolute_url()

    def items(self, obj: tuple[Arena, Season | None]) -> list[Sheet]:
        season = obj[1]
        latest = latest_rated([season], MOST) if season else []
        unlisted = names_unlisted(latest)
        return sheets([match for match in latest if match.pk not in unlisted])


class OfPlayer(Results):
    """Those of a player, in all arenas."""

    def get_object(self, request: HttpRequest, pk: int) -> Player:
        del request
        return get_object_or_404(Player.objects.listed().filter(hides_history=False), pk=pk)

    def title(self, obj: Player) -> str:
        return _("Results of %(player)s") % {"player": obj}

    def link(self, obj: Player) -> str:
        return reverse("player", args=[obj.pk])

    def items(self, obj: Player) -> list[Sheet]:
        mine = Match.objects.games().rated().filter(participants__player=obj)
        newest = mine.order_by("-played_at", "-id").values_list("pk", flat=True)[:MOST]
        rows = Match.objects.filter(pk__in=list(newest)).order_by("-played_at", "-id")
        listed = list(in_lines(rows))
        unlisted = names_unlisted(listed)
        return sheets([match for match in listed if match.pk not in unlisted])


def of(feed: Results) -> Callable[..., HttpResponse]:
    """Return the view of a feed, which is read at most once in ``settings.PARTS_KEPT_FOR``."""

    def view(request: HttpRequest, /, **fields: Any) -> HttpResponse:
        key = ("feed", request.build_absolute_uri(request.path), get_language())
        body = kept_part(key, lambda: feed(request, **fields).content)
        return HttpResponse(body, content_type=feed.feed_type.content_type)

    return limit_gets("costly")(require_safe(view))


of_arena, of_player = of(OfArena()), of(OfPlayer())
