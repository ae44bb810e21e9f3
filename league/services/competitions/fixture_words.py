"""For which fixture a match counts, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arrangement, Competition, Fixture, FixtureGame, Round
from league.services.competitions.running.bracket_names import name_of, names_of
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

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


def name_round(found: Mapping[str, Any] | None) -> str:
    """Return the name of a round that was read by ``round_through``, empty without one."""
    if not found or found["competition"] is None:
        return ""
    round_ = Round(stage=found["stage"], number=found["number"])
    double = found["format"] == Competition.Format.DOUBLE
    return name_of(round_, found["last"], double=double, short=False)
