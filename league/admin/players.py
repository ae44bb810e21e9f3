"""Players: who they are and which account acts for them."""

# mypy: disable-error-code="type-arg"
# (Django's admin classes take no type parameters when they run.)

from __future__ import annotations

from django.contrib import admin
from import_export.resources import ModelResource

from league.admin.base import NameSearch, OnlyChooses, SaysWhatProtects
from league.admin.export import Exports
from league.models import Player


class PlayerResource(ModelResource):
    class Meta:
        model = Player
        fields = ("id", "name", "user__username", "created_at")


@admin.register(Player)
class PlayerAdmin(Exports, NameSearch, OnlyChooses, SaysWhatProtects, admin.ModelAdmin):
    resource_classes = [PlayerResource]
    list_display = ("name", "user", "created_at")
    list_select_related = ("user",)
    search_fields = ("folded_name",)
    search_help_text = "Part of a name."
    autocomplete_fields = ("user",)
    fields = ("name", "user", "created_at")
    readonly_fields = ("created_at",)
    show_full_result_count = False

    def view_on_site(self, player: Player) -> str:
        return player.get_absolute_url()
