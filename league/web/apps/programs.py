"""The endpoints that apps call: tokens, revocation, user info and device codes."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from allauth.core.internal.httpkit import extract_basic_auth
from allauth.core.internal.jwkkit import load_jwk_from_pem
from allauth.idp.oidc import views as library
from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.internal.oauthlib import authorization_codes
from allauth.idp.oidc.internal.oauthlib.utils import (
    convert_response,
    extract_params,
    get_validator_context,
)
from allauth.idp.oidc.models import Client
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import JsonResponse
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from league import rates
from league.services.apps import addresses, connecting
from league.services.core.clock import database_now
from league.web.apps.device_grants import server_for

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

BAD_REQUEST = 400
GRANTS = ("code", "refresh_token", "device_code")
"""The parameters that are exchanged for a token, once each."""
NOT_ACCEPTED = "invalid_grant"
"""The error for a code or token that the app itself has sent, after it has shown its secret."""
SCOPE = "programs"
NAME = re.compile(r"[!-~]{1,200}")
"""The form of client IDs, codes and tokens."""
LONGEST = 4_000
"""The most characters in a value."""
UNKNOWN = "-"
"""A value that no token has."""


def failure(error: str, description: str, status: int = BAD_REQUEST) -> JsonResponse:
    """Return an error as OAuth defines it (RFC 6749, 5.2)."""
    return JsonResponse({"error": error, "error_description": description}, status=status)


def client_of(request: HttpRequest) -> str:
    """Return the client ID that a request claims."""
    basic, _secret = extract_basic_auth(dict(request.headers))
    return basic or request.POST.get("client_id", "")


def names_two(request: HttpRequest) -> bool:
    """Return whether a request names one app in its header and another in its form.

    Either could be taken for the app that has shown its secret.
    """
    basic, named = extract_basic_auth(dict(request.headers))[0], request.POST.get("client_id")
    return bool(basic and named and basic != named)


def is_nonsense(request: HttpRequest) -> bool:
    """Return whether a request has a value that no client ID, code or token can have."""
    named = [request.POST[name] for name in (*GRANTS, "client_id") if request.POST.get(name)]
    if basic := extract_basic_auth(dict(request.headers))[0]:
        named.append(basic)
    if not all(map(addresses.is_readable, request.POST.getlist("resource"))):
        return True
    longest = max((len(text) for text in request.POST.values()), default=0)
    return longest > LONGEST or not all(NAME.fullmatch(text) for text in named)


def has_stray_verifier(request: HttpRequest) -> bool:
    """Return whether an app proves that a code is its own, but the code was given without PKCE.

    Somebody may have taken the challenge away, to let the app use a code of theirs (RFC 9700, 4.8).
    """
    code = request.POST.get("code")
    if not code or not request.POST.get("code_verifier"):
        return False
    given = authorization_codes.lookup(client_of(request), code)
    return given is not None and "pkce" not in given


@method_decorator(csrf_exempt, name="dispatch")
class Asked(View):
    """Limit requests by IP address, forbid caching, and refuse malformed requests."""

    http_method_names = ["post"]

    def dispatch(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponseBase:
        wait = rates.seconds_to_wait(SCOPE, request)
        response: HttpResponseBase
        if wait:
            response = failure("temporarily_unavailable", rates.too_many(wait), 429)
            response.headers["Retry-After"] = str(wait)
        elif is_nonsense(request):
            response = failure("invalid_request", "The request has a malformed value.")
        elif names_two(request):
            response = failure("invalid_request", "The request names two apps.")
        else:
            try:
                response = super().dispatch(request, *args, **given)
            except ValidationError as error:
                response = failure("invalid_target", " ".join(error.messages))
        add_never_cache_headers(response)
        return response


class Configuration(library.ConfigurationView):
    """Publish the provider's metadata."""

    http_method_names = ["get", "head"]


