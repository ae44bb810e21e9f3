"""Arenas: their format, results, rating system and seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from simple_history.admin import SimpleHistoryAdmin

from league.admin.arenas import (
    declared,
    examples,
    fair_play,
    files,
    previews,
    season_addresses,
    sections,
)
from league.admin.arenas.anchors import AnchorInline
from league.admin.arenas.changes import ChangesInWords
from league.admin.arenas.forms import ArenaForm
from league.admin.arenas.places import list_places
from league.admin.arenas.waiting import waiting_values
from league.admin.arenas.wizard import pages as wizard
from league.admin.arenas.wizard.removing import RemovesArenas
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.drafts import HidesDrafts
from league.admin.core.exports import Exports
from league.admin.core.fields import declared_fields, expert_values, field_name
from league.admin.core.previews import Previews
from league.admin.core.sections import WITH, InSections, section
from league.admin.dishonor.penalties import PenaltyReasonInline
from league.admin.frontpage.kinds import Attention
from league.admin.other_rules import pages as other_rules
from league.admin.seasons import forms, opening
from league.admin.seasons.pages import may_run_seasons
from league.admin.seasons.seasons import SeasonInline
from league.admin.transfer import evenings, imports
from league.admin.transfer.permissions import may_import
from league.models import Anchor, Arena
from league.services.core.clock import database_now
from league.services.core.declared import declarations
from league.services.core.durations import describe_duration
from league.services.core.isolation import gettext as _
from league.services.rating.pace import pace_of, typical_gap, warn_of_pace
from league.services.results.rules import formats
from league.services.seasons import anchors
from league.services.seasons.opening import adopt_rules, open_today
from league.services.seasons.planning import held_up
from league.services.seasons.words import start_in_words
from league.services.site import frame
from league.services.standings.distributions import measure_all
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import SEASON_RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern
    from django.utils.safestring import SafeString


def rules(time_to_ban: str = "veto_turn") -> list[tuple[Any, dict[str, Any]]]:
    """Return the first sections of the form."""
    return [
        (
            None,
            {"fields": ["name", "slug", "description", "is_open"]},
        ),
        section(
            "format",
            gettext_lazy("Format"),
            [
                "format",
                ("sides_min", "sides_max"),
                ("team_size_min", "team_size_max"),
                "draws_allowed",
                "modes",
                "regions",
                "maps",
                ("map_choice", time_to_ban),
            ],
            description=gettext_lazy(
                "A duel has two sides of one player, a free-for-all many sides of one player."
            ),
        ),
    ]


SYSTEM_SECTION = "system-"
"""The start of the keys of sections of rating systems."""


def system_fieldsets() -> list[tuple[Any, dict[str, Any]]]:
    """Return a section for each rating system. The page has only the chosen one."""
    return [
        section(
            f"{SYSTEM_SECTION}{name}",
            _("%(system)s: parameters") % {"system": _(system.label)},
            [field_name(name, each.name) for each in declared_fields(system.Parameters)],
            description=_(system.summary),
        )
        for name, system in KNOWN_SYSTEMS.items()
    ]


def advice_of(arena: Arena) -> list[str]:
    """Return warnings: even matches that count little, or a rating system that does not suit how
    often the arena is played."""
    system = arena.system()
    found = pace_of(system, typical_gap(arena)) if system.idle_period else None
    limits = [] if system.shows.lowest_first else fair_play.warnings(arena.rules().fair_play)
    return [*limits, *([warn_of_pace(arena.rating_system, found)] if found else [])]


@admin.register(Arena)
class ArenaAdmin(
    Exports,
    Previews,
    HidesDrafts,
    other_rules.TriesRules,
    InSections,
    TellsOfChanges,
    RemovesArenas,
    SimpleHistoryAdmin,
):
    export_columns = (
        "id",
        "name",
        "slug",
        "format",
        "sides_min",
        "sides_max",
        "team_size_min",
        "team_size_max",
        "draws_allowed",
        "rating_system",
        "rating_parameters",
        "season_rules",
        "time_zone",
        "is_open",
        "is_draft",
    )
    form = ArenaForm
    conditions = sections.CONDITIONS
    wide_previews = previews.WIDE
    previews = previews.PREVIEWS
    left_out = (SYSTEM_SECTION, "challenges")
    unmarked = frozenset({"name", "slug", "description", "is_open"})
    list_display = ("name", "slug", "format_in_words", "system_label", "is_open", "is_draft")
    list_filter = (Attention, "is_open", "format")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = (
        "rules",
        "turn_in_words",
        "window_in_words",
        "labelled_result_rules",
        "labelled_limits",
        "labelled_display",
        "display_in_words",
        "labelled_season_rules",
        "season_start_in_words",
    )
    inlines = [SeasonInline]
    change_form_template = "admin/league/arena/change_form.html"

    def section_words(self, obj: Arena) -> dict[str, str]:
        return sections.words(obj)

    def waiting_values(self, request: HttpRequest, obj: Arena) -> Mapping[str, str]:
        return waiting_values(request, obj)

    def expert_settings(self, obj: Arena) -> Iterator[tuple[str, str]]:
        if obj.rating_system in KNOWN_SYSTEMS:
            parameters = KNOWN_SYSTEMS[obj.rating_system].Parameters
            yield from expert_values(parameters, obj.rating_parameters)
        rules = obj.rules().complete()
        for group, model in SEASON_RULES.items():
            yield from expert_values(model, rules[group])
        for one in declared.DECLARED:
            yield from expert_values(one.parameters, one.of(obj).to_json())

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        """Return a form with the parameters of the chosen system, and of one that is asked for."""
        options["fields"] = ArenaForm.Meta.fields
        form = super().get_form(request, obj, change=change, **options)
        form.offered = request.GET.get(WITH, "").removeprefix(SYSTEM_SECTION)
        return form

    def view_on_site(self, arena: Arena) -> str:
        return arena.get_absolute_url()

    def get_fieldsets(self, request: HttpRequest, obj: Arena | None = None) -> Any:
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        if not may_write:
            return [
                *rules("turn_in_words"),
                (
                    _("Results"),
                    {"fields": ["window_in_words", "labelled_result_rules", "figures"]},
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
            *rules(),
            section(
                "results",
                _("Results"),
                ["confirmation_window", *declared.RESULTS.names, "figures"],
            ),
            section("limits", _("Limits"), declared.LIMITS.names),
            section("rating", _("Rating"), ["rating_system"]),
            section(
                "shown",
                _("Shown ratings"),
                [*declared.DISPLAY.names, "display_in_words"],
            ),
            *system_fieldsets(),
            *forms.fieldsets(),
        ]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Start a new arena with the league's time zone."""
        zone = frame.current().time_zone
        return {"time_zone": zone, **super().get_changeform_initial_data(request)}

    def get_inlines(self, request: HttpRequest, obj: Arena | None) -> Any:  # noqa: ARG002 - Django's signature
        return [SeasonInline, AnchorInline, PenaltyReasonInline] if obj else []

    @admin.display(description=gettext_lazy("format"), ordering="format")
    def format_in_words(self, arena: Arena) -> str:
        return formats.describe_format(arena)

    @admin.display(description=gettext_lazy("rating system"), ordering="rating_system")
    def system_label(self, arena: Arena) -> str:
        system = KNOWN_SYSTEMS.get(arena.rating_system)
        return _(system.label) if system else arena.rating_system

    @admin.display(description=gettext_lazy("parameters"))
    def rules(self, arena: Arena) -> SafeString:
        """Return the parameters, for staff who may only read them."""
        return format_html_join(
            "",
            "<div>{}: <b>{}</b></div>",
            (
                (one.label, arena.rating_parameters[one.name])
                for one in declarations(KNOWN_SYSTEMS[arena.rating_system].Parameters)
                if one.name in arena.rating_parameters
            )
            if arena.rating_system in KNOWN_SYSTEMS
            else (),
        )

    @admin.display(description=gettext_lazy("at the start of a season"))
    def season_start_in_words(self, arena: Arena) -> SafeString:
        """Return what the rules below do to ratings when a season opens."""
        sentences = start_in_words(arena.rules().start)
        return format_html_join("", "<div>{}</div>", ((each,) for each in sentences))

    @admin.display(description=gettext_lazy("time to ban"))
    def turn_in_words(self, arena: Arena) -> str:
        return describe_duration(arena.veto_turn)

    @admin.display(description=gettext_lazy("confirmation window"))
    def window_in_words(self, arena: Arena) -> str:
        return describe_duration(arena.confirmation_window)

    @admin.display(description=gettext_lazy("result rules"))
    def labelled_result_rules(self, arena: Arena) -> SafeString:
        """Return the result rules, for staff who may only read them."""
        lines = declared.RESULTS.label_values(arena.result_settings())
        return format_html_join("", "<div>{}: <b>{}</b></div>", lines)

    @admin.display(description=gettext_lazy("limits"))
    def labelled_limits(self, arena: Arena) -> SafeString:
        """Return the limits, for staff who may only read them."""
        lines = declared.LIMITS.label_values(arena.limit_settings())
        return format_html_join("", "<div>{}: <b>{}</b></div>", lines)

    @admin.display(description=gettext_lazy("shown ratings"))
    def labelled_display(self, arena: Arena) -> SafeString:
        """Return what people see of ratings, for staff who may only read it."""
        lines = declared.DISPLAY.label_values(arena.display_settings())
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
        now = database_now()
        if change:
            measure_all(arena)
            self.apply_rules(request, arena, now)
            moved = any(one.model is Anchor and one.has_changed() for one in formsets)
            for player in anchors.follow(arena, now) if moved else ():
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
        season = open_today(arena, now=now)
        self.message_user(
            request,
            _("“%(season)s” has begun: captains can report results now.") % {"season": season.name},
            messages.INFO,
        )

    def apply_rules(self, request: HttpRequest, arena: Arena, now: datetime) -> None:
        if arena.is_draft:
            return
        season = arena.current_season(now)
        if season is None:
            self.message_user(
                request,
                _("No season is running here. Open one so that captains can report results."),
                messages.WARNING,
            )
        elif (season.rating_system, season.rating_parameters, season.season_rules()) == (
            arena.rating_system,
            arena.rating_parameters,
            arena.rules(),
        ):
            return
        elif adopt_rules(season, arena):
            self.message_user(
                request,
                _("“%(season)s” has no rated results yet, so it uses the new rules at once.")
                % {"season": season.name},
                messages.INFO,
            )
        else:
            text = _(
                "“%(season)s” has rated results and keeps the rules it began with. "
                "The change applies from the next season."
            ) % {"season": season.name}
            if may_run_seasons(request, arena):
                page = reverse("admin:league_arena_saved_rules", args=[arena.pk])
                now_too = _("Apply from the next match")
                text = format_html('{} <a href="{}">{}</a>', text, page, now_too)
            self.message_user(request, text, messages.WARNING)

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

    def get_urls(self) -> list[URLPattern]:
        return [
            *season_addresses.urls(),
            *wizard.urls(),
            *files.urls(),
            *evenings.urls(),
            *imports.urls(),
            *other_rules.urls(),
            *super().get_urls(),
        ]

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        arena = context.get("original")
        context["advice"] = advice_of(arena) if arena else []
        context["places"] = list_places(request, arena) if arena else []
        if arena and not arena.is_draft and may_run_seasons(request, arena):
            context["latest_season"] = arena.seasons.opened().order_by("-starts_at").first()
        context["may_open_season"] = opening.may_open_season(request, arena)
        context["may_import"] = arena is not None and may_import(request, arena)
        context["may_enter"] = arena is not None and evenings.may_enter(request, arena)
        return super().render_change_form(request, context, *args, **options)

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

    def render_history_view(
        self, request: HttpRequest, template: str, context: dict[str, Any], **options: Any
    ) -> HttpResponse:
        """Show an old version with the sections of its own rating system only."""
        if page := context.get("adminform"):  # else it is the list of versions
            page.fieldsets = [
                one
                for one in page.fieldsets
                if flatten_fieldsets([one])[-1] in {*page.form.fields, *self.readonly_fields}
            ]
        rendered: HttpResponse = super().render_history_view(request, template, context, **options)
        return rendered

    def get_historical_record_context_helper(
        self,
        request: HttpRequest,  # noqa: ARG002 - the parent's signature
        historical_record: Any,
    ) -> ChangesInWords:
        return ChangesInWords(self.model, historical_record)
