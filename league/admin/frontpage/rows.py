"""The rows of the admin's first page, with links for those who may follow them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.frontpage.kinds import KINDS
from league.models.reach import is_of_arenas

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.utils.functional import Promise

    from league.admin.frontpage.kinds import Kind
    from league.models import User
    from league.services.frontpage.waiting import Waiting


@dataclass(frozen=True)
class WaitingWork:
    """A kind of work that waits."""

    waiting: Waiting
    number: str
    words: str
    address: str
    is_ahead: bool


def visible(user: User) -> dict[Kind, frozenset[int] | None]:
    """Return the kinds of work that an account may look at, with its arenas; None is all."""
    reach = {kind: user.arenas_with(kind.permission) for kind in KINDS}
    return {
        kind: arenas
        for kind, arenas in reach.items()
        if arenas is None or (arenas and is_of_arenas(kind.model))
    }


def rows(found: Mapping[str, Waiting], kinds: Iterable[Kind]) -> list[WaitingWork]:
    return [
        WaitingWork(
            found[kind.name],
            intcomma(found[kind.name].count),
            str(kind.words % {"count": found[kind.name].count}),
            kind.address,
            kind.is_ahead,
        )
        for kind in kinds
        if kind.name in found
    ]


@dataclass(frozen=True)
class Step:
    """A step from an empty site to a running league."""

    title: Promise | str
    help: Promise | str
    address: str
    is_done: bool


STEPS = {
    "name": (
        gettext_lazy("Name your league"),
        gettext_lazy("Its name and time zone stand on every page."),
        "admin:league_leaguesettings_changelist",
    ),
    "mail": (
        gettext_lazy("Test mail"),
        gettext_lazy("Players get notices and reset their passwords by mail."),
        "admin:test_mail",
    ),
    "arena": (
        gettext_lazy("Create your first arena"),
        gettext_lazy("An arena is a game or a format with its own ratings."),
        "admin:league_arena_start",
    ),
    "season": (
        gettext_lazy("Open its first season"),
        gettext_lazy("Results count from the moment a season opens."),
        "admin:league_arena_changelist",
    ),
    "people": (
        gettext_lazy("Invite people"),
        gettext_lazy("Give players the link to sign up."),
        "admin:invite",
    ),
    "backup": (
        gettext_lazy("Make a backup"),
        gettext_lazy("Backups are made on schedule once there is a folder for them."),
        "admin:backups",
    ),
}


def steps(done: Mapping[str, bool]) -> list[Step]:
    return [
        Step(title, text, reverse(page), done[name])
        for name, (title, text, page) in STEPS.items()
        if name in done
    ]


CHECKS = {
    "database": gettext_lazy("Database"),
    "broker": gettext_lazy("Broker"),
    "beat": gettext_lazy("Clock (beat)"),
    "worker-ticks": gettext_lazy("Worker for queues"),
    "worker-settling": gettext_lazy("Worker for results"),
    "worker-slow": gettext_lazy("Worker for long work"),
    "worker-outgoing": gettext_lazy("Worker for webhooks"),
    "standings": gettext_lazy("Standings"),
}


def check_name(name: str) -> str:
    return str(CHECKS.get(name, name)) if name in CHECKS else _(name)
