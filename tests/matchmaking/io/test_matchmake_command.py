"""``manage.py matchmake``: the matches of a queue file, offline."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS
from matchmaking.ticket import Ticket
from tests.support import plain_matchers
from tests.support.matchmaking_queues import ANY_MODE, party, random_tickets, seeded

PUBLISHED = Path(__file__).parents[2] / "support" / "published.xml"


def as_json(tickets: list[Ticket]) -> str:
    return json.dumps(
        {
            "now": 0,
            "tickets": [
                {
                    "id": ticket.id,
                    "wait": -ticket.queued_at,
                    "modes": sorted(ticket.modes),
                    "guild_team": ticket.guild_team,
                    "players": [
                        {
                            "id": player.id,
                            "rating": player.rating,
                            "deviation": player.deviation,
                            "rank": player.rank,
                            "games": player.games,
                            "profession": player.profession,
                            "dishonor": player.dishonor,
                        }
                        for player in ticket.players
                    ],
                }
                for ticket in tickets
            ],
        }
    )


@pytest.fixture
def tickets() -> list[Ticket]:
    return random_tickets(seeded(11), 120, coarse=False, modes=ANY_MODE)


@pytest.fixture
def queue_file(tickets: list[Ticket], tmp_path: Path) -> Path:
    file = tmp_path / "queue.json"
    file.write_text(as_json(tickets))
    return file


def matchmake(*arguments: object) -> dict[str, Any]:
    printed = StringIO()
    call_command("matchmake", *map(str, arguments), stdout=printed)
    written: dict[str, Any] = json.loads(printed.getvalue())
    return written


@pytest.mark.parametrize("name", ["new", "old"])
def test_the_printed_matches_agree_with_the_plain_reading(
    name: str, tickets: list[Ticket], queue_file: Path
) -> None:
    written = matchmake(
        "--arena=gw2-unranked", f"--matcher={name}", "--choose=falloff=min", queue_file
    )
    rules = PRESETS["gw2-unranked"].rules()
    rules = rules.model_copy(
        update={"choices": rules.choices.model_copy(update={"falloff": "min"})}
    )
    tick = (plain_matchers.new if name == "new" else plain_matchers.old)(tickets, rules, 0.0)
    assert tick.matches
    assert written["queue"] == tick.queue
    assert [(match["team1"], match["team2"]) for match in written["matches"]] == [
        (match.team1, match.team2) for match in tick.matches
    ]
    for match, other in zip(written["matches"], tick.matches, strict=True):
        picks = [(pick["ticket"], pick["team"]) for pick in match["picks"]]
        assert picks == [(ticket, team) for ticket, team, _ in other.picks]
        assert {*match} == {"team1", "team2", "picks"}
        assert all({*pick} == {"ticket", "team", "score"} for pick in match["picks"])


def test_the_seed_decides_the_coin_tosses_of_the_old_matcher(queue_file: Path) -> None:
    arguments = ("--arena=small-community", "--matcher=old", queue_file)
    unswapped = matchmake(*arguments)
    assert unswapped == matchmake(*arguments)
    seeded_ticks = [matchmake(*arguments, f"--seed={seed}") for seed in range(4)]
    assert matchmake(*arguments, "--seed=1") == seeded_ticks[1]
    assert any(tick != unswapped for tick in seeded_ticks)


def test_an_arena_comes_from_a_file_by_its_name(queue_file: Path) -> None:
    from_file = matchmake(f"--arena={PUBLISHED}#Unranked Arena", queue_file)
    assert from_file == matchmake("--arena=gw2-unranked", queue_file)


@pytest.mark.parametrize("matcher", list(MATCHERS))
@pytest.mark.parametrize(("size", "team_size"), [(2, 1), (6, 5), (4, 3)])
def test_a_ticket_larger_than_a_team_is_named(
    size: int, team_size: int, matcher: str, tmp_path: Path
) -> None:
    file = tmp_path / "queue.json"
    file.write_text(as_json([party("small", 1500), party("the Smiths", *[1500] * size)]))
    why = f"ticket the Smiths has {size} players, and a team has {team_size}"
    with pytest.raises(CommandError, match=why):
        matchmake("--arena=recommended", f"--team-size={team_size}", f"--matcher={matcher}", file)


def test_the_uncertain_meet_whom_they_are_as_likely_to_beat(tmp_path: Path) -> None:
    """Ten hours of waiting make no unfair match, and one of equal ratings is not unfair."""
    file = tmp_path / "queue.json"
    for rating, matches in ((1500, 1), (1180, 0)):
        waiting = [
            party("new", 1500, wait=36000, deviation=350),
            party("known", rating, wait=36000, deviation=30),
        ]
        file.write_text(as_json(waiting))
        made = matchmake("--arena=recommended-1v1", "--matcher=laurel", file)["matches"]
        assert len(made) == matches


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--arena=nowhere"], "nowhere is neither a file nor one of gw2-unranked, gw2-ranked,"),
        ([f"--arena={PUBLISHED}"], "has 3 arenas. Choose one: --arena “"),
        ([f"--arena={PUBLISHED}#Duel"], "has no arena Duel; it has Unranked Arena, Ranked Arena"),
        (["--arena=recommended", "--team-size=0"], "--team-size must be from 1 to 100"),
        (["--arena=recommended", "--choose=falloff=up"], "--choose: falloff must be one of max"),
        (["--arena=recommended", "--seed=-1"], "--seed must be 0 or more"),
    ],
)
def test_an_invalid_argument_is_explained(
    arguments: list[str], problem: str, queue_file: Path
) -> None:
    with pytest.raises(CommandError) as refused:
        matchmake(*arguments, queue_file)
    assert problem in str(refused.value)


def test_an_invalid_file_is_explained(tmp_path: Path) -> None:
    missing, wrong, binary = (tmp_path / name for name in ("none", "wrong.json", "binary"))
    wrong.write_text('{"tickets": [{}]}')
    binary.write_bytes(b"\xff\xfe\x00")
    for file, problem in (
        (missing, f"Cannot read {missing}: No such file or directory."),
        (wrong, f"{wrong} cannot be used:\ntickets[0].id: is missing"),
        (binary, f"Cannot read {binary}: it is not UTF-8 text."),
    ):
        with pytest.raises(CommandError) as refused:
            matchmake("--arena=recommended", file)
        assert problem in str(refused.value)


def test_the_command_needs_no_server(queue_file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "matchmake", "--arena=recommended", str(queue_file)]
    environment = {"PATH": "/usr/bin:/bin", "LAUREL_DATA": str(tmp_path / "data")}
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, check=True, text=True
    )
    assert json.loads(done.stdout)["matches"]
    assert not list(tmp_path.glob("data/*/PG_VERSION"))
