"""QR codes as inline SVG, for pages that people print."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def draw_qr_code(address: str) -> SafeString:
    """Return the QR code of an address, which scales to the size that its style sheet says."""
    code = segno.make(address, error="m", micro=False)
    return mark_safe(code.svg_inline(omitsize=True, border=4, light="#fff"))  # noqa: S308 - only numbers
