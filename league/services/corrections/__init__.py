"""Voiding and correcting rated results by replaying the season from the match on.

``preview`` returns the effect, ``ask`` stores a request for it, and ``carry_out`` makes the
correction.
"""

from league.services.corrections.making import preview
from league.services.corrections.requests import ask, ask_undo, carry_out, is_quick, waiting
from league.services.replay.previews import Movement, Preview

__all__ = [
    "Movement",
    "Preview",
    "ask",
    "ask_undo",
    "carry_out",
    "is_quick",
    "preview",
    "waiting",
]
