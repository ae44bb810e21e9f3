"""Streams of events in the API: who may watch, and for how long."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.renderers import JSONRenderer

from league.api.core.endpoint import Endpoint
from league.clients import client_address
from league.event_streams import HANDS_OVER, MEDIA_TYPE, EventStream, hub
from league.models import AccessToken, User
from league.services.apps import connecting
from league.services.apps.connecting import AppAccess
from league.services.core.clock import database_now
from league.services.core.errors import LimitReached, Unavailable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from rest_framework.request import Request

    from league.event_streams import Source

LAST_EVENT = "Last-Event-ID"
LONGEST_ID = 200
WAIT = 60
"""Seconds to wait before trying again when there are too many streams."""
SINCE = OpenApiParameter(
    LAST_EVENT,
    str,
    OpenApiParameter.HEADER,
    description="The `id` of the last event that you have. Browsers send it by themselves.",
)


def events(*names: str) -> dict[tuple[int, str], Any]:
    """Describe an answer by its events, each with JSON as its data."""
    described = {
        "type": "object",
        "required": ["id", "event", "data"],
        "properties": {
            "id": {
                "type": "string",
                "description": "The name of this state, to send as Last-Event-ID.",
            },
            "event": {"type": "string", "enum": list(names), "description": "What it is about."},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "description": "The present state, as JSON on one line.",
            },
        },
    }
    return {(200, MEDIA_TYPE): described}


Reader = tuple[str, int, str, str]
"""How somebody has logged in: the kind and id, and for a session its key and auth hash."""


class StreamEndpoint(Endpoint):
    """A route whose answer goes on for as long as its reader stays."""

    serializer_class: Any = None
    is_sparse = False

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Accept clients that accept events only. Errors are JSON all the same."""
        del force
        return super().perform_content_negotiation(request, force=True)

    def stream(self, *watched: tuple[Source, Any]) -> EventStream:
        """Return the stream of some things.

        Raises:
            NotFound: there is no such thing.
            LimitReached: the reader has too many streams.
            Unavailable: this process has too many.
        """
        owner = self.owner()
        if hub.owners[owner] >= settings.STREAMS_OF_A_READER:
            text = _("You have %(count)d streams open. Close one first.")
            raise LimitReached("streams", text % {"count": hub.owners[owner]}, wait=WAIT)
        if not hub.has_room():
            raise Unavailable("streams", _("Too many streams are open. Try again soon."), wait=WAIT)
        told = [hub.told(source, key) for source, key in watched]
        known = [one for one in told if one is not None]
        if len(known) < len(told):
            raise NotFound
        return EventStream(
            watched,
            known,
            owner=owner,
            reader=reader_of(self.request),
            still_allowed=still_allowed,
            seen=self.request.headers.get(LAST_EVENT, "")[:LONGEST_ID],
            is_handed_over=HANDS_OVER in self.request.META,
        )

    def owner(self) -> str:
        """Return the account or address whose limit a stream counts against."""
        if self.request.user.is_authenticated:
            return f"account {self.request.user.pk}"
        return f"address {client_address(self.request)}"


def reader_of(request: Request) -> Reader | None:
    """Return how somebody has logged in, ``None`` if they have not."""
    if isinstance(request.auth, AccessToken):
        return ("token", request.auth.pk, "", "")
    if isinstance(request.auth, AppAccess):
        return ("app", request.auth.pk, "", "")
    if not request.user.is_authenticated:
        return None
    key = request.session.session_key or ""
    return ("session", request.user.pk, key, request.user.get_session_auth_hash())


def still_allowed(readers: Collection[Reader]) -> set[Reader]:
    """Return the readers whose token or session is still valid."""
    now = database_now()
    tokens = AccessToken.objects.filter(
        pk__in=[reader[1] for reader in readers if reader[0] == "token"], user__is_active=True
    )
    lasting = {pk for pk, end in tokens.values_list("pk", "expires_at") if end is None or end > now}
    by_apps = connecting.lasting({reader[1] for reader in readers if reader[0] == "app"}, now)
    by_session = [reader for reader in readers if reader[0] == "session"]
    users = User.objects.filter(is_active=True).in_bulk({reader[1] for reader in by_session})
    keys = [reader[2] for reader in by_session]
    open_ones = Session.objects.filter(session_key__in=keys, expire_date__gt=now)
    sessions = set(open_ones.values_list("session_key", flat=True))
    return {
        reader
        for reader in readers
        if (reader[0] == "token" and reader[1] in lasting)
        or (reader[0] == "app" and reader[1] in by_apps)
        or (
            reader[2] in sessions
            and reader[1] in users
            and constant_time_compare(reader[3], users[reader[1]].get_session_auth_hash())
        )
    }


@contextmanager
def for_everybody() -> Iterator[None]:
    """Use UTC and the language of the site, whoever the readers are."""
    with timezone.override(UTC), translation.override(settings.LANGUAGE_CODE):
        yield


def line_of(data: Any) -> bytes:
    """Return data as JSON on one line."""
    line: bytes = JSONRenderer().render(data)
    return line or b"null"
