"""The changes that decisions make to results, in words, for the log of staff actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import override

from league.models import StaffAction, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

Values = dict[str, Any]

FIELDS = {"mode": "Game mode", "left": "Left before the end (player ids)"}


def of_decision(
    verdict: StaffAction.Kind, status: str, details: Mapping[str, Any]
) -> tuple[Values, Values]:
    """Return the values before and after a decision about a match that had this status."""
    voids = verdict is StaffAction.Kind.VOIDED
    before, after = of_result(details)
    with override("en"):
        was, becomes = Status(status).label, (Status.VOID if voids else Status.RATED).label
        if was != becomes:
            before["Status"], after["Status"] = str(was), str(becomes)
    return before, after


def of_result(details: Mapping[str, Any]) -> tuple[Values, Values]:
    """Return the old and new places, scores, game mode and leavers that a correction recorded."""
    before, after = {}, {}
    for number, (was, becomes) in enumerate(
        zip(details.get("was", []), details.get("is", []), strict=False), start=1
    ):
        if was != becomes:
            before[f"Side {number}"], after[f"Side {number}"] = (
                describe_place(was),
                describe_place(becomes),
            )
    for field, label in FIELDS.items():
        if details.get(f"{field}_was") != details.get(f"{field}_is"):
            before[label], after[label] = details[f"{field}_was"], details[f"{field}_is"]
    return before, after


def describe_place(row: Mapping[str, Any]) -> str:
    """Return a place and a score, such as “place 1, score 3”."""
    place, score = row["place"], row["score"]
    words = "no place" if place is None else f"place {place + 1}"
    return words if score is None else f"{words}, score {score:.15g}"
