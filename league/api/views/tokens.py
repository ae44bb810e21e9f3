"""Personal tokens: made by who is logged in on the site, used by their programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from knox.models import AuthToken
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.endpoint import Endpoint
from league.api.serializers.tokens import NewTokenSerializer, NoFields, TokenSerializer
from league.services.core.errors import Forbidden
from league.services.people.tokens import make_token, tokens_of

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class TokenEndpoint(Endpoint):
    """Tokens are their owner's alone, to read as well."""

    queryset = AuthToken.objects.none()
    serializer_class = TokenSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Tokens(TokenEndpoint):
    @extend_schema(operation_id="tokens", responses=TokenSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List your tokens, by how they begin."""
        return self.listed(tokens_of(self.account()))

    @extend_schema(operation_id="make_token", request=NoFields, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make a token. It is shown this once; who is logged in by a token cannot make more."""
        if request.auth is not None:
            raise Forbidden(
                "token_makes_no_token", _("Log in on the site to make a token: a token cannot.")
            )
        self.body(NoFields)
        made, token = make_token(self.account())
        shown = {"token_key": made.token_key, "created": made.created, "token": token}
        return Response(NewTokenSerializer(shown).data, status=status.HTTP_201_CREATED)


class TokenDetail(TokenEndpoint):
    @extend_schema(operation_id="revoke_token", responses={204: None})
    def delete(self, _request: Request, key: str) -> Response:
        """Revoke one of your tokens."""
        mine = tokens_of(self.account()).filter(token_key=key)
        if not mine.exists():
            raise NotFound(_("You have no such token."))
        mine.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
