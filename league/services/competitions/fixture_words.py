"""For which fixture a match counts, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arrangement, Fixture, FixtureGame
from league.services.competitions.running.bracket_names import names_of
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Match


def fixture_of(match: Match) -> Fixture | None:
    """Return the fixture of a match that was loaded with its date."""
    one = getattr(match, "arrangement", None)
    game = getattr(one, "game", None)
    return game.fixture if game else None


def describe_arrangement(one: Arrangement) -> str:
    """Return the competition and the round of a date."""
    return round_in_words(one.game.fixture)


def round_in_words(fixture: Fixture) -> str:
    """Return the competition and the round of a fixture."""
    names = names_of(fixture.competition, fixture.competition.rounds.all())
    return _("%(competition)s, %(round)s") % {
        "competition": fixture.competition,
        "round": names[fixture.round_id],
    }


def words_of(matches: Iterable[int]) -> dict[int, str]:
    """Return what matches count for in words, by id. Others are missing."""
    games = FixtureGame.objects.filter(arrangement__match__in=list(matches))
    rows = games.select_related("arrangement", "fixture__competition", "fixture__round")
    return {
        game.arrangement.match_id: round_in_words(game.fixture)
        for game in rows
        if game.arrangement.match_id is not None
    }
