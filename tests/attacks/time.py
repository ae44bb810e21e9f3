"""Time for attacks: everything in an arena can have happened earlier."""

from datetime import timedelta
from typing import Any

from django.db import connections, transaction
from django.db.models import DateTimeField, F, Model, QuerySet

from embedded.postgres import SUPERUSER
from league.models import (
    Arena,
    Confirmation,
    DivisionChange,
    Flag,
    Match,
    Participant,
    Rating,
    RatingEvent,
    Season,
    Settlement,
    Side,
)
from league.services.standings.connections import LOCK


def passes(arena: Arena, time: timedelta) -> None:
    """Let all that happened in an arena have happened so much earlier, as if ``time`` had passed.

    Imported matches keep their time, so none of their players may have played since.

    Rating events are append-only. As a replica, a session fires no triggers, and unlike disabling
    them this waits for no other transaction. Ratings come first, with the triggers that tell the
    standings.
    """
    database = as_superuser()
    season = Season.objects.get(arena=arena)
    with transaction.atomic(database), connections[database].cursor() as cursor:
        cursor.execute(LOCK, [season.pk])
        Season.objects.using(database).select_for_update().get(pk=season.pk)
        matches = Match.objects.using(database).filter(season=season)
        matches = matches.exclude(settlement=Settlement.IMPORT)
        played = Participant.objects.using(database).filter(match__in=matches)
        shift(database, Rating, time, season=season, player__in=played.values("player"))
        cursor.execute("SET LOCAL session_replication_role = replica")
        for of_match in (RatingEvent, Side, Confirmation):
            shift(database, of_match, time, match__in=matches)
        for of_season in (DivisionChange, Flag):
            shift(database, of_season, time, season=season)
        shift(database, Season, time, pk=season.pk)
        shift(database, Match, time, pk__in=matches.values("pk"))


def as_superuser() -> str:
    """Return the alias of a connection that may choose whether triggers fire."""
    if "superuser" not in connections.databases:
        connections.databases["superuser"] = connections.databases["default"] | {"USER": SUPERUSER}
    return "superuser"


def shift(database: str, model: type[Model], time: timedelta, **rows: Any) -> None:
    """Move all times in some rows of a model."""
    times = [f.name for f in model._meta.concrete_fields if isinstance(f, DateTimeField)]
    earlier = {name: F(name) - time for name in times}
    QuerySet[Any](model, using=database).filter(**rows).update(**earlier)
