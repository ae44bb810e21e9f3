"""The ledger of staff actions."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.indexes import BrinIndex, GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import own_words
from league.models.match import Match
from league.models.words import Words


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
        UNDONE = "undone", _("undid a correction")
        VOIDED_ALL = "voided_all", _("voided all matches of a player")
        ERRATUM = "erratum", _("published an erratum")
        CREATED = "created", _("created")
        CHANGED = "changed", _("changed")
        DELETED = "deleted", _("deleted")
        SEASON = "season", _("opened, planned or ended a season")
        RULES = "rules", _("changed the rules of a season")
        RERATED = "rerated", _("rated a season again")
        IMPORTED = "imported", _("imported a file")
        UNIMPORTED = "unimported", _("undid an import")
        EVENING = "evening", _("entered the results of an evening")
        ROLE = "role", _("changed the roles of an account")
        IMPERSONATED = "impersonated", _("saw the site as somebody else")
        CASE = "case", _("worked on a case")
        APPEAL = "appeal", _("answered an appeal")
        ANNOUNCED = "announced", _("announced something to players")
        MESSAGED = "messaged", _("sent a message to players")
        COMPETITION = "competition", _("ran a competition")
        MAINTENANCE = "maintenance", _("turned maintenance on or off")
        WEBHOOK = "webhook", _("ran a webhook")

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_actions"
    )
    kind = models.CharField(_("action"), max_length=20, choices=Kind.choices)
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="staff_actions", null=True, blank=True
    )
    """The match, empty for decisions about players."""
    reason = Words(_("reason"))
    details = models.JSONField(_("details"), default=dict, blank=True)
    before = models.JSONField(_("before"), null=True, blank=True)
    """The values before it, by their labels. Empty for decisions that change none."""
    after = models.JSONField(_("after"), null=True, blank=True)
    at = models.DateTimeField(_("when"))

    class Meta:
        ordering = ["-id"]
        verbose_name = _("staff action")
        verbose_name_plural = _("staff actions")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(
                    kind__in=["upheld", "corrected", "voided", "entered", "rejected", "undone"]
                )
                | models.Q(match__isnull=False),
                name="staff_action_has_its_match",
            ),
        ]
        permissions = [
            ("decide_match", "Can decide disputed results"),
            ("enter_result", "Can enter results"),
            ("correct_match", "Can correct rated results"),
            ("void_match", "Can void rated results"),
        ]
        indexes = [
            models.Index(
                fields=["id"], condition=models.Q(kind="case"), name="staff_action_of_case"
            ),
            BrinIndex(fields=["at"], name="staff_action_at", autosummarize=True),
            GinIndex(fields=["details"], name="staff_action_details", opclasses=["jsonb_path_ops"]),
        ]

    def __str__(self) -> str:
        about = str(self.match) if self.match else ", ".join(self.player_names())
        about = about or self.details.get("object", "")
        return f"{self.actor}: {self.get_kind_display()}" + (f" ({about})" if about else "")

    @property
    def why(self) -> str:
        """Its reason, in the reader's language if the site gave it itself."""
        return own_words.why(self.reason, self.details)

    @property
    def arena_id(self) -> int | None:
        """The arena of its match, or of what it changed."""
        return self.match.arena_id if self.match else self.details.get("arena_id")

    @property
    def own_match(self) -> bool:
        """Whether the actor played in the match, and nobody else could decide it."""
        return bool(self.details.get("own_match"))

    def player_names(self) -> list[str]:
        """Return the names of the players it was about, as they were then."""
        recorded = self.details.get("players")
        if recorded:
            return list(recorded)
        if name := self.details.get("name"):
            return [name]
        if self.match is None:
            return []
        return [side.captain.name for side in self.match.sides.all()]


ABOUT_MATCHES = [
    (kind.value, kind.label)
    for kind in (
        StaffAction.Kind.UPHELD,
        StaffAction.Kind.CORRECTED,
        StaffAction.Kind.VOIDED,
        StaffAction.Kind.ENTERED,
        StaffAction.Kind.REJECTED,
        StaffAction.Kind.UNDONE,
    )
]
"""The actions about a match."""
VERDICTS = [choice for choice in ABOUT_MATCHES if choice[0] in {"upheld", "corrected", "voided"}]
"""The decisions about a match that was reported or started."""
