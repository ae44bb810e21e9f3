"""Pictures of teams: an upload that is encoded again, or a pattern made from the team's id."""

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
CELLS = 5


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


def pattern(team_id: int) -> list[tuple[int, int]]:
    """Return the filled cells of a team's pattern, as column and row. It is symmetric.

    Half of the columns come from the bits of a hash of the id, so that neighbours look different.
    """
    half = (CELLS + 1) // 2
    bits = int.from_bytes(blake2b(str(team_id).encode(), digest_size=4).digest())
    cells = {
        (column, row)
        for number, (column, row) in enumerate(
            (column, row) for column in range(half) for row in range(CELLS)
        )
        if bits >> number & 1
    } or {(half - 1, CELLS // 2)}
    return sorted(cells | {(CELLS - 1 - column, row) for column, row in cells})
