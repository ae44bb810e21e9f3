"""Team ratings: a projection of a season's results, with each team as one player."""

from __future__ import annotations

from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from league.models.season import Season
from league.models.team import Team


class TeamRating(models.Model):
    """A team's rating in a season, from the replay of its matches against other teams."""

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="team_ratings", db_index=False
    )
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="ratings")
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"), null=True)
    volatility = models.FloatField(_("volatility"), null=True)
    games = models.PositiveIntegerField(_("matches"))
    wins = models.PositiveIntegerField(_("won"))
    draws = models.PositiveIntegerField(_("drawn"))
    last_played_at = models.DateTimeField(_("last played"), null=True)

    class Meta:
        ordering = ["season", "id"]
        verbose_name = _("team rating")
        verbose_name_plural = _("team ratings")
        constraints = [
            models.UniqueConstraint(fields=["season", "team"], name="team_rated_once_a_season")
        ]

    def __str__(self) -> str:
        return f"{self.team}: {number_format(self.rating, 1)}"

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws


class TeamReplay(models.Model):
    """The state of a season from which its team ratings were last computed."""

    season = models.OneToOneField(
        Season, on_delete=models.CASCADE, related_name="team_replay", primary_key=True
    )
    seen = models.TextField()
    """A fingerprint of the season's results and rules. If it changes, the ratings may change."""
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("replay of teams")
        verbose_name_plural = _("replays of teams")

    def __str__(self) -> str:
        return str(self.season)
