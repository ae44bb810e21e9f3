"""The reference of the API, and the description that it shows."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from league.api.core import schema


def test_the_reference_loads_nothing_from_elsewhere_and_relaxes_its_own_policy_only() -> None:
    answer = Client().get("/api/v1/docs/")
    page = answer.content.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    loaded = re.sub(r"<link rel=\"alternate\"[^>]*>", "", page)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", loaded)
    assert "style-src 'self' 'unsafe-inline'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in Client().get("/").headers["Content-Security-Policy"]
    script = Client().get("/api/v1/docs/?script=")
    assert script.headers["Content-Type"] == "application/javascript"
    assert '"/api/v1/schema/"' in script.content.decode()


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
