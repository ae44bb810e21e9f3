"""Ticks: the matcher's input, rules, seed and matches, and a button to run it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.admin.core.base import Explained, ReadOnly
from league.admin.core.exports import Exports
from league.admin.queue.forms import QUEUE_RULES, rule_value
from league.models import ArenaQueue, Tick
from league.services.core.declared import declarations
from league.services.queue.tick_summaries import (
    configuration,
    finds_the_same,
    summarize_tick,
    was_cut_short,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern


class OfMatcher(admin.SimpleListFilter):
    """Ticks of one matcher."""

    title = gettext_lazy("matcher")
    parameter_name = "matcher"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:  # noqa: ARG002 - Django's signature
        return ArenaQueue.Matcher.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Tick]) -> QuerySet[Tick]:  # noqa: ARG002 - as above
        known = self.value() in ArenaQueue.Matcher.values
        return queryset.filter(matcher=self.value()) if known else queryset


@admin.register(Tick)
class TickAdmin(Explained, Exports, ReadOnly):
    export_columns = (
        "id",
        "arena__slug",
        "at",
        "matcher",
        "tickets",
        "matches",
        "proposed",
        "seconds",
    )
    explanation = gettext_lazy(
        "Each run of a queue's matcher. Its input, rules and seed are kept for as long as the "
        "queue's settings say, and it is deleted afterwards. Run again, it must find the same "
        "matches."
    )
    list_display = ("at", "arena", "run_by", "tickets", "matches", "proposed", "took")
    list_filter = ("arena", OfMatcher, "at")
    list_select_related = ("arena",)
    ordering = ("-id",)
    fields = (
        "arena",
        "at",
        "run_by",
        "seed",
        ("tickets", "matches", "proposed"),
        "took",
    )
    readonly_fields = ("run_by", "took")
    change_form_template = "admin/league/tick/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tick]:
        return super().get_queryset(request).defer("queue", "rules", "found")

    @admin.display(description=gettext_lazy("matcher"), ordering="matcher")
    def run_by(self, tick: Tick) -> str:
        labels: dict[str, Any] = dict(ArenaQueue.Matcher.choices)
        return str(labels.get(tick.matcher, tick.matcher))

    @admin.display(description=gettext_lazy("took"), ordering="seconds")
    def took(self, tick: Tick) -> str:
        return _("%(number)s ms") % {"number": number_format(f"{tick.seconds * 1000:.1f}")}

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        tick = context["original"]
        context["figures"] = summarize_tick(tick)
        context["rules"] = list(rule_rows(tick.rules))
        context["configuration"] = configuration(tick)
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        mine = path(
            "<int:tick_id>/run-again/",
            self.admin_site.admin_view(self.run_again_view),
            name="league_tick_run_again",
        )
        return [mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def run_again_view(self, request: HttpRequest, tick_id: int) -> HttpResponse:
        """Run a tick's matcher on its stored input, and say whether it finds the same."""
        tick = Tick.objects.select_related("arena").filter(pk=tick_id).first()
        if not self.has_view_permission(request, tick):
            raise PermissionDenied
        if tick is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, str(tick_id))
        if request.method == "POST":
            self.compare(request, tick)
        return HttpResponseRedirect(reverse("admin:league_tick_change", args=[tick.pk]))

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponse:
        """Say that a tick is gone, and why, on the list of those that are kept."""
        message = _(
            "Tick %(tick)s is not kept. Ticks are deleted after the time in their queue's settings."
        )
        self.message_user(request, message % {"tick": object_id}, messages.WARNING)
        return HttpResponseRedirect(reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist"))

    def compare(self, request: HttpRequest, tick: Tick) -> None:
        if finds_the_same(tick):
            message = ngettext(
                "Run again, the matcher finds the same match, team for team.",
                "Run again, the matcher finds the same %(count)d matches, team for team.",
                tick.matches,
            )
            self.message_user(request, message % {"count": tick.matches}, messages.SUCCESS)
        elif was_cut_short(tick):
            message = _("The tick ran out of time. Run again without a limit, it finds more.")
            self.message_user(request, message, messages.WARNING)
        else:
            message = _(
                "Run again, the matcher finds something else. It has changed since, or is broken."
            )
            self.message_user(request, message, messages.ERROR)


def rule_rows(rules: dict[str, Any]) -> Iterator[tuple[str, Any, bool]]:
    """Yield each rule's label, value, and whether the value differs from the default."""
    for group, model in QUEUE_RULES.items():
        held = rules.get(group, {})
        for declaration in declarations(model):
            if declaration.name in held:
                value = rule_value(declaration, held[declaration.name])
                labels = {choice.value: choice.label for choice in declaration.choices}
                yield (
                    declaration.label,
                    labels.get(value, value),
                    value != rule_value(declaration, declaration.default),
                )
