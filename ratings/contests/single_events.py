"""Matches that are rated by their single events, such as frags."""

from __future__ import annotations

from typing import Any

from ratings.tunables.parameters import parameter


def rate_events(description: str, source: str) -> Any:
    """Declare the parameter."""
    off = False
    return parameter(off, label="Rate each event", description=description, source=source)


def event_weights(source: str) -> Any:
    """Declare the parameter."""
    return parameter(
        (),
        label="Weights of events",
        description="What one event of each kind counts, in the order of the kinds that the game "
        "server sends. With 1, 0.1, a frag (kind 1) counts as ten hits (kind 2). Kinds without a "
        "weight count 1.",
        source=source,
    )
