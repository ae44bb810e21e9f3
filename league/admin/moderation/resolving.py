"""Rows that staff resolve with a note on what they found: flags, and reports by players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.http import HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.admin.core.exports import Exports
from league.admin.moderation.openings import OpensCases
from league.services.core.clock import database_now
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import User


class NoteForm(forms.ModelForm[Any]):
    """The note with which staff resolve a row."""

    class Meta:
        fields = ("note",)

    def clean_note(self) -> str:
        note: str = self.cleaned_data["note"].strip()
        if not note:
            raise forms.ValidationError(_("Write what you found."))
        return note


class ResolvedWithNote(OpensCases, Explained, Exports, NameSearch, ReadOnly):
    """Read-only rows, except for a note while they are open."""

    form = NoteForm
    search_help_text = gettext_lazy("Part of a player's name.")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow staff to resolve open rows."""
        is_open = obj is None or obj.resolved_at is None
        return is_open and super(ReadOnly, self).has_change_permission(request, obj)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the row. Whoever resolves it second gets their text back beside the first note."""
        row = self.get_object(request, unquote(object_id)) if request.method == "POST" else None
        if (
            row is None
            or row.resolved_at is None
            or not super(ReadOnly, self).has_change_permission(request, row)
        ):
            return super().change_view(request, object_id, form_url, extra_context)
        text = _(
            "%(who)s resolved this while you were writing: “%(note)s”. Your note is not saved: "
            "“%(mine)s”."
        )
        told = {"who": row.resolved_by, "note": row.note, "mine": request.POST.get("note", "")}
        self.message_user(request, text % told, messages.ERROR)
        return HttpResponseRedirect(request.path)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        del form, change
        try:
            self.resolve(obj.pk, by=cast("User", request.user), note=obj.note, now=database_now())
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)

    def resolve(self, pk: int, *, by: User, note: str, now: datetime) -> None:
        """Call the service that resolves a row."""
        raise NotImplementedError
