"""The last step of a device: its code, once somebody has agreed, is exchanged for tokens.

The library checks the code itself, and oauthlib 4 wants to be told so.
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
    """A device’s code to which somebody has agreed: for these scopes, whatever it asks for now."""

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
    """Return what makes the tokens of a device."""
    return Server(
        Agreed(user, scopes),
        token_expires_in=settings.IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN,
        token_generator=generate_access_token,
        refresh_token_generator=generate_refresh_token,
    )
