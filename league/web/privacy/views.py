"""The page of one's own profile, and a file of everything that the league keeps about oneself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league import waking
from league.models import DataExport
from league.services.core.clock import database_now
from league.services.privacy import exporting, reading
from league.web.core.acting import account_of, acting_player, player_required
from league.web.privacy.forms import PrivacyForm

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@never_cache
def privacy(request: HttpRequest) -> HttpResponse:
    """Choose what others see of me, and read what they see all the same."""
    me = acting_player(request)
    if request.method == "POST":
        form = PrivacyForm(request.POST)
        if form.is_valid():
            reading.set_privacy(me, **form.cleaned_data)
            messages.success(request, _("Your privacy settings are saved."))
            return redirect("privacy")
    shown = {"hides_history": me.hides_history, "is_unlisted": me.is_unlisted}
    return render(request, "privacy/privacy.html", {"form": PrivacyForm(initial=shown)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def my_data(request: HttpRequest) -> HttpResponse:
    """Show whether my data is ready, and ask for it by a POST request."""
    user, now = account_of(request), database_now()
    if request.method == "POST":
        waking.begin_export(exporting.ask(user, now))
        messages.success(request, _("Your data is being prepared."))
        return redirect("my_data")
    asked = DataExport.objects.filter(user=user).defer("content").first()
    made = asked.made_at if asked else None
    expires = made + exporting.KEPT_FOR if made else None
    context = {
        "asked": asked,
        "expires": expires if expires and expires > now else None,
        "can_ask": asked is None or (made and asked.asked_at <= now - exporting.BETWEEN),
        "days": exporting.KEPT_FOR.days,
    }
    return render(request, "privacy/my_data.html", context)


@require_safe
@login_required
@never_cache
def download(request: HttpRequest) -> HttpResponse:
    """Send my data as a ZIP file, if it is ready and has not expired."""
    content = exporting.download(account_of(request), database_now())
    if content is None:
        raise Http404(_("Your data is not ready, or the file has expired."))
    headers = {
        "Content-Disposition": 'attachment; filename="my-data.zip"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, content_type="application/zip", headers=headers)
