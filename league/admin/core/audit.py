"""The record of every save and deletion in the admin: what changed, from what to what.

The admin site adds this to the pages of every model.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpResponseRedirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.admin.core.fields import ParameterField
from league.models import Player, StaffAction, User
from league.models.reach import arena_of
from league.models.words import without_controls
from league.services.core.clock import database_now
from league.services.core.durations import describe_duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Field
    from django.http import HttpRequest, HttpResponse

Kind = StaffAction.Kind
Values = dict[str, Any]

LONGEST = 4_000
"""Longer values are cut in the record."""
LONGEST_REASON = 2_000
SECRET_WORDS = ("password", "secret", "token", "digest")
SECRET_FIELDS = {"key", "data", "extra_data", "settings", "seed"}
"""Fields of accounts and log-in services whose values nobody may read: what an authenticator
computes its codes from, keys of services, and what they told us."""
SECRET, EMPTY = "(secret)", "–"


def is_secret(name: str, model: type[Model]) -> bool:
    ours = model._meta.app_label == "league"  # noqa: SLF001 - Django's documented name
    return any(word in name for word in SECRET_WORDS) or (not ours and name in SECRET_FIELDS)


class ReasonMissing(Exception):
    """Rows would be deleted without a reason."""


class Audited(admin.ModelAdmin[Any]):
    """Write a staff action for each row that is added, changed or deleted on these pages."""

    recorded_elsewhere: Sequence[str] = ()
    """Fields whose changes a service records."""
    saves_are_recorded = False
    """Whether a service records all that is added or changed on these pages."""

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        changes = Changes(self.model, leave_out=self.recorded_elsewhere)
        with override("en"):
            changes.read(form)
            for formset in formsets or []:
                changes.read_parts(formset)
        request.audited = changes  # type: ignore[attr-defined] # ours
        return super().construct_change_message(request, form, formsets, add)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_addition(request, obj, message)
        changes = take_changes(request)
        if not self.saves_are_recorded:
            record(request, Kind.CREATED, obj, after=changes.after if changes else {})
        return entry

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_change(request, obj, message)
        changes = take_changes(request)
        if changes and (changes.before or changes.after) and not self.saves_are_recorded:
            record(request, Kind.CHANGED, obj, before=changes.before, after=changes.after)
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        if not reason_in(request):
            raise ReasonMissing
        entries = super().log_deletions(request, queryset)
        for row in queryset:
            record(request, Kind.DELETED, row, before=values_of(row))
        return entries

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ReasonMissing:
            return self.ask_why(request)

    def response_action(self, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        try:
            return super().response_action(request, queryset)
        except ReasonMissing:
            return self.ask_why(request)

    def ask_why(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the page that sent a deletion without a reason."""
        text = _("Nothing was deleted. Give a reason for the staff log.")
        self.message_user(request, text, messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())


def take_changes(request: HttpRequest) -> Changes | None:
    """Return the changes of this request that are not recorded yet, once."""
    changes: Changes | None = request.__dict__.pop("audited", None)
    return changes


def reason_in(request: HttpRequest) -> str:
    """Return the reason typed in the form of a page."""
    given = without_controls(request.POST.get("_reason", "")).strip()
    return given[:LONGEST_REASON]


