"""The forms of the arena wizard: its start, format, rating system, calendar and publication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import sentence
from league.admin.core.fields import ParameterField, form_values
from league.admin.core.moments import Moment
from league.admin.seasons.seasons import MOMENT
from league.models import Arena, ArenaQueue, Format
from league.models.name_lists import MODES, REGIONS
from league.models.skeletons import address_of
from league.services.arenas.starting import fit_rules
from ratings.registry import SYSTEMS, read_name
from ratings.seasons.rules import Calendar
from ratings.system import UnsupportedMatch
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError, read_parameters

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from ratings.system import RatingSystem

MOST_BYTES = 1_000_000
"""The largest configuration that can be uploaded. The published one has 7,000 bytes."""
USUAL = "usual"
"""The choice of a system's defaults."""


class StartForm(forms.Form):
    """The start of a new arena: its name, and a preset, another arena or a file."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("The name that players see, such as “Chess ladder”."),
        widget=forms.TextInput(attrs={"class": "vTextField", "autofocus": True}),
    )
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        required=False,
        max_length=60,
        help_text=gettext_lazy(
            "The last part of its web address: letters, digits and hyphens. If empty, made from "
            "the name."
        ),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    copied = forms.ModelChoiceField(
        Arena.objects.none(),
        label=gettext_lazy("Arena to copy"),
        required=False,
        help_text=gettext_lazy(
            "All of its settings, its queue, its penalty reasons and its rules in words, but no "
            "players or results."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("XML file"),
        required=False,
        help_text=gettext_lazy(
            "“Settings as XML” of another arena, or any file in the form that is published for "
            "Guild Wars 2. Each arena in it becomes a draft with the name it has there."
        ),
        widget=forms.FileInput(attrs={"accept": ".xml,text/xml,application/xml"}),
    )

    def __init__(self, *args: Any, arenas: QuerySet[Arena], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["copied"].queryset = arenas  # type: ignore[attr-defined] # a ModelChoiceField

    def clean(self) -> dict[str, Any]:
        """Ask for what the chosen start needs."""
        given = self.cleaned_data
        start = self.data.get("start", "")
        if start == "file":
            if not given.get("file") and "file" not in self.errors:
                self.add_error("file", _("Choose a file."))
            return given
        if start == "copy" and not given.get("copied") and "copied" not in self.errors:
            self.add_error("copied", _("Choose an arena."))
        if not given.get("name") and "name" not in self.errors:
            self.add_error("name", _("Give the arena a name."))
        elif "slug" not in self.errors and not given.get("slug"):
            given["slug"] = address_of(given.get("name", ""))[:60]
            if not given["slug"] and "name" not in self.errors:
                self.add_error(
                    "slug", _("This name has no letters for an address. Type an address.")
                )
        return given

    def clean_file(self) -> Any:
        """Return the text of the file, ``None`` without one."""
        file = self.cleaned_data["file"]
        if file is None or self.data.get("start") != "file":
            return None
        if file.size > MOST_BYTES:
            raise ValidationError(
                _("The file has %(size)d MB. A configuration has at most 1 MB.")
                % {"size": max(2, round(file.size / 1_000_000))}
            )
        try:
            return file.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValidationError(
                _("The file is not UTF-8 text. Save it as UTF-8 and upload it again.")
            ) from error

    def refuse(self, error: ValidationError) -> None:
        """Add each problem of the arena to the field it is about.

        An address that was made from the name has the problems of the name.
        """
        found = error.update_error_dict({})
        if "name" in found and not self.data.get("slug"):
            found.pop("slug", None)
        for name, problems in found.items():
            self.add_error(name if name in self.fields else "name", problems)


class FormatForm(forms.ModelForm[Arena]):
    """An arena's name, description and format, and whether it has a queue."""

    has_queue = forms.BooleanField(
        label=gettext_lazy("Queue"),
        required=False,
        help_text=gettext_lazy(
            "Players queue, and the site makes matches of two sides. A new queue has rules for 10 "
            "to 50 players online; change them on its own page."
        ),
    )

    class Meta:
        model = Arena
        fields = (
            "name",
            "slug",
            "description",
            "format",
            "sides_min",
            "sides_max",
            "team_size_min",
            "team_size_max",
            "draws_allowed",
            "modes",
            "regions",
        )
        widgets = {"description": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.queue = ArenaQueue.objects.filter(arena=self.instance).first()
        self.initial["has_queue"] = self.queue is not None

    def clean_modes(self) -> list[str]:
        return MODES.read(self.cleaned_data["modes"])

    def clean_regions(self) -> list[str]:
        return REGIONS.read(self.cleaned_data["regions"])

    def clean(self) -> dict[str, Any]:
        super().clean()
        given = self.cleaned_data
        free_for_all = given.get("format") == Format.FREE_FOR_ALL
        if given.get("has_queue") and (free_for_all or given.get("sides_min", 2) > 2):
            self.add_error(
                "has_queue", _("A queue makes matches of two sides, and this format has none.")
            )
        return given

    def save(self, commit: bool = True) -> Arena:
        """Save the arena, and give it a queue or take it away."""
        arena = self.instance
        suited = suited_systems(arena)
        if arena.rating_system not in suited:
            arena.rating_system, arena.rating_parameters = next(iter(suited)), {}
            fit_rules(arena)
        arena.full_clean()
        super().save(commit)
        if self.queue and not self.cleaned_data["has_queue"]:
            self.queue.delete()
        elif self.cleaned_data["has_queue"] and not self.queue:
            ArenaQueue.objects.create(arena=arena)
        return arena


def suited_systems(arena: Arena) -> dict[str, type[RatingSystem]]:
    """Return the systems that suit an arena's format, the usual one for it first.

    The system that it has already stays, if it can rate the format.
    """
    default = Arena().rating_system if arena.sides_max == 2 else "elo-mmr"
    against = unsuited_systems(arena)
    found = {
        name: system
        for name, system in SYSTEMS.items()
        if can_rate(system, arena) and (name == arena.rating_system or name not in against)
    }
    return {name: found[name] for name in sorted(found, key=lambda one: (one != default, one))}


def unsuited_systems(arena: Arena) -> dict[str, str]:
    """Return why some systems that can rate an arena's format do not suit it, by their names."""
    if arena.sides_max > 2:
        return {}
    return {
        name: system.against_two_sides
        for name, system in SYSTEMS.items()
        if system.against_two_sides and can_rate(system, arena)
    }


def can_rate(system: type[RatingSystem], arena: Arena) -> bool:
    built = system(system.Parameters())
    shapes = (
        [arena.team_size_min] * arena.sides_min,
        [arena.team_size_max] * arena.sides_max,
    )
    try:
        for shape in shapes:
            built.check_sizes(shape)
    except UnsupportedMatch:
        return False
    return True


class RatingForm(forms.Form):
    """An arena's rating system. Another one starts with its usual parameters."""

    rating_system = forms.ChoiceField(label=gettext_lazy("Rating system"), widget=forms.RadioSelect)
    parameters = forms.ChoiceField(
        label=gettext_lazy("Parameters"),
        required=False,
        help_text=gettext_lazy(
            "The usual parameters forecast well in most leagues. Take published ones if your "
            "players expect exactly that rating."
        ),
    )

    def __init__(self, *args: Any, instance: Arena, **options: Any) -> None:
        super().__init__(*args, **options)
        self.arena = instance
        self.suited = suited_systems(instance)
        self.unsuited = [
            (_(SYSTEMS[name].label), _(reason))
            for name, reason in unsuited_systems(instance).items()
            if name not in self.suited
        ]
        """The systems that are not offered for this format, and why."""
        self.fields["rating_system"].choices = [  # type: ignore[attr-defined] # a ChoiceField
            (name, _(system.label)) for name, system in self.suited.items()
        ]
        self.initial["rating_system"] = instance.rating_system
        self.fields["parameters"].choices = [  # type: ignore[attr-defined] # a ChoiceField
            ("", _("as already set, or the usual ones of another system")),
            (USUAL, _("the usual ones")),
            *(
                (f"{name}:{key}", published_label(system, key))
                for name, system in self.suited.items()
                for key in system.published
            ),
        ]
        self.adapted: list[str] = []
        """The arena's rules that had to change for its system."""

    def clean(self) -> dict[str, Any]:
        super().clean()
        chosen = self.cleaned_data.get("rating_system")
        name, colon, _key = self.cleaned_data.get("parameters", "").partition(":")
        if chosen and colon and name != chosen:
            text = _("These are parameters of %(one)s, but you chose %(other)s.")
            labels = {"one": _(SYSTEMS[name].label), "other": _(SYSTEMS[chosen].label)}
            self.add_error("parameters", text % labels)
        return self.cleaned_data

    def save(self) -> Arena:
        chosen = self.cleaned_data["rating_system"]
        if chosen != self.arena.rating_system:
            self.arena.rating_system, self.arena.rating_parameters = chosen, {}
            self.adapted = fit_rules(self.arena)
        if wanted := self.cleaned_data["parameters"]:
            published = {} if wanted == USUAL else read_name(wanted)[1]
            self.arena.rating_parameters = published
        self.arena.full_clean()
        self.arena.save()
        return self.arena


def published_label(system: type[RatingSystem], key: str) -> str:
    """Return the words for the published parameters of a system."""
    values = {"system": _(system.label), "source": _(system.published[key].label)}
    return _("%(system)s as published: %(source)s") % values


CALENDAR = {declared.name: declared for declared in declarations(Calendar)}


class CalendarForm(forms.ModelForm[Arena]):
    """The ends of an arena's seasons, and the pauses between them."""

    class Meta:
        model = Arena
        fields = ("time_zone",)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        zone = self.fields.pop("time_zone")
        for name, declared in CALENDAR.items():
            self.fields[name] = ParameterField(declared)
        self.fields["time_zone"] = zone
        self.initial.update(form_values(self.instance.rules().calendar.to_json()))

    def clean(self) -> dict[str, Any]:
        super().clean()
        given = {name: self.cleaned_data.get(name) for name in CALENDAR}
        filled = {name: value for name, value in given.items() if value not in (None, "")}
        try:
            calendar = read_parameters(Calendar, filled)
        except ParameterError as error:
            for name, problem in error.problems.items():
                self.add_error(name, sentence(problem))
        else:
            rules = self.instance.season_rules
            self.instance.season_rules = {**rules, "calendar": calendar.to_json()}
        return self.cleaned_data


class PublishForm(forms.Form):
    """The first season of an arena that is being published."""

    season_name = forms.CharField(
        label=gettext_lazy("First season"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("The name that players see. If empty, “Season 1”."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    starts_at = Moment(
        label=gettext_lazy("Start"),
        required=False,
        help_text=gettext_lazy(
            "In the arena’s time zone. If empty, it opens at once and takes what is played today."
        ),
        widget=MOMENT,
    )

    def __init__(self, *args: Any, now: datetime, **options: Any) -> None:
        super().__init__(*args, **options)
        self.now = now

    def clean_starts_at(self) -> Any:
        starts_at = self.cleaned_data["starts_at"]
        if starts_at and starts_at <= self.now:
            raise ValidationError(_("Must be in the future, or empty to open now."))
        return starts_at

    def refuse(self, error: ValidationError) -> None:
        """Add each problem of the season to its field, or above the form."""
        fields = {"name": "season_name", "starts_at": "starts_at"}
        for name, problems in error.update_error_dict({}).items():
            self.add_error(fields.get(name) if name != NON_FIELD_ERRORS else None, problems)
