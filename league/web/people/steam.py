"""The callback of the Steam login.

Steam uses OpenID 2.0, in which the browser names the identity provider. Only Steam is accepted,
so the server fetches no address that a visitor names.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.base.constants import AuthError
from allauth.socialaccount.providers.steam.views import SteamOpenIDCallbackView
from requests import RequestException

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

logger = logging.getLogger(__name__)

ENDPOINT = "https://steamcommunity.com/openid/login"
PERSON = re.compile(r"https://steamcommunity\.com/openid/id/[0-9]{1,20}")
VERSION = "http://specs.openid.net/auth/2.0"
CANCELLED = "cancel"


class SteamCallback(SteamOpenIDCallbackView):
    """Log in a user whom Steam has authenticated."""

    def get(self, request: HttpRequest) -> HttpResponse:
        sent = request.GET.copy()
        sent.update(request.POST)  # both are read
        if not is_of_steam(sent):
            return self.failed(request)
        try:
            response: HttpResponse = super().get(request)
        except RequestException:
            logger.exception("Steam returned no profile at a login.")
            return self.failed(request)
        return response

    post = get

    def failed(self, request: HttpRequest) -> HttpResponse:
        provider = self.provider_class(request)
        response: HttpResponse = render_authentication_error(
            request, provider, error=AuthError.UNKNOWN
        )
        return response


def is_of_steam(sent: QueryDict) -> bool:
    """Return whether an answer has the form of Steam's answers about its users."""
    if sent.getlist("openid.ns") != [VERSION]:
        return False
    if sent.getlist("openid.mode") == [CANCELLED]:
        return True
    named = all(
        len(people) == 1 and PERSON.fullmatch(people[0])
        for people in (sent.getlist("openid.claimed_id"), sent.getlist("openid.identity"))
    )
    return named and sent.getlist("openid.op_endpoint") == [ENDPOINT]


steam_callback = SteamCallback.as_view()