def record(
    request: HttpRequest,
    kind: StaffAction.Kind,
    row: Model,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> StaffAction:
    """Write a staff action about a row, with the reason that the page's form asks for."""
    arena = arena_of(row)
    return StaffAction.objects.create(
        actor=cast("User", request.user),
        kind=kind,
        reason=reason_in(request),
        details={
            "model": row._meta.label_lower,  # noqa: SLF001 - Django's documented name
            "id": str(row.pk),
            "object": str(row)[:LONGEST],
            **({"arena_id": arena} if arena else {}),
            **({"players": people} if (people := names_of_people(row)) else {}),
        },
        before=before,
        after=after,
        at=database_now(),
    )


def names_of_people(row: Model) -> list[str]:
    """Return the names of the people whom a row is about."""
    found: list[str] = []
    for one in (row, *(getattr(row, name, None) for name in ("player", "captain", "user"))):
        if isinstance(one, User):
            player = getattr(one, "player", None)
            found.append(player.name if player else one.username)
        elif isinstance(one, Player):
            found.append(one.name)
    return list(dict.fromkeys(found))


class Changes:
    """The values that a form and the rows on its page change, by label, as they were and are."""

    def __init__(self, model: type[Model], leave_out: Sequence[str] = ()) -> None:
        self.model = model
        self.leave_out = leave_out
        self.before: Values = {}
        self.after: Values = {}

    def read(self, form: forms.BaseForm, prefix: str = "") -> None:
        """Add the changed fields of a form."""
        for name in form.changed_data:
            if name in self.leave_out:
                continue
            field = form.fields.get(name)
            label = prefix + capfirst(str((field and field.label) or name).replace("_", " "))
            if is_secret(name, self.model):
                self.before[label], self.after[label] = SECRET, "(changed)"
                continue
            if field is None:
                continue
            was = describe_value(field, form.get_initial_for_field(field, name))
            becomes = describe_value(field, form.cleaned_data.get(name))
            if was != becomes:  # browsers send some values in another form
                self.before[label], self.after[label] = was, becomes

    def read_parts(self, formset: forms.BaseModelFormSet[Any, Any]) -> None:
        """Add the rows of another model that are added, changed or deleted on the page."""
        name = capfirst(str(formset.model._meta.verbose_name))  # noqa: SLF001 - as above
        gone = formset.deleted_forms if formset.can_delete else []
        for form in formset.forms:
            is_gone = form in gone
            if not form.has_changed() or (is_gone and form not in formset.initial_forms):
                continue
            title = f"{name} “{form.instance}”"
            if is_gone:
                self.before[title], self.after[title] = "listed", "deleted"
            else:
                part = Changes(formset.model, self.leave_out)
                part.read(form, prefix=f"{title}: ")
                if form in formset.extra_forms:
                    part.before = dict.fromkeys(part.after, EMPTY)
                self.before |= part.before
                self.after |= part.after


def describe_value(field: forms.Field, value: Any) -> Any:
    """Return a field's value as people read it, fit for JSON."""
    if isinstance(field, forms.ModelChoiceField):
        return name_choices(field, value)
    if isinstance(field, ParameterField) and value not in (None, ""):
        return field.in_words(value)
    if isinstance(field, forms.ChoiceField) and not isinstance(value, (list, tuple, set)):
        words = dict(flat(field.choices))
        return str(words.get(str(value), plain(value)))
    return plain(value)


def name_choices(field: forms.ModelChoiceField[Any], value: Any) -> Any:
    """Return the names of chosen rows, which forms know by their key at first."""
    if value is None or value == "":
        return EMPTY
    if isinstance(value, Model):
        return str(value)
    model = cast("Any", field.queryset).model
    if isinstance(value, Iterable) and not isinstance(value, str):
        rows = list(value)
        keys = [row for row in rows if not isinstance(row, Model)]
        rows = [row for row in rows if isinstance(row, Model)]
        rows += model._base_manager.filter(pk__in=keys) if keys else []  # noqa: SLF001 - as above
        return ", ".join(sorted(str(row) for row in rows)) or EMPTY
    row = model._base_manager.filter(pk=value).first()  # noqa: SLF001 - as above
    return str(row) if row else plain(value)


def flat(choices: Any) -> Iterable[tuple[str, str]]:
    """Yield the values of a choice with their words, whatever groups they are in."""
    for value, words in choices:
        if isinstance(words, (list, tuple)):
            yield from flat(words)
        else:
            yield str(value), str(words)


def plain(value: Any) -> Any:
    """Return a value fit for JSON."""
    if value in (None, "", []):
        return EMPTY
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return describe_duration(value)
    if isinstance(value, (list, tuple, set)):
        return ", ".join(str(each) for each in value)[:LONGEST]
    return str(value).replace("\r\n", "\n").strip()[:LONGEST]  # as browsers send line breaks


def values_of(row: Model) -> Values:
    """Return the values of a row that will be deleted, by label, without secrets."""
    with override("en"):
        return {
            capfirst(str(field.verbose_name)): stored_value(row, field)
            for field in row._meta.concrete_fields  # noqa: SLF001 - as above
            if getattr(row, field.attname) not in (None, "", [], {})
        }


def stored_value(row: Model, field: Field[Any, Any]) -> Any:
    if is_secret(field.name, type(row)):
        return SECRET
    if field.choices:
        return str(getattr(row, f"get_{field.name}_display")())
    return plain(str(getattr(row, field.name)) if field.is_relation else getattr(row, field.name))
