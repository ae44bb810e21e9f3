"""Staff rename teams, remove pictures, appoint captains and disband teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.services.teams import founding, membership, pictures
from league.services.teams.access import lock

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Team, TeamMember


def save_name(team: Team, old: str, now: datetime) -> None:
    """Save a team whose name, tag and colours staff have changed and checked."""
    with transaction.atomic():
        lock(team.pk)
        team.save(update_fields=sorted(NAMED))
        founding.keep_name(team, old, now)


NAMED = {
    "name",
    "folded_name",
    "skeleton",
    "search_name",
    "sort_name",
    "may_resemble",
    "tag",
    "folded_tag",
    "colour",
    "second_colour",
}


def remove_picture(team: Team) -> None:
    with transaction.atomic():
        pictures.clear(lock(team.pk))


def make_captain(team: Team, one: TeamMember, now: datetime) -> None:
    """Give a team to another of its members, for example if its captain is gone."""
    with transaction.atomic():
        led = lock(team.pk)
        membership.appoint(led, membership.member(led, one.pk), now)


def disband(team: Team, now: datetime) -> None:
    """Disband a team. Raises ``Conflict`` if it has something to finish first."""
    with transaction.atomic():
        founding.end(lock(team.pk), now)
