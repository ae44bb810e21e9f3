"""Presets are valid, hold the published figures, and become drafts with all of their settings."""

import math
from pathlib import Path

import pytest
from django.apps import apps

import tests.support
from league.models import Arena, ArenaQueue, PenaltyReason, Player, StaffAction
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_arena, from_preset
from league.services.dishonor import discipline
from league.services.seasons.opening import publish
from league.services.transfer.configuration.configurations import Import, import_configuration
from matchmaking.dishonor import DishonorRules
from tests.support.cast import NOW
from tests.support.result_steps import user_of

VERSIONS = apps.get_model("league", "HistoricalArena")
PUBLISHED = Path(tests.support.__path__[0]) / "published.xml"


@pytest.mark.parametrize("key", PRESETS)
def test_every_preset_is_valid_and_its_season_opens(key: str, olga: Player) -> None:
    arena = from_preset(PRESETS[key], name="New", slug="new", by=user_of(olga), now=NOW)
    assert arena.is_draft
    assert not arena.seasons.exists()
    arena.system().check_sizes([arena.team_size_min] * arena.sides_min)
    arena.system().check_sizes([arena.team_size_max] * arena.sides_max)
    season = publish(arena.pk, by=user_of(olga), now=NOW)
    assert season.season_rules() == arena.rules()
    assert (season.starts_at, season.opened_at) == (NOW.replace(hour=0), NOW)
    assert PRESETS[key].source


@pytest.mark.parametrize(
    ("key", "name"), [("gw2-ranked", "Ranked Arena"), ("gw2-unranked", "Unranked Arena")]
)
def test_the_arenas_of_guild_wars_2_are_those_of_the_published_file(
    key: str, name: str, olga: Player
) -> None:
    import_configuration(PUBLISHED.read_text(), Import("published.xml", NOW))
    file = Arena.objects.get(name=name)
    mine = from_preset(PRESETS[key], name="New", slug="new", by=user_of(olga), now=NOW)
    mine.refresh_from_db()
    for setting in ("modes", "rating_system", "rating_parameters", "sides_max", "team_size_min"):
        assert getattr(mine, setting) == getattr(file, setting)
    for group in ("decay", "mode_points", "point_table", "ranked", "cuts", "divisions"):
        assert mine.season_rules.get(group) == file.season_rules.get(group)
    assert mine.rules().start == file.rules().start
    dates = {"starts": "", "ends": ""}  # those of 2015 would give no points today
    assert mine.season_rules["points"] == {**file.season_rules["points"], **dates}
    for setting in ("matcher", "rules", "prediction", "bars_timeouts", "rank_source"):
        assert getattr(mine.queue, setting) == getattr(file.queue, setting)


def test_dishonor_is_as_published_without_a_file() -> None:
    law, _readings = discipline.in_force()
    assert law == DishonorRules()
    assert {each.reason: each.stacks for each in law.penalties} == {
        "Abandon": 10,
        "QueueDodge": 3,
        "Banned": 1_000_000,
    }


def test_the_published_figures_of_the_others() -> None:
    """A lead of 150 points wins ten to one in table tennis, one of 400 in chess."""
    table_tennis = Arena(**PRESETS["table-tennis"].arena).system().parameters
    chess = Arena(**PRESETS["chess-club"].arena).system().parameters
    assert math.exp(150 / table_tennis.T) == pytest.approx(10)  # type: ignore[attr-defined]
    assert table_tennis.max_gain == 16  # type: ignore[attr-defined]
    assert math.exp(400 / chess.T) == pytest.approx(10)  # type: ignore[attr-defined]
    assert chess.max_gain == 32  # type: ignore[attr-defined]
    racing = Arena(**PRESETS["racing"].arena).system().parameters
    assert (racing.beta, racing.gamma) == (200, 35)  # type: ignore[attr-defined]
    football = Arena(**PRESETS["football"].arena).system().parameters
    assert (football.max_gain, football.first_side, football.margin) == (30, 100, "goals")  # type: ignore[attr-defined]
    fermi = Arena(**PRESETS["kreimeier-deathmatch"].arena).system()
    assert fermi.rates_events
    assert (fermi.parameters.T, fermi.parameters.max_gain) == (1, 1)  # type: ignore[attr-defined]


def test_a_copy_takes_all_settings_and_no_data(duel: Arena, olga: Player, alice: Player) -> None:
    duel.description = "Blitz"
    duel.save()
    ArenaQueue.objects.create(arena=duel, bars_timeouts=False)
    PenaltyReason.objects.create(arena=duel, name="Insults", stacks=2)
    copy = from_arena(duel, name="Two", slug="two", by=user_of(olga), now=NOW)
    copy = Arena.objects.get(pk=copy.pk)
    assert (copy.name, copy.description, copy.copied_from) == ("Two", "Blitz", duel.pk)
    assert (copy.rules(), copy.rating_parameters) == (duel.rules(), duel.rating_parameters)
    assert copy.queue.rules == duel.queue.rules
    assert not copy.queue.bars_timeouts
    assert [(each.name, each.stacks) for each in copy.penalty_reasons.all()] == [("Insults", 2)]
    assert not copy.seasons.exists()
    assert duel.penalty_reasons.count() == 1
    action = StaffAction.objects.get()
    assert (action.kind, action.actor) == ("created", olga.user)
    assert action.after
    assert action.after["name"] == "Two"
    assert VERSIONS.objects.get(id=copy.pk).history_user == olga.user


def test_the_article_on_team_rank_has_its_own_arena(olga: Player) -> None:
    """Its worked example is one of six against six, in which 21.84 stakes a twentieth."""
    made = from_preset(PRESETS["team-wager"], name="New", slug="new", by=user_of(olga), now=NOW)
    system = made.system()
    assert (made.team_size_min, made.team_size_max, made.sides_max) == (6, 6, 2)
    assert (system.name, system.parameters.divisor) == ("wager", 20)  # type: ignore[attr-defined]
