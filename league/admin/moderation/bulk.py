"""Actions on the list of players: ban, write to, add to a roster, export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from league.admin.core.exports import ROWS_AT_ONCE
from league.admin.core.moments import Moment
from league.admin.core.reasons import ReasonField
from league.admin.dishonor.amnesties import LocalDateTime
from league.admin.dishonor.bans import only_arena
from league.admin.jobs.jobs import RESULTS, lead_to
from league.models import Arena, Job, Player, Roster, RosterMember
from league.models.letter import LONGEST_LETTER
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.exports import csv_lines
from league.services.moderation import bulk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

LISTED = 20
"""The names that the pages list."""
RESULTS[bulk.JOB] = "admin:league_player_banned"


class ManyForm(forms.Form):
    """An action on the selected players."""

    def carry_out(self, players: Sequence[int], by: User, now: datetime) -> bulk.Results | Job:
        """Do it. Return what became of it, or the job that does it. Raises ``Refused``."""
        raise NotImplementedError


class BanManyForm(ManyForm):
    arena = forms.ModelChoiceField(
        Arena.objects.all(),
        label=gettext_lazy("Arena"),
        help_text=gettext_lazy("Where the offence happened. The bans hold in every arena."),
    )
    until = Moment(
        label=gettext_lazy("Until"),
        widget=LocalDateTime,
        required=False,
        help_text=gettext_lazy("Leave empty to ban as long as the dishonor rules say."),
    )
    reason = ReasonField(
        help_text=gettext_lazy("The players will read it, and it stays in the record."),
    )

    def carry_out(self, players: Sequence[int], by: User, now: datetime) -> bulk.Results | Job:
        if len(players) > bulk.MOST_AT_ONCE:
            return bulk.ask_for_bans(players, by=by, now=now, **self.cleaned_data)
        return bulk.ban_all(players, by=by, now=now, **self.cleaned_data)


class MessageForm(ManyForm):
    text = forms.CharField(
        label=gettext_lazy("Message"),
        help_text=gettext_lazy("Each of them gets it as a notice in their inbox."),
        max_length=LONGEST_LETTER,
        widget=forms.Textarea(attrs={"rows": 5, "class": "vLargeTextField"}),
    )
    mail = forms.BooleanField(
        label=gettext_lazy("Also by mail"),
        help_text=gettext_lazy("To those who want mails, if they do not read it on the site."),
        required=False,
    )

    def carry_out(self, players: Sequence[int], by: User, now: datetime) -> bulk.Results:
        given = self.cleaned_data
        _letter, reached = bulk.write_to(players, given["text"], by=by, now=now, mail=given["mail"])
        results = bulk.Results(reached)
        if without := len(players) - reached:
            text = ngettext(
                "%(count)d player has no account and got nothing.",
                "%(count)d players have no account and got nothing.",
                without,
            )
            results.problems.append(text % {"count": without})
        return results


class RosterForm(ManyForm):
    roster = forms.ModelChoiceField(
        Roster.objects.all(),
        label=gettext_lazy("Roster"),
        widget=AutocompleteSelect(RosterMember._meta.get_field("roster"), admin.site),  # noqa: SLF001 - Django's documented name
        help_text=gettext_lazy("All of them join at once, without an invitation, or nobody does."),
    )

    def carry_out(self, players: Sequence[int], by: User, now: datetime) -> bulk.Results:
        new = bulk.add_to_roster(players, self.cleaned_data["roster"], by=by, now=now)
        return bulk.Results(new)


class Many(admin.ModelAdmin[Any]):
    """The list of players with actions on many of them, each confirmed on a page of its own."""

    model: Any
    export_columns: Sequence[str]

    def has_ban_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("league.ban_player")

    def has_message_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(bulk.MESSAGE)

    def has_roster_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(bulk.ROSTER)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.banned_view)
        return [
            path("banned/<int:job_id>/", view, name="league_player_banned"),
            *super().get_urls(),
        ]

    @admin.action(description=gettext_lazy("Ban the selected players"), permissions=["ban"])
    def ban_selected(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        texts = {
            "title": _("Ban players"),
            "button": _("Ban them"),
            "done": ngettext_lazily("%(count)d player is banned.", "%(count)d players are banned."),
        }
        form = BanManyForm(sent_form(request), initial={"arena": only_arena()})
        return self.confirm(request, chosen, form, texts)

    @admin.action(
        description=gettext_lazy("Write to the selected players"), permissions=["message"]
    )
    def write_to_selected(
        self, request: HttpRequest, chosen: QuerySet[Player]
    ) -> HttpResponse | None:
        texts = {
            "title": _("Write to players"),
            "button": _("Send the message"),
            "done": ngettext_lazily(
                "%(count)d player got the message.", "%(count)d players got the message."
            ),
        }
        return self.confirm(request, chosen, MessageForm(sent_form(request)), texts)

    @admin.action(
        description=gettext_lazy("Add the selected players to a roster"), permissions=["roster"]
    )
    def add_selected_to_roster(
        self, request: HttpRequest, chosen: QuerySet[Player]
    ) -> HttpResponse | None:
        texts = {
            "title": _("Add players to a roster"),
            "button": _("Add them"),
            "done": ngettext_lazily(
                "%(count)d player joined the roster.", "%(count)d players joined the roster."
            ),
        }
        return self.confirm(request, chosen, RosterForm(sent_form(request)), texts)

    @admin.action(description=gettext_lazy("Export the selected players"), permissions=["export"])
    def export_selected(
        self,
        request: HttpRequest,  # noqa: ARG002 - Django's signature
        chosen: QuerySet[Player],
    ) -> StreamingHttpResponse:
        header = [column.replace("__", "_") for column in self.export_columns]
        rows = chosen.prefetch_related(None).values_list(*self.export_columns)
        return StreamingHttpResponse(
            csv_lines(header, rows.iterator(ROWS_AT_ONCE)),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="players.csv"'},
        )

    def confirm(
        self, request: HttpRequest, chosen: QuerySet[Player], form: ManyForm, texts: dict[str, Any]
    ) -> HttpResponse | None:
        """List the players and ask for the rest, or do what was confirmed."""
        players = list(chosen.order_by("sort_name").values_list("pk", "name")[: bulk.MOST + 1])
        if len(players) > bulk.MOST:
            text = _("Select at most %(count)d players.") % {"count": bulk.MOST}
            self.message_user(request, text, messages.ERROR)
            return None
        if form.is_valid():
            try:
                ids = [pk for pk, _name in players]
                results = form.carry_out(ids, cast("User", request.user), database_now())
            except Refused as refusal:
                form.add_error(
                    refusal.field if refusal.field in form.fields else None, refusal.message
                )
            else:
                if isinstance(results, Job):
                    return lead_to(results)
                self.say(request, results, texts["done"])
                return HttpResponseRedirect(request.get_full_path())
        context = {
            **self.admin_site.each_context(request),
            "title": texts["title"],
            "button": texts["button"],
            "opts": self.opts,
            "form": form,
            "media": self.media + form.media,
            "names": [name for _pk, name in players[:LISTED]],
            "more": max(0, len(players) - LISTED),
            "ids": [pk for pk, _name in players],
            "checkbox": ACTION_CHECKBOX_NAME,
            "action": request.POST["action"],
            "back": request.get_full_path(),
        }
        return TemplateResponse(request, "admin/league/moderation/many.html", context)

    def say(self, request: HttpRequest, results: bulk.Results, done: Any) -> None:
        """Tell staff what became of each player."""
        if results.done or not results.problems:
            self.message_user(request, done(results.done), messages.SUCCESS)
        for problem in results.problems[:LISTED]:
            self.message_user(request, problem, messages.WARNING)

    @method_decorator(require_safe)
    def banned_view(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """Show whom a job banned and whom not."""
        job = get_object_or_404(Job, pk=job_id, kind=bulk.JOB, state=Job.State.DONE)
        if not self.has_ban_permission(request):
            raise PermissionDenied
        result = job.result or {"done": 0, "problems": []}
        context = {
            **self.admin_site.each_context(request),
            "title": job.title,
            "opts": self.opts,
            "done": result["done"],
            "problems": result["problems"],
        }
        return TemplateResponse(request, "admin/league/moderation/banned.html", context)


def sent_form(request: HttpRequest) -> Any:
    """Return what was sent from the page of an action, None if it was chosen in the list."""
    return request.POST if "confirmed" in request.POST else None


def ngettext_lazily(one: str, many: str) -> Any:
    """Return a function that says a number of players in words."""
    return lambda count: ngettext(one, many, count) % {"count": count}
