"""Dishonor: ledgers of penalties, and of the amnesties that make some of them void; and the further
reasons for penalties that arenas declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError as BrokenRules
from simple_history.models import HistoricalRecords

from league.models.arena import Arena
from league.models.match import Match
from league.models.player import Player
from league.models.staff import StaffAction
from league.models.ticket import Proposal
from league.models.words import Line
from matchmaking.dishonor import DishonorRules, Penalty
from matchmaking.rules.limits import MOST
from matchmaking.rules.readings import Choices
from ratings.tunables.declarations import declarations

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


class Offence(models.TextChoices):
    """An offence that players are penalised for, named as in the published rules.

    Arenas declare further reasons (:class:`PenaltyReason`), each known by its own name.
    """

    ABANDON = "Abandon", _("leaving a match before its end")
    QUEUE_DODGE = "QueueDodge", _("not accepting a match")
    BANNED = "Banned", _("banned by staff")


LONGEST_OFFENCE = 100
ANOTHER_REASON = "another"
"""Stands for all reasons that arenas declare where offences are chosen."""


def name_of_reason(text: str) -> str:
    """Return a reason for penalties as it is stored: with single spaces between its words."""
    return " ".join(text.split())


DECLARED = {declaration.name: declaration for declaration in declarations(Choices)}


def reading(name: str) -> models.CharField[str, str]:
    """Return a field for one reading of the published rules, as the engine declares it."""
    declared = DECLARED[name]
    return models.CharField(
        _(declared.label.lower()),
        max_length=20,
        choices=[(choice.value, _(capfirst(choice.label))) for choice in declared.choices],
        default=declared.default,
        db_default=declared.default,
        help_text=_(declared.help),
    )


class Discipline(models.Model):
    """The league's dishonor rules: one row, or none for the published rules."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    rules = models.JSONField(
        _("rules"),
        default=dict,
        help_text=_(
            "How long stacks last, the timeouts they earn, and the stacks of each offence."
        ),
    )

    decay = reading("decay")
    rounding = reading("rounding")

    history = HistoricalRecords()  # type: ignore[no-untyped-call] # the library has no types

    class Meta:
        verbose_name = _("dishonor rules")
        verbose_name_plural = _("dishonor rules")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="discipline_is_one")]

    def __str__(self) -> str:
        return gettext("Dishonor rules")

    def dishonor(self) -> DishonorRules:
        return DishonorRules.model_validate(self.rules)

    def readings(self) -> Choices:
        """Return how the published rules are read where they are ambiguous."""
        return Choices.model_validate({"decay": self.decay, "rounding": self.rounding})

    def clean(self) -> None:
        try:
            rules = self.dishonor()
        except BrokenRules as error:
            raise ValidationError(
                {
                    "rules": [
                        f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
                        for problem in error.errors()
                    ]
                }
            ) from error
        for offence in Offence:
            if offence not in {penalty.reason for penalty in rules.penalties}:
                raise ValidationError(
                    {"rules": _("penalties: %(offence)s is missing.") % {"offence": offence}}
                )
        self.rules = rules.model_dump(mode="json")


