"""Accounts and players."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from django.db.models import Exists, Q, QuerySet, Value
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from league.models.former_name import FormerName
from league.models.lookalikes import (
    SearchField,
    SkeletonField,
    SortField,
    looks_like,
    refuse_reserved,
)
from league.models.names import NAME_MAX_LENGTH, fold, tidy, validate_name
from league.models.reach import arena_of, named_arenas, permissions_beyond_arenas
from league.models.skeletons import spellings, without_accents


class Theme(models.TextChoices):
    """The colours in which an account sees the site."""

    SYSTEM = "", _("system")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class User(AbstractUser):
    """An account that can log in. The site shows its player's name."""

    theme = models.CharField(
        _("theme"), max_length=5, choices=Theme.choices, blank=True, default="", db_default=""
    )
    language = models.CharField(_("language"), max_length=10, blank=True, default="", db_default="")
    """One of ``settings.LANGUAGES``, empty for that of the browser."""

    class Meta(AbstractUser.Meta):  # type: ignore[name-defined,misc] # unknown to the stubs
        indexes = [
            models.Index(fields=["id"], condition=Q(is_staff=True), name="staff_accounts"),
            BrinIndex(fields=["date_joined"], name="account_joined", autosummarize=True),
        ]
        permissions = [
            ("give_role", "Can give roles to accounts"),
            ("impersonate", "Can see the site as a player"),
        ]

    def has_perm(self, perm: str, obj: models.Model | None = None) -> bool:
        """Return whether the account holds a permission in the arena of ``obj``, or everywhere.

        What an arena organiser may do counts in their arenas only, and nothing counts for staff
        without a second factor where the settings require one.
        """
        if not self._holds(perm):
            return False
        arenas = self.arenas_with(perm)
        return arenas is None or (obj is not None and arena_of(obj) in arenas)

    def arenas_with(self, perm: str) -> frozenset[int] | None:
        """Return the arenas in which the account holds a permission, ``None`` for everywhere."""
        if not self._holds(perm):
            return frozenset()
        if self.is_superuser or self.named_arenas is None or perm in self.beyond_arenas:
            return None
        return self.named_arenas

    def _holds(self, perm: str) -> bool:
        """Return whether the account holds a permission somewhere."""
        may = (self.is_superuser or self.is_staff or self.holds_any) and super().has_perm(perm)
        return bool(may and not self.lacks_second_factor)

    @cached_property
    def holds_any(self) -> bool:
        """Whether an account that is not staff's holds any permission: one statement, where reading
        them takes two."""
        holds = Q(groups__isnull=False) | Q(user_permissions__isnull=False)
        return User.objects.filter(holds, pk=self.pk).exists()

    @cached_property
    def named_arenas(self) -> frozenset[int] | None:
        """The arenas that an arena organiser was given, ``None`` for other accounts."""
        return named_arenas(self)

    @cached_property
    def beyond_arenas(self) -> frozenset[str]:
        """Return the permissions of an arena organiser in all arenas."""
        return permissions_beyond_arenas(self)

    @cached_property
    def lacks_second_factor(self) -> bool:
        """Whether this is an account of staff without the second factor that it needs."""
        from allauth.mfa.utils import is_mfa_enabled  # noqa: PLC0415 - needs the models

        required = settings.STAFF_MFA_REQUIRED and self.is_staff
        return bool(required and not is_mfa_enabled(self))

    def save(self, **options: Any) -> None:
        self.username = fold(self.username)  # log-in folds names too
        has_new_password = getattr(self, "_password", None) is not None and not self._state.adding
        with transaction.atomic():
            super().save(**options)
            if has_new_password:  # programs must not outlast the password that let them in
                self.end_programs()

    def end_programs(self) -> None:
        """Revoke all API tokens and connected apps, in a transaction.

        A request that is issuing tokens has locked the connection, so this waits for it.
        """
        self.access_tokens.all().delete()
        list(self.connected_apps.select_for_update())
        self.token_set.all().delete()
        self.connected_apps.all().delete()


MOST_NAMED = 5_000
"""The most names that a search of standings reads."""
MOST_FOUND = 1_000
"""The most names that a search of all players reads, of each kind."""


