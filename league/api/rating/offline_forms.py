"""What offline rating takes: matches, and the ratings to go on from."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import Choice, Moment, Number, Strict, Text, Whole
from league.api.core.offline import name_field, only_one, wrong_at
from league.services.core.offline_limits import (
    CHANGES,
    LONGEST_NAME,
    MATCHES,
    MEMORY,
    MEMORY_OF_ALL,
    PLAYERS,
    SEATS,
    SEATS_OF_MATCH,
)
from ratings.matches import LARGEST_WEIGHT
from ratings.saving import FORMAT, VERSION

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EARLIEST = (datetime.min.replace(tzinfo=UTC) - EPOCH) // MICROSECOND
LATEST = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MICROSECOND
LARGEST = 1e9
"""The largest rank, score and saved number."""
USUAL_CHANGES = 100
INFINITE = {"inf": math.inf, "-inf": -math.inf}


def a_number(**options: Any) -> Number:
    return Number(min_value=-LARGEST, max_value=LARGEST, **options)


class OfflineMatch(Strict):
    """A match between players with any names."""

    sides = serializers.ListField(
        child=serializers.ListField(child=name_field(), min_length=1, max_length=SEATS_OF_MATCH),
        min_length=2,
        max_length=SEATS_OF_MATCH,
        help_text=gettext_lazy("The names of the players of each side. The best side comes first."),
    )
    ranks = serializers.ListField(
        child=a_number(),
        required=False,
        help_text=gettext_lazy("A rank for each side. The lowest is the best; equal ranks tie."),
    )
    scores = serializers.ListField(
        child=a_number(),
        required=False,
        help_text=gettext_lazy("The points of each side. Without ranks, the most points win."),
    )
    at = Moment(
        required=False,
        help_text=gettext_lazy("When it was played. Either all matches have a time or none."),
    )
    weight = Number(
        required=False,
        min_value=1e-9,
        max_value=LARGEST_WEIGHT,
        help_text=gettext_lazy("How much the match counts, 1 for most."),
    )
    first = Whole(
        required=False,
        min_value=0,
        max_value=1,
        help_text=gettext_lazy("The number of the side at home, or with White, from 0."),
    )

    def validate(self, attrs: Any) -> Any:
        sides = attrs["sides"]
        check_once(sides)
        for name in ("ranks", "scores"):
            if name in attrs and len(attrs[name]) != len(sides):
                text = _("There are %(sides)d sides and %(count)d values.")
                values = {"sides": len(sides), "count": len(attrs[name])}
                raise wrong_at(text % values, name)
        if "first" in attrs and len(sides) > 2:
            text = _("Only matches of two sides have a first one.")
            raise wrong_at(text, "first")
        return attrs


def check_once(sides: list[list[str]]) -> None:
    """Refuse a player who is named twice in a match, and too many players."""
    seen: set[str] = set()
    for number, side in enumerate(sides):
        for place, name in enumerate(side):
            if name in seen:
                text = _("This player is named twice.")
                raise wrong_at(text, "sides", number, place)
            seen.add(name)
    if len(seen) > SEATS_OF_MATCH:
        text = _("A match has at most %(most)d players here.")
        raise wrong_at(text % {"most": SEATS_OF_MATCH}, "sides")


@extend_schema_field(
    {
        "oneOf": [
            {"type": "number", "minimum": -LARGEST, "maximum": LARGEST},
            {"type": "string", "enum": [*INFINITE]},
        ]
    }
)
class Kept(Number):
    """A number as ratings are saved: infinities are text."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and data in INFINITE:
            return data
        number = super().to_internal_value(data)
        if abs(number) > LARGEST:
            raise serializers.ValidationError(_("This number is too large."))
        return number


def column(child: serializers.Field[Any, Any, Any, Any], words: Any) -> serializers.ListField:
    return serializers.ListField(child=child, max_length=PLAYERS, help_text=words)


