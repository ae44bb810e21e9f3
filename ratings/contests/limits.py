"""The terms of changes that a limit of a rating system stopped. Other changes have neither."""

from __future__ import annotations

from ratings.types import Term

CAP = Term(
    "cap",
    "Cap",
    "The most that a match, or a rating period, moves a rating.",
    unit="points",
    optional=True,
)
BOUND = Term(
    "bound",
    "Limit",
    "The lowest or highest rating, at which this one stays.",
    unit="rating",
    optional=True,
)
