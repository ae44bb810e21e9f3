"""The language of the site for a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.caching import has_session
from league.models import User
from league.problems import is_for_programs
from league.services.core.errors import Refused
from league.services.site import languages
from league.web.core.fragments import asks_for_part
from league.web.core.returning import to_next

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from league.web.core.middleware import GetResponse

KEPT_FOR = 60 * 60 * 24 * 365
ASKED = "lang"
"""The parameter of an address that search engines list for each language."""


def language_of(request: HttpRequest) -> str:
    """Return the language of the address, of the account, or else of the browser.

    Where the browser asks for none of the site's languages, it is the league's.
    """
    if asked := languages.find_language(request.GET.get(ASKED, "")):
        return asked
    chosen = "" if is_for_programs(request) else chosen_by(request)
    known = languages.find_language(chosen)
    header = request.headers.get("Accept-Language", "")
    return known or languages.best_of(header) or languages.of_league()


def chosen_by(request: HttpRequest) -> str:
    """Return the choice of the account, or of the browser.

    Parts of pages, which browsers ask for every few seconds, read no account: the page that they
    belong to has left its choice in the browser.
    """
    if (
        has_session(request)
        and not asks_for_part(request)
        and isinstance(request.user, User)
        and request.user.language
    ):
        return request.user.language
    return request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")


class BrowserLanguage:
    """Answer in the browser's language what is refused before anybody knows the reader."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        header = request.headers.get("Accept-Language", "")
        with translation.override(languages.best_of(header) or settings.LANGUAGE_CODE):
            return self.get_response(request)


class ReaderLanguage:
    """Answer in the reader's language, and tell caches that answers depend on it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Not Django's, which leaves the language to whatever the thread does next.
        chosen = language_of(request)
        with translation.override(chosen):
            response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response.headers.setdefault("Content-Language", chosen)
        if has_session(request) and not is_for_programs(request):
            keep(chosen_by(request), request, response)
        return response


def keep(chosen: str, request: HttpRequest, response: HttpResponseBase) -> None:
    """Keep a choice in the browser."""
    if chosen == request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""):
        return
    if chosen:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=KEPT_FOR,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")


@csrf_exempt  # it only changes words, and its form has to fit in pages that visitors share
@require_http_methods(["GET", "HEAD", "POST"])
def language(request: HttpRequest) -> HttpResponse:
    """Choose a language, for this browser or for the account, and return to the page.

    Raises:
        Refused: the site does not exist in it.
    """
    response = to_next(request)
    if request.method != "POST":
        return response
    chosen = request.POST.get("language", "")
    if chosen and chosen not in dict(settings.LANGUAGES):
        raise Refused("language", _("Choose one of the languages listed."), field="language")
    if isinstance(request.user, User):
        request.user.language = chosen
        request.user.save(update_fields=["language"])
    keep(chosen, request, response)
    return response