class NameStartQuerySet(models.QuerySet["NameStart"]):
    def beginning(self, text: str) -> NameStartQuerySet:
        low, high = span(text)
        return self.filter(start__gte=low, start__lt=high)


class NameStart(models.Model):
    """A name without accents, from the start of one of its words. Triggers keep these rows."""

    pk = models.CompositePrimaryKey("start", "player_id")
    start = models.TextField(db_collation="C")
    player_id = models.BigIntegerField()

    objects = NameStartQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.start} of player {self.player_id}"


def span(text: str) -> tuple[str, str]:
    """Return the range [low, high) of names without accents that start with ``text``."""
    plain = without_accents(text)
    return plain, plain + chr(0x10FFFF)


SHORTEST_MIDDLE = 3
"""The shortest text that a search looks for in the middle of words."""


class Trigrams(models.Func):
    """The pieces of three characters of a text."""

    function = "league_trigrams"
    output_field = ArrayField(models.TextField())


class PlayerQuerySet(models.QuerySet["Player"]):
    def listed(self) -> PlayerQuerySet:
        """Players who can be found by a part of their name, and are suggested to others."""
        return self.filter(is_unlisted=False)

    def of_person(self, player: Player) -> PlayerQuerySet:
        """A player and those who were merged into them."""
        return self.filter(Q(pk=player.pk) | Q(merged_into=player.pk))

    def named(self, name: str) -> PlayerQuerySet:
        """Players whose name folds to the same form as ``name``."""
        return self.filter(folded_name=fold(name))

    def looking_like(self, name: str) -> PlayerQuerySet:
        """Players whose name looks like ``name``, or is the same."""
        return self.filter(looks_like(name) | Q(folded_name=fold(name)))

    def search(self, text: str) -> PlayerQuerySet:
        """Players whose name contains ``text``, whatever its accents.

        A text of one or two letters is only found at the start of a word. If ``MOST_FOUND`` names
        have a word that starts with ``text``, others are not looked for. So a common text costs no
        more than a rare one.
        """
        first, *others = [part for plain in spellings(text) for part in found_in_names(plain)]
        return self.filter(pk__in=first.union(*others) if others else first)

    def containing(self, text: str) -> PlayerQuerySet:
        """Players whose name contains a text of three letters or more, by an index."""
        plain = without_accents(text)
        return (
            self.alias(trigrams=Trigrams("search_name"))
            .filter(trigrams__contains=Trigrams(Value(plain)), search_name__contains=plain)
            .order_by()
        )


def found_in_names(plain: str) -> list[QuerySet[Any, Any]]:
    """Return the ids of players by a start of a word of their names, and by what is within."""
    starts = NameStart.objects.beginning(plain).order_by("start", "player_id")
    found = starts.values_list("player_id")[:MOST_FOUND]
    if len(plain) < SHORTEST_MIDDLE:
        return [found]
    enough = Exists(starts[MOST_FOUND - 1 : MOST_FOUND])
    return [found, Player.objects.containing(plain).filter(~enough).values_list("pk")[:MOST_FOUND]]


PlayerManager = models.Manager.from_queryset(PlayerQuerySet)


class CurrentPlayers(PlayerManager["Player"]):
    """Players who have not been merged into another."""

    def get_queryset(self) -> PlayerQuerySet:
        return PlayerQuerySet(self.model, using=self._db).filter(merged_into=None)


HIGHEST_LEVEL = 1_000_000


