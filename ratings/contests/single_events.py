"""Matches that are rated by their single events, such as frags."""

from __future__ import annotations

from typing import Any

from ratings.tunables.parameters import parameter


def rate_events(description: str, source: str) -> Any:
    """Declare the parameter."""
    off = False
    return parameter(off, label="Rate each event", description=description, source=source)
