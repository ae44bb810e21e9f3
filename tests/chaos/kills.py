"""Kill a process at a kill point, let others do its work, and count the effects."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from league.services.core.kill_points import AFTER, BEFORE
from tests.chaos.scenarios import SCENARIOS

if TYPE_CHECKING:
    from tests.chaos.victims import Victims

MOMENTS = {BEFORE: 0, AFTER: 1}
"""How often an act has taken effect if a process is killed at this moment."""
KILLED = -9
ATTEMPTS = 20
"""How often a kill is tried again because a worker of the site did the work first."""
OTHERS_TAKE = 5.0
"""Seconds that a worker may take if its lock made the killed process skip the work."""


def kill(
    victims: Victims, name: str, moment: str, *, harm: str = "", has_workers: bool = False
) -> list[str]:
    """Kill a process at a moment, then let two others do the same. Return what is wrong.

    ``has_workers`` says that workers of the site may do its work at any time.
    """
    scenario = SCENARIOS[name]
    for _attempt in range(ATTEMPTS):
        facts = scenario.arrange()
        if victims.act(name, facts, moment, harm) == KILLED:
            break
    else:
        return [f"{name}, {moment}: no process was killed"]
    problems = []
    expected = {MOMENTS[moment], 1} if has_workers else {MOMENTS[moment]}
    deadline = time.monotonic() + (OTHERS_TAKE if has_workers else 0)
    while (effects := scenario.effects(facts)) not in expected and time.monotonic() < deadline:
        time.sleep(0.05)
    if effects not in expected:
        problems.append(f"took effect {effects} times")
    statuses = [victims.act(name, facts) for _again in range(2)]
    if any(statuses):
        problems.append(f"failed with {statuses} when repeated")
    if (effects := scenario.effects(facts)) != 1:
        problems.append(f"took effect {effects} times in the end")
    return [f"{name}, {moment}: {problem}" for problem in problems]
