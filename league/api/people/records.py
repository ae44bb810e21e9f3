"""A player's records in a season."""

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
)
from league.api.core.throttles import COSTLY
from league.api.people.views import PlayerEndpoint
from league.services.competitions.trophies import trophies_of
from league.services.privacy.reading import check_reads_history
from league.services.results.records import player_records
from league.services.results.records.histories import history_of
from league.services.results.records.profiles import seasons_played
from league.services.seasons.archives import awards_of

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Player
    from league.services.results.records.histories import History
    from league.services.results.records.profiles import SeasonPlayed

KINDS = ["side", "mode", "map", "profession"]


class SeasonPlayedForm(serializers.Serializer[Any]):
    """A choice of one season."""

    season = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The id of a season, by default the one that was played last."),
    )


class RecordSerializer(serializers.Serializer[Any]):
    """Rated matches by outcome."""

    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()


class BestSerializer(serializers.Serializer[Any]):
    """The best rating that a player has had."""

    match = serializers.IntegerField(source="match_id")
    played_at = serializers.DateTimeField()
    rating = serializers.FloatField()
    shown = serializers.FloatField(help_text=SHOWN)


class RunSerializer(serializers.Serializer[Any]):
    """Consecutive matches."""

    matches = serializers.IntegerField(source="count", help_text=gettext_lazy("How many."))
    first_match = serializers.IntegerField(
        source="first.match_id", help_text=gettext_lazy("The id of the first match.")
    )
    first_at = serializers.DateTimeField(
        source="first.played_at", help_text=gettext_lazy("When it was played.")
    )
    last_match = serializers.IntegerField(
        source="last.match_id", help_text=gettext_lazy("The id of the last match.")
    )
    last_at = serializers.DateTimeField(
        source="last.played_at", help_text=gettext_lazy("When it was played.")
    )


class UpsetSerializer(serializers.Serializer[Any]):
    """A win against the strongest opposition."""

    match = serializers.IntegerField(source="match.match_id")
    played_at = serializers.DateTimeField(source="match.played_at")
    ahead = serializers.FloatField(
        help_text=gettext_lazy("How far the other side was ahead, in rating points or ranks.")
    )


class RivalSerializer(serializers.Serializer[Any]):
    """The record against an opponent."""

    player = PlayerLinkSerializer()
    record = RecordSerializer(help_text=gettext_lazy("By whose side placed better."))


class PartSerializer(serializers.Serializer[Any]):
    """Results in one kind of matches."""

    name = serializers.CharField()
    record = RecordSerializer(help_text=gettext_lazy("These matches by outcome."))
    change = serializers.FloatField(
        help_text=gettext_lazy("The total change of the rating by these matches.")
    )


class BreakdownSerializer(serializers.Serializer[Any]):
    """Results, grouped by one property of the matches."""

    kind = serializers.ChoiceField(choices=KINDS)
    parts = PartSerializer(many=True, help_text=gettext_lazy("Those with most matches first."))


class TrophySerializer(serializers.Serializer[Any]):
    """A place that was won in a competition."""

    competition = serializers.IntegerField(
        source="competition_id", help_text=gettext_lazy("The id of the competition.")
    )
    name = serializers.CharField(source="competition.name")
    place = serializers.IntegerField(help_text=gettext_lazy("From 1 to 3."))


class WonAwardSerializer(serializers.Serializer[Any]):
    """An award of a season."""

    season = PlayedSeasonSerializer()
    kind = serializers.CharField(help_text=gettext_lazy("What the award is for."))
    value = serializers.FloatField(
        help_text=gettext_lazy(
            "The rank, the rating gained, the matches won in a row, or the matches played."
        )
    )


class RecordsSerializer(serializers.Serializer[Any]):
    """A player's records in a season."""

    season = PlayedSeasonSerializer()
    arena = ArenaLinkSerializer()
    best = BestSerializer(
        allow_null=True, help_text=gettext_lazy("The best rating; null before a match.")
    )
    winning = RunSerializer(
        allow_null=True, help_text=gettext_lazy("The longest winning streak; null without a win.")
    )
    unbeaten = RunSerializer(
        allow_null=True,
        help_text=gettext_lazy("The longest run without a loss; null where nobody draws."),
    )
    upset = UpsetSerializer(
        allow_null=True, help_text=gettext_lazy("The biggest upset; null without one.")
    )
    most_met = RivalSerializer(many=True, help_text=gettext_lazy("The most frequent opponents."))
    closest = RivalSerializer(
        many=True, help_text=gettext_lazy("The rivals with the most even records.")
    )
    breakdowns = BreakdownSerializer(
        many=True, help_text=gettext_lazy("Results by side, game mode, map and profession.")
    )
    awards = WonAwardSerializer(
        many=True, help_text=gettext_lazy("Of all seasons, the latest first.")
    )
    trophies = TrophySerializer(
        many=True, help_text=gettext_lazy("Of all competitions, the latest first.")
    )


class PlayerRecords(PlayerEndpoint):
    serializer_class = RecordsSerializer
    query_form = SeasonPlayedForm
    throttle_classes = COSTLY

    @extend_schema(operation_id="player_records")
    def get(self, request: Request, pk: int) -> Response:
        """Show a player's streaks, upsets, rivals and results by kind in a season.

        Refused if the player hides their match history from you.
        """
        person = self.player_or_404(pk)
        chosen = chosen_season(person, self.query().get("season"))
        check_reads_history(chosen.player, request.user, chosen.season)
        found = records_of(history_of(chosen.season, chosen.player))
        found |= {"awards": awards_of(person), "trophies": trophies_of(person)}
        return Response(self.serialize(found))


def chosen_season(person: Player, wanted: int | None) -> SeasonPlayed:
    """Return a season of a person. Raises ``NotFound``."""
    seasons = seasons_played(person)
    own_first = sorted(seasons, key=lambda one: one.player != person)
    found = next((one for one in own_first if wanted in {None, one.season.pk}), None)
    if found is None:
        raise NotFound(_("%(player)s has not played in such a season.") % {"player": person})
    return found


def records_of(history: History) -> dict[str, Any]:
    """Return what a history says of a player's season."""
    season, played, best = history.season, history.played, history.best
    rivals = player_records.rivals_of(season, history.player)
    return {
        "season": season,
        "arena": season.arena,
        "best": best and best._asdict() | {"shown": season.shows.show(best.rating)},
        "winning": player_records.longest(played, "win"),
        "unbeaten": player_records.unbeaten_run(season, played),
        "upset": player_records.biggest_upset(played, lowest_first=season.lowest_first),
        "most_met": player_records.with_players(rivals.most_met),
        "closest": player_records.with_players(rivals.closest),
        "breakdowns": player_records.breakdowns(season.arena.sides_max, played),
    }
