"""The league on every page: name, logo, colours, announcements, maintenance."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.arena import Arena
from league.models.words import Line, Words

LONGEST_ANNOUNCEMENT = 1_000
LONGEST_RULES = 50_000
LONGEST_LEAGUE_NAME = 60
LONGEST_ABOUT = 300
NAME = "Laurel"
"""The name of a league that has chosen none."""

COLOUR = RegexValidator(
    r"\A#[0-9a-fA-F]{6}\Z", _("Write a colour as # and six digits or letters A to F: #1c6a47.")
)


def check_zone(name: str) -> None:
    """Refuse a text that is no IANA time zone."""
    if name not in available_timezones():
        raise ValidationError(_("There is no such time zone. Write it like Europe/Berlin or UTC."))


def offered_languages() -> list[tuple[str, str]]:
    """Return the languages of the site."""
    return list(settings.LANGUAGES)


class LeagueLogo(models.Model):
    """The logo or the picture as the site encoded it. Written once, never changed."""

    digest = models.CharField(max_length=32, primary_key=True)
    """A digest of the file, so that its address changes with it."""
    webp = models.BinaryField(_("WebP file"))
    width = models.PositiveSmallIntegerField(_("width"))
    height = models.PositiveSmallIntegerField(_("height"))

    class Meta:
        verbose_name = _("logo")
        verbose_name_plural = _("logos")

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


class LeagueSettings(models.Model):
    """The name and looks of the league: one row, or none for the defaults."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    name = Line(
        _("name of the league"),
        max_length=LONGEST_LEAGUE_NAME,
        default=NAME,
        help_text=_("Shown at the top of every page and in mails."),
    )
    about = Line(
        _("about the league"),
        max_length=LONGEST_ABOUT,
        blank=True,
        help_text=_(
            "A sentence or two for visitors: what is played, who can join, where you meet. Shown "
            "on the first page and in search engines."
        ),
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=60,
        default="UTC",
        validators=[check_zone],
        help_text=_(
            "Of the league, such as Europe/Berlin. Pages show times in it to readers whose "
            "browser does not tell its own."
        ),
    )
    language = models.CharField(
        _("language"),
        max_length=10,
        choices=offered_languages,
        default=settings.LANGUAGE_CODE,
        help_text=_(
            "For readers whose browser asks for no language of the site, and for mails and "
            "messages to those who have not chosen one."
        ),
    )
    logo = models.ForeignKey(
        LeagueLogo,
        verbose_name=_("logo"),
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
    )
    picture = models.ForeignKey(
        LeagueLogo,
        verbose_name=_("picture"),
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
    )
    """At the top of the front page, and behind the league's name where it is shared."""
    accent = models.CharField(
        _("accent colour"),
        max_length=7,
        blank=True,
        validators=[COLOUR],
        help_text=_("Of links and buttons on light pages, such as #1c6a47. Empty for ours."),
    )
    dark_accent = models.CharField(
        _("accent colour on dark pages"),
        max_length=7,
        blank=True,
        validators=[COLOUR],
        help_text=_("For readers with a dark theme, such as #7fd0a3. Empty for ours."),
    )

    class Meta:
        verbose_name = _("settings of the league")
        verbose_name_plural = _("settings of the league")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="league_settings_are_one")]

    def __str__(self) -> str:
        return self.name


class Maintenance(models.Model):
    """Whether new matches are refused for now: one row, or none while it has never been on."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    since = models.DateTimeField(_("since"), null=True, blank=True)
    """Empty while it is off."""
    until = models.DateTimeField(_("expected end"), null=True, blank=True)
    message = Words(_("message"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("maintenance")
        verbose_name_plural = _("maintenance")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="maintenance_is_one")]

    def __str__(self) -> str:
        return self.message or str(self._meta.verbose_name)


class Announcement(models.Model):
    """An announcement of staff that pages show for a time."""

    text = Words(_("text"), max_length=LONGEST_ANNOUNCEMENT)
    arena = models.ForeignKey(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="announcements",
        null=True,
        blank=True,
        help_text=_("Leave empty for the whole league."),
    )
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(
        _("until"), null=True, blank=True, help_text=_("Leave empty for no end.")
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        on_delete=models.PROTECT,
        related_name="announcements",
        editable=False,
        db_index=False,
    )

    class Meta:
        ordering = ["-id"]
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        indexes = [models.Index(fields=["starts_at"], name="announcement_start")]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")),
                name="announcement_ends_later",
                violation_error_message=_("It has to end after it starts."),
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class ArenaText(models.Model):
    """The rules of an arena in its organisers' words, shown on its pages."""

    arena = models.OneToOneField(
        Arena,
        verbose_name=_("arena"),
        on_delete=models.CASCADE,
        related_name="text",
    )
    rules = Words(
        _("rules"),
        max_length=LONGEST_RULES,
        help_text=_(
            "Empty lines separate paragraphs. Lines that begin with “- ” are a list, with “## ” a "
            "heading. Write **bold**, and links as [name](https://…)."
        ),
    )

    class Meta:
        verbose_name = _("rules of an arena")
        verbose_name_plural = _("rules of arenas")

    def __str__(self) -> str:
        return str(self.arena)