class PenaltyReason(models.Model):
    """A further reason for penalties in an arena, imposed by staff or by a match's game server."""

    arena = models.ForeignKey(
        Arena, verbose_name=_("arena"), on_delete=models.CASCADE, related_name="penalty_reasons"
    )
    name = Line(
        _("reason"), max_length=LONGEST_OFFENCE, help_text=_("Players read it, such as “Insults”.")
    )
    stacks = models.PositiveIntegerField(
        _("stacks"),
        validators=[MaxValueValidator(int(MOST))],
        help_text=_("The stacks of dishonor that one penalty gives."),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("reason for penalties")
        verbose_name_plural = _("reasons for penalties")
        permissions = [("penalise_player", "Can penalise players")]
        constraints = [
            models.UniqueConstraint(
                fields=["arena", "name"],
                name="penalty_reason_once_an_arena",
                violation_error_message=_("This arena already has this reason."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        self.name = name_of_reason(self.name)
        if self.name.lower() in {each.lower() for each in (*Offence.values, ANOTHER_REASON)}:
            message = _("“%(name)s” is a name of the league’s own rules.")
            raise ValidationError({"name": message % {"name": self.name}})

    def penalty(self) -> Penalty:
        """Return the reason as the published form has it."""
        return Penalty(reason=self.name, stacks=self.stacks)


class DishonorAwardQuerySet(models.QuerySet["DishonorAward"]):
    def standing(self) -> DishonorAwardQuerySet:
        """Penalties that are not void."""
        return self.exclude(Exists(Amnesty.objects.filter(award=OuterRef("pk"))))

    def bans(self, now: datetime) -> DishonorAwardQuerySet:
        """Bans that are not void and have not ended by their own end date."""
        running = Q(ends_at=None) | Q(ends_at__gt=now)
        return self.standing().filter(running, offence=Offence.BANNED, at__lte=now)

    def for_offences(self, offences: Iterable[str]) -> DishonorAwardQuerySet:
        """Penalties for these offences; ``ANOTHER_REASON`` stands for all that arenas declare."""
        chosen = Q(offence__in=list(offences))
        if ANOTHER_REASON in offences:
            chosen |= ~Q(offence__in=Offence.values)
        return self.filter(chosen)


class DishonorAward(models.Model):
    """The stacks given for an offence. Written once, never changed."""

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="dishonor", db_index=False
    )
    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="dishonor")
    at = models.DateTimeField(_("when"))
    offence = models.CharField(_("offence"), max_length=LONGEST_OFFENCE, choices=Offence.choices)
    """One of :class:`Offence`, or the name of a reason that the arena declared then."""
    stacks = models.PositiveIntegerField(_("stacks"))
    proposal = models.ForeignKey(
        Proposal, on_delete=models.PROTECT, related_name="dishonor", null=True, blank=True
    )
    match = models.ForeignKey(
        Match, on_delete=models.PROTECT, related_name="dishonor", null=True, blank=True
    )
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    """The end of a ban, if staff set one. Such a ban gives no stacks."""
    action = models.OneToOneField(
        StaffAction,
        verbose_name=_("decision"),
        on_delete=models.PROTECT,
        related_name="award",
        null=True,
        blank=True,
    )
    """The staff action, or that of a game server, that gave a ban or a penalty for a further
    reason."""

    objects = DishonorAwardQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        indexes = [models.Index(fields=["player", "at"], name="dishonor_of_player")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "proposal"], name="one_penalty_for_a_ready_check"
            ),
            models.UniqueConstraint(
                fields=["player", "match", "offence"], name="one_penalty_for_a_match"
            ),
            models.CheckConstraint(
                condition=Q(offence="Banned")
                | Q(offence__in=["Abandon", "QueueDodge"], ends_at=None, action=None)
                | (
                    ~Q(offence__in=["Banned", "Abandon", "QueueDodge"])
                    & Q(ends_at=None, action__isnull=False)
                ),
                name="further_penalties_are_given_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_offence_display()}"


class AmnestiesInForce(models.Manager["Amnesty"]):
    """Amnesties that no later decision has ended."""

    def get_queryset(self) -> models.QuerySet[Amnesty]:
        return super().get_queryset().filter(ended_by=None)


class Amnesty(models.Model):
    """A staff decision that makes one penalty void. Written once; a later decision can end it.

    ``objects`` are those in force, ``ever`` includes ended ones.
    """

    award = models.ForeignKey(DishonorAward, on_delete=models.PROTECT, related_name="amnesties")
    action = models.ForeignKey(StaffAction, on_delete=models.PROTECT, related_name="amnesties")
    ended_by = models.ForeignKey(
        StaffAction,
        verbose_name=_("ended by"),
        on_delete=models.DO_NOTHING,
        related_name="+",
        null=True,
        editable=False,
        db_constraint=False,
        db_index=False,
    )
    """The decision that undid ``action``, so that the penalty counts again. Staff actions are never
    deleted."""

    objects = AmnestiesInForce()
    ever: models.Manager[Amnesty] = models.Manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("amnesty")
        verbose_name_plural = _("amnesties")
        constraints = [
            models.UniqueConstraint(
                fields=["award"], condition=Q(ended_by=None), name="one_amnesty_in_force"
            )
        ]

    def __str__(self) -> str:
        return gettext("%(penalty)s (void)") % {"penalty": self.award}
