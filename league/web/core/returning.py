"""Returning to the page from which a small form was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

if TYPE_CHECKING:
    from django.http import HttpRequest


def to_next(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the form's ``next`` if it is an address of this site, or else to the home page.

    An address is never read as the name of a view, as ``redirect`` would.
    """
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    return HttpResponseRedirect(back)
