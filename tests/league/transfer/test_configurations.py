"""Arenas are imported from the published file and exported again without losses."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from league.models import Arena, ArenaQueue, Discipline, Format, Player
from league.models.queue import preset_rules
from league.services.results.reports.answers import confirm
from matchmaking.io.blocks import RatingsBlock
from matchmaking.io.xmlfile import read
from matchmaking.rules.arena import Rules
from tests.support.admin_steps import arena_page, errors_of, send, staff
from tests.support.cast import NOW, arena, beats
from tests.support.matchmaking_xml import PUBLISHED, attributes, normalized

__all__ = ["staff"]


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
    assert '<Setting name="queue.matcher" value="laurel"/>' in text
    assert '<Setting name="queue.rules.choices.falloff" value="min"/>' in text
    assert beside == ""
    for slug in ALL_THREE:  # And who reads the file has the same arenas
        Arena.objects.filter(slug=slug).update(slug=f"old-{slug}", name=f"Old {slug}")
    imports(file, text)
    again = Arena.objects.get(slug="ranked-arena")
    assert again.rating_parameters["rating_max_change"] == 200
    assert again.queue.matching().queue.rank_min == 5
    assert again.queue.matching().choices.falloff == "min"
    assert again.queue.matcher == "laurel"
    for slug in ("unranked-arena", "ranked-arena-off-season"):
        assert Arena.objects.get(slug=slug).rating_parameters["rating_max_change"] == 300


def test_decay_placement_and_resets_are_those_of_the_file(file: Path) -> None:
    imports(file)
    ranked = Arena.objects.get(slug="ranked-arena").rules()
    assert ranked.decay.to_json() == {
        "points": 700,
        "grace_period": "3d",
        "decay_period": "1w",
        "recover_per_game": "1d",
    }
    assert (ranked.start.placement, ranked.start.center, ranked.start.ratio) == (
        "linear-scale",
        1200,
        0.5,
    )
    assert ranked.start.full_reset_before == "2013-11-26T16:00:00+00:00"
    assert ranked.start.partial_reset_before == "2015-01-28T00:30:00+00:00"
    unranked = Arena.objects.get(slug="unranked-arena")
    assert unranked.rules().decay.points == 0
    assert unranked.rules().start.placement == "carry-over"  # account-wide: no use-season
    assert unranked.seasons.get().season_rules() == unranked.rules()


def test_numbers_changed_in_the_admin_replace_the_imported_ones(file: Path, staff: Client) -> None:
    imports(file)
    ranked = Arena.objects.get(slug="ranked-arena")
    typed = {"season_decay__points": "100", "season_start__center": "1500"}
    assert errors_of(send(staff, arena_page(ranked), typed)) == {}
    alone, _beside = exports("ranked-arena")
    assert 'Decay points="100"' in alone
    assert 'param1="1500"' in alone
    assert "700" not in alone
    assert 'param1="1200"' not in alone
    # Another arena keeps the values that both had, so this one gets a block of its own.
    both, _beside = exports(*ALL_THREE)
    blocks = {block.type: block for block in read(both).all(RatingsBlock)}
    assert (blocks["Ranked"].decay_points, blocks["Ranked"].placement_param1) == (700, 1200)
    own = blocks["Ranked Arena"]
    assert (own.decay_points, own.placement_param1) == (100, 1500)
    assert own.model_fields_set == {"type", "decay_points", "placement_param1"}


def test_arenas_of_which_one_name_begins_the_other_are_refused_if_they_differ(file: Path) -> None:
    ratings = '<Ratings type="Club" reset="2020-01-01T00:00:00Z"/>'
    imports(file, ratings + QUEUE.format(name="Club") + QUEUE.format(name="Club Night"))
    night = Arena.objects.get(slug="club-night")
    night.season_rules["start"]["full_reset_before"] = ""
    night.save()
    with pytest.raises(CommandError, match="Club Night has no @reset, unlike another arena"):
        exports("club", "club-night")
    assert "reset" not in exports("club-night")[0]
    assert "reset" in exports("club")[0]


def test_what_has_no_effect_is_listed_with_its_line(file: Path) -> None:
    said = imports(file)
    lines = PUBLISHED.splitlines()
    ladder = next(n for n, line in enumerate(lines, 1) if '<Ladder start="2015' in line)
    assert (
        f"line {ladder}: <Ladder> @end 2015-05-14T09:00:00-07:00 has passed, so no match gives "
        "ladder points."
    ) in said
    assert said.count("line ") == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            QUEUE.format(name="Duel") + '\n<Ratings type="Melee" use-season="true"/>',
            "line 2: <Ratings> @type has no effect: no arena of the file has a name that begins",
        ),
        (
            QUEUE.format(name="Duel")
            + '\n<Ratings use-season="false">\n<Placement param1="1000"/></Ratings>',
            "line 3: <Placement> has no effect: without use-season, ratings are carried over",
        ),
        (
            QUEUE.format(name="Duel") + '\n<Ladder grace="5"/>',
            "line 2: <Ladder> has no effect: ladder points are off",
        ),
        (
            '<Ratings>\n<Rating default="1000"/></Ratings>\n<Prediction/>',
            "line 3: <Prediction> has no effect, because the file has no <Arena>",
        ),
    ],
)
def test_a_part_without_effect_is_named(file: Path, text: str, sentence: str) -> None:
    assert sentence in imports(file, text)


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
        (
            QUEUE.format(name="Duel") + '\n<Ratings>\n<Decay points="2000000"/></Ratings>',
            "line 3: <Decay> @points must be from 0 to 1000000; you gave 2000000",
        ),
        (
            QUEUE.format(name="Duel") + '\n<Ratings>\n<Placement param2="-1"/></Ratings>',
            "line 3: <Placement> @param2 must be from 0 to 1; you gave",
        ),
        (
            QUEUE.format(name="Duel") + '\n<Ratings reset="2999-01-01T00:00:00Z"/>',
            "line 1: <Arena> The arena resets everyone who last played before 1 Jan 2999",
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
    assert '<Settings arena="Bare">' in exports("bare")[0]
    prediction = "<Prediction><Rating spread='100'/></Prediction>"
    imports(file, QUEUE.format(name="Third") + prediction)
    with pytest.raises(CommandError, match="The <Prediction> of Third differs"):
        exports("ranked-arena", "third")