class Keys(library.JwksView):
    """Publish the public keys that verify ID tokens."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, *args: Any, **named: Any) -> JsonResponse:
        """Answer as the library does, which would read each key anew for each request."""
        del request, args, named
        adapter = get_adapter()
        pems = [key.pem for key in adapter.list_private_keys(is_active=True)]
        answer = JsonResponse({"keys": [public_key(pem) for pem in pems]})
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Cache-Control"] = f"max-age={adapter.get_jwks_cache_control()}, must-revalidate"
        return answer


@lru_cache(maxsize=16)
def public_key(pem: str) -> dict[str, Any]:
    """Return the public part of a key as a JSON Web Key (RFC 7517)."""
    key: dict[str, Any] = load_jwk_from_pem(pem)[0]
    return key


class Token(Asked, library.TokenView):
    """Exchange a code or a refresh token for an access token. Each works once."""

    def post(self, request: HttpRequest) -> HttpResponse:
        grants = [request.POST[name] for name in GRANTS if request.POST.get(name)]
        if len(grants) != 1:
            return failure("invalid_request", "Send one of code, refresh_token and device_code.")
        [grant] = grants
        with transaction.atomic():
            connecting.lock_grant(grant)
            now = database_now()
            if has_stray_verifier(request):
                return failure(NOT_ACCEPTED, "The code was asked for without a code_challenge.")
            response: HttpResponse = super().post(request)
            if response.status_code == BAD_REQUEST:
                if json.loads(response.content)["error"] == NOT_ACCEPTED:
                    connecting.end_if_stolen(grant, client_of(request), now)
            elif response.status_code < BAD_REQUEST:
                made = json.loads(response.content)["access_token"]
                if not connecting.spend(grant, made, now):
                    transaction.set_rollback(True)
                    return failure(NOT_ACCEPTED, "The user has removed your access.")
        return response

    def _create_token_response(
        self, request: HttpRequest, *, user: Any = None, data: dict[str, Any] | None = None
    ) -> HttpResponse:
        if user is None or data is None:
            response: HttpResponse = super()._create_token_response(request)
            return response
        server = server_for(user, data["scope"] or [])
        made: HttpResponse = convert_response(
            *server.create_token_response(*extract_params(request))
        )
        return made


class Revoke(Asked, library.RevokeView):
    """Revoke an access or refresh token, if it belongs to the calling app."""

    def post(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        text, client = request.POST.get("token", ""), client_of(request)
        if connecting.is_of_another(text, client):
            changed = request.POST.copy()
            changed["token"] = text = UNKNOWN
            request.POST = changed  # type: ignore[assignment] # it is no longer the one sent
        with transaction.atomic():
            access = connecting.access_beside(text)
            response: HttpResponse = super().post(request, *args, **given)
            if response.status_code < BAD_REQUEST:
                access.delete()
        return response


class UserInfo(Asked, library.UserInfoView):
    """Return the claims about the user of an access token."""

    http_method_names = ["get", "head", "post"]

    def _respond(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = super()._respond(request)
        if token := get_validator_context().access_token:
            connecting.note_use_of(token, database_now())
        return response


class DeviceCode(Asked, library.DeviceCodeView):
    """Issue a device code and a user code."""

    def post(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        client = Client.objects.filter(pk=request.POST.get("client_id", "")).first()
        if client is not None and Client.GrantType.DEVICE_CODE not in client.get_grant_types():
            return failure("unauthorized_client", "This app is not registered for devices.")
        response: HttpResponse = super().post(request, *args, **given)
        return told_where(response) if response.status_code < BAD_REQUEST else response


def told_where(response: HttpResponse) -> JsonResponse:
    """Name the page for the code by the site's own address: the library takes it from the request,
    in which a proxy may have changed it."""
    begun = json.loads(response.content)
    page = f"{settings.SITE_URL}{reverse('idp:oidc:device_authorization')}"
    begun["verification_uri"] = page
    begun["verification_uri_complete"] = f"{page}?code={begun['user_code']}"
    return JsonResponse(begun)
