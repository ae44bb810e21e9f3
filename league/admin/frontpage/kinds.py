"""The kinds of work that wait for staff, in words, each with a filter for its list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy, ngettext_lazy

from league.models import (
    Appeal,
    Arena,
    ArenaQueue,
    Challenge,
    Competition,
    DiscordBoard,
    Email,
    Fixture,
    Flag,
    Job,
    Match,
    PlayerClaim,
    PlayerReport,
    Webhook,
)
from league.services.core.clock import database_now
from league.services.frontpage.waiting import waiting_rows

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest
    from django.utils.functional import Promise

PARAMETER = "waits"
SEVERAL = 2


@dataclass(frozen=True)
class Kind:
    """The name of a kind of waiting work, and the list that shows it."""

    name: str
    words: Promise
    model: type[Model]
    """Of the rows of its list."""
    is_ahead: bool = False
    """Whether its time is in the future, at least for most rows."""

    @property
    def permission(self) -> str:
        return f"league.view_{self.model._meta.model_name}"  # noqa: SLF001 - Django's documented name

    @property
    def address(self) -> str:
        """Return the address of the list of exactly what is counted."""
        page = reverse(f"admin:league_{self.model._meta.model_name}_changelist")  # noqa: SLF001 - as above
        return f"{page}?{PARAMETER}={self.name}"


KINDS = (
    Kind(
        "disputes",
        ngettext_lazy("disputed result", "disputed results", "count"),
        Match,
    ),
    Kind(
        "objections",
        ngettext_lazy("objection to a result", "objections to results", "count"),
        Match,
    ),
    Kind(
        "lapsing",
        ngettext_lazy(
            "report without an answer, which is settled within a day",
            "reports without an answer, which are settled within a day",
            "count",
        ),
        Match,
        is_ahead=True,
    ),
    Kind(
        "flags",
        ngettext_lazy("open flag", "open flags", "count"),
        Flag,
    ),
    Kind(
        "claims",
        ngettext_lazy("claim of a player", "claims of players", "count"),
        PlayerClaim,
    ),
    Kind(
        "appeals",
        ngettext_lazy("open appeal", "open appeals", "count"),
        Appeal,
    ),
    Kind(
        "reports",
        ngettext_lazy("report about a player", "reports about players", "count"),
        PlayerReport,
    ),
    Kind(
        "challenges",
        ngettext_lazy("overdue challenge", "overdue challenges", "count"),
        Challenge,
    ),
    Kind(
        "fixtures",
        ngettext_lazy("fixture to decide", "fixtures to decide", "count"),
        Fixture,
    ),
    Kind(
        "competitions",
        ngettext_lazy(
            "competition without enough entrants to start",
            "competitions without enough entrants to start",
            "count",
        ),
        Competition,
    ),
    Kind(
        "unfinished",
        ngettext_lazy(
            "competition that is not over, though its season ends soon or has ended",
            "competitions that are not over, though their seasons end soon or have ended",
            "count",
        ),
        Competition,
        is_ahead=True,
    ),
    Kind(
        "starting",
        ngettext_lazy(
            "arena whose next season starts soon", "arenas whose next seasons start soon", "count"
        ),
        Arena,
        is_ahead=True,
    ),
    Kind(
        "ending",
        ngettext_lazy(
            "arena whose season ends soon or waits for its archive",
            "arenas whose seasons end soon or wait for their archive",
            "count",
        ),
        Arena,
        is_ahead=True,
    ),
    Kind(
        "queues",
        ngettext_lazy(
            "queue in which nobody is matched", "queues in which nobody is matched", "count"
        ),
        ArenaQueue,
    ),
    Kind(
        "jobs",
        ngettext_lazy("failed job", "failed jobs", "count"),
        Job,
    ),
    Kind(
        "mails",
        ngettext_lazy("mail that was given up", "mails that were given up", "count"),
        Email,
    ),
    Kind(
        "webhooks",
        ngettext_lazy("webhook that fails", "webhooks that fail", "count"),
        Webhook,
    ),
    Kind(
        "boards",
        ngettext_lazy("stopped board on Discord", "stopped boards on Discord", "count"),
        DiscordBoard,
    ),
)


class Attention(admin.SimpleListFilter):
    """The rows that the admin's first page counts."""

    title = gettext_lazy("what needs attention")
    parameter_name = PARAMETER

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        return [
            (kind.name, capfirst(str(kind.words % {"count": SEVERAL})))
            for kind in KINDS
            if kind.model is model_admin.model
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        if chosen not in dict(self.lookup_choices):
            return queryset
        reader = getattr(request.user, "player", None)
        rows = waiting_rows(chosen, database_now(), reader)
        return queryset.filter(pk__in=rows.order_by().values("pk"))
