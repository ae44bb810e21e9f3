"""The forms with which moderators open cases and work on them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.utils.translation import gettext_lazy

from league.admin.core.reasons import ReasonField
from league.models import Case, Flag, Match, Player, PlayerReport, User
from league.models.lists import COMMAS
from league.models.moderation import LONGEST_TEXT, LONGEST_TITLE
from league.models.reach import may
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.moderation import cases

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest

MOST_OFFERED = 50
LARGEST_ID = 2**63 - 1


def area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "class": "vLargeTextField"})


class PlayersField(forms.ModelMultipleChoiceField[Player]):
    """Players, chosen by parts of their names."""

    def __init__(self, **options: Any) -> None:
        widget = AutocompleteSelectMultiple(Case._meta.get_field("players"), admin.site)  # noqa: SLF001 - Django's documented name
        super().__init__(
            Player.objects.all(), label=gettext_lazy("Players"), widget=widget, **options
        )


class MatchNumbers(forms.CharField):
    """Matches, given by their numbers."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        parts = [part for part in re.split(rf"[\s{COMMAS};#]+", text) if part]
        if any(not (part.isascii() and part.isdigit()) for part in parts):
            raise forms.ValidationError(_("Write the numbers of matches, with commas between."))
        numbers = {int(part) for part in parts}
        if len(numbers) > MOST_OFFERED:
            raise forms.ValidationError(
                _("Name at most %(count)d matches.") % {"count": MOST_OFFERED}
            )
        found = {m.pk: m for m in Match.objects.filter(pk__in=[n for n in numbers if n < 2**63])}
        if missing := sorted(numbers - set(found)):
            raise forms.ValidationError(_("There is no match %(number)d.") % {"number": missing[0]})
        return list(found.values())


def match_numbers() -> MatchNumbers:
    return MatchNumbers(
        label=gettext_lazy("Matches"),
        required=False,
        help_text=gettext_lazy("The numbers of matches, such as 12, 15."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )


class Chosen(forms.ModelMultipleChoiceField[Any]):
    """Rows to tick."""

    def __init__(self, found: QuerySet[Any], label: Any) -> None:
        super().__init__(found, label=label, required=False, widget=forms.CheckboxSelectMultiple())


def ids(request: HttpRequest, name: str) -> list[int]:
    """Return the ids that an address names."""
    given = [text for text in request.GET.getlist(name)[:100] if text.isascii() and text.isdigit()]
    return [int(text) for text in given if int(text) <= LARGEST_ID]


def moderators() -> QuerySet[User]:
    return User.objects.filter(may(cases.CHANGE, None)).distinct().order_by("username")


class Refusing(forms.Form):
    """A form that shows what a service refuses."""

    def refuse(self, refusal: Refused) -> None:
        field = refusal.field if refusal.field in self.fields else None
        self.add_error(field, refusal.message)


class OpenForm(Refusing):
    """A new case. The address can name players, flags and reports to begin with."""

    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=LONGEST_TITLE,
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    players = PlayersField(required=False)
    matches = match_numbers()
    assignee = forms.ModelChoiceField(
        User.objects.none(), label=gettext_lazy("Assigned to"), required=False
    )
    note = forms.CharField(
        label=gettext_lazy("First note"),
        required=False,
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy("Only moderators read it."),
        widget=area(4),
    )

    def __init__(self, request: HttpRequest) -> None:
        flags = Flag.objects.filter(pk__in=ids(request, "flag")).select_related("player", "other")
        reports = PlayerReport.objects.filter(pk__in=ids(request, "report"))
        reports = reports.select_related("reported").exclude(reported__user=request.user.pk)
        about = [*ids(request, "player"), *(flag.player_id for flag in flags)]
        about += [report.reported_id for report in reports]
        matches = [str(number) for number in ids(request, "match")]
        matches += [str(report.match_id) for report in reports if report.match_id]
        super().__init__(
            request.POST if request.method == "POST" else None,
            initial={
                "players": about,
                "flags": list(flags),
                "reports": list(reports),
                "matches": ", ".join(dict.fromkeys(matches)),
            },
        )
        if flags:
            self.fields["flags"] = Chosen(flags, gettext_lazy("Flags"))
        if reports:
            self.fields["reports"] = Chosen(reports, gettext_lazy("Reports"))
        assignee = cast("forms.ModelChoiceField[User]", self.fields["assignee"])
        assignee.queryset = moderators()

    def carry_out(self, by: User, now: datetime) -> Case:
        """Open the case. Raises ``Refused``."""
        given = self.cleaned_data
        return cases.open_case(
            given["title"],
            given["players"],
            by=by,
            now=now,
            note=given["note"],
            matches=given["matches"],
            flags=given.get("flags", ()),
            reports=given.get("reports", ()),
            assignee=given["assignee"],
        )


class Step(Refusing):
    """One thing that a moderator can do about a case."""

    name = ""
    legend: Any = ""
    button: Any = ""

    def __init__(self, request: HttpRequest, case: Case) -> None:
        is_sent = request.method == "POST" and request.POST.get("step") == self.name
        self.case = case
        super().__init__(request.POST if is_sent else None, prefix=self.name)
        self.prepare()

    def prepare(self) -> None:
        """Fill in choices."""

    def take(self, case_id: int, *, by: User, now: datetime) -> str:
        """Take the step and return a message about it. Raises ``Refused``."""
        raise NotImplementedError


class NoteForm(Step):
    name, legend, button = "note", gettext_lazy("Add a note"), gettext_lazy("Add the note")
    text = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy("It cannot be changed later. Only moderators read it."),
        widget=area(4),
    )

    def take(self, case_id: int, *, by: User, now: datetime) -> str:
        cases.add_note(case_id, self.cleaned_data["text"], by=by, now=now)
        return _("The note is added.")


class AssignForm(Step):
    name, legend, button = "assign", gettext_lazy("Assign"), gettext_lazy("Assign the case")
    assignee = forms.ModelChoiceField(
        User.objects.none(),
        label=gettext_lazy("Assigned to"),
        required=False,
        empty_label=gettext_lazy("Nobody"),
    )

    def prepare(self) -> None:
        field = cast("forms.ModelChoiceField[User]", self.fields["assignee"])
        field.queryset = moderators()
        self.initial["assignee"] = self.case.assignee_id

    def take(self, case_id: int, *, by: User, now: datetime) -> str:
        case = cases.assign(case_id, self.cleaned_data["assignee"], by=by, now=now)
        if case.assignee is None:
            return _("The case is assigned to nobody.")
        return _("The case is assigned to %(account)s.") % {"account": case.assignee}


class LinkForm(Step):
    name, legend, button = "link", gettext_lazy("Add what it is about"), gettext_lazy("Add")
    players = PlayersField(required=False)
    matches = match_numbers()

    def prepare(self) -> None:
        """Offer the open flags and reports about the players of the case."""
        about = self.case.players.values("pk")
        flags = Flag.objects.open().filter(player__in=about).exclude(cases=self.case)
        reports = PlayerReport.objects.open().filter(reported__in=about, case=None)
        flag_ids = list(flags.values_list("pk", flat=True)[:MOST_OFFERED])
        report_ids = list(reports.values_list("pk", flat=True)[:MOST_OFFERED])
        if flag_ids:
            found = Flag.objects.filter(pk__in=flag_ids).select_related("player", "other")
            self.fields["flags"] = Chosen(found, gettext_lazy("Flags"))
        if report_ids:
            open_ = PlayerReport.objects.filter(pk__in=report_ids).select_related("reported")
            self.fields["reports"] = Chosen(open_, gettext_lazy("Reports"))

    def take(self, case_id: int, *, by: User, now: datetime) -> str:
        del now
        given = self.cleaned_data
        if not any(given.values()):
            raise Refused("nothing", _("Choose something to add."))
        cases.link(
            case_id,
            by=by,
            players=given["players"],
            matches=given["matches"],
            flags=given.get("flags", ()),
            reports=given.get("reports", ()),
        )
        return _("Added to the case.")


class CloseForm(Step):
    name, legend, button = "close", gettext_lazy("Close"), gettext_lazy("Close the case")
    outcome = forms.CharField(
        label=gettext_lazy("Outcome"),
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy("Open reports and flags of the case are resolved with this note."),
        widget=area(3),
    )

    def take(self, case_id: int, *, by: User, now: datetime) -> str:
        cases.close(case_id, self.cleaned_data["outcome"], by=by, now=now)
        return _("The case is closed.")


class ReopenForm(Step):
    name, legend, button = "reopen", gettext_lazy("Open again"), gettext_lazy("Open it again")
    reason = ReasonField()

    def take(self, case_id: int, *, by: User, now: datetime) -> str:
        cases.reopen(case_id, self.cleaned_data["reason"], by=by, now=now)
        return _("The case is open again.")
