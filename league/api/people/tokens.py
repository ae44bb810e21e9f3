"""Your tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.idempotency import SECRETIVE
from league.api.people.serializers import NewTokenSerializer, TokenForm, TokenSerializer
from league.models import AccessToken, Scope
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.people.tokens import make_token, tokens_of

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class TokenEndpoint(Endpoint):
    """Tokens are only visible to their owner."""

    queryset = AccessToken.objects.none()
    serializer_class = TokenSerializer
    scopes: tuple[Scope, ...] = (Scope.ACCOUNT,)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]


class Tokens(TokenEndpoint):
    pagination_class = Cursors
    secretive = frozenset({"post"})

    @extend_schema(operation_id="tokens", responses=TokenSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List your tokens, oldest first."""
        return self.page_response(tokens_of(self.account()))

    @extend_schema(
        operation_id="make_token",
        request=TokenForm,
        responses={201: NewTokenSerializer},
        extensions={SECRETIVE: True},
    )
    def post(self, request: Request) -> Response:
        """Create a token, returned this once. You cannot create tokens with a token."""
        if request.auth is not None:
            raise Forbidden("token_makes_no_token", _("Log in on the site to create a token."))
        form = self.body(TokenForm)
        token, text = make_token(
            self.account(),
            form["name"],
            form["scopes"],
            now=database_now(),
            expires_at=form["expires_at"],
        )
        token.text = text  # type: ignore[attr-defined] # shown this once
        return Response(NewTokenSerializer(token).data, status=status.HTTP_201_CREATED)


class TokenDetail(TokenEndpoint):
    @extend_schema(operation_id="revoke_token", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Revoke one of your tokens."""
        self.get_or_404(tokens_of(self.account()), _("You have no such token."), pk=pk).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
