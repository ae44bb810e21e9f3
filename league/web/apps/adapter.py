"""Configure the OpenID Connect library: metadata, claims and signing keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import PrivateKey
from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse

from league.models import Player
from league.services.apps import keys
from league.services.apps.scopes import PROFILE, WORDS
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Iterable

    from allauth.idp.oidc.models import Client
    from django.contrib.auth.base_user import AbstractBaseUser

ENDPOINTS = {
    "authorization_endpoint": "authorization",
    "device_authorization_endpoint": "device_code",
    "end_session_endpoint": "logout",
    "jwks_uri": "jwks",
    "revocation_endpoint": "revoke",
    "token_endpoint": "token",
    "userinfo_endpoint": "userinfo",
}
GRANTS = (
    "authorization_code",
    "refresh_token",
    "urn:ietf:params:oauth:grant-type:device_code",
)
CLAIMS = ("sub", "name", "preferred_username", "profile", "picture", "email", "email_verified")


class AppAdapter(DefaultOIDCAdapter):
    """The league’s issuer, keys, scopes and claims."""

    scope_display: dict[str, Any] = WORDS

    def get_issuer(self) -> str:
        return str(settings.SITE_URL)

    def populate_server_metadata(self, data: dict[str, Any]) -> None:
        """List only what the league supports, at its own address."""
        for name, route in ENDPOINTS.items():
            data[name] = f"{settings.SITE_URL}{reverse(f'idp:oidc:{route}')}"
        data["scopes_supported"] = list(WORDS)
        data["grant_types_supported"] = list(GRANTS)
        data["response_types_supported"] = ["code"]
        data["response_modes_supported"] = ["query"]
        data["claims_supported"] = list(CLAIMS)
        data["prompt_values_supported"] = ["none", "login", "consent"]
        data["service_documentation"] = f"{settings.SITE_URL}{reverse('api:docs')}"

    def get_claims(
        self,
        purpose: Literal["id_token", "userinfo"],
        user: AbstractBaseUser,
        client: Client,
        scopes: Iterable[str],
        email: str | None = None,
        **given: Any,
    ) -> dict[str, Any]:
        """Return the claims about a user. Of their player, only public data is included."""
        asked = set(scopes)
        claims: dict[str, Any] = super().get_claims(
            purpose, user, client, asked - {PROFILE}, email=email, **given
        )
        player = Player.objects.filter(user=user.pk).first() if PROFILE in asked else None
        if player is not None:
            claims["name"] = claims["preferred_username"] = player.name
            claims["profile"] = f"{settings.SITE_URL}{player.get_absolute_url()}"
            claims["picture"] = f"{settings.SITE_URL}{reverse('player_picture', args=[player.pk])}"
        return claims

    def validate_resource_uris(self, *, uris: list[str], **given: Any) -> None:
        """Refuse resources on other sites, for which the league issues no tokens."""
        del given
        if any(
            uri != settings.SITE_URL and not uri.startswith(f"{settings.SITE_URL}/") for uri in uris
        ):
            raise ValidationError("The resource is not on this site.")

    def list_private_keys(
        self,
        *,
        did_activate: Literal[True] | None = None,
        is_active: Literal[True] | None = None,
    ) -> list[PrivateKey]:
        """Return the stored keys, without expired ones."""
        del is_active
        now = database_now()
        return [
            PrivateKey(
                pem=key.pem,
                expires_at=key.ends_at,
                issued_at=key.made_at,
            )
            for key in keys.current(now)
            if not did_activate or key.signs_at(now)
        ]
