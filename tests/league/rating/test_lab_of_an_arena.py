"""manage.py lab on the matches of an arena."""

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.models import Arena, Player
from league.services.rating.tail import read_tail
from league.services.results.staff.entering import enter
from ratings.lab.trial import try_system
from ratings.registry import build
from tests.support.cast import NOW, arena, side
from tests.support.result_steps import user_of


@pytest.fixture
def played_arena(alice: Player, bob: Player, charlie: Player, olga: Player) -> Arena:
    """An arena with a season of six duels, in which the first side was at home."""
    made = arena("chess", rating_system="elo", rating_parameters={"first_side": 60})
    pairs = [(alice, bob), (bob, charlie), (charlie, alice)] * 2
    for number, (winner, loser) in enumerate(pairs):
        at = NOW + timedelta(minutes=number)
        sides = [side(winner, place=0), side(loser, place=1)]
        enter(
            made,
            sides,
            by=user_of(olga),
            reason="Seen.",
            played_at=at,
            now=at,
            first_side=number % 2,
        )
    return made


def test_the_matches_after_the_split_are_judged_as_they_were_rated(played_arena: Arena) -> None:
    output = io.StringIO()
    call_command("lab", "--arena", "chess", "--systems", "elo,laurel", "--json", stdout=output)
    elo, laurel = json.loads(output.getvalue())
    assert [elo["system"], laurel["system"]] == ["elo", "laurel"]
    assert [elo["matches"], laurel["matches"]] == [3, 3]
    assert all(0 < trial["log_loss"] < 2 for trial in (elo, laurel))


def test_parameters_and_the_first_side_count(played_arena: Arena, tmp_path: Path) -> None:
    params = tmp_path / "params.json"
    params.write_text('{"first_side": 60}')
    output = io.StringIO()
    asked = ["--arena", "chess", "--systems", "elo", "--params", str(params), "--json"]
    call_command("lab", *asked, stdout=output)
    [found] = json.loads(output.getvalue())
    history = read_tail(played_arena.seasons.get(), after=0).history()
    at_home, plain = (
        try_system(build("elo", {"first_side": points}), history, 3, float) for points in (60, 0)
    )
    assert found["log_loss"] == at_home.log_loss != plain.log_loss


def test_an_arena_without_rated_matches_is_explained(duel: Arena) -> None:
    with pytest.raises(CommandError, match="There is no arena “duel” with rated matches"):
        call_command("lab", "--arena", "duel", stdout=io.StringIO())
