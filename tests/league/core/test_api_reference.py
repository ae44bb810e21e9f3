"""The reference of the API has everything that the description has."""

from __future__ import annotations

import json
import re
import shlex
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from league.api.core import reference, schema
from league.api.core.reference import groups, operation_called
from league.api.core.schema import description
from league.api.core.snippets import command_of
from league.templatetags.reference import with_code

pytestmark = pytest.mark.django_db

NAMES = [line.name for group in groups() for line in group.operations]
WITH_BODY = [
    operation["operationId"]
    for methods in description()["paths"].values()
    for operation in methods.values()
    if "application/json" in operation.get("requestBody", {}).get("content", {})
]


def test_every_operation_is_listed_in_a_group_and_has_a_page() -> None:
    described = {
        operation["operationId"]
        for methods in description()["paths"].values()
        for operation in methods.values()
    }
    assert set(NAMES) == described
    page = Client().get("/api/v1/docs/").content.decode()
    assert set(re.findall(r'href="/api/v1/docs/(\w+)/"', page)) == described


def test_every_page_has_the_inputs_and_answers_of_its_operation() -> None:
    browser = Client()
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            answer = browser.get(f"/api/v1/docs/{operation['operationId']}/")
            assert answer.status_code == 200
            page = answer.content.decode()
            assert f'<code class="method">{method.upper()}</code> <code>{path}</code>' in page
            names = {one["name"] for one in operation.get("parameters", [])}
            assert names <= set(re.findall(r"<code>([\w-]+)</code>", page))
            for status in operation["responses"]:
                assert f"<code>{status}</code>" in page


def test_an_operation_that_is_not_there_is_not_found() -> None:
    answer = Client().get("/api/v1/docs/backdoor/")
    assert answer.status_code == 404


@pytest.mark.parametrize("address", ["/api/v1/docs/", "/api/v1/docs/report/"])
def test_the_pages_hold_no_inline_script_or_style(address: str) -> None:
    answer = Client().get(address)
    page = answer.content.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", WITH_BODY)
def test_the_body_to_start_from_has_the_shape_that_is_described(name: str) -> None:
    """What the types ask for; a player's id or a time is the reader's to fill in."""
    one = operation_called(name)
    assert one
    operation = description()["paths"][one.path][one.method.lower()]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**body, "components": description()["components"]})
    wrong = [
        error.message
        for error in validator.iter_errors(json.loads(one.example))
        if error.validator in {"type", "required", "additionalProperties"}
    ]
    assert wrong == []


def test_what_stands_between_backticks_is_code_and_the_rest_is_escaped() -> None:
    assert with_code("Follow `next` & <b>") == "Follow <code>next</code> &amp; &lt;b&gt;"
    assert with_code("`<script>`") == "<code>&lt;script&gt;</code>"


def test_a_command_is_one_request_of_curl() -> None:
    one = operation_called("report")
    assert one
    words = shlex.split(command_of(one).replace("\\\n", " "))
    assert words[:3] == ["curl", "-X", "POST"]
    assert words[3].endswith("/api/v1/arenas/{slug}/reports/")
    assert json.loads(words[words.index("-d") + 1]) == json.loads(one.example)
    assert "Authorization: Bearer laurel_…" in words
    reading = operation_called("arenas")
    assert reading
    assert command_of(reading).startswith("curl http")
    assert "Bearer" not in command_of(reading)


@pytest.mark.parametrize(
    ("schema_of_value", "kind"),
    [
        ({"type": "string"}, "text"),
        ({"type": ["integer", "null"]}, "whole number or null"),
        ({"type": "string", "format": "date-time"}, "time"),
        ({"type": "array", "items": {"type": "number"}}, "list: number"),
        (
            {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Problem"}]},
            "text or object",
        ),
        ({}, "any value"),
    ],
)
def test_kinds_are_said_in_words(schema_of_value: dict[str, Any], kind: str) -> None:
    assert reference.kind_of(schema_of_value) == kind


def test_limits_and_defaults_are_said() -> None:
    schema = {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
    assert reference.limits_of(schema) == ["At least 1", "At most 200"]
    assert reference.default_of(schema) == "50"
    assert reference.default_of({"type": "boolean", "default": False}) == "false"
    assert reference.default_of({"type": "string", "default": ""}) == ""


def test_values_within_objects_and_lists_are_listed_with_their_path() -> None:
    inner = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    outer = {"type": "object", "properties": {"sides": {"type": "array", "items": inner}}}
    found = list(reference.values_in({"type": "array", "items": outer}))
    assert [(one.name, one.is_required) for one in found] == [
        ("[].sides", False),
        ("[].sides[].id", True),
    ]


def test_uploads_are_not_for_the_form() -> None:
    upload = operation_called("upload_picture")
    assert upload
    assert command_of(upload).endswith("-F image=@picture.png")
    assert [value.name for value in upload.body] == ["image"]
    page = Client().get("/api/v1/docs/upload_picture/").content.decode()
    assert "data-path" not in page
    assert "try-request.js" not in page


def test_readers_who_come_at_once_wait_for_one_description(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Slow:
        def get_schema(self, *, request: None, public: bool) -> dict[str, bool]:
            begun.append(public)
            time.sleep(0.1)
            return {"public": public}

    monkeypatch.setattr(schema, "SchemaGenerator", Slow)
    monkeypatch.setattr(schema, "get_language", lambda: "a language of this test")
    with ThreadPoolExecutor(4) as readers:
        waiting = [readers.submit(schema.description) for _number in range(4)]
    assert [one.result() for one in waiting] == [{"public": True}] * 4
    assert begun == [True]
