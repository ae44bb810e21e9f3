"""The ledger of staff actions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.match import Match


class StaffAction(models.Model):
    """A decision by a member of staff, with its reason. Written once, never changed."""

    class Kind(models.TextChoices):
        UPHELD = "upheld", _("upheld a reported result")
        CORRECTED = "corrected", _("corrected a reported result")
        VOIDED = "voided", _("voided a match")
        ENTERED = "entered", _("entered a result")
        AMNESTY = "amnesty", _("granted an amnesty")
        CHALLENGE = "challenge", _("called off a challenge")
        BAN = "ban", _("banned a player")
        UNBAN = "unban", _("lifted a ban")
        RENAMED = "renamed", _("renamed a player")
        CLAIM = "claim", _("decided a claim")
        REJECTED = "rejected", _("rejected an objection")
        MERGED = "merged", _("merged two players")
        PENALISED = "penalised", _("penalised a player")

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_actions"
    )
    kind = models.CharField(_("action"), max_length=20, choices=Kind.choices)
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="staff_actions", null=True, blank=True
    )
    """The match, empty for decisions about players."""
    reason = models.TextField(_("reason"))
    details = models.JSONField(_("details"), default=dict, blank=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ["-id"]
        verbose_name = _("staff action")
        verbose_name_plural = _("staff actions")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    kind__in=[
                        "amnesty",
                        "challenge",
                        "ban",
                        "unban",
                        "renamed",
                        "claim",
                        "merged",
                        "penalised",
                    ]
                )
                | models.Q(match__isnull=False),
                name="staff_action_about_a_match",
            ),
        ]
        permissions = [("decide_match", "Can decide disputed results")]

    def __str__(self) -> str:
        about = f" ({self.match})" if self.match else ""
        return f"{self.actor} {self.get_kind_display()}{about}"

    @property
    def own_match(self) -> bool:
        """Whether the actor played in the match, and nobody else could decide it."""
        return bool(self.details.get("own_match"))

    def concerned(self) -> list[str]:
        """Return the names of the players it was about, as they were then."""
        recorded = self.details.get("players")
        if recorded:
            return list(recorded)
        if name := self.details.get("name"):
            return [name]
        if self.match is None:
            return []
        return [side.captain.name for side in self.match.sides.all()]


WITHOUT_A_MATCH = {
    StaffAction.Kind.AMNESTY,
    StaffAction.Kind.CHALLENGE,
    StaffAction.Kind.BAN,
    StaffAction.Kind.UNBAN,
    StaffAction.Kind.RENAMED,
    StaffAction.Kind.CLAIM,
    StaffAction.Kind.MERGED,
    StaffAction.Kind.PENALISED,
}
ABOUT_MATCHES = [
    (kind.value, kind.label) for kind in StaffAction.Kind if kind not in WITHOUT_A_MATCH
]
"""The actions about a match."""
NO_VERDICTS = {StaffAction.Kind.ENTERED, StaffAction.Kind.REJECTED}
VERDICTS = [choice for choice in ABOUT_MATCHES if choice[0] not in NO_VERDICTS]
"""The decisions about a match that was reported or started."""
