"""Voiding and correcting results that are rated: preview the difference, then replay from there.

``preview`` shows, ``ask`` writes down that staff want it, ``carry_out`` makes it so.
"""

from league.services.corrections.previews import Movement, Preview, preview
from league.services.corrections.requests import ask, carry_out, is_quick, waiting
from league.services.corrections.writing import corrected

__all__ = ["Movement", "Preview", "ask", "carry_out", "corrected", "is_quick", "preview", "waiting"]
