"""Delete my account: ask with a password or a mailed link, and change my mind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.models import AccountDeletion
from league.models.moments import describe_day
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.privacy import deleting, leaving
from league.web.core.acting import account_of, player_of
from league.web.core.middleware import status_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User


@limit_gets("costly", if_asked=("password",))
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def delete(request: HttpRequest) -> HttpResponse:
    """Say what deleting my account means, and ask for it with my password by a POST request."""
    user = account_of(request)
    if request.method != "POST":
        return page(request)
    try:
        check_password(request, user)
        asked = deleting.ask(user, database_now())
    except Refused as refusal:
        return page(request, refusal)
    told = _("Your account will be deleted on %(day)s. You can change your mind until then.")
    messages.success(request, told % {"day": describe_day(asked.due_at)})
    return redirect("account_delete")


def page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    user, me = account_of(request), player_of(request)
    asked = AccountDeletion.objects.filter(user=user).first()
    context = {
        "asked": asked,
        "late": asked is not None and asked.due_at <= database_now(),
        "waits_for": leaving.list_obstacles(me) if asked and me else [],
        "days": deleting.GRACE.days,
        "by_password": user.has_usable_password(),
        "address": address_of(user),
        "refusal": refusal,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "privacy/delete.html", context, status=status)


def check_password(request: HttpRequest, user: User) -> None:
    """Refuse a wrong password. It counts as a failed log-in."""
    password = request.POST.get("password", "")
    if not password or authenticate(request, username=user.username, password=password) != user:
        raise Refused("password", _("This is not your password."), field="password")


def address_of(user: User) -> str:
    """Return the confirmed address to which a link can be mailed, empty without one."""
    known = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return next(iter(known.values_list("email", flat=True)), "")


@limit_gets("costly", if_asked=("mail",))
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def mail_link(request: HttpRequest) -> HttpResponse:
    """Mail me a link that asks for the deletion. GET requests return to the page."""
    user = account_of(request)
    if request.method == "POST":
        address = address_of(user)
        if not address:
            text = _("Your account has no confirmed email address to which a link could be mailed.")
            return page(request, Refused("no_address", text))
        deleting.mail_link(user, address)
        messages.success(request, _("We have mailed you a link. It is valid for an hour."))
    return redirect("account_delete")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def by_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm the deletion by a mailed link. Only a POST request asks for it."""
    try:
        user = deleting.account_of_link(token)
        if request.method == "POST":
            deleting.ask(user, database_now())
            return redirect("account_delete_by_mail", token)
    except Refused as refusal:
        refused = {"refusal": refusal}
        return render(request, "privacy/delete_by_mail.html", refused, status=status_of(refusal))
    context = {
        "name": getattr(user, "player", None) or user.username,
        "days": deleting.GRACE.days,
        "asked": AccountDeletion.objects.filter(user=user).first(),
    }
    return render(request, "privacy/delete_by_mail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def keep(request: HttpRequest) -> HttpResponse:
    """Keep my account after all. GET requests return to the page."""
    if request.method == "POST":
        deleting.take_back(account_of(request))
        messages.success(request, _("Your account stays."))
    return redirect("account_delete")
