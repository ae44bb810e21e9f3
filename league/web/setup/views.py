"""The first run: while the league has no staff account, a page creates the first admin."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from league import waking
from league.clients import address_in
from league.models import DemoRequest
from league.services.core.errors import Refused
from league.services.demo import requests as demo
from league.services.demo.seeding import CAPTAINS
from league.services.people import first_admin
from league.web.core.acting import account_of
from league.web.core.fragments import asks_for_part
from league.web.setup.forms import DEMO, SetupForm

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    View = Callable[..., HttpResponse]

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
TRACES_OF_PROXIES = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
    "HTTP_VIA",
)


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether somebody on the server itself opens a site that is for this machine only.

    A public site is none, even without a proxy's headers: a proxy need not send any.
    """
    return (
        not settings.PROXY_HOPS
        and is_loopback(urlsplit(settings.SITE_URL).hostname or "")
        and is_loopback(urlsplit(f"//{request.get_host()}").hostname or "")
        and is_loopback(request.META.get("REMOTE_ADDR", ""))
        and not any(trace in request.META for trace in TRACES_OF_PROXIES)
    )


def is_loopback(host: str) -> bool:
    address = address_in(host)
    return host == "localhost" or (address is not None and address.is_loopback)


@never_cache
@sensitive_post_parameters("code", "password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest) -> HttpResponse:
    """Create the first admin and log them in. Once there is a staff account, refuse."""
    first_admin.refuse_second()
    needs_code = not is_from_this_machine(request)
    form = SetupForm(request.POST or None, needs_code=needs_code)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            admin = first_admin.create(
                given["name"], given["password1"], email=given["email"], code=given.get("code")
            )
        except Refused as refusal:
            if not refusal.field:
                raise
            form.refuse(refusal)
        else:
            login(request, admin, backend=BACKEND)
            for address in admin.emailaddress_set.all():
                address.send_confirmation(request)
            if given["begin"] == DEMO:
                waking.begin_demo(admin)
                return redirect("setup_demo")
            messages.success(request, _("You are the admin. Create the first arena here."))
            return redirect("admin:index")
    status = 400 if form.is_bound else 200
    return render(request, "setup/setup.html", {"form": form}, status=status)


@never_cache
@require_safe
@login_required
def demo_progress(request: HttpRequest) -> HttpResponse:
    """Show how far the demo league is. The page polls until it is done."""
    if not account_of(request).is_superuser:
        raise PermissionDenied
    requested = DemoRequest.objects.first()
    if requested is None:
        raise Http404
    context = {
        "requested": requested,
        "is_waiting": requested.state == DemoRequest.State.WAITING,
        "percent": demo.percent_done(),
        "captains": [name.lower() for name in CAPTAINS],
        "password": demo.captains_password(requested),
    }
    template = "setup/_demo.html" if asks_for_part(request) else "setup/demo.html"
    return render(request, template, context)


def led_to_setup(view: View) -> View:
    """Lead the visitors of a page to the setup while there is no staff account."""

    @wraps(view)
    def lead_to_setup(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if first_admin.is_missing():
            return redirect("setup")
        return view(request, *args, **kwargs)

    return lead_to_setup
