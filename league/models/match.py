"""Matches, their sides and participants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.match_states import OPEN, Agreement, Settlement, Status
from league.models.name_lists import MODES, REGIONS
from league.models.player import Player
from league.models.roster import Roster
from league.models.season import Season
from league.models.words import Line, Words

if TYPE_CHECKING:
    from datetime import datetime


LONGEST_MATCH_SECONDS = 7 * 86_400
"""The longest time that a player can have played in a match."""


class MatchQuerySet(models.QuerySet["Match"]):
    def rated(self) -> MatchQuerySet:
        return self.filter(status=Status.RATED)

    def open(self) -> MatchQuerySet:
        return self.filter(status__in=OPEN)

    def awaiting(self, player: Player) -> MatchQuerySet:
        """Reports that wait for ``player``'s answer as the captain of another side."""
        led = Side.objects.filter(match=OuterRef("pk"), captain=player)
        reported = Q(index=OuterRef("reported_by_side"))
        return self.filter(
            Exists(led.exclude(reported)),
            ~Exists(led.filter(reported | Q(confirmation__isnull=False))),
            status=Status.REPORTED,
        )

    def lapsed(self, player: Player, since: datetime) -> MatchQuerySet:
        """Reports about ``player`` that nobody confirmed in time."""
        return self.filter(
            participants__player=player, settlement=Settlement.LAPSED, settled_at__gte=since
        )

    def games(self) -> MatchQuerySet:
        return self.filter(kind=Match.Kind.GAME)

    def unplayed(self) -> MatchQuerySet:
        """Forfeits and decay steps."""
        return self.exclude(kind=Match.Kind.GAME)

    def expired(self, now: datetime) -> MatchQuerySet:
        """Reports whose confirmation window has passed."""
        waiting = self.filter(status=Status.REPORTED, confirm_deadline__lte=now)
        return waiting.filter(season__archived_at=None)

    def late(self) -> MatchQuerySet:
        """Matches that were not settled when their season was archived."""
        return self.open().filter(season__archived_at__isnull=False)


