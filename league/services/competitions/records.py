"""Staff actions about competitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.models import StaffAction

LONGEST = 500
"""Characters of a reason: that of an entry lists all its names."""

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from league.models import Competition, Entrant, Fixture, User
    from league.models.own_words import Why


def record(
    one: Competition,
    by: User,
    now: datetime,
    reason: str | Why,
    *,
    entrant: Entrant | None = None,
    fixture: Fixture | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    details: Mapping[str, Any] | None = None,
) -> StaffAction:
    """Write a staff action about a competition, one of its entrants or fixtures.

    ``details`` are further ones, besides the names.
    """
    about = {"entrant": entrant.name} if entrant else {}
    if fixture:
        about["fixture"] = f"{fixture.number}: {fixture}"
    text, said = (reason, {}) if isinstance(reason, str) else (reason.text, reason.details)
    return StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.COMPETITION,
        reason=text[:LONGEST],
        details={
            "name": ", ".join([one.name, *about.values()]),
            "competition": one.pk,
            "arena": one.season.arena.slug,
            "arena_id": one.season.arena_id,
            **about,
            **said,
            **(details or {}),
        },
        before=before,
        after=after,
        at=now,
    )
