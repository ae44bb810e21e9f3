"""Voiding and correcting rated results by replaying the season from the match on.

``preview`` returns the effect, ``ask`` stores a request for it, and ``carry_out`` makes the
correction.
"""

from league.services.corrections.previews import Movement, Preview, preview
from league.services.corrections.requests import ask, ask_undo, carry_out, is_quick, waiting
from league.services.corrections.writing import corrected

__all__ = [
    "Movement",
    "Preview",
    "ask",
    "ask_undo",
    "carry_out",
    "corrected",
    "is_quick",
    "preview",
    "waiting",
]
