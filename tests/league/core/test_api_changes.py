"""The changelog of the API leads from its first description to the present one."""

from __future__ import annotations

import re

import pytest

from tests.support import api_surface
from tests.support.api_surface import BLOCK, CHANGES, HEADING, surface, told


def test_everything_that_changed_is_told() -> None:
    added, gone = api_surface.untold()
    assert (added, gone) == ([], []), "run `make api-changes`, and say what the change is for"


def test_each_change_says_what_it_is_for_and_each_loss_that_it_breaks_programs() -> None:
    for entry in re.split(r"(?m)^## ", CHANGES.read_text())[1:]:
        heading, _line, rest = entry.partition("\n")
        words = BLOCK.sub("", rest).strip()
        assert heading != HEADING.removeprefix("## ")
        assert words, heading
        loses = any(
            line.startswith("- ") for block in BLOCK.findall(rest) for line in block.splitlines()
        )
        assert not loses or words.startswith("Breaking:"), heading


@pytest.mark.parametrize("changes", ["+ a", "- b", "  a", "* c"])
def test_changes_that_cannot_be_are_refused(changes: str) -> None:
    with pytest.raises(ValueError, match="cannot follow"):
        told("a\n", f"## One\n```diff\n{changes}\n```\n")


def test_later_changes_follow_earlier_ones() -> None:
    changes = "## Two\n```diff\n- b\n+ a\n```\n## One\n```diff\n- a\n+ b\n```\n"
    assert told("a\nc\n", changes) == {"a", "c"}


def test_the_surface_names_operations_inputs_answers_fields_and_values() -> None:
    mark = {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "integer"},
            "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
            "by": {"oneOf": [{"$ref": "#/components/schemas/Player"}, {"type": "null"}]},
        },
    }
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Mark"}}}}
    description = {
        "paths": {
            "/marks/": {
                "get": {
                    "parameters": [
                        {"in": "query", "name": "q", "required": True},
                        {"in": "path", "name": "id"},
                    ],
                    "responses": {"200": body, "404": {}},
                },
                "post": {"requestBody": body, "responses": {"204": {}}},
            }
        },
        "components": {"schemas": {"Mark": mark, "Tag": {"type": "string", "enum": ["new"]}}},
    }
    assert surface(description) == {
        "GET /marks/",
        "GET /marks/ ?q (required)",
        "GET /marks/ gives 200 Mark",
        "POST /marks/",
        "POST /marks/ takes Mark",
        "POST /marks/ gives 204 anything",
        "Mark.id: integer (required)",
        "Mark.tags: list of Tag",
        "Mark.by: Player or null",
        "Tag = new",
    }
