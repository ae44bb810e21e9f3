"""Pages on which staff void all matches of a player in a season, or undo that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.admin.core.reasons import ReasonField
from league.admin.jobs.jobs import RESULTS, lead_to
from league.models import Correction, Job, Player, Season
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.corrections import undoing, voiding_all
from league.services.jobs import jobs
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User
    from league.services.corrections import Preview

RESULTS |= dict.fromkeys((voiding_all.JOB, voiding_all.UNDO_JOB), "admin:league_player_voided_all")


class UndoAllForm(forms.Form):
    """A reason, with the fingerprint of the preview that staff have seen."""

    reason = ReasonField(
        help_text=gettext_lazy("Everyone can read it, and it stays in the record."),
    )
    digest = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    horizon = forms.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput
    )

    def seen_values(self) -> dict[str, Any]:
        """Return what the job needs to know."""
        return {
            "reason": self.cleaned_data["reason"],
            "digest": self.cleaned_data["digest"],
            "horizon": self.cleaned_data["horizon"] or 0,
        }

    def show(self, preview: Preview) -> None:
        """Keep the fingerprint of a preview in the hidden fields."""
        self.data = {
            **{name: self.data[name] for name in self.data},
            "digest": preview.digest,
            "horizon": str(preview.horizon),
        }


class VoidAllForm(UndoAllForm):
    """The season whose matches become void, and why."""

    season = forms.ModelChoiceField(
        Season.objects.none(), label=gettext_lazy("Season"), empty_label=gettext_lazy("Choose one")
    )
    field_order = ("season", "reason")

    def __init__(self, player: Player, by: User, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        season = cast("forms.ModelChoiceField[Season]", self.fields["season"])
        season.queryset = theirs(voiding_all.seasons_of(player), "arena", by)
        season.label_from_instance = label_season  # type: ignore[method-assign, assignment] # Django's way


def label_season(season: Season) -> str:
    counted: Any = season
    return _("%(season)s (%(count)d matches)") % {"season": season, "count": counted.count}


class VoidsAll(admin.ModelAdmin[Any]):
    """Player pages with a “Void all matches…” button."""

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        context["may_void_all"] = may_void(cast("User", request.user))
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path(
                "<int:player_id>/void-all/", view(self.void_all_view), name="league_player_void_all"
            ),
            path(
                "undo-all/<int:correction_id>/",
                view(self.undo_all_view),
                name="league_player_undo_all",
            ),
            path("voided/<int:job_id>/", view(self.voided_view), name="league_player_voided_all"),
            *super().get_urls(),
        ]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def void_all_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Choose a season, preview what voiding all matches of a player changes, and do it."""
        check_staff(request)
        player, by = get_object_or_404(Player, pk=player_id), cast("User", request.user)
        form = VoidAllForm(player, by, request.POST or None)
        preview: Preview | None = None
        if form.is_valid():
            season: Season = form.cleaned_data["season"]
            try:
                preview = voiding_all.preview(player, season, by=by)
            except Refused as refusal:
                form.add_error(None, refusal.message)
            else:
                if "apply" in request.POST and preview.digest == form.cleaned_data["digest"]:
                    return begin(
                        voiding_all.JOB,
                        _("Void all matches of %(player)s in %(season)s")
                        % {"player": player, "season": season},
                        by,
                        season,
                        player=player.pk,
                        **form.seen_values(),
                    )
                form.show(preview)
        context = {
            "title": _("Void all matches of %(player)s") % {"player": player},
            "player": player,
            "made": theirs(voiding_all.made_about(player), "season__arena", by),
        }
        return self.page(request, form, preview, context)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def undo_all_view(self, request: HttpRequest, correction_id: int) -> HttpResponse:
        """Preview what undoing the void of all matches of a player changes, and do it.

        The preview rates all later matches of the season again, so it waits for a reason.
        """
        check_staff(request)
        made = get_object_or_404(
            Correction.objects.select_related("season__arena"),
            pk=correction_id,
            details__has_key="matches",
        )
        check_staff(request, made.season)
        player = get_object_or_404(Player.ever, pk=made.details["player"])
        by = cast("User", request.user)
        form = UndoAllForm(request.POST or None)
        preview: Preview | None = None
        try:
            if form.is_valid():
                preview = undoing.preview(made, by=by)
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
            return HttpResponseRedirect(reverse("admin:league_player_void_all", args=[player.pk]))
        if preview and "apply" in request.POST and preview.digest == form.cleaned_data["digest"]:
            title = _("Undo the void of all matches of %(player)s in %(season)s")
            return begin(
                voiding_all.UNDO_JOB,
                title % {"player": player, "season": made.season},
                by,
                made.season,
                correction=made.pk,
                **form.seen_values(),
            )
        if preview:
            form.show(preview)
        context = {
            "title": _("Undo the void of all matches of %(player)s") % {"player": player},
            "player": player,
            "undoes": made,
        }
        return self.page(request, form, preview, context)

    @method_decorator(require_safe)
    def voided_view(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """Say what a finished job did, on the page that can undo it."""
        check_staff(request)
        kinds = [voiding_all.JOB, voiding_all.UNDO_JOB]
        job = get_object_or_404(
            Job.objects.select_related("season__arena"),
            pk=job_id,
            state=Job.State.DONE,
            kind__in=kinds,
        )
        check_staff(request, job.season)
        result: dict[str, Any] = job.result or {}
        text = _("%(matches)d matches changed, and the ratings of %(players)d players.")
        self.message_user(request, text % result, messages.SUCCESS)
        return HttpResponseRedirect(
            reverse("admin:league_player_void_all", args=[result["player"]])
        )

    def page(
        self, request: HttpRequest, form: forms.Form, preview: Preview | None, context: Any
    ) -> HttpResponse:
        season = context["undoes"].season if "undoes" in context else None
        if preview and season is None:
            season = form.cleaned_data["season"]
        context = {
            **self.admin_site.each_context(request),
            **context,
            "opts": self.opts,
            "form": form,
            "preview": preview,
            "season": season,
            "shows": season.shows if season else None,
            "back": reverse("admin:league_player_change", args=[context["player"].pk]),
        }
        return TemplateResponse(request, "admin/league/player/void_all.html", context)


def may_void(by: User) -> bool:
    """Return whether an account may void rated results of any arena."""
    arenas = by.arenas_with(own_matches.VOID)
    return arenas is None or bool(arenas)


def check_staff(request: HttpRequest, *seasons: Season | None) -> None:
    """Refuse whoever may void rated results of no arena, or not in these seasons."""
    if not may_void(cast("User", request.user)):
        raise PermissionDenied
    for season in seasons:
        if not request.user.has_perm(own_matches.VOID, season):
            raise PermissionDenied


def theirs(rows: QuerySet[Any], arena: str, by: User) -> QuerySet[Any]:
    """Return the rows of the arenas in which an account may void rated results."""
    arenas = by.arenas_with(own_matches.VOID)
    return rows if arenas is None else rows.filter(**{f"{arena}__in": arenas})


def begin(kind: str, title: str, by: User, season: Season, **given: Any) -> HttpResponse:
    """Start a job and lead to its progress."""
    return lead_to(jobs.ask(kind, title, by=by, now=database_now(), season=season, **given))