class Player(models.Model):
    """A person's (or a team's, or a nation's) competitive identity.

    A player who turned out to be the same person as another is merged into that one, keeps only
    what archives say, and cannot act. ``objects`` are the others, ``ever`` are all.
    """

    name = models.CharField(
        _("name"),
        max_length=NAME_MAX_LENGTH,
        validators=[validate_name],
        help_text=_("The name that everyone sees. Letters of one writing system, none invisible."),
    )
    folded_name = models.CharField(max_length=4 * NAME_MAX_LENGTH, unique=True, editable=False)
    skeleton = SkeletonField()
    search_name = SearchField()
    sort_name = SortField()
    may_resemble = models.BooleanField(
        _("may resemble other names"),
        default=False,
        help_text=_(
            "If set, this name may look like another player's and contain reserved words. "
            "For names that staff know to be genuine."
        ),
    )
    user = models.OneToOneField(
        User,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        related_name="player",
        null=True,
        blank=True,
        help_text=_("The account that acts for this player. If empty, nobody can act for them."),
    )
    level = models.IntegerField(
        _("level"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(HIGHEST_LEVEL)],
        help_text=_("This player’s rank in queues that go by level. Game servers can set it too."),
    )
    hides_history = models.BooleanField(
        _("hides the match history"), default=False, db_default=False
    )
    """Only they, staff and those who played with them read their matches as a list."""
    is_unlisted = models.BooleanField(_("unlisted"), default=False, db_default=False)
    """Found by their full name, and where results and ranks name them."""
    left_at = models.DateTimeField(_("left the league"), null=True, editable=False)
    """The time at which they deleted their account. Their name is that of a former player since."""
    created_at = models.DateTimeField(_("joined"), auto_now_add=True)
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("merged into"),
        on_delete=models.PROTECT,
        related_name="merged_players",
        null=True,
        editable=False,
        db_index=False,
    )

    objects = CurrentPlayers()
    ever = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["sort_name"]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [
            ("ban_player", "Can ban players and lift bans"),
            ("merge_player", "Can merge players"),
        ]
        indexes = [
            models.Index(
                fields=["merged_into"],
                condition=Q(merged_into__isnull=False),
                name="player_merged_into",
            ),
            BrinIndex(fields=["created_at"], name="player_created", autosummarize=True),
            models.Index(fields=["skeleton"], name="player_skeleton"),
            models.Index(fields=["sort_name", "id"], name="player_by_name"),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(folded_name=""), name="player_has_a_folded_name"),
            models.UniqueConstraint(
                fields=["skeleton"],
                condition=Q(may_resemble=False),
                name="player_looks_like_no_other",
            ),
            models.CheckConstraint(
                condition=Q(merged_into=None) | Q(user=None),
                name="merged_player_has_no_account",
            ),
            models.CheckConstraint(
                condition=~Q(merged_into=models.F("id")), name="player_merged_into_another"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **options: Any) -> None:
        self.name = tidy(self.name)
        self.folded_name = fold(self.name)
        super().save(**options)

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])

    def clean(self) -> None:
        self.name = tidy(self.name)
        self.folded_name = fold(self.name)

    @property
    def picture(self) -> str:
        """The digest of the player's picture, empty without one. No query if it is loaded."""
        profile = getattr(self, "profile", None)
        return profile.picture if profile else ""

    def validate_unique(self, exclude: Any = None) -> None:
        """Report a taken or reserved name at ``name``: forms have no field for its other forms."""
        try:
            self.refuse_imitation()
        except ValidationError as error:
            raise ValidationError({"name": error.messages}) from error
        super().validate_unique(exclude=exclude)

    def validate_constraints(self, exclude: Any = None) -> None:
        super().validate_constraints({*(exclude or ()), "skeleton"})  # checked above

    def refuse_imitation(self) -> None:
        """Refuse a new name that is taken, looks like another, or contains a reserved word.

        Raises:
            ValidationError: with the reason.
        """
        self.folded_name = fold(self.name)
        others = type(self).ever.exclude(pk=self.pk)
        alike = others.named(self.name) if self.may_resemble else others.looking_like(self.name)
        reserved = FormerName.objects.reserved().exclude(player=self.pk)
        is_reserved = not self.may_resemble and reserved.looking_like(self.name).exists()
        if is_reserved or alike.exists():
            raise ValidationError(
                _("“%(name)s” is taken or too similar to a taken name.") % {"name": self.name}
            )
        if not self.may_resemble and not self.keeps_name():
            refuse_reserved(self.name)

    def keeps_name(self) -> bool:
        """Whether the player already has this name."""
        return self.pk is not None and type(self).ever.named(self.name).filter(pk=self.pk).exists()
