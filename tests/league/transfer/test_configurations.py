"""Arenas are imported from the published file and exported again without losses."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from league.models import Arena, ArenaQueue, Discipline, Format
from league.models.queue import preset_rules
from league.services.results.answers import confirm
from league.services.transfer.configurations import RATING_PLACES
from matchmaking.io.xmlfile import read
from matchmaking.rules.arena import Rules
from ratings.systems.glicko2.system import Glicko2
from tests.support.cast import NOW, arena, beats
from tests.support.matchmaking_xml import PUBLISHED, attributes, normalized

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db

ALL_THREE = ("unranked-arena", "ranked-arena", "ranked-arena-off-season")
QUEUE = '<Arena name="{name}"><Queue/><Matcher/></Arena>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "published.xml"
    written.write_text(PUBLISHED)
    return written


def imports(file: Path, text: str = "", **options: object) -> str:
    if text:
        file.write_text(text)
    said = StringIO()
    call_command("arena_import", str(file), stdout=said, **options)
    return said.getvalue()


def exports(*slugs: str) -> tuple[str, str]:
    """Return the exported file and the notes on the error output."""
    text, beside = StringIO(), StringIO()
    call_command("arena_export", *slugs, stdout=text, stderr=beside)
    return text.getvalue(), beside.getvalue()


def test_the_published_arenas_are_made_with_queues_and_seasons(file: Path) -> None:
    assert imports(file).count("Created") == 3
    ranked = Arena.objects.get(slug="ranked-arena")
    assert (ranked.team_size_min, ranked.team_size_max) == (5, 5)
    assert ranked.rating_parameters["rating_max_change"] == 300
    assert ranked.current_season(ranked.seasons.get().starts_at)
    rules = ranked.queue.matching()
    assert (rules.queue.roster_max, rules.queue.rank_min) == (2, 20)
    assert ranked.queue.matcher == ArenaQueue.Matcher.NEW
    assert Discipline.objects.get().dishonor().penalties[1].stacks == 3


def test_the_published_file_comes_back_from_the_database_whole(file: Path) -> None:
    imports(file)
    text, beside = exports(*ALL_THREE)
    assert read(text) == read(PUBLISHED)
    assert normalized(attributes(text)) == normalized(attributes(PUBLISHED))
    assert beside == ""
    imports(file, text)
    assert exports(*ALL_THREE)[0] == text


def test_an_exported_arena_keeps_the_other_blocks_of_its_file(file: Path) -> None:
    imports(file)
    text, _beside = exports("ranked-arena")
    others = ("Unranked Arena", "Ranked Arena Off-Season")
    wanted = [
        block
        for block in read(PUBLISHED).blocks
        if not (isinstance(block, Rules) and block.name in others)
    ]
    assert list(read(text).blocks) == wanted


def test_olgas_later_changes_are_in_the_file(file: Path) -> None:
    imports(file)
    ranked = Arena.objects.get(slug="ranked-arena")
    ranked.rating_parameters["rating_max_change"] = 200
    ranked.save()
    ranked.queue.rules["queue"]["rank_min"] = 5
    ranked.queue.rules["choices"] = {"falloff": "min"}
    ranked.queue.matcher = "laurel"
    ranked.queue.save()
    text, beside = exports(*ALL_THREE)
    assert '<Ratings type="Ranked Arena"' in text
    assert "not in the file: matcher=laurel" in beside
    assert "not in the file: falloff=min" in beside
    for slug in ALL_THREE:  # And who reads the file has the same arenas
        Arena.objects.filter(slug=slug).update(slug=f"old-{slug}", name=f"Old {slug}")
    imports(file, text)
    again = Arena.objects.get(slug="ranked-arena")
    assert again.rating_parameters["rating_max_change"] == 200
    assert again.queue.matching().queue.rank_min == 5
    for slug in ("unranked-arena", "ranked-arena-off-season"):
        assert Arena.objects.get(slug=slug).rating_parameters["rating_max_change"] == 300


def test_an_existing_arena_is_changed_and_keeps_settings_that_xml_lacks(file: Path) -> None:
    imports(file)
    queue = ArenaQueue.objects.get(arena__slug="ranked-arena")
    queue.start_from("recommended")
    queue.is_open = False
    queue.save()
    assert imports(file).count("Changed") == 3
    queue.refresh_from_db()
    assert queue.matching().queue.rank_min == 20
    assert queue.rules["laurel"] == preset_rules("recommended")["laurel"]
    assert (queue.matcher, queue.is_open) == ("laurel", False)
    assert Arena.objects.count() == 3


def test_the_history_names_the_importing_account_and_the_file(file: Path, olga: Player) -> None:
    imports(file, by="olga")
    for row in (Arena.objects.first(), ArenaQueue.objects.first(), Discipline.objects.first()):
        assert row
        version = row.history.latest()  # type: ignore[attr-defined] # the library has no types
        assert version.history_user == olga.user
        assert version.history_change_reason == "imported from published.xml"
    with pytest.raises(CommandError, match="no account “nobody”"):
        imports(file, by="nobody")


def test_a_season_with_rated_results_keeps_its_rules(
    file: Path, alice: Player, charlie: Player
) -> None:
    duel = arena("duel")
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    text = '<Ratings><Rating default="1000"/></Ratings>' + QUEUE.format(name="Duel")
    assert "keeps the rating rules" in imports(file, text)
    duel.refresh_from_db()
    assert duel.rating_parameters["rating_default"] == 1000
    assert duel.seasons.get().rating_parameters["rating_default"] == 1200


def test_an_arena_created_by_hand_is_exported_and_imported(file: Path) -> None:
    mine = arena("mine", team_size_min=1, team_size_max=3)
    mine.rating_parameters["deviation_period"] = "2d"
    mine.save()
    ArenaQueue.objects.create(arena=mine)
    text, beside = exports("mine")
    assert "team-size=3" in beside
    Arena.objects.filter(pk=mine.pk).update(slug="old", name="Old")
    imports(file, text, team_size=3)
    again = Arena.objects.get(slug="mine")
    assert again.rating_parameters == mine.rating_parameters
    assert again.queue.rules["queue"] == ArenaQueue.objects.get(arena=mine).rules["queue"]


def test_every_parameter_that_glicko_2_shares_with_the_file_has_its_place() -> None:
    named = {name for name in Glicko2.Parameters.model_fields if name.split("_")[0] in PREFIXES}
    assert set(RATING_PLACES) == named


PREFIXES = ("rating", "deviation", "volatility")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<Areana/>", "line 1: <Areana> is unknown"),
        ('<Ratings>\n<Rating default="many"/></Ratings>', "line 2: <Rating> @default must be"),
        (
            f'{QUEUE.format(name="Duel")}\n<Ratings>\n<Volatility system-constant="0"/></Ratings>',
            "line 3: <Volatility> @system-constant",
        ),
        ("\n" + QUEUE.format(name="x" * 61), "line 2: <Arena> @name Ensure this value has"),
        ("\n" + QUEUE.format(name="Melee"), "line 2: <Arena> A queue makes matches of two sides"),
        (
            QUEUE.format(name="Duel") + '\n<Dishonor><Penalty reason="Abandon" stacks="1"/>'
            "</Dishonor>",
            "line 2: <Dishonor> penalties: QueueDodge is missing",
        ),
        (
            QUEUE.format(name="Duel") + '\n<PointRules Mode="Conquest"><PointRule Odds="0.5">'
            '<Checkpoint LadderPoints="1" ScoreRatio="0"/></PointRule></PointRules>',
            "line 2: <PointRules> Conquest: odds must begin at 0",
        ),
    ],
)
def test_invalid_values_are_refused_with_their_line_and_nothing_changes(
    file: Path, text: str, sentence: str
) -> None:
    arena("melee", format=Format.FREE_FOR_ALL, sides_max=5)
    with pytest.raises(CommandError) as refusal:
        imports(file, text)
    assert "Nothing changed" in str(refusal.value)
    assert sentence in str(refusal.value)
    assert list(Arena.objects.values_list("slug", flat=True)) == ["melee"]
    assert not Discipline.objects.exists()
    assert not ArenaQueue.objects.exists()


def test_arenas_that_do_not_fit_one_file_are_refused(file: Path) -> None:
    imports(file)
    with pytest.raises(CommandError, match="no arena “elsewhere”"):
        exports("elsewhere")
    arena("bare")
    with pytest.raises(CommandError, match="Bare has no queue"):
        exports("bare")
    prediction = "<Prediction><Rating spread='100'/></Prediction>"
    imports(file, QUEUE.format(name="Third") + prediction)
    with pytest.raises(CommandError, match="Third has another <Prediction>"):
        exports("ranked-arena", "third")
