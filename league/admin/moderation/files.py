"""The file of a player: everything that moderators need to know, on one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.dateparse import parse_datetime
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe

from league.admin.moderation.lists import HEADINGS, table_row, title_of
from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _
from league.services.integrity.addresses import shared_by
from league.services.moderation.files import FEW, LISTS, player_for_file, rows_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern
    from django.utils.safestring import SafeString

    from league.models import Player

PERMISSION = "league.read_file"
A_PAGE = 100


@dataclass(frozen=True)
class Part:
    """A list of the file, or a page of it."""

    name: str
    title: str
    headings: list[str]
    rows: list[SafeString]
    more: str
    """The address of the rest, if there is more."""
    newer: str = ""


class Files(admin.ModelAdmin[Any]):
    """Player pages with a “File” button."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.file_view)
        return [
            path("<int:player_id>/file/", view, name="league_player_file"),
            *super().get_urls(),
        ]

    @method_decorator(require_safe)
    def file_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Show the start of every list about a player, or one list page by page."""
        if not request.user.has_perm(PERMISSION):
            raise PermissionDenied
        player = player_for_file(player_id).first()
        if player is None:
            raise Http404
        if player.user_id == request.user.pk:
            raise Forbidden("own_file", _("Nobody reads their own file. Ask another moderator."))
        one = request.GET.get("list", "")
        if one and one not in LISTS:
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            "title": _("File of %(player)s") % {"player": player},
            "opts": self.opts,
            "player": player,
            "parts": [whole_list(request, player, one)]
            if one
            else [start_of(request, player, name) for name in LISTS],
            "only": one,
            "may_case": request.user.has_perm("league.add_case"),
            "may_ban": request.user.has_perm("league.ban_player"),
        }
        if not one:
            shared = shared_by(player, player.now, FEW + 1)
            context |= {
                "shared": shared[:FEW],
                "more_shared": len(shared) > FEW,
                "names": [(row["name"], parse_datetime(row["at"])) for row in player.names],
                "rosters": player.in_rosters,
                "may_read_address": request.user.has_perm("league.view_user"),
            }
        return TemplateResponse(request, "admin/league/moderation/file.html", context)


def start_of(request: HttpRequest, player: Player, name: str) -> Part:
    """Return the newest rows of a list."""
    rows = list(rows_of(name, player, reader(request))[: FEW + 1])
    return Part(
        name,
        title_of(name),
        HEADINGS[name](),
        [table_row(name, row, player) for row in rows[:FEW]],
        address(player, name) if len(rows) > FEW else "",
    )


def whole_list(request: HttpRequest, player: Player, name: str) -> Part:
    """Return a page of a list."""
    given = request.GET.get("page", "1")
    page = int(given) if given.isascii() and given.isdigit() and len(given) < 6 else 1
    page = max(page, 1)
    first = (page - 1) * A_PAGE
    rows = list(rows_of(name, player, reader(request))[first : first + A_PAGE + 1])
    return Part(
        name,
        title_of(name),
        HEADINGS[name](),
        [table_row(name, row, player) for row in rows[:A_PAGE]],
        address(player, name, page + 1) if len(rows) > A_PAGE else "",
        address(player, name, page - 1) if page > 1 else "",
    )


def reader(request: HttpRequest) -> Player | None:
    return getattr(request.user, "player", None)


def address(player: Player, name: str, page: int = 1) -> str:
    return f"{reverse('admin:league_player_file', args=[player.pk])}?list={name}&page={page}"
