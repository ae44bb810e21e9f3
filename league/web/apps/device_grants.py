"""The last step of the device flow: exchange an allowed device code for tokens.

The library checks the code itself, but oauthlib 4 expects the validator to do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.internal.oauthlib.server import (
    generate_access_token,
    generate_refresh_token,
)
from django.conf import settings
from oauthlib.oauth2.rfc8628.grant_types.device_code import DeviceCodeGrant
from oauthlib.openid import Server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oauthlib.common import Request

    from league.models import User


class Agreed(OAuthLibRequestValidator):
    """Accept a device code that a user has allowed, with the scopes that they were shown."""

    def __init__(self, user: User, scopes: Sequence[str]) -> None:
        super().__init__()
        self.user, self.scopes = user, list(scopes)

    def validate_device_code(
        self, client_id: str, code: str, request: Request, *args: Any, **given: Any
    ) -> str:
        del client_id, code, args, given
        request.user = self.user
        request.scopes = self.scopes or request.client.get_default_scopes()
        agreed: str = DeviceCodeGrant.DEVICE_CODE_AUTHORIZED
        return agreed


def server_for(user: User, scopes: Sequence[str]) -> Server:
    """Return a server that issues the tokens of a device."""
    return Server(
        Agreed(user, scopes),
        token_expires_in=settings.IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN,
        token_generator=generate_access_token,
        refresh_token_generator=generate_refresh_token,
    )
