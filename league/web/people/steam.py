"""The way back from Steam's login.

Steam speaks OpenID, by which a browser names the site that vouches for it. Only Steam is asked:
the server fetches no address that a visitor names.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.base import AuthError
from allauth.socialaccount.providers.steam.views import SteamOpenIDCallbackView
from requests import RequestException

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

logger = logging.getLogger(__name__)

ENDPOINT = "https://steamcommunity.com/openid/login"
PERSON = re.compile(r"https://steamcommunity\.com/openid/id/[0-9]{1,20}")
CANCELLED = "cancel"


class SteamCallback(SteamOpenIDCallbackView):  # type: ignore[misc] # without types
    """Log in whom Steam vouches for."""

    def get(self, request: HttpRequest) -> HttpResponse:
        sent = request.POST or request.GET
        if sent.get("openid.mode") != CANCELLED and not is_of_steam(sent):
            return self.failed(request)
        try:
            response: HttpResponse = super().get(request)
        except RequestException:
            logger.exception("Steam told nothing about a person who logs in.")
            return self.failed(request)
        return response

    post = get

    def failed(self, request: HttpRequest) -> HttpResponse:
        provider = self.provider_class(request)
        response: HttpResponse = render_authentication_error(
            request, provider, error=AuthError.UNKNOWN
        )
        return response


def is_of_steam(sent: object) -> bool:
    """Return whether an answer names Steam as its sender, and one of its people."""
    given = getattr(sent, "getlist", lambda _name: [])
    people = [*given("openid.claimed_id"), *given("openid.identity")]
    endpoints = given("openid.op_endpoint")
    return (
        len(people) == 2
        and all(PERSON.fullmatch(person) for person in people)
        and endpoints == [ENDPOINT]
    )


steam_callback = SteamCallback.as_view()
