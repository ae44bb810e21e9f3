"""Images as evidence: each is decoded and encoded anew, so that only its pixels are kept."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from math import sqrt
from threading import Lock
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from league.models import EvidenceContent, EvidenceImage, ImageRemoval, StaffAction
from league.models.evidence import LONGEST_DESCRIPTION, LONGEST_REMOVAL_REASON
from league.models.words import without_controls
from league.services.core.errors import Conflict, Refused
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from django.core.files.base import File

    from league.models import MatchMessage, User

FORMATS = ("PNG", "JPEG", "WEBP")
"""The formats of screenshots and photos. Pillow tries no other decoder."""
MOST_PIXELS = 25_000_000
"""The most pixels of an upload: three 4K screens side by side, or 100 MB while it is decoded."""
LONGEST_SIDE = 2560
"""The longest side of a stored image in pixels. The text of a 4K screenshot stays readable."""
MOST_STORED = 1_000_000
"""The most bytes of a stored image. Screenshots have 100 to 500 KB."""
QUALITY = 80
MOVING = ("PNG", "WEBP")
"""The formats whose further frames move. Those of a JPEG are previews and depth maps."""
INDEXED = ("1", "P", "PA")
ONE_AT_A_TIME = Lock()
"""Held while an image is decoded: each needs up to 200 MB, and so does a process in all."""


@dataclass(frozen=True)
class Picture:
    """An image that the site has encoded."""

    webp: bytes
    width: int
    height: int


def clean(upload: File[bytes]) -> Picture:
    """Return an upload as a new image without metadata, whatever its name and type claim.

    Raises:
        Refused: it is too large, moves, or is no whole PNG, JPEG or WebP image.
    """
    if upload.size > settings.UPLOAD_MOST_BYTES:
        raise refusal(
            "too_large",
            _("An image can be at most %(limit)s in size.")
            % {"limit": filesizeformat(settings.UPLOAD_MOST_BYTES)},
        )
    try:
        with ONE_AT_A_TIME, Image.open(upload, formats=FORMATS) as image:
            check_image(image)
            return encode(pixels_of(image))
    except Refused:
        raise
    except UnidentifiedImageError as error:
        raise refusal("format", _("This is not a PNG, JPEG or WebP image.")) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise too_many_pixels() from error
    except Exception as error:  # decoders raise almost anything about damaged files
        raise refusal(
            "broken", _("This image is damaged. Save it again or take a new screenshot.")
        ) from error


def refusal(code: str, message: str) -> Refused:
    return Refused(code, message, field="image")


def too_many_pixels() -> Refused:
    return refusal(
        "pixels",
        _("An image can have at most %(count)d million pixels. Make it smaller.")
        % {"count": MOST_PIXELS // 1_000_000},
    )


def check_image(image: Image.Image) -> None:
    """Refuse an image that is opened but not decoded yet."""
    if image.width * image.height > MOST_PIXELS:
        raise too_many_pixels()
    if image.format in MOVING and getattr(image, "n_frames", 1) > 1:
        raise refusal(
            "moving", _("Send a still image. You can link to a video or a moving image instead.")
        )


def pixels_of(image: Image.Image) -> Image.Image:
    """Return an upright image of its pixels alone, on white and no larger than it is kept.

    Without white behind it, a transparent image could show one result on a light page and another
    on a dark one.
    """
    ImageOps.exif_transpose(image, in_place=True)
    mode = "RGBA" if image.has_transparency_data else "RGB"
    small = image
    if image.mode.startswith("I"):  # 16 bits of grey, which Pillow would clip
        small = image.point(lambda value: value / 256)
    elif image.mode in INDEXED or "transparency" in image.info:  # colours that cannot be mixed
        small = image.convert(mode)
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    small = small.convert(mode)
    pixels = Image.new("RGB", small.size, "white")
    pixels.paste(small, mask=small if mode == "RGBA" else None)
    return pixels


def encode(image: Image.Image) -> Picture:
    """Return an image as WebP, made smaller if it has too much detail."""
    while True:
        file = BytesIO()
        image.save(file, "WEBP", quality=QUALITY)
        if file.tell() <= MOST_STORED:
            return Picture(file.getvalue(), image.width, image.height)
        shrink = 0.9 * sqrt(MOST_STORED / file.tell())
        image.thumbnail((image.width * shrink, image.height * shrink))


def checked_description(description: str) -> str:
    description = " ".join(without_controls(description).split())
    if len(description) > LONGEST_DESCRIPTION:
        raise Refused(
            "description",
            _("A description can have at most %(limit)d characters.")
            % {"limit": LONGEST_DESCRIPTION},
            field="description",
        )
    return description


def attach(message: MatchMessage, picture: Picture, description: str) -> None:
    """Store the image of a new message."""
    message.image = EvidenceImage.objects.create(
        message=message,
        description=description,
        width=picture.width,
        height=picture.height,
        size=len(picture.webp),
    )
    EvidenceContent.objects.create(image=message.image, webp=picture.webp)


def content_of(match_id: int, message_id: int, *, read_since: datetime) -> bytes | None:
    """Return the bytes of the image of a message about this match, written since then."""
    found: Any = EvidenceContent.objects.filter(
        image__message=message_id,
        image__message__match=match_id,
        image__message__at__gte=read_since,
    ).values_list("webp", flat=True)
    row = found.first()
    return None if row is None else bytes(row)


def remove(match_id: int, message_id: int, *, by: User, reason: str, now: datetime) -> None:
    """Delete the bytes of an image as staff, with a reason that all readers of the message see.

    Raises:
        Forbidden: ``by`` may not decide results.
        Conflict: there is no such image any more.
        Refused: the reason is missing or too long.
    """
    own_matches.check_permission(
        by, own_matches.DECIDE, match_id, _("Only staff can remove an image.")
    )
    reason = without_controls(reason).strip()
    if not reason:
        raise Refused("no_reason", _("Say why you remove this image."), field="reason")
    if len(reason) > LONGEST_REMOVAL_REASON:
        raise Refused(
            "reason",
            _("A reason can have at most %(limit)d characters.")
            % {"limit": LONGEST_REMOVAL_REASON},
            field="reason",
        )
    with transaction.atomic():
        images = EvidenceImage.objects.filter(message=message_id, message__match=match_id)
        deleted, _rows = EvidenceContent.objects.filter(image__in=images).delete()
        if not deleted:
            raise Conflict("no_image", _("This image has already been removed."))
        ImageRemoval.objects.create(image_id=message_id, by=by, at=now, reason=reason)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.DELETED,
            match_id=match_id,
            reason=reason,
            details={"model": "league.evidenceimage", "id": str(message_id)},
            before={"Image": "shown"},
            after={"Image": "removed"},
            at=now,
        )


def headers_of(match_id: int, message_id: int) -> dict[str, str]:
    """Return the headers with which browsers show an image, and never run it as a page.

    Browsers centre an image that is opened by itself with a style of their own. They also replace
    the policy of an image in their cache by that of a “not modified”, which is the site's, so an
    image must always be answered in full.
    """
    return {
        "Content-Type": "image/webp",
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": f'inline; filename="match-{match_id}-image-{message_id}.webp"',
        "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        "Cache-Control": "private, max-age=3600",
    }
