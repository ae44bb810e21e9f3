"""The name and looks of the league."""

from __future__ import annotations

from hashlib import md5
from io import BytesIO
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override
from PIL import Image, ImageOps

from league.models import ArenaText, LeagueLogo, LeagueSettings, StaffAction
from league.models.own_words import own_words
from league.services.core.errors import Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.site import frame
from league.services.site.colours import DARK, LEAST, LIGHT, worst_contrast

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User

PERMISSION = "league.change_leaguesettings"
LOGO_SIDE = 256
"""The longest side of a stored logo in pixels. Pages show it 32 high."""
PICTURE = (1600, 600)
"""The size of a stored picture in pixels, or its shape if the upload is smaller."""
LEAST_WIDTH = 800
MOST_OF_PICTURE = 60_000
"""The most bytes of a stored picture: the front page loads it first."""
STEPS = ((1, 80), (1, 60), (0.75, 60), (0.5, 60), (0.5, 30), (0.25, 10))
"""Scales and qualities of a picture, the first that is small enough. Photos need two or three."""
THEMES = {"accent": LIGHT, "dark_accent": DARK}


def settings_of_league() -> LeagueSettings:
    return LeagueSettings.objects.select_related("logo", "picture").first() or LeagueSettings()


def save(
    row: LeagueSettings,
    *,
    by: User,
    now: datetime,
    logo: bytes | None = None,
    picture: bytes | None = None,
) -> LeagueSettings:
    """Save settings whose fields have been checked, with a new ``logo`` or ``picture`` if given.

    Raises:
        Forbidden: ``by`` may not.
        Refused: a colour cannot be read on our pages, or the picture is too small.
    """
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_staff", _("You need the permission to change the league's settings."))
    row.accent, row.dark_accent = row.accent.lower(), row.dark_accent.lower()
    for name in THEMES:
        check_contrast(name, getattr(row, name))
    with transaction.atomic():
        before = LeagueSettings.objects.select_for_update(of=("self",)).first()
        if logo is not None:
            row.logo = small(logo)
        if picture is not None:
            row.picture = wide(picture)
        row.pk = 1
        was, becomes = describe_settings(before or LeagueSettings()), describe_settings(row)
        row.save()
        if was != becomes:
            why = own_words("settings")
            StaffAction.objects.create(
                actor=by,
                kind=StaffAction.Kind.CHANGED,
                reason=why.text,
                details={"object": _("Settings of the league"), **why.details},
                before={name: value for name, value in was.items() if becomes[name] != value},
                after={name: value for name, value in becomes.items() if was[name] != value},
                at=now,
            )
        frame.forget()
        transaction.on_commit(frame.forget)
    return row


def check_contrast(name: str, colour: str) -> None:
    """Refuse a colour in which text is hard to read."""
    if not colour:
        return
    found = worst_contrast(colour, THEMES[name])
    if found < LEAST:
        advice = _("Choose a darker one.") if name == "accent" else _("Choose a lighter one.")
        text = _(
            "Text in this colour is hard to read: its contrast is %(found).1f, and readers need "
            "%(least).1f. %(advice)s"
        )
        raise Refused(
            "contrast", text % {"found": found, "least": LEAST, "advice": advice}, field=name
        )


def small(webp: bytes) -> LeagueLogo:
    """Store an image that the site has encoded in the size of a logo."""
    image = Image.open(BytesIO(webp), formats=["WEBP"])
    image.thumbnail((LOGO_SIDE * 4, LOGO_SIDE))
    file = BytesIO()
    image.save(file, "WEBP", quality=85)
    return store(file.getvalue(), image.size)


def wide(webp: bytes) -> LeagueLogo:
    """Store an image that the site has encoded as the picture of the league, cut to its shape.

    Raises:
        Refused: it is too small to fill a screen.
    """
    image = Image.open(BytesIO(webp), formats=["WEBP"])
    width, height = PICTURE
    fitting = min(width, image.width, image.height * width // height)
    if fitting < LEAST_WIDTH:
        text = _(
            "A picture needs at least %(width)d × %(height)d pixels. This one has %(found)s."
        ) % {
            "width": LEAST_WIDTH,
            "height": LEAST_WIDTH * height // width,
            "found": f"{image.width} × {image.height}",
        }
        raise Refused("small", text, field="picture")
    for scale, quality in STEPS:
        broad = round(fitting * scale)
        cut = ImageOps.fit(image, (broad, broad * height // width))
        file = BytesIO()
        cut.save(file, "WEBP", quality=quality)
        if file.tell() <= MOST_OF_PICTURE:
            break
    return store(file.getvalue(), cut.size)


def store(webp: bytes, size: tuple[int, int]) -> LeagueLogo:
    digest = md5(webp, usedforsecurity=False).hexdigest()
    made, _new = LeagueLogo.objects.get_or_create(
        digest=digest, defaults={"webp": webp, "width": size[0], "height": size[1]}
    )
    return made


def describe_settings(row: LeagueSettings) -> dict[str, str]:
    """Return the settings as the staff log has them."""
    with override("en"):
        return {
            _("Name"): row.name,
            _("Time zone"): row.time_zone,
            _("Language"): row.language,
            _("Accent colour"): row.accent,
            _("Accent colour on dark pages"): row.dark_accent,
            _("Logo"): row.logo_id or "",
            _("Picture"): row.picture_id or "",
        }


def save_rules(row: ArenaText, *, by: User, now: datetime) -> ArenaText:
    """Save the rules of an arena in its organisers' words. Raises ``Forbidden``."""
    wanted = "league.change_arenatext" if row.pk else "league.add_arenatext"
    if not by.has_perm(wanted, row):
        raise Forbidden("not_staff", _("You need the permission to change the rules of arenas."))
    with transaction.atomic():
        before = ArenaText.objects.filter(pk=row.pk).first()
        row.save()
        why = own_words("rules", arena=row.arena)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CHANGED if before else StaffAction.Kind.CREATED,
            reason=why.text,
            details={**of_arena(row.arena), "object": str(row.arena), **why.details},
            before={"Rules": before.rules} if before else None,
            after={"Rules": row.rules},
            at=now,
        )
    return row
