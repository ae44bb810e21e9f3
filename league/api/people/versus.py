"""Players against each other, and their ratings side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.core.fields import LARGEST_ID
from league.api.core.references import (
    SHOWN,
    ArenaLinkSerializer,
    PlayedSeasonSerializer,
    PlayerLinkSerializer,
    players_of,
)
from league.api.core.throttles import COSTLY
from league.api.people.records import RecordSerializer, SeasonPlayedForm
from league.api.people.views import PlayerEndpoint
from league.models import Player
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.privacy.reading import (
    check_reads_history,
    hides_curve,
    reads_history,
    reads_meetings,
)
from league.services.results.forecasts.stakes import duel_now
from league.services.results.records import encounters, profiles
from league.services.results.records.histories import histories_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rest_framework.request import Request

    from league.models import Season
    from league.services.results.records.histories import History

OUTCOMES = ["win", "draw", "loss"]
MOST_COMPARED = 6
MOST_LISTED = 200


class SeasonMetSerializer(serializers.Serializer[Any]):
    """A season in which two people met."""

    season = PlayedSeasonSerializer()
    arena = ArenaLinkSerializer(source="season.arena")
    record = RecordSerializer(help_text=gettext_lazy("The first player’s."))


class EncounterSerializer(serializers.Serializer[Any]):
    """A rated match in which two people played against each other."""

    match = serializers.IntegerField(source="match_id")
    season = serializers.IntegerField(
        source="season_id", help_text=gettext_lazy("The id of its season.")
    )
    played_at = serializers.DateTimeField()
    outcome = serializers.ChoiceField(
        choices=OUTCOMES, help_text=gettext_lazy("How it ended for the first player.")
    )


class AgainstSerializer(serializers.Serializer[Any]):
    """Two people’s matches against each other."""

    player = PlayerLinkSerializer(help_text=gettext_lazy("The first player."))
    other = PlayerLinkSerializer(help_text=gettext_lazy("The second player."))
    record = RecordSerializer(help_text=gettext_lazy("The first player’s, in all seasons."))
    chance = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy(
            "The first player’s chance if they played now; null where they cannot."
        ),
    )
    seasons = SeasonMetSerializer(
        many=True, help_text=gettext_lazy("Where they met, the latest first.")
    )
    encounters = EncounterSerializer(
        many=True, help_text=gettext_lazy("The latest 200 matches, the latest first.")
    )


class CompareForm(SeasonPlayedForm):
    """With whom to compare."""

    others = serializers.CharField(
        max_length=120,
        help_text=gettext_lazy("The ids of up to five other players, with commas: `7,8`."),
    )

    def validate_others(self, text: str) -> list[int]:
        written = [one.strip() for one in text.split(",")]
        if not all(one.isascii() and one.isdecimal() for one in written):
            raise serializers.ValidationError(_("Write ids with commas: 7,8."))
        numbers = list(dict.fromkeys(int(one) for one in written))
        if len(numbers) >= MOST_COMPARED:
            text = _("You named %(count)d players. Name at most %(most)d.")
            counts = {"count": len(numbers), "most": MOST_COMPARED - 1}
            raise serializers.ValidationError(text % counts)
        if not all(1 <= number <= LARGEST_ID for number in numbers):
            raise serializers.ValidationError(_("Write ids with commas: 7,8."))
        return numbers


class CurvePointSerializer(serializers.Serializer[Any]):
    """A rating after a match."""

    played_at = serializers.DateTimeField()
    rating = serializers.FloatField()
    shown = serializers.FloatField(help_text=SHOWN)


class CurveSerializer(serializers.Serializer[Any]):
    """A player's rating over a season."""

    player = PlayerLinkSerializer()
    points = CurvePointSerializer(
        many=True, help_text=gettext_lazy("After each rated match, oldest first.")
    )


class ComparisonSerializer(serializers.Serializer[Any]):
    """The ratings of several players over a season."""

    season = PlayedSeasonSerializer()
    arena = ArenaLinkSerializer()
    curves = CurveSerializer(
        many=True, help_text=gettext_lazy("Of each player, in the order of the request.")
    )


class Against(PlayerEndpoint):
    serializer_class = AgainstSerializer
    query_form = SeasonPlayedForm
    throttle_classes = COSTLY

    @extend_schema(operation_id="player_against")
    def get(self, request: Request, pk: int, other: int) -> Response:
        """Show two people's matches against each other, and the odds if they played now.

        Only they and staff see them if one of them hides their match history. The odds are those
        of the season asked for, by default of the one in which they last met.
        """
        one, whom = self.player_or_404(pk), self.other_or_404(other)
        if one == whom:
            raise Refused("self", _("Choose two different players."))
        if not reads_meetings(one, whom, request.user):
            for player in (one, whom):
                check_reads_history(player, request.user)
        met = encounters.encounters(one, whom)
        seasons = encounters.seasons_met(met)
        season = self.season_among([played.season for played in seasons], one, whom)
        stakes = duel_now(season, one, whom, database_now()) if season else None
        shown = {
            "player": one,
            "other": whom,
            "record": encounters.record_of(met),
            "chance": stakes.chance if stakes else None,
            "seasons": seasons,
            "encounters": met[: -MOST_LISTED - 1 : -1],
        }
        return Response(self.serialize(shown))

    def other_or_404(self, pk: int) -> Player:
        """Return the second player, or the one they were merged into."""
        missing = _("There is no player %(id)d.") % {"id": pk}
        found = self.get_or_404(Player.ever.select_related("merged_into"), missing, pk=pk)
        return found.merged_into or found

    def season_among(self, met: Sequence[Season], one: Player, other: Player) -> Season | None:
        """Return the season asked for, else where two people last met, else one both played."""
        seasons = met or encounters.shared_seasons(one, other)
        wanted = self.query().get("season")
        if wanted is None:
            return seasons[0] if seasons else None
        found = next((season for season in seasons if season.pk == wanted), None)
        if found is None:
            raise NotFound(_("They have not met in season %(id)d.") % {"id": wanted})
        return found


class Compare(PlayerEndpoint):
    serializer_class = ComparisonSerializer
    query_form = CompareForm
    throttle_classes = COSTLY

    @extend_schema(operation_id="compare_players")
    def get(self, request: Request, pk: int) -> Response:
        """Compare a player's ratings over a season with those of up to five others.

        Refused if one of them hides their match history from you.
        """
        one, asked = self.player_or_404(pk), self.query()
        named = players_of(("others", number) for number in asked["others"])
        people = [one, *(named[number] for number in asked["others"] if number != pk)]
        season = self.season_of(one, asked.get("season"))
        for player in people:
            if not reads_history(player, request.user, season):
                raise hides_curve(player)
        histories = histories_of(season, people)
        shown = {
            "season": season,
            "arena": season.arena,
            "curves": [
                curve_of(player, found) for player, found in zip(people, histories, strict=True)
            ],
        }
        return Response(self.serialize(shown))

    def season_of(self, one: Player, wanted: int | None) -> Season:
        """Return a season of a player, by default their last. Raises ``NotFound``."""
        for played in profiles.seasons_played(one):
            if played.player == one and wanted in {None, played.season.pk}:
                return played.season
        raise NotFound(_("%(player)s has not played in such a season.") % {"player": one})


def curve_of(player: Player, history: History) -> dict[str, Any]:
    shows = history.season.shows
    points = [
        {"played_at": one.played_at, "rating": one.rating, "shown": shows.show(one.rating)}
        for one in history.points
    ]
    return {"player": player, "points": points}
