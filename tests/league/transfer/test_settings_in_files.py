"""Every setting of an arena is in its file, and comes back from it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import Arena, ArenaQueue, ArenaText, MapChoice, Player
from league.models.limits import Limits
from league.models.result_rules import ResultRules
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.transfer.configuration.configuration_exports import export_configuration
from league.services.transfer.configuration.configurations import (
    Import,
    describe_import,
    import_configuration,
)
from league.services.transfer.configuration.drafts import drafts_from
from league.services.transfer.configuration.settings_blocks import (
    OUTSIDE,
    QUEUE_GROUPS,
    Everything,
    apply,
    settings_beyond,
    text_of,
)
from matchmaking.io.blocks import Document, Setting, Settings
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError
from matchmaking.io.xmlwriter import write
from ratings.display import DisplayRules
from ratings.points import tables
from ratings.points.rules import CONQUEST, STRONGHOLD
from ratings.seasons.rules import SEASON_RULES
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.declarations import Declaration, declarations
from ratings.tunables.parameters import Parameters
from tests.support.admin_steps import staff
from tests.support.cast import NOW
from tests.support.result_steps import user_of

__all__ = ["staff"]

NAME = "Club Night"
FILE = f'<Arena name="{NAME}"><Queue/><Matcher/></Arena>'

IN_OTHER_ELEMENTS = {"penalty_reasons"}
"""What else an arena has that is a setting: in ``<Dishonor>``."""
NO_SETTINGS = {
    "anchors",
    "announcements",
    "arrangements",
    "days",
    "discord_boards",
    "dishonor",
    "file_imports",
    "matches",
    "notices",
    "organisers",
    "proposals",
    "rank_preferences",
    "region_preferences",
    "rosters",
    "accesstoken_set",
    "seasons",
    "stand_ins",
    "tickets",
    "tickets_also",
    "ticks",
    "webhooks",
}
"""What happens in an arena, and who plays in it."""


def new() -> Everything:
    """Return the settings of an arena that a file without ``<Settings>`` makes."""
    return describe_import(read(FILE), NAME, with_queue=True)


def applied(everything: Everything, **settings: str) -> dict[str, str]:
    """Apply settings to an arena, and return what is wrong with them by name."""
    problems: dict[str, str] = {}
    typed = tuple(Setting(name=name, value=value) for name, value in settings.items())
    block = Settings(arena=NAME, settings=typed)
    apply(everything, block, problems.__setitem__)
    return problems


def test_every_field_of_an_arena_is_a_setting_or_is_known_to_be_none() -> None:
    """New fields, rules and parameters get into the file without further code, but for these."""
    names = new().settings().keys()
    for prefix, model in (("", Arena), ("queue.", ArenaQueue), ("text.", ArenaText)):
        fields = {field.name for field in model._meta.concrete_fields}
        assert OUTSIDE[model].keys() <= fields
        for field in fields - OUTSIDE[model].keys():
            name = f"{prefix}{field}"
            assert any(f"{one}.".startswith(f"{name}.") for one in names), name


def test_every_relation_of_an_arena_is_known_to_be_a_setting_or_none() -> None:
    relations = {
        one.get_accessor_name() or "" for one in Arena._meta.related_objects if not one.hidden
    }
    assert relations == {"queue", "text"} | IN_OTHER_ELEMENTS | NO_SETTINGS


OTHERS: dict[str, Any] = {
    "season_rules.points.by_place": "10, 8, 6",
    "slug": "elsewhere",
    "description": "Two lines\nof “text” & <tags>",
    "maps": ["Forest", "Temple, at night", "“Harbour”"],
    "map_choice": "random",
    "modes": ["Conquest", "Stronghold"],
    "regions": ["Europe", "America"],
    "figures": ["hits", "shots"],
    "format": "free-for-all",
    "time_zone": "Europe/Berlin",
    "rating_system": "elo",
    "veto_turn": "40s",
    "confirmation_window": "3h",
    "season_rules.divisions": [{"name": "All"}, {"name": "Top <&>", "first": 90}],
    "season_rules.point_table": tables.table_as_json(STRONGHOLD),
    "season_rules.mode_points": tables.mode_tables_as_json([replace(CONQUEST, mode="Conquest")]),
    "season_rules.start.full_reset_before": "2026-01-01T00:00:00+00:00",
    "season_rules.start.partial_reset_before": "2026-01-01T00:00:00+00:00",
    "season_rules.points.starts": "2026-01-01T00:00:00+00:00",
    "season_rules.points.ends": "2026-01-01T00:00:00+00:00",
    "queue.matcher": "laurel",
    "queue.ready_window": "40s",
    "queue.ticks_kept": "2d",
    "queue.rank_source": "arena",
    "queue.pools": "apart",
    "queue.prediction": {"rating_weight": 0.5},
    "queue.rules.rank_filter.steps": [1, 3],
    "queue.rules.queue.ladder": {
"ladder_start": "0s", "ladder_end": "0s", "ladder_max": 0, "ladder_min": 0,
    },
    "text.rules": "## Rules\n\n- “Be kind” & <fair>\n- 'Have fun'",
}  # fmt: skip
"""Another value of each setting that is neither a number nor a choice of a rule."""
NEEDS = {
    "season_rules.points.by_place": {"season_rules.points.table": "places"},
    "season_rules.calendar.follows": {"season_rules.calendar.length": "1 month"},
    "season_rules.cuts.by": {"season_rules.divisions": '[{"name": "All"}]'},
    "season_rules.point_table": {"season_rules.points.table": "own"},
    "season_rules.teams.window_every": {"season_rules.teams.lock_after": "4w"},
}
"""What has to be set for a setting to have an effect."""
ONE_VALUE = {"queue.rules.matcher.type"}


def declared() -> dict[str, Declaration]:
    """Return the declarations of all rules by the names of their settings."""
    models: dict[str, type[Parameters]] = {
        "rating_parameters": Glicko2.Parameters,
        "result_rules": ResultRules,
        "limits": Limits,
        "display": DisplayRules,
        **{f"season_rules.{group}": model for group, model in SEASON_RULES.items()},
        **{f"queue.rules.{group}": model for group, model in QUEUE_GROUPS.items()},
    }
    return {
        f"{prefix}.{one.name}": one
        for prefix, model in models.items()
        for one in declarations(model)
    }


def others(name: str, value: Any) -> list[Any]:
    """Return values that a setting may have instead."""
    rule = declared().get(name)
    if name in OTHERS:
        return [OTHERS[name]]
    if isinstance(value, bool):
        return [not value]
    if rule and rule.choices:
        return [choice.value for choice in rule.choices if choice.value != value]
    if isinstance(value, int | float):
        return [value + 1, value - 1, value * 1.1, value / 2, 0.25, 2]
    return ["2h", "2w", "40s"]


@pytest.mark.parametrize("name", sorted(new().settings().keys() - ONE_VALUE))
def test_each_setting_is_in_the_file_and_comes_back(name: str) -> None:
    plain = new().settings()[name]
    for value in others(name, plain):
        changed = new()
        problems = applied(changed, **{**NEEDS.get(name, {}), name: text_of(value)})
        wanted = changed.settings()
        if problems or wanted[name] == plain:
            continue
        block = settings_beyond(changed, new())
        (again,) = read(write(Document((*read(FILE).blocks, block)))).all(Settings)
        assert again == block
        assert name in {one.name for one in again.settings}
        other = new()
        assert applied(other, **{one.name: one.value for one in again.settings}) == {}
        assert other.settings() == wanted
        return
    pytest.fail(f"{name} cannot be changed from {plain!r}: {problems}")


@pytest.mark.parametrize("key", PRESETS)
def test_an_arena_of_every_preset_comes_back_from_its_file(key: str, olga: Player) -> None:
    arena = from_preset(PRESETS[key], name=NAME, slug="night", by=user_of(olga), now=NOW)
    ArenaText.objects.create(arena=arena, rules="Be kind.\n\n- Have fun")
    text = export_configuration([arena])
    again = renamed_and_read(arena, text)
    assert everything_of(again) == everything_of(arena)
    Arena.objects.filter(pk=arena.pk).update(name="Older")
    assert export_configuration([again]) == text


def renamed_and_read(arena: Arena, text: str) -> Arena:
    Arena.objects.filter(pk=arena.pk).update(name="Old", slug=f"old-{arena.pk}")
    (imported,) = import_configuration(text, Import("f.xml", NOW)).arenas
    return Arena.objects.get(pk=imported.arena.pk)


def everything_of(arena: Arena) -> dict[str, Any]:
    return Everything.of(arena, ArenaQueue.objects.filter(arena=arena).first()).settings()


def test_two_arenas_in_one_file_keep_their_own_settings(olga: Player) -> None:
    """One has game modes, points and a prediction, which the file says for all arenas."""
    by = user_of(olga)
    one = from_preset(PRESETS["gw2-ranked"], name="One", slug="one", by=by, now=NOW)
    two = from_preset(PRESETS["map-veto"], name="Two", slug="second", by=by, now=NOW)
    three = from_preset(PRESETS["chess-club"], name="Three", slug="three", by=by, now=NOW)
    text = export_configuration([one, two, three])
    for arena in (one, two, three):
        Arena.objects.filter(pk=arena.pk).update(name=f"Old {arena}", slug=f"old-{arena.slug}")
    made = {
        each.arena.name: each.arena for each in import_configuration(text, Import("f", NOW)).arenas
    }
    for arena in (one, two, three):
        again = Arena.objects.get(pk=made[arena.name].pk)
        assert everything_of(again) == everything_of(arena)
    assert not ArenaQueue.objects.filter(arena=made["Three"]).exists()
    assert made["Two"].slug == "second"


def test_an_arena_without_a_queue_is_a_draft_from_its_file(olga: Player) -> None:
    text = '<Settings arena="Chess">\n<Setting name="team_size_max" value="1"/>\n'
    text += '<Setting name="team_size_min" value="1"/></Settings>'
    (arenas, _remarks) = drafts_from(text, "f.xml", by=user_of(olga), now=NOW)
    assert [(one.name, one.is_draft, one.team_size_max) for one in arenas] == [("Chess", True, 1)]


def test_settings_that_a_file_leaves_out_stay_as_they_are() -> None:
    import_configuration(FILE, Import("f.xml", NOW))
    arena = Arena.objects.get()
    arena.maps, arena.map_choice = ["Forest", "Temple"], MapChoice.VETO
    arena.save()
    setting = '<Setting name="veto_turn" value="1m"/>'
    import_configuration(f'{FILE}<Settings arena="{NAME}">{setting}</Settings>', Import("f", NOW))
    arena.refresh_from_db()
    assert (arena.maps, arena.map_choice) == (["Forest", "Temple"], "veto")
    assert arena.veto_turn.total_seconds() == 60


VETO = f'<Settings arena="{NAME}"><Setting name="map_choice" value="veto"/></Settings>'
FOLLOWS = VETO.replace("map_choice", "season_rules.calendar.follows").replace("veto", "true")
NO_MAPS = '<Setting name="maps" value="[]"/>'
MANY = json.dumps([f"Map {number}" for number in range(200)])


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("mapz", "[]", "is unknown; did you mean maps?"),
        ("", "1", "must be"),
        ("maps", MANY, "at most 30"),
        ("maps", "Forest, Temple", "Must be JSON"),
        ("maps", '["Fo\u202erest", "Temple"]', "visible"),
        ("maps", "[" * 50_000, "Must be JSON"),
        ("maps", "[1, NaN]", "Must be JSON"),
        ("map_choice", "dice", "not a valid choice"),
        ("veto_turn", "nan", "Must be a time"),
        ("veto_turn", "-30s", "Must be a time"),
        ("veto_turn", "99999999999999999999w", "Must be a time"),
        ("veto_turn", "0s", "greater than or equal to"),
        ("draws_allowed", "perhaps", "Must be true or false"),
        ("sides_min", "three", "integer"),
        ("sides_min", "0", "greater than or equal to 2"),
        ("sides_max", "99999999999999999999", "less than or equal to"),
        ("slug", "no spaces", "valid"),
        ("time_zone", "Mars", "no time zone"),
        ("rating_system", "chess", "choose from"),
        ("rating_parameters.rating_default", "nan", "must be"),
        ("rating_parameters.rating_default", "1e999", "must be"),
        ("rating_parameters.rating_max_change", "-1", "must be"),
        ("season_rules.calendar.length", "-1", "must be"),
        ("season_rules.calendar.length", "1s", "at least 1h"),
        ("season_rules.divisions", "Gold", "must be"),
        ("season_rules.divisions", '[{"name": "All", "first": NaN}]', "Must be JSON"),
        ("season_rules.mode_points", '{"odds": 1}', ""),
        ("queue.pools", "three", "not a valid choice"),
        ("queue.fills_seats", "", "Must be true or false"),
        ("queue.ready_window", "1d", "less than or equal to"),
        ("queue.rules.laurel.fairness", "2", "must be"),
        ("queue.rules.rank_filter.steps", "[10, 5]", ""),
        ("queue.prediction", "[]", "Must be a JSON object"),
        ("queue.prediction", '{"rating_weight": -1}', "rating_weight must be"),
        ("text.rules", "x" * 60_000, "at most"),
    ],
)
def test_a_bad_setting_is_refused_with_its_line(name: str, value: str, says: str) -> None:
    block = Settings(arena=NAME, settings=(Setting(name="time_zone", value="UTC"),))
    text = write(Document((*read(FILE).blocks, block)))
    bad = write(Document((Settings(arena=NAME, settings=(Setting(name="x", value=value),)),)))
    line = bad.splitlines()[2].replace('name="x"', f'name="{name}"')
    position = next(n for n, one in enumerate(text.splitlines()) if "<Setting " in one)
    lines = text.splitlines()
    lines.insert(position if name == "time_zone" else position + 1, line)
    number = lines.index(line) + 1
    if name == "time_zone":
        del lines[position + 1]
    with pytest.raises(XmlError) as refused:
        import_configuration("\n".join(lines), Import("f.xml", NOW))
    found = str(refused.value)
    assert f"line {number}: <Setting>" in found, found
    assert says in found
    assert not Arena.objects.exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            f'<Settings arena="A">\n{NO_MAPS}\n{NO_MAPS}</Settings>',
            "line 3: <Setting> “maps” is already in line 2",
        ),
        ('<Settings arena="A"/>\n<Settings arena="A"/>', "line 2: <Settings> “A” is already in"),
        ("\n<Settings/>", "line 2: <Settings> must have @arena"),
        ('<Settings arena="A">\n<Map/></Settings>', "line 2: <Map> is unknown in <Settings>"),
        ('<Settings arena="A">\n<Setting name="maps"/></Settings>', "line 2: <Setting> must have"),
        (
            '<Settings arena="A">\n<Setting name="queue.pools" value="apart"/></Settings>',
            "line 2: <Setting> queue.pools: is for a queue, and the file has no <Arena>",
        ),
        (f"{FILE}\n{VETO}", "line 1: <Arena> List two or more maps"),
        (f"{FILE}\n{FOLLOWS}", "line 2: <Settings> season_rules.calendar.length: must be above 0"),
        ('\n<Settings arena="!!!"/>', "line 2: <Settings> @arena"),
    ],
)
def test_a_bad_block_of_settings_is_refused_with_its_line(text: str, says: str) -> None:
    with pytest.raises(XmlError) as refused:
        import_configuration(text, Import("f.xml", NOW))
    assert says in str(refused.value)


def test_olga_downloads_the_settings_of_an_arena_and_uploads_them_again(
    staff: Client, olga: Player
) -> None:
    arena = from_preset(PRESETS["map-veto"], name=NAME, slug="night", by=user_of(olga), now=NOW)
    address = reverse("admin:league_arena_settings_file", args=[arena.pk])
    assert address in staff.get(f"/admin/league/arena/{arena.pk}/change/").text
    file = staff.get(address)
    assert file["Content-Disposition"] == 'attachment; filename="night.xml"'
    Arena.objects.filter(pk=arena.pk).update(name="Old", slug="old")
    sent = {"start": "file", "file": SimpleUploadedFile("night.xml", file.content)}
    assert staff.post("/admin/league/arena/start/", sent).status_code == 302
    again = Arena.objects.get(name=NAME)
    assert again.is_draft
    assert everything_of(again) == everything_of(arena)
