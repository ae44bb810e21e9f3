"""The states of a match: where it stands, how it was settled, and how its sides agreed to it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Status(models.TextChoices):
    LIVE = "live", _("being played")
    REPORTED = "reported", _("waiting for confirmation")
    DISPUTED = "disputed", _("disputed")
    RATED = "rated", _("rated")
    VOID = "void", _("void")


OPEN = (Status.LIVE, Status.REPORTED, Status.DISPUTED)
"""Not settled yet."""


class Settlement(models.TextChoices):
    """The way in which a match was settled."""

    CAPTAIN = "captain", _("confirmed by the other side")
    QUORUM = "quorum", _("confirmed by enough of the other sides")
    WINDOW = "window", _("confirmed because nobody objected in time")
    LAPSED = "lapsed", _("nobody confirmed it in time")
    SERVER = "server", _("reported by a game server")
    STAFF = "staff", _("decided by staff")
    IMPORT = "import", _("imported")
    SEASON = "season", _("not settled before its season was archived")
    CHALLENGE = "challenge", _("by the challenge rules")
    DECAY = "decay", _("by rating decay")
    WITHDRAWN = "withdrawn", _("withdrawn by its reporter")


class Agreement(models.TextChoices):
    """The way in which a side agreed to a match before it was played."""

    READY_CHECK = "ready-check", _("accepted a ready check")
    CHALLENGE = "challenge", _("accepted a challenge")
    DATE = "date", _("agreed on a date")
    SERVER = "server", _("a game server started the match")
