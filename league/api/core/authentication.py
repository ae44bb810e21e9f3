"""Authentication by a personal token in the ``Authorization`` header."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class PersonalToken(TokenAuthentication):
    """``Authorization: Token …``. Malformed tokens are refused without a lookup."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not token.isalnum():
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)  # type: ignore[no-untyped-call] # untyped there
