"""Whether the site is up and ready, for load balancers, containers and monitors.

Middleware answers these addresses before anything else, by whatever name or address the site was
asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.services.operations import readiness

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.services.operations.readiness import Check

LINES = {"indent": 1}
"""A line for each reason."""


@require_safe
@never_cache
def alive(request: HttpRequest) -> JsonResponse:
    """Answer that this process answers. Nothing else is asked."""
    del request
    return JsonResponse({"alive": True})


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Show all checks. The status is 503 if the site cannot answer requests."""
    del request
    found = readiness.checks()
    is_ready = readiness.is_ready(found)
    content = {
        "ready": is_ready,
        "ok": all(one.ok for one in found.values()),
        "checks": {name: in_a_line(one) for name, one in found.items()},
    }
    return JsonResponse(
        content, status=200 if is_ready else 503, json_dumps_params=LINES, headers=retry(is_ready)
    )


@require_safe
@never_cache
def show_check(request: HttpRequest, name: str) -> JsonResponse:
    """Show one check. The status is 503 unless it is all right."""
    del request
    found = readiness.checks().get(name)
    if found is None:
        raise Http404
    return JsonResponse(
        {"ok": found.ok, "reason": found.reason},
        status=200 if found.ok else 503,
        json_dumps_params=LINES,
        headers=retry(found.ok),
    )


def in_a_line(one: Check) -> str:
    return f"{'ok' if one.ok else 'failed'}: {one.reason}"


def retry(is_ok: bool) -> dict[str, str]:
    return {} if is_ok else {"Retry-After": "5"}