class SavedRatings(Strict):
    """Ratings as the library saves them, exact to the last bit."""

    format = Choice(choices=[FORMAT], help_text=gettext_lazy("The name of the format."))
    version = Whole(
        min_value=VERSION, max_value=VERSION, help_text=gettext_lazy("The version of the format.")
    )
    system = Text(max_length=LONGEST_NAME, help_text=gettext_lazy("The name of the rating system."))
    parameters = serializers.DictField(help_text=gettext_lazy("The parameters of the system."))
    matches = Whole(
        min_value=0, max_value=2**53, help_text=gettext_lazy("How many matches were rated.")
    )
    latest = Whole(
        allow_null=True,
        min_value=EARLIEST,
        max_value=LATEST,
        help_text=gettext_lazy(
            "Microseconds since 1970 of the last match; 0 if matches have no times, and null "
            "before the first."
        ),
    )
    players = column(name_field(), gettext_lazy("The names of the players."))
    games = column(Whole(min_value=0, max_value=2**53), gettext_lazy("The games of each player."))
    last_played = column(
        Whole(allow_null=True, min_value=EARLIEST, max_value=LATEST),
        gettext_lazy("Microseconds since 1970 of each player's last match; null without one."),
    )
    rating = column(a_number(), gettext_lazy("The rating of each player."))
    deviation = column(
        Number(allow_null=True, min_value=0, max_value=LARGEST),
        gettext_lazy("The deviation of each player; null if the system has none."),
    )
    volatility = column(
        Number(allow_null=True, min_value=0, max_value=LARGEST),
        gettext_lazy("The volatility of each player; null if the system has none."),
    )
    memory_width = Whole(
        min_value=0,
        max_value=MEMORY,
        help_text=gettext_lazy("The most numbers in a row of the memory."),
    )
    memory = column(
        serializers.ListField(child=Kept(allow_null=True), max_length=MEMORY),
        gettext_lazy("What else the system keeps of each player."),
    )

    def validate(self, attrs: Any) -> Any:
        count = len(attrs["players"])
        for name in ("games", "last_played", "rating", "deviation", "volatility", "memory"):
            if len(attrs[name]) != count:
                text = _("There are %(players)d players and %(count)d values.")
                values = {"players": count, "count": len(attrs[name])}
                raise wrong_at(text % values, name)
        if sum(map(len, attrs["memory"])) > MEMORY_OF_ALL:
            text = _("The memory has more than %(most)d numbers.")
            raise wrong_at(text % {"most": MEMORY_OF_ALL}, "memory")
        for row, kept in enumerate(attrs["memory"]):
            if len(kept) > attrs["memory_width"]:
                text = _("There are more numbers than memory_width says.")
                raise wrong_at(text, "memory", row, attrs["memory_width"])
        seen: set[str] = set()
        for row, name in enumerate(attrs["players"]):
            if name in seen:
                text = _("This player is named twice.")
                raise wrong_at(text, "players", row)
            seen.add(name)
        return attrs


class OfflineRatingForm(Strict):
    """Matches to rate, and the system or arena by whose rules."""

    system = Text(
        required=False,
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("The rating system, as in /api/v1/rating-systems/."),
    )
    parameters = serializers.DictField(
        required=False, help_text=gettext_lazy("Its parameters that are not the defaults.")
    )
    arena = Text(
        required=False,
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("The slug of an arena, in place of a system: its rules of today."),
    )
    ratings = SavedRatings(
        required=False,
        help_text=gettext_lazy("Saved ratings to go on from; their system is used."),
    )
    matches = serializers.ListField(
        child=OfflineMatch(),
        max_length=MATCHES,
        help_text=gettext_lazy("The matches, the oldest first."),
    )
    changes = Whole(
        required=False,
        min_value=0,
        max_value=CHANGES,
        default=USUAL_CHANGES,
        help_text=gettext_lazy("How many of the last changes to show."),
    )

    def validate(self, attrs: Any) -> Any:
        only_one(attrs, ["system", "arena"])
        if "parameters" in attrs and "system" not in attrs:
            text = _("Parameters need a system.")
            raise wrong_at(text, "parameters")
        if not {"system", "arena", "ratings"} & attrs.keys():
            text = _("Name a rating system or an arena, or send saved ratings.")
            raise wrong_at(text, "system")
        seats = sum(len(side) for match in attrs["matches"] for side in match["sides"])
        if seats > SEATS:
            text = _("These matches have %(count)d players in all. The most are %(most)d.")
            values = {"count": seats, "most": SEATS}
            raise wrong_at(text % values, "matches")
        return attrs
