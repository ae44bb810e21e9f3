"""Seasons on their arena's page: edit their dates, open the next one."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy

from league.admin.core.moments import DateAndTime
from league.admin.seasons.forms import labelled_rules
from league.models import Arena, Season
from league.models.season import check_dates
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.seasons.planning import obstacle_to
from ratings.registry import KNOWN_SYSTEMS

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


class OnTheClocks(forms.SplitDateTimeField):
    """A day and time in the active time zone.

    When clocks go back, an hour occurs twice. It then means the first one, so that a season which
    began in that hour does not prevent saving its page.
    """

    def compress(self, data_list: Any) -> Any:
        try:
            return super().compress(data_list)
        except ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            naive = datetime.combine(*data_list)
            moment = timezone.make_aware(naive)
            if timezone.make_naive(moment.astimezone(UTC)) != naive:  # the clocks skip this hour
                raise
            return moment


DATES = ("starts_at", "ends_at")


class SeasonForm(forms.ModelForm[Season]):
    """A season's name and dates.

    All its matches must stay within the dates, and an archived season keeps its dates.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():  # cells of a table have no labels
            field.widget.attrs["aria-label"] = field.label
        if self.instance.archived_at is not None:
            for name in DATES:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        super().clean()
        given = self.cleaned_data
        for name in DATES:  # keep the microseconds, which the fields do not show
            if name in given and name not in self.changed_data:
                given[name] = getattr(self.instance, name)
        starts_at, ends_at = given.get("starts_at"), given.get("ends_at")
        if starts_at and "starts_at" in self.changed_data:
            earlier = self.instance.matches.filter(played_at__lt=starts_at).count()
            self.refuse_orphans("starts_at", earlier)
        if ends_at and "ends_at" in self.changed_data:
            later = self.instance.matches.filter(played_at__gte=ends_at).count()
            self.refuse_orphans("ends_at", later)
        return given

    def refuse_orphans(self, field: str, count: int) -> None:
        if count:
            self.add_error(
                field,
                ngettext(
                    "%(count)s match of this season would be outside its dates.",
                    "%(count)s matches of this season would be outside its dates.",
                    count,
                )
                % {"count": intcomma(count)},
            )


class SeasonFormSet(forms.BaseInlineFormSet[Season, Arena, forms.ModelForm[Season]]):
    """Seasons edited together, which must not overlap either."""

    def clean(self) -> None:
        super().clean()
        seasons = [form.instance for form in self.initial_forms if form.is_valid()]
        seasons.sort(key=lambda season: season.starts_at)
        for season, following in itertools.pairwise(seasons):
            if season.ends_at is None or season.ends_at > following.starts_at:
                raise forms.ValidationError(
                    _("“%(one)s” and “%(other)s” overlap. End one before the other starts.")
                    % {"one": season.name, "other": following.name}
                )


class SeasonInline(admin.TabularInline[Season, Arena]):
    model = Season
    form = SeasonForm
    formset = SeasonFormSet
    fields = ("name", "starts_at", "ends_at", "rated_by", "pages")
    formfield_overrides = {models.DateTimeField: {"form_class": OnTheClocks, "widget": DateAndTime}}
    readonly_fields = ("rated_by", "pages")
    extra = 0
    can_delete = False
    verbose_name_plural = gettext_lazy(
        "Seasons, newest first. Their dates are in the arena’s time zone and may not overlap"
    )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        """Seasons are opened with their own button, which ends the season before."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        return super().get_queryset(request).select_related("arena")

    @admin.display(description=gettext_lazy("rules"))
    def rated_by(self, season: Season) -> str:
        """Return the rating system, and the season's own rules in words to open below it."""
        system = KNOWN_SYSTEMS.get(season.rating_system)
        return format_html(
            "{}<details><summary>{}</summary>{}</details>",
            _(system.label) if system else season.rating_system,
            _("All rules"),
            format_html_join("", "<div>{}: <b>{}</b></div>", labelled_rules(season.season_rules())),
        )

    @admin.display(description=gettext_lazy("what you can do"))
    def pages(self, season: Season) -> str:
        """Link to the season's pages, one below the other."""
        links = (self.other_rules(season), self.again(season), self.end(season))
        return format_html_join("", "<div>{}</div>", ((link,) for link in links if link))

    def other_rules(self, season: Season) -> str:
        """Link to the page that says how well it was predicted, and tries others."""
        if season.opened_at is None:
            return ""
        address = reverse("admin:league_arena_other_rules", args=[season.arena_id, season.pk])
        return format_html('<a href="{}">{}</a>', address, _("Other rules"))

    def again(self, season: Season) -> str:
        """Link to the page that rates the season again."""
        if season.opened_at is None or season.archived_at is not None:
            return ""
        address = reverse("admin:league_arena_rerate", args=[season.arena_id, season.pk])
        return format_html('<a href="{}">{}</a>', address, _("Rate again"))

    def end(self, season: Season) -> str:
        """Link to the page that previews the season's end."""
        if season.archived_at is not None:
            return format_html(
                '<a href="{}">{}</a>', season.get_absolute_url(), _("Show the archive")
            )
        address = reverse("admin:league_arena_end_season", args=[season.arena_id, season.pk])
        if season.opened_at is None:
            why = obstacle_to(season, season.arena.rules()) or _("not begun")
            return format_html('{} <a href="{}">{}</a>', why, address, _("Call it off"))
        is_over = season.ends_at is not None and season.ends_at <= timezone.now()
        label = _("Preview the archive") if is_over else _("Preview and end")
        return format_html('<a href="{}">{}</a>', address, label)


MOMENT = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})


class OpenSeasonForm(forms.Form):
    """The form that opens or plans a season."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("The name that players see. If empty, “Season 2” and so on."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Start"),
        required=False,
        help_text=gettext_lazy("If empty, it opens now."),
        widget=MOMENT,
    )
    ends_at = forms.DateTimeField(
        label=gettext_lazy("End"),
        required=False,
        help_text=gettext_lazy(
            "If empty, after the arena’s season length or when the next season starts."
        ),
        widget=MOMENT,
    )
    after = forms.IntegerField(required=False, widget=forms.HiddenInput)
    """The season that was running when the form was shown, so that sending it twice opens one."""

    def __init__(self, *args: Any, running: Season | None, now: datetime, **options: Any) -> None:
        super().__init__(*args, **options)
        self.running, self.now = running, now
        self.initial["after"] = running.pk if running else None

    def clean(self) -> dict[str, Any]:
        now_running = self.running.pk if self.running else None
        if self.cleaned_data.get("after") != now_running:
            raise forms.ValidationError(
                _("Another season was opened in the meantime: “%(name)s”. Check it first.")
                % {"name": self.running.name if self.running else _("none")}
            )
        starts_at, ends_at = (self.cleaned_data.get(name) for name in DATES)
        if starts_at and starts_at <= self.now:
            self.add_error("starts_at", _("Must be in the future, or empty to open now."))
        try:
            check_dates(starts_at or self.now, ends_at)
        except ValidationError as error:
            self.refuse(error)
        return self.cleaned_data

    def refuse(self, error: ValidationError) -> None:
        """Add each error to the field it is about."""
        for name, problems in error.update_error_dict({}).items():
            self.add_error(name if name in self.fields else None, problems)
