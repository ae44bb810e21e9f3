"""The rules of an arena, for a season or the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

import ratings.registry
from league.api.arenas.serializers import (
    SeasonDivisionSerializer,
    SeasonLinkSerializer,
    set_parameters,
)
from league.api.arenas.views import ArenaEndpoint
from league.api.core.fields import LARGEST_ID
from league.api.core.throttles import COSTLY
from league.api.rating.serializers import SetParameterSerializer, SystemNameSerializer
from league.models import ArenaQueue, MapChoice
from league.services.core.clock import database_now
from league.services.dishonor import discipline
from league.services.dishonor.first_offences import first_offences
from matchmaking.matchers import MATCHERS
from ratings.seasons.rules import SEASON_RULES

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request

    from league.models import Arena, Season
    from matchmaking.rules.arena import Rules
    from ratings.seasons.rules import SeasonRules
    from ratings.tunables.parameters import Parameters

PUBLISHED = ("queue", "matcher")
LAUREL = ("queue", "laurel")
"""The groups of rules that the published matchers read, and those of Laurel's own."""


class RulesQuery(serializers.Serializer[Any]):
    """Choose the season."""

    season = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy(
            "The id of a season of the arena, by default the running or the last one."
        ),
    )


class RuleGroupSerializer(serializers.Serializer[Any]):
    """Rules that belong together."""

    name = serializers.CharField(help_text=gettext_lazy("The name of the group, such as `decay`."))
    parameters = SetParameterSerializer(
        many=True, help_text=gettext_lazy("Each rule with its meaning and its value.")
    )


class QueueRulesSerializer(serializers.Serializer[Any]):
    """Rules by which the queue of an arena makes matches."""

    matcher = serializers.ChoiceField(
        choices=list(MATCHERS), help_text=gettext_lazy("The matcher that makes the matches.")
    )
    team_size = serializers.IntegerField(help_text=gettext_lazy("Players in a team."))
    ready_window = serializers.DurationField(
        help_text=gettext_lazy("How long players have to accept a match.")
    )
    groups = RuleGroupSerializer(many=True, help_text=gettext_lazy("The rules of the matcher."))


class MapRulesSerializer(serializers.Serializer[Any]):
    """Rules by which matches that begin on this site get their map."""

    choice = serializers.ChoiceField(
        source="map_choice",
        choices=MapChoice.choices,
        help_text=gettext_lazy(
            "Whether it is drawn, left over by the captains' bans, or not chosen."
        ),
    )
    turn = serializers.DurationField(
        source="veto_turn", help_text=gettext_lazy("How long a captain has to ban a map.")
    )


class FirstOffenceSerializer(serializers.Serializer[Any]):
    """The penalty of an offence for a player without dishonor."""

    name = serializers.CharField(help_text=gettext_lazy("The offence."))
    stacks = serializers.IntegerField(help_text=gettext_lazy("Its stacks of dishonor."))
    timeout = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("The timeout in seconds; null if it does not end.")
    )


class ArenaRulesSerializer(serializers.Serializer[Any]):
    """The rules of an arena: ratings, ranks, points, queue and penalties."""

    season = SeasonLinkSerializer(
        allow_null=True,
        help_text=gettext_lazy("The season of these rules; null if they are for the next one."),
    )
    house_rules = serializers.CharField(
        help_text=gettext_lazy("The organisers' own rules, in simple Markdown; may be empty.")
    )
    rating_system = SystemNameSerializer(
        help_text=gettext_lazy("The system that rates the matches.")
    )
    rating = SetParameterSerializer(
        many=True, help_text=gettext_lazy("The parameters of the rating system.")
    )
    groups = RuleGroupSerializer(
        many=True, help_text=gettext_lazy("The rules of the season, by topic.")
    )
    divisions = SeasonDivisionSerializer(
        many=True, help_text=gettext_lazy("From the lowest to the highest.")
    )
    result_rules = SetParameterSerializer(
        many=True, help_text=gettext_lazy("Who reports, and what makes a report count.")
    )
    queue = QueueRulesSerializer(
        allow_null=True, help_text=gettext_lazy("Null if the arena has no open queue.")
    )
    maps = MapRulesSerializer(help_text=gettext_lazy("How matches get their map."))
    offences = FirstOffenceSerializer(
        many=True, help_text=gettext_lazy("What a first offence of each kind costs.")
    )


class ArenaRules(ArenaEndpoint):
    serializer_class = ArenaRulesSerializer
    query_form = RulesQuery
    throttle_classes = COSTLY

    @extend_schema(operation_id="arena_rules")
    def get(self, _request: Request, slug: str) -> Response:
        """Return the rules of an arena: the numbers behind its page “How it works”."""
        arena = self.arena(slug)
        return Response(self.serialize(rules_of(arena, self.season(arena, database_now()))))

    def season(self, arena: Arena, now: datetime) -> Season | None:
        """Return the season that was asked for. Raises ``NotFound``."""
        wanted = self.query().get("season")
        if wanted is None:
            return arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
        missing = _("There is no season %(id)d of this arena.") % {"id": wanted}
        return self.get_or_404(arena.seasons.all(), missing, pk=wanted)


def rules_of(arena: Arena, season: Season | None) -> dict[str, Any]:
    """Return the rules of a season, or of the next one."""
    if season:
        season.arena = arena
    system = season.system() if season else arena.system()
    rules = season.season_rules() if season else arena.rules()
    queue: ArenaQueue | None = getattr(arena, "queue", None)
    if not (queue and arena.is_open and queue.is_open):
        queue = None
    law, readings = discipline.in_force()
    reasons = arena.penalty_reasons.all()
    return {
        "season": season,
        "house_rules": arena.text.rules if hasattr(arena, "text") else "",
        "rating_system": ratings.registry.find(system.name),
        "rating": set_parameters(system.parameters),
        "groups": [group(name, parameters_of(rules, name)) for name in SEASON_RULES],
        "divisions": rules.divisions.divisions,
        "result_rules": set_parameters(arena.result_settings()),
        "queue": queue and queue_rules(queue),
        "maps": arena,
        "offences": [
            one._asdict() for one in first_offences(reasons, law, readings, queues=bool(queue))
        ],
    }


def group(name: str, parameters: Parameters) -> dict[str, Any]:
    return {"name": name, "parameters": set_parameters(parameters)}


def parameters_of(rules: SeasonRules, name: str) -> Parameters:
    """Return a group of the rules of a season."""
    if name == "cuts":
        return rules.divisions.cuts
    parameters: Parameters = rules.points.ladder if name == "points" else getattr(rules, name)
    return parameters


def queue_rules(queue: ArenaQueue) -> dict[str, Any]:
    rules: Rules = queue.matching()
    names = LAUREL if queue.matcher == ArenaQueue.Matcher.LAUREL else PUBLISHED
    return {
        "matcher": queue.matcher,
        "team_size": rules.team_size,
        "ready_window": queue.ready_window,
        "groups": [group(name, getattr(rules, name)) for name in names],
    }
