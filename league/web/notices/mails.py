"""Pages that mails lead to, and the settings of mails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import messages
from django.db import transaction
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
from league.services.push import devices, keys
from league.services.results.records.lines import in_lines
from league.services.results.reports import mailed_answers
from league.services.results.reports.progress import after_confirming
from league.web.core.acting import account_of, acting_player, player_of, player_required
from league.web.notices.devices import THIS_DEVICE
from league.web.notices.presets import PRESETS, preset_named
from league.web.results.answer_forms import DisputeForm
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import Player, PushPreference, User


Kind = NoticeKind
GROUPS = (
    (
        gettext_lazy("Results"),
        (
            Kind.REPORTED,
            Kind.DISPUTED,
            Kind.DECIDED,
            Kind.RATED,
            Kind.LAPSED,
            Kind.UNDECIDED,
            Kind.WITHDRAWN,
        ),
    ),
    (
        gettext_lazy("Dates and challenges"),
        (
            Kind.WAITING,
            Kind.DATED,
            Kind.CALLED_OFF,
            Kind.MESSAGED,
            Kind.CHALLENGED,
            Kind.ANSWERED,
        ),
    ),
    (gettext_lazy("Competitions"), (Kind.FIXTURE, Kind.COMPETITION)),
    (gettext_lazy("Queue"), (Kind.FOUND, Kind.QUEUED)),
    (
        gettext_lazy("Teams and rosters"),
        (
            Kind.INVITED,
            Kind.TEAM_INVITED,
            Kind.TEAM_CAPTAIN,
            Kind.TEAM_CHANGED,
            Kind.TEAM_JOINED,
            Kind.TEAM_REMOVED,
        ),
    ),
    (gettext_lazy("Your record"), (Kind.BADGE, Kind.SEASON)),
    (
        gettext_lazy("Staff"),
        (Kind.LETTER, Kind.PENALISED, Kind.BANNED, Kind.UNBANNED, Kind.APPEAL),
    ),
    (gettext_lazy("Other programs"), (Kind.WEBHOOK, Kind.DISCORD)),
)
"""The kinds of notices as the settings group them. A test fails for one that is missing."""


class NoticesForm(forms.Form):
    """The mails and push messages that a player wants, and when."""

    pace = forms.ChoiceField(
        label=gettext_lazy("Mails"),
        choices=MailPreference.Pace.choices,
        help_text=gettext_lazy("Mails are only about what you have not seen on the site."),
    )
    weekly = forms.BooleanField(
        label=gettext_lazy("Mail me on Mondays about my week and what is next"), required=False
    )
    kinds = forms.MultipleChoiceField(
        choices=[(kind.value, kind.label) for kind in MAILED], required=False
    )
    push = forms.MultipleChoiceField(
        choices=[(kind.value, kind.label) for kind in devices.OFFERED], required=False
    )
    quiet_from = forms.TimeField(
        label=gettext_lazy("No push messages from"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    quiet_until = forms.TimeField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )

    @classmethod
    def of(
        cls,
        preference: MailPreference,
        pushed: PushPreference,
        data: QueryDict | None,
    ) -> NoticesForm:
        """Return the form with a player's preferences."""
        initial = {
            "pace": preference.pace,
            "weekly": preference.weekly,
            "kinds": [kind.value for kind in MAILED if kind not in preference.muted],
            "push": [kind.value for kind in devices.OFFERED if kind not in pushed.muted],
            "quiet_from": pushed.quiet_from,
            "quiet_until": pushed.quiet_until,
        }
        return cls(data, initial=initial)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        begin, end = given.get("quiet_from"), given.get("quiet_until")
        if (begin is None) != (end is None) and not self.errors:
            missing = "quiet_from" if begin is None else "quiet_until"
            self.add_error(missing, _("Give both times, or neither."))
        return given


@dataclass(frozen=True)
class Row:
    """A kind of notices in the table, and whether it is mailed and pushed."""

    kind: NoticeKind
    is_mailed: bool
    is_pushed: bool

    @property
    def can_be_mailed(self) -> bool:
        return self.kind in MAILED


def table_of(form: NoticesForm, unasked: Sequence[NoticeKind]) -> list[tuple[str, list[Row]]]:
    """Return the rows of the table in their groups, as they are chosen."""
    mailed, pushed = form["kinds"].value() or [], form["push"].value() or []
    return [
        (
            str(name),
            [Row(kind, kind in mailed, kind in pushed) for kind in kinds if kind not in unasked],
        )
        for name, kinds in GROUPS
        if set(kinds) - set(unasked)
    ]


def unasked_kinds(request: HttpRequest) -> list[NoticeKind]:
    """Return the kinds that are no choice of the reader's, which stay wanted.

    Only staff can choose webhooks, and Discord is left out if it is not set up.
    """
    return [
        *([] if request.user.is_staff else [NoticeKind.WEBHOOK]),
        *([] if linking.is_offered() else [NoticeKind.DISCORD]),
    ]


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
    if kind == preferences.WEEKLY:
        named = _("your week")
    return render(request, "notices/stop.html", {"kind": named, "done": request.method == "POST"})


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def mail_settings(request: HttpRequest) -> HttpResponse:
    """Choose when and about what to get mails and push messages, and on which devices."""
    me = acting_player(request)
    unasked = unasked_kinds(request)
    mails, pushed = preferences.preference_of(me), devices.preference_of(me)
    preset = preset_named(request.POST.get("preset", ""))
    form = NoticesForm.of(mails, pushed, None if preset else request.POST or None)
    if preset or form.is_valid():
        save(request, me, preset.over(mails, pushed) if preset else form.cleaned_data, unasked)
        messages.success(request, _("Saved."))
        return redirect("mail_settings")
    chosen = [preset for preset in PRESETS if preset.is_chosen(mails, pushed, unasked)]
    context = {
        "form": form,
        "presets": PRESETS,
        "chosen": next(iter(chosen), None),
        "groups": table_of(form, unasked),
        "devices": list(me.push_devices.all()),
        "this_device": request.session.get(THIS_DEVICE),
        "push_key": keys.public_text(),
        **address_context(account_of(request)),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "notices/settings.html", context, status=status)


def save(
    request: HttpRequest, me: Player, chosen: dict[str, Any], unasked: Sequence[NoticeKind]
) -> None:
    """Store what was chosen."""
    begin, end = chosen["quiet_from"], chosen["quiet_until"]
    quiet = (begin, end) if begin is not None and end is not None else None
    zone = request.zone  # type: ignore[attr-defined] # of the middleware
    with transaction.atomic():
        pace = preferences.Pace(chosen["pace"])
        preferences.choose(me, pace, [*chosen["kinds"], *unasked], weekly=chosen["weekly"])
        devices.choose(me, [*chosen["push"], *unasked], quiet, zone)


def address_context(account: User) -> dict[str, object]:
    """Return where an account's mails go, and what keeps them from arriving."""
    known = EmailAddress.objects.filter(user=account)
    address = known.order_by("-verified", "-primary", "pk").first()
    bounces = None
    if address:
        bounces = BouncingAddress.objects.filter(address=address.email.lower()).first()
    return {"address": address, "bounces": bounces}
