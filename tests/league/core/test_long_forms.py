"""The long forms of the admin: sections in words, fields that count, changed values marked."""

from typing import Any

from django.test import Client
from django.urls import reverse

from league.admin.arenas.forms import ArenaForm
from league.admin.arenas.sections import CONDITIONS
from league.admin.competitions.forms import RULES as COMPETITION_RULES
from league.admin.core.fields import parameter_fields
from league.admin.core.previews import Saved
from league.admin.queue.forms import QUEUE_RULES
from league.models import Arena, Player, StaffAction
from league.models.queue import starting_rules
from ratings.registry import SYSTEMS
from ratings.tunables.declarations import declarations
from tests.support.admin_steps import FormReader, arena_page, errors_of, form_on, send, staff
from tests.support.cast import NOW
from tests.support.result_steps import user_of

__all__ = ["staff"]

ADD = "/admin/league/arena/add/"
DECAY = {"season_decay__points": "700", "season_decay__recover_per_game": "1d"}


def sections_of(response: Any) -> dict[str, Any]:
    return {each.key: each for each in response.context["sections"] if not each.left_out}


def test_an_input_for_numbers_holds_a_number_by_default() -> None:
    """Browsers empty one that does not, and let nobody type words into it."""
    fields = {**ArenaForm.base_fields, **COMPETITION_RULES}
    for name, system in SYSTEMS.items():
        fields |= parameter_fields(system.Parameters, name)
    numbers = {
        name: field.initial
        for name, field in fields.items()
        if getattr(field.widget, "input_type", "") == "number" and field.initial is not None
    }
    assert len(numbers) > 50
    for initial in numbers.values():
        float(initial)


def test_sections_are_closed_and_say_their_settings_in_words(staff: Client, duel: Arena) -> None:
    assert sections_of(staff.get(arena_page(duel)))["decay"].words == "None."
    assert errors_of(send(staff, arena_page(duel), DECAY)) == {}
    page = staff.get(arena_page(duel))
    decay = sections_of(page)["decay"]
    assert decay.words == "100 points a day after 3 days, back 100 a match; at most 700."
    assert not decay.is_open
    assert 'id="section-decay">' in page.content.decode()
    assert all(section.words for key, section in sections_of(page).items() if key)


def test_a_section_with_an_error_is_open(staff: Client, duel: Arena) -> None:
    response = send(staff, arena_page(duel), {"season_decay__grace_period": "soon"})
    found = sections_of(response)
    assert [key for key, section in found.items() if key and section.is_open] == ["decay"]
    row = next(row for row in found["decay"].rows if "grace_period" in row.line.fields[0])
    assert not row.hidden  # decay is off, but the field has an error


def test_only_fields_that_have_an_effect_are_shown(staff: Client, duel: Arena) -> None:
    found = sections_of(staff.get(arena_page(duel)))
    assert [key for key in found if key.startswith("system-")] == ["system-glicko-2"]
    assert "challenges" not in found  # they are for ladders
    shown = [row.line.fields[0] for row in found["cuts"].rows if not row.hidden]
    assert shown == ["season_cuts__by", "season_cuts__percentile_margin", "season_divisions"]


def test_another_system_s_parameters_come_when_they_are_asked_for(
    staff: Client, duel: Arena
) -> None:
    page = staff.get(arena_page(duel)).content.decode()
    assert 'data-when="rating_system=elo" data-section="system-elo" hidden' in page
    assert 'name="elo__T"' not in page
    more = staff.get(arena_page(duel) + "?with=system-elo").content.decode()
    assert 'name="elo__T"' in more


def test_a_choice_can_be_looked_at_without_a_script_and_saves_nothing(
    staff: Client, duel: Arena
) -> None:
    typed = form_on(staff, arena_page(duel)) | {"rating_system": "elo", "description": "New."}
    response = staff.post(arena_page(duel), {**typed, "_look": ""})
    assert errors_of(response).keys() == {"__all__"}
    assert 'name="elo__T"' in response.content.decode()
    assert "New." in response.content.decode()
    reader = FormReader(runs_scripts=False)
    reader.feed(response.content.decode())
    assert float(reader.values["elo__mean"]) == 1500
    duel.refresh_from_db()
    assert duel.rating_system == "glicko-2"
    assert errors_of(staff.post(arena_page(duel), {**reader.values, "_save": "Save"})) == {}
    duel.refresh_from_db()
    assert (duel.rating_system, duel.description) == ("elo", "New.")


def test_a_system_without_its_fields_in_the_page_gets_its_defaults(duel: Arena) -> None:
    sent = {
        name: value for name, value in Saved(ArenaForm(instance=duel)).items() if "__" not in name
    }
    offered = {name: one for name, one in SYSTEMS.items() if not one.against_two_sides}
    for name, system in offered.items():
        form = ArenaForm({**sent, "rating_system": name}, instance=duel)
        assert form.errors == {}, name
        assert form.instance.rating_parameters == system.Parameters().to_json(), name


def test_every_condition_is_about_fields_of_the_form(staff: Client) -> None:
    form = staff.get(ADD).context["adminform"].form
    keys = {each.key for each in staff.get(ADD).context["sections"]}
    for name, conditions in CONDITIONS.items():
        assert name in form.fields or name in keys, name
        for one in conditions:
            assert one.field in form.fields, one


def test_a_new_queue_marks_where_its_preset_differs_from_the_default(staff: Client) -> None:
    found = sections_of(staff.get(reverse("admin:league_arenaqueue_add")))
    marked = {
        cell.field.field.name: cell.default for each in found.values() for cell in each.changed
    }
    assert marked["queue__iteration_interval"] == "30s"
    for name in marked:
        group, _dash, rule = name.partition("__")
        declared = {one.name: one.default for one in declarations(QUEUE_RULES[group])}
        assert starting_rules()[group][rule] != declared[rule], name


def test_a_changed_value_is_marked_in_words_with_its_default(staff: Client, duel: Arena) -> None:
    send(staff, arena_page(duel), {"glicko-2__volatility_system_constant": "0.6"})
    page = staff.get(arena_page(duel))
    section = sections_of(page)["system-glicko-2"]
    assert [cell.default for cell in section.changed] == ["0.5"]
    assert section.words.endswith(": 0.6.")
    assert section.count == "1 changed"
    assert "Changed from 0.5" in page.content.decode()


def test_no_page_shows_raw_json(staff: Client, duel: Arena, alice: Player) -> None:
    action = StaffAction.objects.create(
        at=NOW,
        actor=user_of(alice),
        kind="created",
        reason="Cheating.",
        details={"players": ["Bob"], "late": True},
    )
    for url in (arena_page(duel), reverse("admin:league_staffaction_change", args=[action.pk])):
        page = staff.get(url).content.decode()
        for name in ("cuts", "decay", "players"):
            assert f"&quot;{name}&quot;:" not in page, url
            assert f"&#x27;{name}&#x27;:" not in page, url
    assert '<div>late: <b translate="no">yes</b></div>' in page
