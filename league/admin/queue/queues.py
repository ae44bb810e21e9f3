"""Queues: how an arena makes its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from simple_history.admin import SimpleHistoryAdmin

from league.admin.core.base import PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.drafts import HidesDrafts
from league.admin.core.exports import Exports
from league.admin.core.fields import expert_values
from league.admin.core.previews import Previews
from league.admin.core.sections import InSections, section
from league.admin.frontpage.kinds import Attention
from league.admin.queue import previews, sections
from league.admin.queue.forms import PREDICTION, QUEUE_RULES, RULES, STEPS, QueueForm
from league.admin.queue.reruns import RerunsQueue
from league.models import ArenaQueue
from league.services.core.durations import describe_duration
from league.services.queue.ranks import warn_of_rank
from matchmaking.prediction import PredictionRules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse

TITLES = {
    "queue": gettext_lazy("Queue: requirements and opponent range"),
    "matcher": gettext_lazy("Scores: what makes a good match"),
    "laurel": gettext_lazy("Guarantees of the Laurel matcher"),
    "rank_filter": gettext_lazy("Players’ rank filters"),
    "region": gettext_lazy("Players’ regions"),
    "block": gettext_lazy("Players’ blocks"),
}

BASICS = [
    "arena",
    "is_open",
    "ready_window",
    "bars_timeouts",
    "rank_source",
    "pools",
    "fills_seats",
    "ticks_kept",
]
IN_WORDS = {"ready_window": "time_to_accept", "ticks_kept": "age_of_ticks"}
"""Fields in words, for staff who may only read."""


@admin.register(ArenaQueue)
class ArenaQueueAdmin(
    Exports,
    Previews,
    HidesDrafts,
    RerunsQueue,
    InSections,
    TellsOfChanges,
    PlainChoices,
    SimpleHistoryAdmin,
):
    export_columns = (
        "id",
        "arena__slug",
        "is_open",
        "matcher",
        "ready_window",
        "ticks_kept",
        "bars_timeouts",
        "rank_source",
        "pools",
        "fills_seats",
        "rules",
        "prediction",
    )
    form = QueueForm
    change_form_template = "admin/league/queue/change_form.html"
    conditions = sections.CONDITIONS
    wide_previews = previews.WIDE
    previews = previews.PREVIEWS
    unmarked = frozenset(BASICS)
    draft = "arena__is_draft"
    readonly_fields = tuple(IN_WORDS.values())
    list_display = ("arena", "is_open", "made_by", "time_to_accept", "bars_timeouts")
    list_filter = (Attention, "is_open", "matcher")
    search_fields = ("arena__name",)

    @admin.display(description=gettext_lazy("matcher"), ordering="matcher")
    def made_by(self, queue: ArenaQueue) -> str:
        """Return the name of the matcher, without what it does."""
        return queue.get_matcher_display().partition(":")[0]

    @admin.display(description=gettext_lazy("ready window"), ordering="ready_window")
    def time_to_accept(self, queue: ArenaQueue) -> str:
        return describe_duration(queue.ready_window)

    @admin.display(description=gettext_lazy("ticks kept"))
    def age_of_ticks(self, queue: ArenaQueue) -> str:
        return describe_duration(queue.ticks_kept)

    def section_words(self, obj: ArenaQueue) -> dict[str, str]:
        return sections.words(obj)

    def expert_settings(self, obj: ArenaQueue) -> Iterator[tuple[str, str]]:
        for group, model in QUEUE_RULES.items():
            yield from expert_values(model, obj.rules.get(group, {}))
        yield from expert_values(PredictionRules, obj.prediction or {})

    def get_fieldsets(self, request: HttpRequest, obj: ArenaQueue | None = None) -> Any:
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        if not may_write:
            basics = [IN_WORDS.get(name, name) for name in BASICS]
            return [(None, {"fields": [*basics, "matcher"]})]
        names: dict[str, list[str]] = {group: [] for group in TITLES}
        for rule in RULES:
            names[rule.group].append(rule.field_name)
        names["rank_filter"].append(STEPS)
        return [
            (None, {"fields": [*BASICS, "preset", "matcher"]}),
            *(section(group, title, names[group]) for group, title in TITLES.items()),
            section(
                "prediction",
                gettext_lazy("Prediction: each side’s chance to win"),
                ["predicts", *(rule.field_name for rule in PREDICTION)],
            ),
        ]

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        queue = context.get("original")
        warning = warn_of_rank(queue) if queue else ""
        context["advice"] = [warning] if warning else []
        page: HttpResponse = super().render_change_form(request, context, *args, **options)
        return page

    @method_decorator(require_safe)
    def history_form_view(self, *given: Any, **more: Any) -> Any:
        return super().history_form_view(*given, **more)

    def revert_disabled(self, request: HttpRequest, obj: ArenaQueue | None = None) -> bool:  # noqa: ARG002 - the parent's signature
        """Show old rules only to read. Going back to them is a change like any other."""
        return True