class Match(models.Model):
    """A match in an arena, from its start or report to rated or void."""

    class Kind(models.TextChoices):
        """The nature of a match. Only games are played; the others just change ratings."""

        GAME = "game", _("game")
        FORFEIT = "forfeit", _("ranks lost for a refused challenge")
        DECAY = "decay", _("rating decay of inactive players")

    arena = models.ForeignKey(
        Arena, on_delete=models.PROTECT, related_name="matches", db_index=False
    )
    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="matches", db_index=False
    )
    status = models.CharField(_("status"), max_length=10, choices=Status.choices)
    played_at = models.DateTimeField(_("played"))
    weight = models.FloatField(_("weight"), default=1.0)
    contest_weight = models.FloatField(_("contest weight"), default=1.0, db_default=1.0)
    """The weight before other rules: 2 for a match that says as much as two others."""
    one_sided = models.FloatField(null=True, editable=False)
    """The factor of the weight for the winner's earlier wins over the same opponents, if any."""
    forecast = ArrayField(models.FloatField(), null=True, editable=False)
    """Each side's predicted chance to win, with draws shared: by the ready check if there was one,
    otherwise when it was settled. Pages show it, and ladder points go by it."""
    mode = models.CharField(
        _("game mode"), max_length=MODES.longest, default="", db_default="", blank=True
    )
    """One of its arena's modes at the time, empty if the arena had none."""
    mode_fixed = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether the mode was named before the match was played, so that no captain changes it."""
    region = models.CharField(
        _("region"), max_length=REGIONS.longest, default="", db_default="", blank=True
    )
    """The region of a match from a queue, empty in an arena without regions."""
    perf_ceiling = models.FloatField(
        _("performance ceiling"),
        null=True,
        blank=True,
        help_text=_("The best performance that the match can show. Leave empty for no limit."),
    )
    first_side = models.PositiveSmallIntegerField(
        _("first side"),
        null=True,
        blank=True,
        choices=[(0, _("the side listed first")), (1, _("the side listed second"))],
        help_text=_("The side at home, with White or to serve. Empty on neutral ground."),
    )
    information = models.JSONField(
        _("information"),
        default=dict,
        blank=True,
        help_text=_("Other information about the match, such as the tournament."),
    )
    external_id = models.CharField(  # noqa: DJ001 - null for none: unique only where given
        _("id at its source"),
        max_length=200,
        null=True,
        blank=True,
    )
    client_token = models.UUIDField(null=True, unique=True, editable=False)
    lineup = models.UUIDField(null=True, editable=False)
    """A digest of the players of each side, the same in any order."""
    result_digest = models.UUIDField(null=True, editable=False)
    """A digest of the line-up with the places and scores as last reported."""
    report_digest = models.UUIDField(null=True, editable=False)
    """A digest of everything in the first report."""
    began_live = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether it was live before its report, so that a report cannot be withdrawn."""
    revision = models.PositiveSmallIntegerField(
        _("revision"),
        default=1,
        db_default=1,
        editable=False,
        help_text=_("How often the result was reported and changed. Answers name it."),
    )
    kind = models.CharField(
        max_length=10,
        choices=Kind.choices,
        default=Kind.GAME,
        db_default=Kind.GAME,
        editable=False,
    )
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("started by"),
        on_delete=models.PROTECT,
        related_name="matches_started",
        null=True,
        blank=True,
        db_index=False,
    )
    """The game server's account, which may then report the result."""
    event_count = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    """The number of single events that its game server has sent (:class:`MatchEvent`)."""
    reported_at = models.DateTimeField(_("reported"), null=True, blank=True)
    reported_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        related_name="matches_reported",
        null=True,
        blank=True,
        db_index=False,
    )
    reported_by_side = models.PositiveSmallIntegerField(null=True, blank=True)
    reported_from = models.UUIDField(null=True, editable=False)
    """A keyed hash of the address that the report came from. It is cleared after some weeks, and so
    are those of answers."""
    confirm_deadline = models.DateTimeField(_("confirm by"), null=True, blank=True)
    disputed_at = models.DateTimeField(_("disputed"), null=True, blank=True)
    disputed_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        related_name="matches_disputed",
        null=True,
        blank=True,
        db_index=False,
    )
    dispute_reason = Words(_("objection"), blank=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settlement = models.CharField(
        _("settled by"), max_length=10, choices=Settlement.choices, blank=True
    )
    confirmed_by = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        related_name="matches_confirmed",
        null=True,
        blank=True,
        db_index=False,
    )
    confirmed_by_side = models.PositiveSmallIntegerField(null=True, blank=True)
    confirmed_from = models.UUIDField(null=True, editable=False)
    rated_order = models.BigIntegerField(
        null=True,
        unique=True,
        editable=False,
        help_text=_("The order in which results were rated, and are replayed."),
    )

    objects = MatchQuerySet.as_manager()

    class Meta:
        ordering = ["-played_at", "-id"]
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [
            models.Index(fields=["arena", "-played_at", "-id"], name="match_recent"),
            models.Index(fields=["-played_at", "-id"], name="match_latest"),
            models.Index(
                fields=["arena", "mode", "-played_at", "-id"],
                condition=~Q(mode=""),
                name="match_of_mode",
            ),
            models.Index(fields=["id"], condition=Q(status__in=OPEN), name="match_open"),
            models.Index(fields=["season", "rated_order"], name="match_replay"),
            models.Index(fields=["season"], condition=~Q(kind="game"), name="match_unplayed"),
            models.Index(
                fields=["confirm_deadline"], condition=Q(status="reported"), name="match_expiring"
            ),
            models.Index(
                fields=["arena", "lineup"], condition=Q(status="reported"), name="match_same_game"
            ),
            models.Index(
                fields=["reported_by", "-reported_at"],
                condition=Q(reported_by__isnull=False),
                name="match_by_reporter",
            ),
            models.Index(
                fields=["reported_by"], condition=Q(status="reported"), name="match_open_reports"
            ),
            *(
                models.Index(
                    fields=[name], condition=Q(**{f"{name}__isnull": False}), name=f"match_{name}"
                )
                for name in ("started_by", "disputed_by", "confirmed_by")
            ),
            models.Index(
                fields=["reported_at"],
                condition=Q(reported_from__isnull=False),
                name="match_with_address",
            ),
            models.Index(
                fields=["reported_from"],
                condition=Q(reported_from__isnull=False),
                name="match_by_address",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "external_id"], name="match_once_from_its_source"
            ),
            models.CheckConstraint(
                condition=Q(first_side=None) | Q(first_side__lte=1), name="match_first_side_is_one"
            ),
            models.CheckConstraint(
                condition=~Q(confirmed_by_side=F("reported_by_side")),
                name="match_confirmed_by_another_side",
            ),
            models.CheckConstraint(
                condition=Q(status="rated", rated_order__isnull=False)
                | (~Q(status="rated") & Q(rated_order=None)),
                name="match_rated_has_its_order",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["reported", "disputed"])
                | Q(reported_by_side__isnull=False, confirm_deadline__isnull=False),
                name="match_reported_has_reporter_and_deadline",
            ),
            models.CheckConstraint(condition=Q(weight__gt=0), name="match_weight_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.arena} #{self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.pk])

    @property
    def is_game(self) -> bool:
        """Return whether it is a game, not a forfeit or a decay step."""
        return self.kind == self.Kind.GAME


class Side(models.Model):
    """A side of a match. Place 0 is best, and equal places tie."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="sides", db_index=False)
    index = models.PositiveSmallIntegerField()
    place = models.PositiveIntegerField(_("place"), null=True, blank=True)
    score = models.FloatField(_("score"), null=True, blank=True)
    roster = models.ForeignKey(
        Roster, on_delete=models.SET_NULL, related_name="sides", null=True, blank=True
    )
    captain = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="sides_led")
    agreed_at = models.DateTimeField(_("agreed to the match"), null=True, blank=True)
    agreed_by = models.CharField(
        _("agreed by"),
        max_length=20,
        choices=Agreement.choices,
        default="",
        db_default="",
        blank=True,
    )
    notified_at = models.DateTimeField(_("notified of the report"), null=True, blank=True)
    """The time at which a report reached the account of the side's captain, empty without one."""

    class Meta:
        ordering = ["match", "index"]
        verbose_name = _("side")
        verbose_name_plural = _("sides")
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="side_once_a_match"),
            models.UniqueConstraint(fields=["match", "id"], name="side_of_its_match"),
            models.CheckConstraint(
                condition=Q(agreed_at=None, agreed_by="")
                | (Q(agreed_at__isnull=False) & ~Q(agreed_by="")),
                name="side_agreed_somehow",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} side {self.index + 1}"


class Participant(models.Model):
    """A player's part in a match."""

    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="participants", db_index=False
    )
    side = models.ForeignKey(Side, on_delete=models.PROTECT, related_name="participants")
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="participations", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    """The position in the side: ratings are added in this order."""
    seconds = models.FloatField(_("seconds played"), null=True, blank=True)
    quit = models.BooleanField(_("quit"), default=False)
    profession = Line(_("profession"), max_length=40, blank=True)
    stand_in = models.BooleanField(_("stand-in"), default=False, db_default=False)
    """Whether they played for a roster that they were not in."""
    live = models.BooleanField(default=False, editable=False)
    """Whether they are playing now. A player has at most one live match."""

    class Meta:
        ordering = ["match", "side", "position"]
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        indexes = [models.Index(fields=["player", "-match"], name="participant_of_player")]
        constraints = [
            models.UniqueConstraint(fields=["match", "player"], name="player_once_a_match"),
            models.UniqueConstraint(
                fields=["player"], condition=Q(live=True), name="player_in_one_live_match"
            ),
            models.CheckConstraint(
                condition=Q(seconds=None) | Q(seconds__gte=0), name="seconds_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.match}"
