"""How the tests are shared out among the workers of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

TOGETHER = {
    "tests/browser/": "browser",
    "/test_queue_faults.py": "celery",
    "/test_worker.py": "celery",
    "/test_workers.py": "celery",
    "/test_kinds.py": "celery",
    "/test_two_clocks.py": "celery",
    "/test_merge_faults.py": "celery",
    "/test_permissions.py": "permissions",
    "/test_api_schema.py": "schema",
    "tests/embedded/": "embedded",
    "/test_unreadable_text.py": "unreadable",
    "/test_role_matrix.py": "roles",
    "/league/operations/": "backups",
    "/test_demo_players.py": "players",
    "/test_compiled": "compiled",
    "tests/libraries/": "libraries",
    "tests/clients/": "clients",
    "tests/chaos/": "chaos",
    "/test_simulation.py": "simulation",
    "/test_comparison.py": "comparison",
    "/test_projection.py": "projection",
    "/test_sent_twice_everywhere.py": "sent twice",
}
"""What one worker does alone: with one Chromium, few processes at a time, or what many tests share
and is slow to make. Also what takes long for its few tests, so that no worker has it left at the
end."""
GROUPS = list(dict.fromkeys(TOGETHER.values()))


class Groups(LoadScopeScheduling):
    """Groups come first, in the order of the list, then files, those with the most tests first.

    All tests of a file run in one worker, so what they share is made once.
    """

    def _split_scope(self, nodeid: str) -> str:
        for place, group in TOGETHER.items():
            if place in nodeid:
                return group
        return nodeid.split("::", 1)[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        if group := next((group for group in GROUPS if group in self.workqueue), None):
            self.workqueue.move_to_end(group, last=False)
        super()._assign_work_unit(node)
