"""Offline rating: matches that the league does not store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

import ratings.registry
from league.api.core.offline import Computation, finite
from league.api.rating.offline_forms import OfflineRatingForm, SavedRatings
from league.models.explained import said
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.rating import offline
from ratings import saving
from ratings.registry import UnknownSystem
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from ratings.changes import Change, Changes, Rating
    from ratings.facade import Ratings
    from ratings.system import RatingSystem


class OfflineRatingSerializer(serializers.Serializer[Any]):
    """A player's rating after the matches."""

    player = serializers.CharField(help_text=gettext_lazy("The name of the player."))
    rating = serializers.FloatField()
    deviation = serializers.FloatField(allow_null=True)
    volatility = serializers.FloatField(allow_null=True)
    games = serializers.IntegerField()


class OfflineChangeSerializer(serializers.Serializer[Any]):
    """What a match changed for a player."""

    match = serializers.IntegerField(help_text=gettext_lazy("The number of the match, from 0."))
    player = serializers.CharField(help_text=gettext_lazy("The name of the player."))
    place = serializers.IntegerField(
        help_text=gettext_lazy("The place of the side, from 0. Equal places tie.")
    )
    rating_before = serializers.FloatField()
    rating_after = serializers.FloatField()
    deviation_before = serializers.FloatField(allow_null=True)
    deviation_after = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("The deviation after the match; null without one.")
    )
    change = serializers.FloatField(help_text=gettext_lazy("After minus before."))
    why = serializers.DictField(
        child=serializers.FloatField(allow_null=True),
        help_text=gettext_lazy("The terms of the change, as /api/v1/rating-systems/ lists them."),
    )


class RatedSerializer(serializers.Serializer[Any]):
    """Ratings after the matches of a request."""

    ratings = OfflineRatingSerializer(
        many=True, help_text=gettext_lazy("The players, in the order of their first matches.")
    )
    changes = OfflineChangeSerializer(
        many=True, help_text=gettext_lazy("The last changes, in the order of the matches.")
    )
    saved = SavedRatings(help_text=gettext_lazy("What to send as `ratings` with the next matches."))


class Rate(Computation):
    serializer_class = OfflineRatingForm

    @extend_schema(operation_id="rate", request=OfflineRatingForm, responses={200: RatedSerializer})
    def post(self, _request: Request) -> Response:
        """Rate matches that the league does not store."""
        body = self.body(OfflineRatingForm)
        rated = self.ratings_before(body)
        played = [offline.Played(**match) for match in body["matches"]]
        changes = offline.rate(rated, played)
        return Response(answer(rated, changes, body["changes"]))

    def ratings_before(self, body: Mapping[str, Any]) -> Ratings:
        """Return the ratings to go on from, which may have no players."""
        wanted = self.system_of(body)
        if "ratings" not in body:
            return offline.newcomers(cast("RatingSystem", wanted))  # the form sees to it
        sent = body["ratings"]
        system_named(sent["system"], sent["parameters"], "ratings.")
        saved = offline.going_on(sent)
        if wanted:
            exact = "parameters" in body or "arena" in body
            offline.check_same(saved, wanted, parameters=exact)
        return saved

    def system_of(self, body: Mapping[str, Any]) -> RatingSystem | None:
        """Return the system that a body names, ``None`` if it names none."""
        if "arena" in body:
            return offline.system_of(self.arena_named(body["arena"]), database_now())
        if "system" in body:
            return system_named(body["system"], body.get("parameters", {}), "")
        return None


def system_named(name: str, parameters: Mapping[str, object], path: str) -> RatingSystem:
    """Return a system that was sent. Refusals name its place, which begins with ``path``."""
    try:
        return ratings.registry.build(name, parameters)
    except UnknownSystem as error:
        raise Refused("no_system", said(error.sentence), field=f"{path}system") from None
    except ParameterError as error:
        wrong, problem = next(iter(error.problems.items()))
        raise Refused("parameter", said(problem), field=f"{path}parameters.{wrong}") from None


def answer(rated: Ratings, changes: Changes, most: int) -> dict[str, Any]:
    shown = changes[len(changes) - min(most, len(changes)) :]
    return {
        "ratings": [{"player": name, **numbers(rated[name])} for name in rated],
        "changes": [one_change(change) for change in shown],
        "saved": saving.document_of(rated.saved()),
    }


def numbers(rating: Rating) -> dict[str, Any]:
    return {
        "rating": rating.rating,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "games": rating.games,
    }


def one_change(change: Change) -> dict[str, Any]:
    return {
        "match": int(change.match_id),
        "player": change.player,
        "place": change.place,
        "rating_before": change.before.rating,
        "rating_after": change.after.rating,
        "deviation_before": change.before.deviation,
        "deviation_after": change.after.deviation,
        "change": change.change,
        "why": {each.term.name: finite(each.value) for each in change.terms},
    }
