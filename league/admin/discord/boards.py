"""Boards on Discord. Arena organisers manage those of their arenas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.admin.frontpage.kinds import Attention
from league.models import DiscordBoard
from league.services.core.clock import database_now
from league.services.discord import boards, calling

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from league.models import Arena


@admin.register(DiscordBoard)
class DiscordBoardAdmin(
    Explained, Exports, PlainChoices, TellsOfChanges, admin.ModelAdmin[DiscordBoard]
):
    export_columns = (
        "id",
        "arena__slug",
        "channel",
        "tells_results",
        "shown_at",
        "next_attempt_at",
        "stopped_at",
        "failures",
        "error",
    )
    explanation = gettext_lazy(
        "A board is a message in a Discord channel with the top ten players of an arena. It is "
        "edited when they change, at most once a minute. The bot must be able to view the channel "
        "and send messages there. A board that Discord refuses stops until it is saved again."
    )
    list_display = ("arena", "channel", "state", "shown_at")
    list_filter = (Attention, "arena")
    list_select_related = ("arena",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("channel",)
    search_help_text = gettext_lazy("Part of a channel ID.")
    readonly_fields = ("of", "state", "shown_at")

    def get_fields(self, request: HttpRequest, obj: DiscordBoard | None = None) -> Any:
        """Return the fields of the form. A board's arena cannot be changed."""
        del request
        if obj is None:
            return ("arena", "channel", "tells_results")
        return ("of", "channel", "tells_results", "state", "shown_at")

    @admin.display(description=gettext_lazy("arena"), ordering="arena")
    def of(self, board: DiscordBoard) -> Arena:
        return board.arena

    @admin.display(description=gettext_lazy("state"), ordering="error")
    def state(self, board: DiscordBoard) -> SafeString | str:
        if board.stopped_at:
            return format_html("<b>{}</b>", _("Stopped: %(why)s") % {"why": board.error})
        if board.error:
            return _("Failed, will be tried again: %(why)s") % {"why": board.error}
        if not calling.is_configured():
            return _("Waiting for a bot: DISCORD_BOT_TOKEN is not set.")
        return _("Active") if board.message else _("Waiting to be posted")

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Start the board. If its channel has changed, it is posted there anew."""
        board = super().save_form(request, form, change)
        if "channel" in form.changed_data:
            board.message = ""
        boards.start(board, database_now())
        return board
