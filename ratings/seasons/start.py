"""The start of ratings in an arena's season.

Source: "PvP Matchmaking Algorithm", Guild Wars 2 Wiki, the attributes of ``<Ratings>`` and
``<Placement>``.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ratings.seasons.transitions import SeasonStart
from ratings.tunables.kinds import TimeOrEmpty
from ratings.tunables.parameters import parameter
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = "GW2 <Ratings>"
RESETS = {"full": "full_reset_before", "partial": "partial_reset_before"}
"""The rules for resets, by the kind of reset that earlier releases stored."""


class Start(SeasonStart):
    """The ratings at the start of an arena's season."""

    placement: Literal["linear-scale", "carry-over", "fresh"] = parameter(
        "fresh",
        label="Ratings at the start",
        description="How players' ratings from last season are used.",
        choices={
            "fresh": "everyone starts as a newcomer",
            "carry-over": "ratings are kept",
            "linear-scale": "ratings move towards the centre",
        },
        source=f"{SOURCE} Placement/@type, @use-season",
    )
    full_reset_before: TimeOrEmpty = parameter(
        "",
        label="Reset ratings from before",
        description="Players who last played before this time start as newcomers. Leave it empty "
        "to reset nobody.",
        source=f"{SOURCE} @reset",
    )
    partial_reset_before: TimeOrEmpty = parameter(
        "",
        label="Reset deviations from before",
        description="Players who last played before this time keep their rating, but it is as "
        "uncertain as a newcomer's. Leave it empty to reset nobody.",
        source=f"{SOURCE} @partial-reset",
    )

    recentre: bool = parameter(
        default=False,
        label="Re-centre on the anchors",
        description="Move all ratings from last season by the same points, so that the results "
        "against the anchors were as expected. This takes out inflation. It counts matches of two "
        "sides with only anchors on one of them, and needs a rating system with a logistic scale, "
        "such as Elo, Fermi or Glicko-2. The preview of a start says how far ratings move.",
        source="Elo-MMR 2021, section 7; Kreimeier 2000, Closed System",
    )
    day_one: float = parameter(
        0.0,
        label="Random scatter on day one",
        description="If everyone starts a season as a newcomer, each player with an account and a "
        "rated match on the site gets a random starting rating: normally distributed around the "
        "usual one, with this standard deviation. The average is exactly the usual one, where all "
        "others start. 0 turns it off. For Fermi and Elo. It is drawn once a season.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source="Kreimeier 2000, Closed System",
    )

    def clashes(self) -> dict[str, Sentence]:
        """Check that only newcomers draw ratings."""
        if self.day_one and self.placement != "fresh":
            return {"day_one": Sentence("must be 0 unless everyone starts as a newcomer")}
        return {}

    @property
    def full_reset_at(self) -> datetime | None:
        """Players whose last match is before this moment start as newcomers."""
        return _moment(self.full_reset_before)

    @property
    def partial_reset_at(self) -> datetime | None:
        """Players whose last match is before this moment get a newcomer's deviation."""
        return _moment(self.partial_reset_before)

    @property
    def changes_some(self) -> bool:
        """Whether some players are reset, or all deviations."""
        return bool(self.full_reset_before or self.partial_reset_before or self.reset_deviation)


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def as_now_written(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return stored rules of a start with the names of this release.

    Earlier releases had one reset, ``full`` or ``partial``, and its day.
    """
    given = dict(values or {})
    kind, day = given.pop("reset", "none"), given.pop("reset_before", "")
    if kind in RESETS and day:
        given.setdefault(RESETS[kind], f"{day}T00:00:00+00:00")
    return given
