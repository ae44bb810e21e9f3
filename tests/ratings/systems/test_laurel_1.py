"""The first version of Laurel, which rates the seasons that were played under it."""

import pytest

from ratings.history import History, Match
from ratings.registry import KNOWN_SYSTEMS, SYSTEMS, build
from ratings.replay import final_states
from tests.support.rating_histories import DAY, contest


def season() -> History:
    """A season with everything that it counts: scores, draws, contexts, a first side, teams."""
    surfaces = ["clay", "clay", "grass", "grass", "", ""]
    matches: list[Match] = [
        contest(
            ["Ann"] if number % 3 else ["Bob"],
            ["Cid"] if number % 2 else ["Dan"],
            places=(0, 0) if number % 5 == 0 else (0, 1),
            at=number * 9 * DAY,
            match_id=f"duel {number}",
            weight=1.0 if number % 4 else 0.5,
            contexts=iter([surfaces[number % 6]] * 2),
            scores=(2, 2) if number % 5 == 0 else (number + 1, 1),
            first=number % 2 if number % 3 else None,
        )
        for number in range(24)
    ]
    matches.append(contest(["Ann", "Bob"], ["Cid", "Dan", "Eve"], at=300 * DAY, match_id="teams"))
    matches.append(contest(["Eve"], ["Dan"], ["Ann"], ["Bob"], at=301 * DAY, match_id="all"))
    return History.build(matches)


WANTED = {
    "Bob": (1673.4563419635876, 165.47837844892646),
    "Dan": (1331.6181300221037, 163.31965493443013),
    "Ann": (1840.1377108431077, 140.43151177671896),
    "Cid": (1071.3177310085925, 152.13832995438278),
    "Eve": (1791.805472409846, 247.68771323813343),
}


def test_its_ratings_stay_what_they_were() -> None:
    """Recorded when the second version came, from the code of before."""
    history = season()
    states = final_states(build("laurel-1"), history)
    found = {
        name: (states.rating[row], states.deviation[row])
        for row, name in enumerate(history.players)
    }
    for name, wanted in WANTED.items():
        assert found[name] == pytest.approx(wanted, abs=1e-9)


def test_it_is_known_but_no_longer_offered() -> None:
    assert "laurel-1" in KNOWN_SYSTEMS
    assert "laurel-1" not in SYSTEMS
