"""The devices that get push messages: add this one, or remove one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import PushDevice
from league.services.core.clock import database_now
from league.services.push import devices
from league.web.core.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

THIS_DEVICE = "push_device"
"""The key of a session with the device on which it gets push messages."""
BROWSERS = (
    ("Firefox/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


def name_of(agent: str) -> str:
    """Return what people call a browser on a device."""
    browser = next((name for mark, name in BROWSERS if mark in agent), _("Browser"))
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    names = {"browser": browser, "system": system}
    return _("%(browser)s on %(system)s") % names if system else browser


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def subscribe(request: HttpRequest) -> HttpResponse:
    """Let this device get push messages. GET requests lead to the settings."""
    if request.method == "POST":
        given = request.POST
        device = devices.subscribe(
            acting_player(request),
            given.get("endpoint", ""),
            given.get("key", ""),
            given.get("auth", ""),
            name_of(request.headers.get("User-Agent", "")),
            database_now(),
        )
        request.session[THIS_DEVICE] = device.pk
        messages.success(request, _("This device gets push messages now."))
    return redirect("mail_settings")


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """End the push messages to a device. GET requests lead to the settings."""
    if request.method == "POST":
        device = get_object_or_404(PushDevice, pk=pk, player=acting_player(request))
        device.delete()
        messages.success(
            request, _("%(device)s gets no more push messages.") % {"device": device.name}
        )
    return redirect("mail_settings")


def forget_this(request: HttpRequest) -> None:
    """End the push messages to the device of a session that is about to end."""
    kept = request.session.get(THIS_DEVICE)
    if kept is not None:
        PushDevice.objects.filter(pk=kept, player__user=request.user.pk).delete()
