"""The apps that may act for an account: list them and remove access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.services.apps import connecting
from league.services.apps.scopes import describe_scopes
from league.web.core.acting import account_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@login_required
@never_cache
def connected_apps(request: HttpRequest) -> HttpResponse:
    apps = [
        {"app": app, "allowed": describe_scopes(app.scopes)}
        for app in connecting.apps_of(account_of(request))
    ]
    return render(request, "apps/connected.html", {"apps": apps})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove an app's access. GET requests redirect to the list."""
    if request.method != "POST":
        return redirect("connected_apps")
    app = get_object_or_404(connecting.apps_of(account_of(request)), pk=pk)
    connecting.disconnect(app)
    messages.success(request, _("%(app)s can no longer act for you.") % {"app": app.client.name})
    return redirect("connected_apps")
