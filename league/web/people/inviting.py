"""Pages on which organisers invite people to make accounts for players who have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.models import BouncingAddress, PlayerInvitation
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.people import inviting
from league.services.people.entry_lists import read_list, write_list
from league.services.people.invitation_checks import PAUSE
from league.services.people.invitation_mails import link_of
from league.services.site.qr_codes import draw_qr_code
from league.web.competitions.organising import competition_to_organise
from league.web.core.acting import account_of
from league.web.core.middleware import status_of
from league.web.core.parameters import TYPED, chosen_players, whole_number

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import Competition

State = PlayerInvitation.State
MOST_LISTED = 600
"""The most invitations on a page, the latest first: more than a competition has places."""


class AddressForm(forms.Form):
    names = forms.CharField(
        label=gettext_lazy("Names and e-mail addresses"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=gettext_lazy(
            "One person on each line: “Ines Sole; ines@club.example”, or as in a mail, “Ines Sole "
            "<ines@club.example>”. Names without an address are left out."
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def invitations(request: HttpRequest) -> HttpResponse:
    """Show the invitations of the league to its organisers, who send more here."""
    inviting.check_may_invite(account_of(request), None)
    return respond(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def competition_invitations(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the invitations of a competition to its organisers, who send more here."""
    return respond(request, competition_to_organise(request, slug, pk))


@require_safe
@login_required
def competition_slips(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a slip to print for each entrant who is invited without an e-mail address."""
    one = competition_to_organise(request, slug, pk)
    rows = one.player_invitations.open(database_now()).filter(address="")
    slips = [
        (row, draw_qr_code(link_of(row)))
        for row in rows.select_related("player").order_by("player__sort_name")
    ]
    context = {"competition": one, "arena": one.season.arena, "slips": slips}
    return render(request, "people/invitation_slips.html", context)


def respond(request: HttpRequest, one: Competition | None) -> HttpResponse:
    """Show the page, or take the step of its form."""
    if request.method != "POST":
        return invitations_page(request, one)
    form = AddressForm(request.POST)
    try:
        if request.POST.get("answer") == "check":
            return (
                preview(request, one, form)
                if form.is_valid()
                else invitations_page(request, one, form=form, status=400)
            )
        if request.POST.get("answer") == "edit":
            return invitations_page(request, one, form=form_as_typed(request.POST))
        message = take_step(request, one)
    except Refused as refusal:
        form, status = form_as_typed(request.POST), status_of(refusal)
        return invitations_page(request, one, form=form, refusal=refusal, status=status)
    messages.success(request, message)
    if request.POST.get("answer") == "slips" and one:
        return redirect("competition_slips", one.season.arena.slug, one.pk)
    return redirect(request.path)


def form_as_typed(sent: QueryDict) -> AddressForm:
    """Return the form as it was sent before the preview."""
    return AddressForm(initial={"names": sent.get(TYPED, sent.get("names", ""))})


def invitations_page(
    request: HttpRequest,
    one: Competition | None,
    *,
    form: AddressForm | None = None,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the invitations and how many were followed, with what was typed after a refusal."""
    now = database_now()
    scope = one.player_invitations.all() if one else PlayerInvitation.objects.all()
    listed = list(scope.select_related("player", "competition__season__arena")[:MOST_LISTED])
    addresses = [row.address for row in listed if row.address]
    bouncing = BouncingAddress.objects.filter(address__in=addresses)
    refusing = set(bouncing.values_list("address", flat=True))
    names = [] if one is None else inviting.names_to_invite(one, now)
    context = {
        "competition": one,
        "lines": [
            (row, words_of(row, now, refusing), row.sent_at <= now - PAUSE) for row in listed
        ],
        "sent": scope.count(),
        "opened": scope.exclude(opened_at=None).count(),
        "joined": scope.filter(state=State.JOINED).count(),
        "form": form or AddressForm(initial={"names": "".join(f"{name}; \n" for name in names)}),
        "without": len(names),
        "refusal": refusal,
        "prints": bool(one and one.player_invitations.open(now).filter(address="").exists()),
    }
    return render(request, "people/invitations.html", context, status=status)


def words_of(row: PlayerInvitation, now: datetime, refusing: set[str]) -> str:
    """Return the state of an invitation."""
    if row.state != State.OPEN:
        return row.get_state_display()
    if row.expires_at <= now:
        return _("expired")
    if row.address in refusing:
        return _("the mail server refuses the address")
    return _("opened") if row.opened_at else _("sent")


def preview(request: HttpRequest, one: Competition | None, form: AddressForm) -> HttpResponse:
    """Show which address would go to which player. Nothing is written."""
    found = inviting.with_addresses(read_list(form.cleaned_data["names"]))
    if not found.entries and not found.problems:
        raise Refused("nobody", _("Write at least one name with an e-mail address."))
    plan = inviting.plan_invitations(
        found.entries,
        chosen_players(request.POST),
        competition=one,
        by=account_of(request),
        now=database_now(),
    )
    context = {
        "competition": one,
        "plan": plan,
        "problems": found.problems,
        "as_text": write_list(line.person for line in plan.possible),
        "typed": form.cleaned_data["names"],
        "here": request.path,
    }
    return render(request, "people/invitations_check.html", context)


def take_step(request: HttpRequest, one: Competition | None) -> str:
    """Take the step that the form names, and return a message about it."""
    by, now = account_of(request), database_now()
    name, _dash, number = request.POST.get("answer", "").partition("-")
    pk = whole_number(number, default=0)
    if name == "again":
        row = inviting.send_again(pk, by=by, now=now)
        return _("Sent to %(address)s again.") % {"address": row.address}
    if name == "withdraw":
        row = inviting.withdraw(pk, by=by, now=now)
        return _("The invitation of %(player)s is withdrawn.") % {"player": row.player}
    if name == "slips" and one:
        count = inviting.print_links(one, by=by, now=now)
        return ngettext("%(count)d new slip.", "%(count)d new slips.", count) % {"count": count}
    if name != "send":
        raise Refused("answer", _("Choose what to do."))
    people = inviting.with_addresses(read_list(request.POST.get("names", ""))).complete()
    made = inviting.invite_from_plan(
        people, chosen_players(request.POST), competition=one, by=by, now=now
    )
    text = ngettext("%(count)d invitation sent.", "%(count)d invitations sent.", len(made))
    return text % {"count": len(made)}
