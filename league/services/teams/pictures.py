"""Pictures of teams: an upload that is encoded again, or a crest made from the team's id."""

from __future__ import annotations

from hashlib import blake2b, md5
from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.db import transaction
from PIL import Image, ImageOps

from league.models import Team, TeamPicture
from league.services.eligibility.reasons import refuse_banned
from league.services.results.reports import images
from league.services.teams.access import check_captain, lock

if TYPE_CHECKING:
    from datetime import datetime

    from django.core.files.base import File

    from league.models import Player

SIDE = 256
"""Width and height of a stored picture in pixels. Pages show it 96 wide at most."""

SHIELD = "M3 3h26v12c0 8-6 13-13 15C9 28 3 23 3 15z"
"""The outline of a crest, as the ``d`` of an SVG path in a square of 32."""
ORDINARIES = (
    "M16 3h13v12c0 8-6 13-13 15z",  # half of it
    "M3 15h26c0 8-6 13-13 15C9 28 3 23 3 15z",  # its lower part
    "M3 3h6L27 22.3 23.6 26.2 3 9z",  # a bend
    "M29 3h-6L5 22.3 8.4 26.2 29 9z",  # a bend from the other side
    "M3 3h26v8H3z",  # a chief
    "M12 3h8v25.6q-2 1-4 1.4-2-.4-4-1.4z",  # a pale
    "M3.6 19.2 16 9l12.4 10.2-1.9 4.2L16 15 5.5 23.4z",  # a chevron
    "M13 3h6v9h10v3q0 1.5-.3 3H19v11q-1.5.7-3 1-1.5-.3-3-1V18H3.3Q3 16.5 3 15v-3h10z",  # a cross
    "M16 3h13v12H16zM3 15h13v15C9 28 3 23 3 15z",  # quarters
    "M16 8a7 7 0 1 0 0 14 7 7 0 1 0 0-14z",  # a disc
    "M3 7h26v4.5H3zM3.3 17h25.4l-1.5 4.5H4.8z",  # two bars
    "M16 6l2.6 6.4 6.9.5-5.3 4.4 1.7 6.7-5.9-3.7-5.9 3.7 1.7-6.7-5.3-4.4 6.9-.5z",  # a star
)
"""Figures that a shield bears, within its outline."""


def upload(team: Team, file: File[bytes], *, by: Player, now: datetime) -> Team:
    """Give a team a picture, cut to a square, and return the team.

    Raises:
        Forbidden: ``by`` is not the captain, or banned.
        Refused: the file is no picture that can be decoded, or too large.
        Conflict: the team was disbanded.
    """
    refuse_banned([], now, by=by)
    check_captain(team, by)
    webp = square(images.clean(file).webp)
    digest = md5(webp, usedforsecurity=False).hexdigest()
    with transaction.atomic():
        shown = lock(team.pk)
        check_captain(shown, by)
        TeamPicture.objects.update_or_create(
            team=shown, defaults={"digest": digest, "webp": webp, "at": now}
        )
        shown.picture = digest
        shown.save(update_fields=["picture"])
    return shown


def square(webp: bytes) -> bytes:
    """Return an encoded image cropped to its middle, in the size that is stored."""
    image = Image.open(BytesIO(webp), formats=["WEBP"])
    file = BytesIO()
    ImageOps.fit(image.convert("RGB"), (SIDE, SIDE)).save(file, "WEBP", quality=85)
    return file.getvalue()


def take_down(team: Team, *, by: Player) -> None:
    """Remove a team's picture at its captain's request. Raises ``Forbidden``."""
    with transaction.atomic():
        shown = lock(team.pk)
        check_captain(shown, by)
        clear(shown)


def clear(team: Team) -> None:
    """Delete the picture of a locked team, if it has one."""
    TeamPicture.objects.filter(team=team).delete()
    team.picture = ""
    team.save(update_fields=["picture"])


def content_of(team_id: int, digest: str) -> bytes | None:
    """Return the bytes of a team's present picture."""
    found: Any = TeamPicture.objects.filter(team=team_id, digest=digest)
    row = found.values_list("webp", flat=True).first()
    return None if row is None else bytes(row)


def crest(team_id: int) -> str:
    """Return what a team's shield bears in its second colour, as the ``d`` of an SVG path.

    A hash of the id chooses it, so that teams founded one after the other look different.
    """
    number = int.from_bytes(blake2b(str(team_id).encode(), digest_size=4).digest())
    return ORDINARIES[number % len(ORDINARIES)]
