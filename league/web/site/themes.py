"""The theme: light, dark, or as the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.models import Theme, User
from league.services.core.errors import Refused
from league.web.core.context import THEME
from league.web.core.returning import to_next

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

KEPT_FOR = 60 * 60 * 24 * 365


@csrf_exempt  # it only changes colours, and its form has to fit in pages that visitors share
@require_http_methods(["GET", "HEAD", "POST"])
def theme(request: HttpRequest) -> HttpResponse:
    """Choose a theme, for this browser or for the account, and return to the page.

    Raises:
        Refused: there is no such theme.
    """
    response = to_next(request)
    if request.method != "POST":
        return response
    chosen = request.POST.get("theme", "")
    if chosen not in Theme.values:
        raise Refused("theme", _("Choose light, dark or system."), field="theme")
    if isinstance(request.user, User):
        request.user.theme = chosen
        request.user.save(update_fields=["theme"])
    elif chosen:
        response.set_cookie(
            THEME,
            chosen,
            max_age=KEPT_FOR,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(THEME, samesite="Lax")
    return response
