"""What every address of the API has in common."""

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
    """An address of the API: open to read, a login to write."""

    serializer_class: Any = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Times are in UTC here, whatever zone the reader of the pages has chosen."""
        with timezone.override(UTC):
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Say first whether there is such a method: no login would help."""
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

    def listed(self, rows: Any) -> Response:
        """The page of ``rows`` that is asked for."""
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    def page_size(self) -> int:
        return Pages().get_page_size(self.request)

    def found(self, rows: QuerySet[Found], what: str, **named: Any) -> Found:
        """The one row that the address names. Raises ``NotFound``, saying ``what`` is missing."""
        row = rows.filter(**named).first()
        if row is None:
            raise NotFound(what)
        return row

    def account(self) -> User:
        """The account that asks, where a login is needed."""
        return cast("User", self.request.user)

    def player(self) -> Player:
        """The player whose account asks. Raises ``Forbidden`` for an account without one."""
        player = Player.objects.filter(user=self.request.user.pk).first()
        if player is None:
            raise Forbidden("no_player", _("Your account has no player, so it leads no side."))
        return player

    def body(self, form: Any) -> Any:
        """What was sent, checked by the serializer class ``form``."""
        checked = form(data=self.request.data, context=self.get_serializer_context())
        checked.is_valid(raise_exception=True)
        return checked.validated_data

    def query(self, form: Any) -> Any:
        """The address's query, checked by the serializer class ``form``."""
        checked = form(data=self.request.query_params.dict())
        checked.is_valid(raise_exception=True)
        return checked.validated_data
