"""Uploads of pictures, as multipart forms."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from league.api.core.fields import Strict, Upload


class PictureForm(Strict):
    """A picture, as a multipart form."""

    image = Upload(help_text=_("A PNG, JPEG or WebP image. Its middle is cut out as a square."))
