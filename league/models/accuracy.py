"""The accuracy of forecasts in seasons."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.season import Season


class SeasonAccuracy(models.Model):
    """The accuracy of a season's forecasts, and of corrected ones.

    A projection of matches with a forecast. Sums instead of averages, so that nothing is rounded.
    """

    season = models.OneToOneField(
        Season, on_delete=models.CASCADE, primary_key=True, related_name="accuracy"
    )
    matches = models.PositiveIntegerField(_("matches"), default=0)
    loss = models.FloatField(default=0)
    """The sum of ``-ln`` of the predicted chances of the first places, in nats."""
    even_loss = models.FloatField(default=0)
    """The same for chances that are equal for all sides."""
    decided = models.PositiveIntegerField(_("decided matches"), default=0)
    """Matches with a single winner."""
    favourites = models.FloatField(default=0)
    """Decided matches that the favourite won. Several favourites share a match."""
    even_favourites = models.FloatField(default=0)
    """The same for favourites drawn by lot."""
    seen = models.CharField(max_length=60, default="")
    """Up to which result and which correction it was measured."""
    measured_at = models.DateTimeField(null=True)
    calibration = models.JSONField(null=True)
    """Forecasts and corrected ones compared (``league.services.seasons.accuracy``)."""

    class Meta:
        verbose_name = _("accuracy of forecasts")
        verbose_name_plural = _("accuracies of forecasts")

    def __str__(self) -> str:
        return f"{self.matches} matches in {self.season}"

    @property
    def log_loss(self) -> float:
        return self.loss / self.matches

    @property
    def even_log_loss(self) -> float:
        return self.even_loss / self.matches

    @property
    def losses(self) -> dict[str, float]:
        """The log losses of the forecasts and of corrected ones, on the same matches."""
        found = self.calibration or {"loss": {}, "matches": 1}
        return {name: loss / found["matches"] for name, loss in found["loss"].items()}

    @property
    def slope(self) -> float:
        """The slope that corrects the forecast of the latest match."""
        return float(self.calibration["slopes"][-1][1]) if self.calibration else 1.0
