"""The base class of every API view."""

from __future__ import annotations

from datetime import UTC
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from django.db import transaction
from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, MethodNotAllowed, NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated

from league.api.core import cursors, headers, idempotency, sparse, streams
from league.api.core.deprecation import say_deprecated
from league.api.core.fields import LONGEST_QUOTE, no_parameter
from league.api.core.throttles import TooMany
from league.models import AccessToken, Player, Scope
from league.models.lists import list_with_or
from league.services.apps.connecting import AppAccess
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request
    from rest_framework.response import Response

    from league.api.core.deprecation import Deprecated
    from league.models import User
    from league.rates import Allowance

Found = TypeVar("Found", bound=Model)
READS = {"GET", "HEAD"}


class Endpoint(GenericAPIView[Any]):
    """An API view: anyone may read, writing needs a login."""

    serializer_class: Any = None
    scopes: tuple[Scope, ...] = ()
    """The scopes of which a token that writes here needs one."""
    is_sparse = True
    """Whether GET takes ``fields`` and ``expand``, where ``serializer_class`` shows something."""
    asked = sparse.Asked()
    secretive: frozenset[str] = frozenset()
    """The methods whose answers have a secret, so that they are not kept to be sent again."""
    allowance: Allowance | None = None
    deprecated: Deprecated | None = None
    """Since when the whole route should not be used, and how long it stays."""
    query_form: Any = None
    """The serializer class of the query parameters of GET, apart from those of pages."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer with times in UTC, whatever the reader's time zone."""
        with timezone.override(UTC):
            return super().dispatch(request, *args, **kwargs)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Add the headers that all answers have."""
        response = super().finalize_response(request, response, *args, **kwargs)
        headers.say_who_keeps(response, self.request)
        headers.say_what_is_left(response, self.allowance)
        if outdated := self.find_deprecation(self.request):
            say_deprecated(response, outdated, reverse("api:docs"))
        return response

    def find_deprecation(self, request: Request) -> Deprecated | None:
        """Return what is deprecated about a request, the route or one of its parameters."""
        parameters = getattr(self.pagination_class, "deprecated", {})
        sent = (one for name, one in parameters.items() if name in request.query_params)
        return self.deprecated or next(sent, None)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse unknown methods first: a login would not help."""
        method = (request.method or "").lower()
        known = method in self.http_method_names and hasattr(self, method)
        if method == "options" or not known:
            raise MethodNotAllowed(request.method or "")
        if idempotency.HEADER in request.headers:
            idempotency.keep_body(request)
        super().initial(request, *args, **kwargs)
        self.check_scope(request, kwargs)
        self.check_query(request)
        if method not in {"get", "head"} and (key := idempotency.key_of(request)):
            if method in self.secretive:
                raise ValidationError(
                    {idempotency.HEADER: [_("A secret is not kept: send no key.")]}
                )
            self.answer_once(key, method)

    def answer_once(self, key: str, method: str) -> None:
        """Let the request take effect once, however often it is sent with this key."""
        handler = getattr(self, method)

        def answer(request: Request, *args: Any, **kwargs: Any) -> Any:
            def answer() -> Response:
                try:
                    with transaction.atomic():
                        response: Response = handler(request, *args, **kwargs)
                except Exception as error:  # noqa: BLE001 - those that are no answer are raised again
                    response = self.handle_exception(error)
                return response

            return idempotency.answered_once(request, key, answer)

        setattr(self, method, answer)

    def check_scope(self, request: Request, at: Mapping[str, Any]) -> None:
        """Refuse what the token of the request does not allow."""
        token = request.auth
        if not isinstance(token, AccessToken | AppAccess):
            return
        needed = (Scope.READ,) if request.method in READS else self.scopes
        if not token.allows_any(needed):
            text = _("Your token does not allow this. It needs the scope %(scopes)s.")
            raise Forbidden("insufficient_scope", text % {"scopes": list_with_or(needed)})
        if request.method in READS:
            return
        if isinstance(token, AccessToken) and token.is_bound:
            place = self.arena_at(**at)
            if place is None or not token.arenas.filter(pk=place).exists():
                text = _("Your token allows this only in its own arenas.")
                raise Forbidden("another_arena", text)

    def arena_at(self, **at: Any) -> int | None:
        """Return the id of the arena that an address is about, ``None`` if it is about none.

        Raises ``NotFound`` if there is nothing at the address.
        """
        del at
        return None

    def check_query(self, request: Request) -> None:
        """Refuse query parameters that are not declared, or are given more than once."""
        reads = request.method in READS
        known = self.parameters() if reads else []
        wrong = {
            name[:LONGEST_QUOTE]: [
                ErrorDetail(_("Give it only once."), code="repeated")
                if name in known
                else ErrorDetail(no_parameter(name, known), code="unknown")
            ]
            for name, values in request.query_params.lists()
            if name not in known or len(values) > 1
        }
        if wrong:
            raise ValidationError(wrong)
        if reads and self.is_sparse and self.serializer_class:
            self.asked = sparse.asked_of(request, self.serializer_class)

    @classmethod
    def parameters(cls) -> list[str]:
        """Return the names of the query parameters of GET, none where nothing is read."""
        if not hasattr(cls, "get"):
            return []
        names = list(cls.query_form().fields) if cls.query_form else []
        pages: Any = cls.pagination_class
        if pages:
            names += [one["name"] for one in pages().get_schema_operation_parameters(cls)]
        if cls.is_sparse and cls.serializer_class:
            names += [one.name for one in sparse.parameters_of(cls.serializer_class)]
        return names

    def get_permissions(self) -> list[BasePermission]:
        reading = self.request is None or self.request.method in READS
        return [AllowAny()] if reading else [IsAuthenticated()]

    def throttled(self, request: Request, wait: float) -> NoReturn:
        del request
        raise TooMany(wait)

    def page_response(self, rows: Any) -> Response:
        """Return the requested page of ``rows``, or all of them to a client who wants a stream."""
        rows = self.load_related(rows)
        if self.request.accepted_renderer.media_type == streams.MEDIA_TYPE:
            return cast(
                "Response", streams.stream(self.request, rows, partial(self.serialize, many=True))
            )  # the framework sends both
        page = self.paginate_queryset(rows)
        return self.get_paginated_response(self.serialize(page, many=True))

    def load_related(self, rows: Any) -> Any:
        """Return a queryset with what the fields that were asked for need."""
        return self.asked.load(rows, self.serializer_class) if isinstance(rows, QuerySet) else rows

    def serialize(self, shown: Any, *, many: bool = False, **context: Any) -> Any:
        """Return a row or several as the request asks for them."""
        context = {**self.get_serializer_context(), **context}
        return self.asked.apply(self.serializer_class(shown, many=many, context=context)).data

    def page_size(self) -> int:
        return cursors.page_size(self.request)

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

    def query(self) -> Any:
        """Return the query string, validated by ``query_form``."""
        checked = self.query_form(data=self.request.query_params.dict())
        checked.is_valid(raise_exception=True)
        return checked.validated_data
