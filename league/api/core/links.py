"""Links of the OpenAPI description: the operations that follow from an answer.

Generated clients and tests read from them that the ``id`` of a reported match is the one to
confirm, say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ID = {"id": "$response.body#/id"}
SAME_ID = {"id": "$request.path.id"}
SLUG = {"slug": "$request.path.slug"}
FIRST_SLUG = {"slug": "$response.body#/results/0/slug"}
FIRST = {"id": "$response.body#/results/0/id"}

ANSWERS = ("match", "confirm", "dispute", "counter_report", "change_report", "withdraw")
LINKS: Mapping[tuple[str, str], Mapping[str, Mapping[str, str]]] = {
    ("report", "201"): dict.fromkeys(ANSWERS, ID),
    ("start_match", "201"): dict.fromkeys(("match", "finish_match", "void_match"), ID),
    ("finish_match", "200"): dict.fromkeys(("match", "confirm", "dispute"), SAME_ID),
    ("match", "200"): dict.fromkeys(("confirm", "dispute", "finish_match", "object"), SAME_ID),
    ("confirm", "200"): dict.fromkeys(("match", "object", "preview_correction"), SAME_ID),
    ("dispute", "200"): dict.fromkeys(("decide", "match_messages", "write_message"), SAME_ID),
    ("counter_report", "200"): {"answer_counter_report": SAME_ID},
    ("object", "200"): dict.fromkeys(("withdraw_objection", "reject_objection"), SAME_ID),
    ("matches", "200"): {"match": FIRST},
    ("players", "200"): dict.fromkeys(
        ("player", "player_ratings", "rating_history", "player_points"), FIRST
    ),
    ("arenas", "200"): dict.fromkeys(
        ("arena", "leaderboard", "seasons", "queue", "competitions"), FIRST_SLUG
    ),
    ("seasons", "200"): dict.fromkeys(("season", "final_standings", "final_points"), FIRST),
    ("competitions", "200"): dict.fromkeys(("competition", "entrants", "fixtures", "table"), FIRST),
    ("teams", "200"): {"team": FIRST},
    ("join_queue", "201"): dict.fromkeys(("queue", "leave_queue"), SLUG),
    ("challenge", "201"): dict.fromkeys(
        ("answer_challenge", "start_challenge", "report_challenge"), ID
    ),
    ("propose_date", "201"): dict.fromkeys(("answer_date", "withdraw_date", "date_messages"), ID),
    ("make_roster", "201"): {"invite": {**SLUG, **ID}},
    ("make_token", "201"): {"revoke_token": ID},
}
"""The operations that follow from an operation and the status of its answer, with what they take
from it."""


def add_links(paths: Mapping[str, Mapping[str, Any]]) -> None:
    """Add the links to the answers of the operations."""
    known = dict(operations(paths))
    for (name, status), targets in LINKS.items():
        known[name]["responses"][status]["links"] = {
            target: {"operationId": known[target]["operationId"], "parameters": dict(taken)}
            for target, taken in targets.items()
        }


def operations(paths: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every operation with its id."""
    for methods in paths.values():
        for operation in methods.values():
            yield operation["operationId"], operation
