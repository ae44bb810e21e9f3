"""Rules for tests of queues."""

from __future__ import annotations

ANYBODY = {"potentials_min": 1, "rating_min": 1000, "iteration_interval": "30s"}
