"""How the tests are shared out among the workers of a run."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

TOGETHER = {
    "tests/browser/": "browser",
    "/test_upgrade.py": "upgrades",
    "tests/embedded/": "embedded",
    "/test_queue_faults.py": "celery",
    "/test_worker.py": "celery",
    "/test_kinds.py": "celery",
    "/test_two_clocks.py": "celery",
    "/league/operations/": "backups",
    "/test_merge_faults.py": "celery",
    "/test_earlier_releases.py": "releases",
    "/test_api_schema.py": "schema",
    "/test_permissions.py": "permissions",
    "/test_unreadable_text.py": "unreadable",
    "/test_demo_players.py": "players",
    "/test_comparison.py": "comparison",
    "/test_simulation.py": "simulation",
    "/test_compiled": "compiled",
    "tests/libraries/": "libraries",
}
"""What one worker does alone: with one Chromium, few processes at a time, or what many tests share
and is slow to make."""


class Groups(LoadScopeScheduling):
    """The groups come first, the larger ones before; every other test goes to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        for place, group in TOGETHER.items():
            if place in nodeid:
                return group
        return nodeid
