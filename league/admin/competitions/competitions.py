"""Competitions: set up, opened for entries, drawn and cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from django.contrib import admin, messages
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.competitions.forms import (
    CONDITIONS,
    CompetitionForm,
    PairsForm,
    PlainForm,
    ReasonForm,
    SeasonChoice,
    fieldsets,
)
from league.admin.competitions.presets import PRESETS
from league.admin.competitions.seasons import SEASON, SeasonSelect, SuggestedSeasons
from league.admin.competitions.steps import check_permission, step
from league.admin.core.base import PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.admin.core.sections import InSections
from league.admin.frontpage.kinds import Attention
from league.models import Competition
from league.services.competitions.locking import PERMISSION
from league.services.competitions.running import starting, swiss_rounds
from league.services.competitions.standings import promotions
from league.services.core.clock import database_now
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

State = Competition.State
SWISS = Competition.Format.SWISS
FILTERS = "_changelist_filters"
"""The parameter in which the admin passes on the filters of the list that people came from."""
IN_ARENA = "season__arena__id__exact"
"""The filter of the list by arena."""
STEPS = {
    "open": (State.DRAFT, gettext_lazy("Open for entries")),
    "start": (State.REGISTRATION, gettext_lazy("Draw and start now")),
    "field": (State.REGISTRATION, gettext_lazy("Bring in entrants of an earlier season")),
    "pair": (State.RUNNING, gettext_lazy("Draw the next round")),
    "cancel": (None, gettext_lazy("Cancel the competition")),
}
"""The steps of a competition, with the states they need. ``None`` is any state before the end."""
EXPLANATIONS = {
    "open": gettext_lazy(
        "Players see the competition and can enter. Its season and format can no longer change."
    ),
    "start": gettext_lazy(
        "Entries close now. Entrants are seeded by rating, all fixtures are drawn, and the first "
        "round opens. Its dates stay as planned."
    ),
    "field": gettext_lazy(
        "Enters the entrants of that season who stay on this level, are promoted to it from below "
        "or relegated to it from above, as long as there are places."
    ),
    "pair": gettext_lazy(
        "The round opens now, before it is due, and keeps its dates. You can change who plays whom."
    ),
    "cancel": gettext_lazy(
        "All dates that have not been played are cancelled. Results stay rated."
    ),
}
FORMS = {"cancel": ReasonForm, "field": SeasonChoice, "pair": PairsForm}
BASICS = ["season", "name", "format", "level", "starts_at"]


@admin.register(Competition)
class CompetitionAdmin(
    Exports, InSections, TellsOfChanges, PlainChoices, admin.ModelAdmin[Competition]
):
    export_columns = (
        "id",
        "name",
        "season__arena__slug",
        "season__name",
        "format",
        "state",
        "level",
        "starts_at",
        "opened_at",
        "drawn_at",
        "over_at",
        "rules",
    )
    form = CompetitionForm
    change_form_template = "admin/league/competition/change_form.html"
    conditions = CONDITIONS
    unmarked = frozenset(BASICS)
    list_display = ("name", "season", "format", "state", "level", "starts_at")
    list_filter = (Attention, "state", "format", "starts_at", "season__arena")
    list_select_related = ("season__arena",)
    search_fields = ("name",)
    ordering = ("-starts_at", "-id")

    def get_fieldsets(self, request: HttpRequest, obj: Competition | None = None) -> Any:
        may_write = (
            self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        )
        return [(None, {"fields": BASICS}), *(fieldsets() if may_write else [])]

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        """Return the form, which knows who fills it in."""
        form = super().get_form(request, obj, change=change, **options)
        form.by = request.user
        return form

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin in the running season, if there is one alone in the arena that people came from."""
        given = super().get_changeform_initial_data(request)
        own = self.formfield_for_foreignkey(SEASON, request).queryset
        seasons = own.running(database_now()).filter(arena__is_draft=False)
        if arena := parse_qs(request.GET.get(FILTERS, "")).get(IN_ARENA):
            seasons = seasons.filter(arena__in=[each for each in arena if each.isdecimal()])
        found = list(seasons[:2])
        return {"season": found[0].pk if len(found) == 1 else None, **given}

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Suggest seasons while typing: a league has had hundreds of them."""
        if db_field.name == "season":
            options["widget"] = SeasonSelect(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **options)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow only drafts to be deleted. Others are cancelled."""
        drafted = obj is None or obj.state == State.DRAFT
        return drafted and super().has_delete_permission(request, obj)

    def response_add(
        self, request: HttpRequest, obj: Competition, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Lead to the page that runs the new competition, unless another is asked for."""
        answer = super().response_add(request, obj, post_url_continue)
        others = {"_addanother", "_continue", "_popup"}
        if others.isdisjoint(request.POST) and request.user.has_perm(PERMISSION, obj):
            return redirect("competition_run", obj.season.arena.slug, obj.pk)
        return answer

    def view_on_site(self, competition: Competition) -> str:
        return competition.get_absolute_url()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        one = context.get("original")
        context["presets"] = PRESETS if one is None else ()
        context["where"] = "".join(
            f"&{urlencode({name: request.GET[name]})}"
            for name in ("season", FILTERS)
            if name in request.GET
        )
        if one is not None and request.user.has_perm(PERMISSION, one):
            entrants = reverse("competition_entrants", args=[one.season.arena.slug, one.pk])
            run = reverse("competition_run", args=[one.season.arena.slug, one.pk])
            context["steps"] = [(run, _("Run this competition")), (entrants, _("Entrants"))] + [
                (reverse(f"admin:league_competition_{name}", args=[one.pk]), label)
                for name, (state, label) in STEPS.items()
                if possible(one, state) and (name != "pair" or one.format == SWISS)
            ]
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.step_view)
        mine = [
            path(f"<int:pk>/{name}/", view, {"name": name}, name=f"league_competition_{name}")
            for name in STEPS
        ]
        suggested = SuggestedSeasons.as_view(admin_site=self.admin_site, competitions=self)
        suggesting = path(
            "seasons/", self.admin_site.admin_view(suggested), name="league_competition_seasons"
        )
        return [*mine, suggesting, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def step_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Open a competition for entries, draw it or cancel it."""
        one = get_object_or_404(Competition.objects.select_related("season__arena"), pk=pk)
        check_permission(request, one)
        label, now = STEPS[name][1], database_now()
        services = {
            "open": lambda by, _given: starting.open_for_entries(pk, by=by, now=now),
            "start": lambda by, _given: starting.start(pk, by=by, now=now),
            "field": lambda by, given: promotions.take_over(pk, given["season"], by=by, now=now),
            "pair": lambda by, given: swiss_rounds.pair_next(
                pk,
                given["pairs"],
                by=by,
                reason=given["reason"],
                now=now,
                knowingly=given["knowingly"],
            ),
            "cancel": lambda by, given: starting.cancel(pk, by=by, reason=given["reason"], now=now),
        }
        sent = request.POST if request.method == "POST" else None
        back, initial = reverse("admin:league_competition_change", args=[pk]), {}
        if name == "pair" and sent is None:
            try:
                initial = {"pairs": describe_draw(one)}
            except Refused as refusal:
                self.message_user(request, refusal.message, messages.ERROR)
                return HttpResponseRedirect(back)
        form = FORMS.get(name, PlainForm)(sent, initial=initial)
        if isinstance(form, SeasonChoice):
            form.offer(one)
        return step(
            request,
            self,
            form,
            title=f"{label}: {one}",
            explanation=str(EXPLANATIONS[name]),
            button=str(label),
            done=_("Done: %(step)s.") % {"step": label},
            back=back,
            take=services[name],
        )


def describe_draw(one: Competition) -> str:
    """Return the next round of a Swiss by the rules, a line for each game."""
    _round, _standing, paired = swiss_rounds.preview(one)
    entrants = one.entrants.in_bulk()
    games = [[entrants[home], entrants[away]] for home, away in paired.pairs]
    if paired.free is not None:
        games.append([entrants[paired.free]])
    return "\n".join(
        f"{' – '.join(str(each.seed) for each in game)} · {' – '.join(map(str, game))}"
        for game in games
    )


def possible(one: Competition, needed: State | None) -> bool:
    """Return whether a competition is in the state that a step needs."""
    before_its_end = one.state in {State.DRAFT, State.REGISTRATION, State.RUNNING}
    return one.state == needed if needed else before_its_end
