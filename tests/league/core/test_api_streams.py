"""Whole lists as a stream of lines."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from league.api.core import streams
from league.models import Arena, Player
from league.services.results.reports.answers import confirm
from tests.support.api_steps import fields_at_fault
from tests.support.cast import NOW, beats

ACCEPTS = {"Accept": streams.MEDIA_TYPE}


def read(address: str) -> Iterator[bytes]:
    answer: Any = APIClient().get(f"/api/v1/{address}", headers=ACCEPTS)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == streams.MEDIA_TYPE
    return iter(answer.streaming_content)


def rows_of(address: str) -> list[Any]:
    return [json.loads(line) for line in b"".join(read(address)).splitlines()]


def test_a_stream_has_every_row_of_the_list_batch_by_batch(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "BATCH", 2)
    for _ in range(5):
        confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    for address in ("matches/?arena=duel", f"players/{alice.pk}/rating-history/?arena=duel"):
        listed = APIClient().get(f"/api/v1/{address}").json()["results"]
        assert rows_of(address) == listed
        assert len(listed) == 5
    batches = read("matches/?fields=id")
    next(batches)
    with CaptureQueriesContext(connection) as made:
        assert len(next(batches).splitlines()) == 2
    assert len(made) == 1
    assert "OFFSET" not in made.captured_queries[0]["sql"]


def test_a_stream_takes_no_parts_and_its_refusals_are_problems(duel: Arena) -> None:
    for name in ("page", "page_size"):
        answer = APIClient().get(f"/api/v1/matches/?{name}=1", headers=ACCEPTS)
        assert answer.status_code == 400
        assert fields_at_fault(answer) == {name}
    assert APIClient().get("/api/v1/arenas/", headers=ACCEPTS).status_code == 406
