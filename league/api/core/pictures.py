"""Uploads of pictures, as multipart forms."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.api.core.fields import Strict


class PictureForm(Strict):
    """A picture, as a multipart form."""

    image = serializers.FileField(
        help_text=_("A PNG, JPEG or WebP image. Its middle is cut out as a square.")
    )
