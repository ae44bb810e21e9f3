"""Reads of visitors from the replica, by Django's router.

Visitors without a login may see what is a moment old. Everybody else may just have written, and
reads from the primary. SQL of our own also goes there, so only views that read by the ORM alone
belong here.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from django.db import Error as DatabaseError
from django.db import connection, connections
from django.http import Http404

from league.caching import is_shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Model
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

Args = ParamSpec("Args")
Response = TypeVar("Response", bound="HttpResponseBase")
ALIAS = "replica"
_is_read: ContextVar[bool] = ContextVar("replica_is_read", default=False)


class Router:
    """Lead the reads of marked views to the replica, and everything else to the primary."""

    def db_for_read(self, _model: type[Model], **_hints: Any) -> str | None:
        return ALIAS if _is_read.get() else None

    def allow_relation(self, *_objects: Model, **_hints: Any) -> bool:
        return True

    def allow_migrate(self, alias: str, *_model: str, **_hints: Any) -> bool | None:
        return False if alias == ALIAS else None


def from_replica(
    view: Callable[Concatenate[HttpRequest, Args], Response],
) -> Callable[Concatenate[HttpRequest, Args], Response]:
    """Let a view that only reads do so from the replica, if there is one and the reader may."""

    @wraps(view)
    def read(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> Response:
        is_configured = ALIAS in connections.settings and not connection.in_atomic_block
        if not (is_configured and is_shared(request)):
            return view(request, *args, **kwargs)
        token = _is_read.set(True)
        try:
            return view(request, *args, **kwargs)
        except (DatabaseError, Http404):
            _is_read.set(False)  # it is down, or what was asked for is newer than the replica
            return view(request, *args, **kwargs)
        finally:
            _is_read.reset(token)

    return read
