"""Arenas: their format, results, rating system and seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from simple_history.admin import SimpleHistoryAdmin

from league.admin.arenas import declared, examples
from league.admin.arenas.anchors import AnchorInline
from league.admin.arenas.forms import PARAMETER_FIELDS, ArenaForm
from league.admin.core.base import CountsProtectedRows
from league.admin.core.changes import ChangesInWords
from league.admin.core.fields import field_name
from league.admin.dishonor.penalties import PenaltyReasonInline
from league.admin.seasons import ending, forecasts, forms
from league.admin.seasons.seasons import OpenSeasonForm, SeasonInline
from league.models import Arena
from league.services.core.clock import database_now
from league.services.seasons import anchors
from league.services.seasons.opening import adopt_rules, open_season
from league.services.seasons.planning import (
    held_up,
    next_season,
    obstacle_to,
    plan_season,
    remark_on,
)
from league.services.seasons.starting_ratings import preview
from league.services.seasons.words import start_in_words
from league.services.standings.measured import measure_all
from ratings.registry import SYSTEMS
from ratings.tunables.declarations import declarations

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern
    from django.utils.safestring import SafeString

    from league.models import Season

RULES = [
    (
        None,
        {"fields": ["name", "slug", "description", "is_open"]},
    ),
    (
        gettext_lazy("Format"),
        {
            "fields": [
                "format",
                ("sides_min", "sides_max"),
                ("team_size_min", "team_size_max"),
                "draws_allowed",
                "modes",
                "regions",
            ],
            "description": gettext_lazy(
                "A duel has two sides of one player, a free-for-all many sides of one player."
            ),
        },
    ),
]


def system_fieldsets() -> list[tuple[Any, dict[str, Any]]]:
    """Return a fieldset for each rating system. The style sheet shows the chosen one."""
    return [
        (
            _("%(system)s: parameters") % {"system": system.label},
            {
                "fields": [
                    field_name(name, declaration.name)
                    for declaration in declarations(system.Parameters)
                ],
                "classes": ["rating-system", f"rating-system-{number}"],
                "description": system.summary,
            },
        )
        for number, (name, system) in enumerate(SYSTEMS.items(), start=1)
    ]


@admin.register(Arena)
class ArenaAdmin(CountsProtectedRows, SimpleHistoryAdmin):
    form = ArenaForm
    list_display = ("name", "slug", "format", "system_label", "is_open")
    list_filter = ("is_open", "format")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = (
        "rules",
        "labelled_result_rules",
        "labelled_limits",
        "labelled_display",
        "display_in_words",
        "labelled_season_rules",
        "season_start_in_words",
    )
    inlines = [SeasonInline]
    change_form_template = "admin/league/arena/change_form.html"
    object_history_list_template = "admin/league/arena/history_list.html"

    def view_on_site(self, arena: Arena) -> str:
        return arena.get_absolute_url()

    def get_fieldsets(self, request: HttpRequest, obj: Arena | None = None) -> Any:
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        if not may_write:
            return [
                *RULES,
                (
                    _("Results"),
                    {"fields": ["confirmation_window", "labelled_result_rules", "figures"]},
                ),
                (_("Limits"), {"fields": ["labelled_limits"]}),
                (_("Shown ratings"), {"fields": ["labelled_display", "display_in_words"]}),
                (_("Rating"), {"fields": ["rating_system", "rules"]}),
                (
                    _("Seasons"),
                    {"fields": ["time_zone", "season_start_in_words", "labelled_season_rules"]},
                ),
            ]
        return [
            *RULES,
            (
                _("Results"),
                {"fields": ["confirmation_window", *declared.RESULTS.form_fields(), "figures"]},
            ),
            (_("Limits"), {"fields": [*declared.LIMITS.form_fields()]}),
            (_("Rating"), {"fields": ["rating_system"]}),
            (
                _("Shown ratings"),
                {"fields": [*declared.DISPLAY.form_fields(), "display_in_words"]},
            ),
            *system_fieldsets(),
            *forms.fieldsets(),
        ]

    def get_inlines(self, request: HttpRequest, obj: Arena | None) -> Any:  # noqa: ARG002 - Django's signature
        return [SeasonInline, AnchorInline, PenaltyReasonInline] if obj else []

    @admin.display(description=gettext_lazy("rating system"), ordering="rating_system")
    def system_label(self, arena: Arena) -> str:
        system = SYSTEMS.get(arena.rating_system)
        return system.label if system else arena.rating_system

    @admin.display(description=gettext_lazy("parameters"))
    def rules(self, arena: Arena) -> SafeString:
        """Return the parameters, for staff who may only read them."""
        return format_html_join(
            "",
            "<div>{}: <b>{}</b></div>",
            (
                (PARAMETER_FIELDS[name].label, value)
                for parameter, value in arena.rating_parameters.items()
                if (name := field_name(arena.rating_system, parameter)) in PARAMETER_FIELDS
            ),
        )

    @admin.display(description=gettext_lazy("at the start of a season"))
    def season_start_in_words(self, arena: Arena) -> SafeString:
        """Return what the rules below do to ratings when a season opens."""
        sentences = start_in_words(arena.rules().start)
        return format_html_join("", "<div>{}</div>", ((each,) for each in sentences))

    @admin.display(description=gettext_lazy("result rules"))
    def labelled_result_rules(self, arena: Arena) -> SafeString:
        """Return the result rules, for staff who may only read them."""
        lines = declared.RESULTS.labelled(arena.accepts())
        return format_html_join("", "<div>{}: <b>{}</b></div>", lines)

    @admin.display(description=gettext_lazy("limits"))
    def labelled_limits(self, arena: Arena) -> SafeString:
        """Return the limits, for staff who may only read them."""
        lines = declared.LIMITS.labelled(arena.limited_by())
        return format_html_join("", "<div>{}: <b>{}</b></div>", lines)

    @admin.display(description=gettext_lazy("shown ratings"))
    def labelled_display(self, arena: Arena) -> SafeString:
        """Return what people see of ratings, for staff who may only read it."""
        lines = declared.DISPLAY.labelled(arena.displays())
        return format_html_join("", "<div>{}: <b>{}</b></div>", lines)

    @admin.display(description=gettext_lazy("example"))
    def display_in_words(self, arena: Arena) -> str:
        """Return what people see for three ratings, as last saved."""
        return examples.of(arena)

    @admin.display(description=gettext_lazy("season rules"))
    def labelled_season_rules(self, arena: Arena) -> SafeString:
        """Return the season rules, for staff who may only read them."""
        lines = forms.labelled_rules(arena.rules())
        return format_html_join("", "<div>{}: <b>{}</b></div>", lines)

    # Saving

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Open a new arena's first season, or say what changed rules do to the running one."""
        super().save_related(request, form, formsets, change)
        arena = form.instance
        if change:
            measure_all(arena)
            self.apply_rules(request, arena)
            for player in anchors.follow(arena, database_now()):
                message = _(
                    "%(player)s already has a rating in this season. It will be fixed from the "
                    "next season on."
                )
                self.message_user(request, message % {"player": player}, messages.WARNING)
            for planned, obstacle in held_up(arena):
                message = _("“%(season)s” is planned but cannot open like this. %(why)s")
                text = message % {"season": planned.name, "why": obstacle}
                self.message_user(request, text, messages.WARNING)
            return
        season = open_season(arena, starts_at=database_now())
        self.message_user(
            request,
            _("“%(season)s” has begun: captains can report results now.") % {"season": season.name},
            messages.INFO,
        )

    def apply_rules(self, request: HttpRequest, arena: Arena) -> None:
        season = arena.current_season(database_now())
        if season is None:
            self.message_user(
                request,
                _("No season is running here. Open one so that captains can report results."),
                messages.WARNING,
            )
        elif adopt_rules(season, arena):
            self.message_user(
                request,
                _("“%(season)s” has no rated results yet, so it uses the new rules at once.")
                % {"season": season.name},
                messages.INFO,
            )
        elif (season.rating_system, season.rating_parameters, season.season_rules()) != (
            arena.rating_system,
            arena.rating_parameters,
            arena.rules(),
        ):
            self.message_user(
                request,
                _(
                    "“%(season)s” has rated results and keeps the rules it began with. "
                    "The change applies from the next season."
                )
                % {"season": season.name},
                messages.WARNING,
            )

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """Show and read the dates of seasons in the arena's time zone."""
        arena = self.get_object(request, unquote(object_id)) if object_id else None
        with timezone.override(arena.zone if arena else timezone.get_current_timezone()):
            response = super().changeform_view(request, object_id, form_url, extra_context)
            return response.render() if isinstance(response, TemplateResponse) else response

    # Opening a season

    def get_urls(self) -> list[URLPattern]:
        mine = path(
            "<int:arena_id>/open-season/",
            self.admin_site.admin_view(self.open_season_view),
            name="league_arena_open_season",
        )
        end = path(
            "<int:arena_id>/end-season/<int:season_id>/",
            self.admin_site.admin_view(
                require_http_methods(["GET", "HEAD", "POST"])(ending.end_season)
            ),
            name="league_arena_end_season",
        )
        accuracy = path(
            "<int:arena_id>/forecasts/<int:season_id>/",
            self.admin_site.admin_view(
                require_http_methods(["GET", "HEAD", "POST"])(forecasts.forecasts)
            ),
            name="league_arena_forecasts",
        )
        return [mine, end, accuracy, *super().get_urls()]

    def may_open_season(self, request: HttpRequest, arena: Arena | None) -> bool:
        return self.has_change_permission(request, arena) and request.user.has_perm(
            "league.add_season"
        )

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        context["may_open_season"] = self.may_open_season(request, context.get("original"))
        return super().render_change_form(request, context, *args, **options)

    @method_decorator([require_http_methods(["GET", "HEAD", "POST"]), transaction.atomic])
    def open_season_view(self, request: HttpRequest, arena_id: int) -> HttpResponse:
        """Show the form for the next season, and open or plan it on POST."""
        arena = get_object_or_404(Arena.objects.select_for_update(no_key=True), pk=arena_id)
        if not self.may_open_season(request, arena):
            raise PermissionDenied
        now = database_now()
        running = arena.current_season(now)
        with timezone.override(arena.zone):
            form = OpenSeasonForm(request.POST or None, running=running, now=now)
            if form.is_valid() and (season := self.opened_or_planned(arena, form, now)):
                return self.say_it_is_open(request, season)
        season = next_season(arena, now)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Open a new season"),
            "subtitle": str(arena),
            "opts": self.opts,
            "arena": arena,
            "running": running,
            "system": self.system_label(arena),
            "form": form,
            "preview": preview(season),
            "obstacle": obstacle_to(season, season.season_rules()),
            "shows": season.shows,
        }
        return TemplateResponse(request, "admin/league/arena/open_season.html", context)

    def opened_or_planned(self, arena: Arena, form: OpenSeasonForm, now: datetime) -> Season | None:
        """Open or plan a season, or return ``None`` after adding the error to the form."""
        given = form.cleaned_data
        begins = open_season if given["starts_at"] is None else plan_season
        try:
            return begins(
                arena,
                starts_at=given["starts_at"] or now,
                name=given["name"],
                ends_at=given["ends_at"],
            )
        except ValidationError as error:
            form.refuse(error)
            return None

    def say_it_is_open(self, request: HttpRequest, season: Season) -> HttpResponse:
        arena = season.arena
        self.log_change(request, arena, [{"added": {"name": _("season"), "object": season.name}}])
        text = _("“%(season)s” has begun.") if season.opened_at else _("“%(season)s” is planned.")
        self.message_user(request, text % {"season": season.name}, messages.SUCCESS)
        if remark := remark_on(season, season.season_rules()):
            self.message_user(request, remark, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:league_arena_change", args=[arena.pk]))

    # History

    def revert_disabled(self, request: HttpRequest, obj: Arena | None = None) -> bool:  # noqa: ARG002 - the parent's signature
        """Show old rules only to read. Going back to them is a change like any other."""
        return True

    @method_decorator(require_safe)
    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: Any = None
    ) -> HttpResponse:
        page: HttpResponse = super().history_form_view(
            request, object_id, version_id, extra_context
        )
        return page

    def get_historical_record_context_helper(
        self,
        request: HttpRequest,  # noqa: ARG002 - the parent's signature
        historical_record: Any,
    ) -> ChangesInWords:
        return ChangesInWords(self.model, historical_record)
