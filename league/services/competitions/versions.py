"""The versions of everything that pages of competitions show, in one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db import connection

from league.services.competitions.chances import version_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Competition

VERSIONS = """
    SELECT competition.id, md5(concat_ws('|',
        concat(competition.xmin, competition.ctid),
        (SELECT string_agg(concat(xmin, ctid), ',' ORDER BY id)
            FROM league_entrant WHERE competition_id = competition.id),
        (SELECT string_agg(profile.picture, ',' ORDER BY entrant.id)
            FROM league_entrant AS entrant
            JOIN league_profile AS profile ON profile.player_id = entrant.player_id
            WHERE entrant.competition_id = competition.id),
        (SELECT string_agg(concat(xmin, ctid), ',' ORDER BY id)
            FROM league_round WHERE competition_id = competition.id),
        (SELECT string_agg(concat(xmin, ctid), ',' ORDER BY id)
            FROM league_fixture WHERE competition_id = competition.id),
        (SELECT string_agg(
                concat(date.xmin, date.ctid, match.xmin, match.ctid), ',' ORDER BY date.id)
            FROM league_fixture AS fixture
            JOIN league_fixturegame AS game ON game.fixture_id = fixture.id
            JOIN league_arrangement AS date ON date.id = game.arrangement_id
            LEFT JOIN league_match AS match ON match.id = date.match_id
            WHERE fixture.competition_id = competition.id)))
    FROM league_competition AS competition WHERE competition.id = ANY(%(ids)s)
"""
"""The place and the transaction of a row, which change with every update of it."""


def version_of(one: Competition) -> tuple[str, str]:
    """Return the version of a competition's rows and matches, and that of its chances."""
    return versions_of([one.pk]).get(one.pk, ""), cache.get(version_key(one), "")


def versions_of(competitions: Iterable[int]) -> dict[int, str]:
    """Return the versions of the rows and matches of competitions by id."""
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS, {"ids": list(competitions)})
        return dict(cursor.fetchall())
