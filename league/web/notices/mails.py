"""Pages that mails lead to, and the settings of mails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.clients import sent_from
from league.models import MAILED, BouncingAddress, MailPreference, Match, NoticeKind
from league.services.competitions import fixture_words
from league.services.core.clock import database_now
from league.services.discord import linking
from league.services.notices import links, preferences
from league.services.results.records.lines import in_lines
from league.services.results.reports import mailed_answers
from league.services.results.reports.progress import after_confirming
from league.web.core.acting import account_of, acting_player, player_of, player_required
from league.web.results.answer_forms import DisputeForm
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import User


class MailForm(forms.Form):
    """The mails that a player wants, and when."""

    unasked: Sequence[str] = ()
    """Kinds that are no choice of theirs, which stay wanted."""

    pace = forms.ChoiceField(
        label=gettext_lazy("When"),
        choices=MailPreference.Pace.choices,
        help_text=gettext_lazy("Mails are only about what you have not seen on the site."),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("About"),
        choices=[(kind.value, kind.label) for kind in MAILED],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @classmethod
    def of(
        cls, preference: MailPreference, data: QueryDict | None, *, is_staff: bool = False
    ) -> MailForm:
        """Return the form with a player's preference.

        Only staff can choose webhooks, and Discord is left out if it is not set up.
        """
        kinds = [kind.value for kind in MAILED if kind not in preference.muted]
        form = cls(data, initial={"pace": preference.pace, "kinds": kinds})
        form.unasked = [
            *([] if is_staff else [NoticeKind.WEBHOOK.value]),
            *([] if linking.is_offered() else [NoticeKind.DISCORD.value]),
        ]
        form.fields["kinds"].choices = [  # type: ignore[attr-defined] # of its kind of field
            (kind.value, kind.label) for kind in MAILED if kind not in form.unasked
        ]
        return form

    def clean_kinds(self) -> list[str]:
        return [*self.cleaned_data["kinds"], *self.unasked]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """Show a report to the reader of a mail, who confirms or disputes it with a button.

    Opening the link changes nothing, because programs that check mails open links too.
    """
    reader = player_of(request)
    asked = mailed_answers.readable(token, reader=reader)
    form = DisputeForm(request.POST if request.POST.get("answer") == "dispute" else None)
    done = ""
    if request.method == "POST" and request.POST.get("answer") == "confirm":
        match = mailed_answers.confirm(
            token, reader=reader, now=database_now(), sent_from=sent_from(request)
        )
        done = after_confirming(match)
    elif request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        mailed_answers.dispute(token, reader=reader, reason=reason, now=database_now())
        done = _("Disputed. Staff will decide and give their reason on the match page.")
    status = 400 if request.method == "POST" and not done else 200
    context = {"asked": asked, "done": done, "form": form}
    if not done:
        reports = in_lines(Match.objects.filter(pk=asked.match.pk), asked.player)
        (context["sheet"],) = sheets(reports, asked.player)
        context["fixture"] = fixture_words.words_of([asked.match.pk]).get(asked.match.pk, "")
    return render(request, "notices/answer.html", context, status=status)


@csrf_exempt  # a mail program sends the form, without cookies (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """End mails of a kind. Opening the link asks first, a POST request does it."""
    player, kind = links.read_stop_token(token)
    if request.method == "POST":
        preferences.mute(player, kind)
    named = NoticeKind(kind).label if kind in NoticeKind.values else ""
    return render(request, "notices/stop.html", {"kind": named, "done": request.method == "POST"})


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def mail_settings(request: HttpRequest) -> HttpResponse:
    """Choose when and about what to get mail."""
    me = acting_player(request)
    form = MailForm.of(
        preferences.preference_of(me), request.POST or None, is_staff=request.user.is_staff
    )
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        preferences.choose(me, preferences.Pace(chosen["pace"]), chosen["kinds"])
        messages.success(request, _("Saved."))
        return redirect("mail_settings")
    context = {"form": form, **address_context(account_of(request))}
    status = 400 if request.method == "POST" else 200
    return render(request, "notices/settings.html", context, status=status)


def address_context(account: User) -> dict[str, object]:
    """Return where an account's mails go, and what keeps them from arriving."""
    known = EmailAddress.objects.filter(user=account)
    address = known.order_by("-verified", "-primary", "pk").first()
    bounces = None
    if address:
        bounces = BouncingAddress.objects.filter(address=address.email.lower()).first()
    return {"address": address, "bounces": bounces}
