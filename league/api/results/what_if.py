"""The changes that each outcome of a match would make, before it is played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.arenas.views import ArenaEndpoint
from league.api.core.fields import LARGEST_ID
from league.api.core.references import players_of
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Refused
from league.services.results.forecasts import what_if
from league.services.results.rules import formats

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from league.models import Player
    from league.services.results.forecasts.outcomes import Change

LONGEST = 4_000
SIDES = re.compile(r"[0-9]{1,19}(?:[,;][0-9]{1,19})*")


class WhatIfForm(serializers.Serializer[Any]):
    """The players of a match that may be played."""

    sides = serializers.CharField(
        max_length=LONGEST,
        help_text=gettext_lazy(
            "The ids of the players: those of a side with commas, sides with semicolons. `7,8;9,12`"
        ),
    )

    first_side = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=1,
        help_text=gettext_lazy("The number of the side that is at home, from 0. None by default."),
    )

    def validate_sides(self, text: str) -> list[list[int]]:
        if not SIDES.fullmatch(text):
            message = _(
                "Write ids with commas within a side, and semicolons between sides: 7,8;9,12."
            )
            raise serializers.ValidationError(message)
        sides = [[int(number) for number in side.split(",")] for side in text.split(";")]
        for number in (number for side in sides for number in side):
            if not 1 <= number <= LARGEST_ID:
                message = _("There is no player %(id)d.")
                raise serializers.ValidationError(message % {"id": number})
        return sides


class RatingChangeSerializer(serializers.Serializer[Any]):
    """The change of a player's rating by an outcome."""

    player = serializers.IntegerField(help_text=gettext_lazy("The player's id."))
    rating_before = serializers.FloatField(help_text=gettext_lazy("The rating now."))
    rating_after = serializers.FloatField(help_text=gettext_lazy("The rating then."))
    change = serializers.FloatField(help_text=gettext_lazy("After minus before."))


class OutcomeSerializer(serializers.Serializer[Any]):
    """One way in which the match can end."""

    place = serializers.IntegerField(help_text=gettext_lazy("Of the first side, from 1."))
    drawn = serializers.BooleanField(help_text=gettext_lazy("Whether all sides tie."))
    chance = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("From 0 to 1; null for more than two sides, or if not predicted."),
    )
    changes = serializers.SerializerMethodField(help_text=gettext_lazy("Of each player."))

    @extend_schema_field(RatingChangeSerializer(many=True))
    def get_changes(self, outcome: what_if.Outcome) -> Any:
        return changes_of(outcome.changes)


class WhatIfSerializer(serializers.Serializer[Any]):
    """The odds of a match, and what each outcome would change."""

    chances = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text=gettext_lazy("Each side's chance to win, a draw as half; null if not predicted."),
    )
    outcomes = OutcomeSerializer(many=True, help_text=gettext_lazy("The ways in which it can end."))


def changes_of(changes: Mapping[int, Change]) -> list[dict[str, Any]]:
    return [
        {
            "player": player,
            "rating_before": one.rating_before,
            "rating_after": one.rating_after,
            "change": one.change,
        }
        for player, one in changes.items()
    ]


class WhatIf(ArenaEndpoint):
    serializer_class = WhatIfSerializer
    query_form = WhatIfForm

    @extend_schema(operation_id="what_if")
    def get(self, _request: Request, slug: str) -> Response:
        """Show the odds of a match in the running season, and what each outcome would change."""
        arena, now = self.arena(slug), database_now()
        season = arena.current_season(now)
        if season is None:
            raise NotFound(_("No season of %(arena)s is running.") % {"arena": arena})
        asked = self.query()
        teams = self.teams(asked["sides"])
        formats.check_first_side(len(teams), asked["first_side"])
        if not arena.sides_min <= len(teams) <= max(arena.sides_max, arena.sides_min):
            text = _("A match in %(arena)s has another number of sides.")
            raise Refused("sides", text % {"arena": arena}, field="sides")
        what_if.check_teams(arena, teams)
        lineups = [[player.pk for player in team] for team in teams]
        found = what_if.what_if(season, lineups, now, asked["first_side"])
        if found is None:
            text = _("This arena does not rate such a match.")
            raise Conflict("unrated", text, field="sides")
        return Response(self.serialize(found))

    def teams(self, sides: list[list[int]]) -> list[list[Player]]:
        """Return the players with these ids, side by side."""
        players = players_of(("sides", number) for side in sides for number in side)
        return [[players[number] for number in side] for side in sides]
