"""The page of metrics, in Prometheus's text format."""

from __future__ import annotations

import hmac
from ipaddress import ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from league.services.operations import metrics

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show all metrics to who has the token, or without one to this machine."""
    if settings.METRICS_TOKEN:
        if not has_token(request):
            challenge = {"WWW-Authenticate": "Bearer"}
            return plain(_("Send the token of LAUREL_METRICS_TOKEN."), 401, challenge)
    elif not is_local(request):
        return plain(_("Only this machine may read the metrics. Others need a token."), 403)
    return HttpResponse(metrics.exposition(), content_type=CONTENT_TYPE_LATEST)


def has_token(request: HttpRequest) -> bool:
    scheme, _space, given = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(
        given.strip().encode(), settings.METRICS_TOKEN.encode()
    )


def is_local(request: HttpRequest) -> bool:
    """Return whether this machine asks, for itself. Behind a proxy everybody would seem to."""
    if settings.PROXY_HOPS or request.headers.keys() & {"X-Forwarded-For", "Forwarded"}:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def plain(text: str, status: int, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(f"{text}\n", content_type="text/plain", status=status, headers=headers)
