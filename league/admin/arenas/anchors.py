"""Anchors on their arena's page."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from league.admin.core.suggestions import Suggests
from league.models import Anchor, Arena


class AnchorInline(Suggests, admin.TabularInline[Anchor, Arena]):
    model = Anchor
    fields = ("player", "rating")
    extra = 0
    autocomplete_fields = ("player",)
    verbose_name_plural = gettext_lazy(
        "Anchors: players, usually bots, with a fixed rating, against which drift is measured"
    )
