"""Players and the accounts that act for them."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.base import CountsProtectedRows, NameSearch, PlainChoices
from league.admin.core.exports import Exports
from league.admin.dishonor.bans import Bans
from league.models import Player


@admin.register(Player)
class PlayerAdmin(
    Bans, Exports, NameSearch, PlainChoices, CountsProtectedRows, admin.ModelAdmin[Player]
):
    export_columns = ("id", "name", "user__username", "created_at")
    list_display = ("name", "user", "created_at")
    list_select_related = ("user",)
    search_fields = ("folded_name",)
    search_help_text = gettext_lazy("Part of a name.")
    autocomplete_fields = ("user",)
    fields = ("name", "may_resemble", "user", "created_at", "ban")
    readonly_fields = ("created_at", "ban")
    show_full_result_count = False

    def view_on_site(self, player: Player) -> str:
        return player.get_absolute_url()
