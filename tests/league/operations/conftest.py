"""Fixtures for tests of health and metrics."""

import socket
from collections.abc import Iterator

import pytest
from django.conf import settings

from league import heartbeats, measuring
from league.services.operations import readiness
from league.services.operations.readiness import Question


@pytest.fixture
def fresh_metrics(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Empty counts and heartbeats, and answers that were not given to an earlier test."""
    monkeypatch.setattr(readiness, "_database", Question(readiness.ask_database))
    monkeypatch.setattr(readiness, "_broker", Question(readiness.ask_broker))
    measuring.requests.clear()
    measuring.request_seconds.clear()
    heartbeats.client().delete(heartbeats.KEY)
    yield
    heartbeats.client.cache_clear()


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that lets everybody in and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def broker_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A function that moves the broker elsewhere."""

    def move(url: str) -> None:
        monkeypatch.setattr(settings, "REDIS_URL", url)
        heartbeats.client.cache_clear()

    yield move
    monkeypatch.undo()
    heartbeats.client.cache_clear()
