"""Make a ZIP file of what the league keeps about an account."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import ForeignObjectRel, QuerySet
from django.utils.translation import gettext as _

from league.models import (
    Appeal,
    ConnectedApp,
    DataExport,
    EvidenceImage,
    Letter,
    Match,
    Player,
    User,
)
from league.outages import outage_behind
from league.services.core.durations import describe_duration
from league.services.core.errors import LimitReached
from league.services.privacy.kept_about import HIDDEN, OF_ACCOUNT, OF_PLAYER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from django.db.models import Model

KEPT_FOR = timedelta(days=7)
"""The time for which a file can be downloaded."""
BETWEEN = timedelta(days=1)
"""From one request of an account to the next."""

logger = logging.getLogger(__name__)

Rows = list[dict[str, Any]]


def ask(user: User, now: datetime) -> DataExport:
    """Ask for an account's data. A worker makes the file. Asking again before that changes nothing.

    Raises:
        LimitReached: the last request was too recent.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        last = DataExport.objects.filter(user=user).first()
        if last is not None and last.made_at is None:
            return last
        if last is not None and last.asked_at > now - BETWEEN:
            left = last.asked_at + BETWEEN - now
            raise LimitReached(
                "exported",
                _("Your data was prepared a short time ago. Ask again in %(time)s.")
                % {"time": describe_duration(left)},
                wait=int(left.total_seconds()),
            )
        asked = DataExport(user=user, asked_at=now)
        asked.save()
    return asked


def download(user: User, now: datetime) -> bytes | None:
    """Return an account's file, ``None`` if there is none or it has expired."""
    made = DataExport.objects.filter(user=user, made_at__gt=now - KEPT_FOR).first()
    return None if made is None or made.content is None else bytes(made.content)


def waiting() -> list[int]:
    """Return the accounts that wait for their data, the first to ask first."""
    asked = DataExport.objects.filter(made_at=None).order_by("asked_at")
    return list(asked.values_list("user", flat=True))


def attempt(user_id: int, now: datetime) -> bool:
    """Make an account's file. If that fails, the others are made, and it is tried again later.

    Return whether it worked.
    """
    try:
        make(user_id, now)
    except Exception as error:
        if outage_behind(error):
            raise
        logger.exception("The data of account %d could not be exported.", user_id)
        return False
    return True


def make(user_id: int, now: datetime) -> None:
    """Make an account's file, unless it is made already or another worker is making it."""
    with transaction.atomic():
        # Locked while it is made: made once, and made again if the worker dies.
        rows = DataExport.objects.select_for_update(skip_locked=True, of=("self",))
        asked = rows.filter(user=user_id, made_at=None).select_related("user").first()
        if asked is None:
            return
        asked.content, asked.made_at = zip_account(asked.user), now
        asked.save(update_fields=["content", "made_at"])


def forget_expired(now: datetime) -> int:
    """Delete the files that have expired. Return how many."""
    expired = DataExport.objects.filter(made_at__lte=now - KEPT_FOR, content__isnull=False)
    return expired.update(content=None)


def zip_account(user: User) -> bytes:
    """Return the ZIP file of an account and its player."""
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, rows in files(user):
            text = json.dumps(rows, cls=Readable, ensure_ascii=False, indent=1)
            archive.writestr(f"{name}.json", text)
    return written.getvalue()


def files(user: User) -> Iterator[tuple[str, Rows]]:
    """Yield the name and rows of each file, also of empty ones."""
    yield "account", values(User.objects.filter(pk=user.pk))
    yield from related_rows(User, OF_ACCOUNT, user.pk)
    apps = ConnectedApp.objects.filter(user=user)
    yield "connected_apps", columns(apps, "id", "client__name", "scopes", "made_at", "used_at")
    player = getattr(user, "player", None)
    if player is None:
        return
    yield "player", values(Player.objects.filter(pk=player.pk))
    yield "matches", matches_of(player)
    yield from words_of(player)
    yield from related_rows(Player, OF_PLAYER, player.pk)


def related_rows(
    model: type[Model], wanted: Mapping[str, str], pk: int
) -> Iterator[tuple[str, Rows]]:
    """Yield the rows that refer to a row by these relations, by the names of their files."""
    for relation in model._meta.get_fields(include_hidden=True):  # noqa: SLF001 - Django's documented name
        if not isinstance(relation, ForeignObjectRel):
            continue
        referring, field = cast("type[Model]", relation.related_model), relation.field.name
        name = wanted.get(f"{referring.__name__}.{field}")
        if name:
            rows: QuerySet[Any] = QuerySet(referring)
            yield name, values(rows.filter(**{field: pk}))


def values(rows: QuerySet[Any]) -> Rows:
    """Return rows by their columns, without what is hidden from those it concerns."""
    found = rows.order_by("pk").values()
    return [{name: row[name] for name in row if name not in HIDDEN} for row in found]


def matches_of(player: Player) -> Rows:
    """Return a player's matches: where, when, and the result of their side."""
    played = Match.objects.filter(participants__player=player).order_by("played_at", "id")
    rows = played.values(
        "id",
        "arena__name",
        "season__name",
        "played_at",
        "status",
        "kind",
        "mode",
        "information",
        "participants__side__index",
        "participants__side__place",
        "participants__side__score",
    )
    return [dict(row) for row in rows]


def words_of(player: Player) -> Iterator[tuple[str, Rows]]:
    """Yield what a player reported, answered and appealed, what staff wrote to them, and the facts
    of their images: rows that name the player in another row only, or together with others."""
    reported = Match.objects.filter(reported_by=player)
    yield "reports", columns(reported, "id", "reported_at", "reported_by_side", "revision")
    confirmed = Match.objects.filter(confirmed_by=player)
    yield "reports_confirmed", columns(confirmed, "id", "settled_at", "confirmed_by_side")
    disputed = Match.objects.filter(disputed_by=player)
    yield "disputes", columns(disputed, "id", "disputed_at", "dispute_reason")
    yield "appeals", values(Appeal.objects.filter(award__player=player))
    yield "letters", columns(Letter.objects.filter(notices__player=player), "id", "at", "text")
    yield "evidence_images", values(EvidenceImage.objects.filter(message__player=player))


def columns(rows: QuerySet[Any], *names: str) -> Rows:
    return list(rows.order_by("pk").values(*names))


class Readable(DjangoJSONEncoder):
    """Writes bytes as hexadecimal numbers, and what JSON does not know as text."""

    def default(self, o: Any) -> Any:
        if isinstance(o, bytes | memoryview):
            return bytes(o).hex()
        try:
            return super().default(o)
        except TypeError:
            return str(o)
