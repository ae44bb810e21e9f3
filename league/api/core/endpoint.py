"""The base class of every API view."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import MethodNotAllowed, NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated

from league.api.core.pagination import Pages
from league.api.core.throttles import TooMany
from league.models import Player
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request
    from rest_framework.response import Response

    from league.models import User

Found = TypeVar("Found", bound=Model)


class Endpoint(GenericAPIView[Any]):
    """An API view: anyone may read, writing needs a login."""

    serializer_class: Any = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer with times in UTC, whatever the reader's time zone."""
        with timezone.override(UTC):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse unknown methods first: a login would not help."""
        method = (request.method or "").lower()
        if method == "options" or not hasattr(self, method):
            raise MethodNotAllowed(request.method or "")
        super().initial(request, *args, **kwargs)

    def get_permissions(self) -> list[BasePermission]:
        reading = self.request is None or self.request.method in {"GET", "HEAD"}
        return [AllowAny()] if reading else [IsAuthenticated()]

    def throttled(self, request: Request, wait: float) -> NoReturn:
        del request
        raise TooMany(wait)

    def page_response(self, rows: Any) -> Response:
        """Return the requested page of ``rows``."""
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    def page_size(self) -> int:
        return Pages().get_page_size(self.request)

    def get_or_404(self, rows: QuerySet[Found], message: str, **filters: Any) -> Found:
        """Return the first row that matches the filters. Raises ``NotFound`` with ``message``."""
        row = rows.filter(**filters).first()
        if row is None:
            raise NotFound(message)
        return row

    def account(self) -> User:
        """Return the account of a request that needs a login."""
        return cast("User", self.request.user)

    def player(self) -> Player:
        """Return the player of the account. Raises ``Forbidden`` for an account without one."""
        player = Player.objects.filter(user=self.request.user.pk).first()
        if player is None:
            raise Forbidden("no_player", _("Your account has no player."))
        return player

    def body(self, form: Any) -> Any:
        """Return the request's body, validated by the serializer class ``form``."""
        checked = form(data=self.request.data, context=self.get_serializer_context())
        checked.is_valid(raise_exception=True)
        return checked.validated_data

    def query(self, form: Any) -> Any:
        """Return the query string, validated by the serializer class ``form``."""
        checked = form(data=self.request.query_params.dict())
        checked.is_valid(raise_exception=True)
        return checked.validated_data
