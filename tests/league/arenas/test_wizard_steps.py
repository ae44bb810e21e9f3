"""The steps of the arena wizard change a draft, which is published once and then has none."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from league.admin.arenas.wizard.advice import ADVICE
from league.models import Arena, Player, StaffAction
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from ratings.registry import SYSTEMS, build
from tests.support.admin_steps import browser_of, form_on, may, messages_of, send, staff
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.season_steps import set_season_rules
from tests.support.strict_pages import assert_strict
from tests.support.wizard_steps import START, Organiser, organiser

__all__ = ["organiser", "staff"]


def step(arena: Arena, name: str) -> str:
    return reverse("admin:league_arena_step", args=[arena.pk, name])


@pytest.fixture
def draft(olga: Player) -> Arena:
    return from_preset(PRESETS["chess-club"], name="Club", slug="club", by=user_of(olga), now=NOW)


# Steps


def test_two_drafts_in_two_tabs_do_not_mix_and_the_back_button_finds_what_was_typed(
    staff: Client, draft: Arena, olga: Player
) -> None:
    other = from_preset(PRESETS["racing"], name="Races", slug="races", by=user_of(olga), now=NOW)
    one, two = Organiser(staff), Organiser(staff)
    one.at, two.at = step(draft, "calendar"), step(other, "calendar")
    one.press("next", length="2 weeks")
    two.press("next", length="5 months")
    assert form_on(staff, step(draft, "calendar"))["length"] == "2w"
    assert form_on(staff, step(other, "calendar"))["length"] == "5 months"


def test_only_systems_that_can_rate_the_format_are_offered_each_with_advice_and_a_picture(
    organiser: Organiser, draft: Arena
) -> None:
    assert ADVICE.keys() == SYSTEMS.keys()
    organiser.at = step(draft, "rating")
    organiser.page = organiser.browser.get(organiser.at)
    unsuited = {name for name, system in SYSTEMS.items() if system.against_two_sides}
    assert unsuited == {"codeforces", "topcoder"}
    shown = [one.name for one in organiser.page.context["systems"]]
    assert set(shown) == SYSTEMS.keys() - unsuited
    assert organiser.page.text.count('<svg class="wizard-figure"') == len(shown)
    for name in unsuited:
        assert escape(SYSTEMS[name].against_two_sides) in organiser.page.text
    for number in organiser.page.text.split('points="')[1:]:
        assert "nan" not in number.split('"')[0]
    organiser.at = step(draft, "format")
    organiser.press("next", team_size_min="3", team_size_max="3", sides_max="4")
    offered = [one.name for one in organiser.page.context["systems"]]
    assert "glicko-2" in offered
    assert not {"ladder", "wager"} & set(offered)
    assert unsuited <= set(offered), "matches of four sides"
    organiser.press("next", rating_system="ladder")
    assert "rating_system" in organiser.errors()


def test_an_arena_keeps_a_system_that_is_no_longer_offered(
    organiser: Organiser, draft: Arena
) -> None:
    draft.rating_system, draft.rating_parameters = "topcoder", {}
    draft.full_clean()
    draft.save()
    organiser.at = step(draft, "rating")
    organiser.page = organiser.browser.get(organiser.at)
    offered = [one.name for one in organiser.page.context["systems"]]
    assert "topcoder" in offered
    assert "codeforces" not in offered
    organiser.press("review", rating_system="topcoder")
    assert not organiser.page.context["form"].errors


def test_rules_that_do_not_suit_a_new_system_are_changed_and_named(
    organiser: Organiser, draft: Arena
) -> None:
    rules = {
        "decay": {"points": 100},
        "start": {"placement": "linear-scale"},
        "cuts": {"by": "rating"},
        "divisions": [{"name": "All"}, {"name": "Top", "first": 1700}],
    }
    set_season_rules(draft, **rules)
    organiser.at = step(draft, "rating")
    organiser.press("next", rating_system="ladder")
    assert organiser.page.text.count("A rule of the seasons was changed") == 3
    draft.refresh_from_db()
    assert draft.rules().clash_with(SYSTEMS["ladder"]) is None
    organiser.at = step(draft, "format")
    organiser.press("review", team_size_max="2")
    assert "Ladder cannot rate this format, so Glicko-2 was chosen" in organiser.page.text
    assert organiser.at == step(draft, "rating")


@pytest.mark.parametrize(
    ("name", "typed", "at"),
    [
        ("format", {"sides_min": "3"}, "sides_min"),
        ("format", {"team_size_min": "0"}, "team_size_min"),
        ("format", {"name": ""}, "name"),
        ("format", {"format": "free-for-all", "team_size_max": "2"}, "team_size_max"),
        ("format", {"format": "free-for-all", "has_queue": "on"}, "has_queue"),
        ("format", {"modes": "x" * 60}, "modes"),
        ("calendar", {"length": "1.5 months"}, "length"),
        ("calendar", {"length": "-1"}, "length"),
        ("calendar", {"length": "0"}, "length"),  # seasons that follow each other need one
        ("calendar", {"length": "999999 months"}, "length"),
        ("calendar", {"honoured": "nan"}, "honoured"),
        ("calendar", {"time_zone": "Mars"}, "time_zone"),
        ("divisions", {"by": "nonsense"}, "by"),
        ("divisions", {"percentile_margin": "-1"}, "percentile_margin"),
        ("rating", {"rating_system": "chess"}, "rating_system"),
        ("rating", {"parameters": "glicko-2:chess"}, "parameters"),
        ("rating", {"rating_system": "elo", "parameters": "glicko-2:gw2"}, "parameters"),
    ],
)
def test_bad_input_of_a_step_is_refused_at_its_field(
    organiser: Organiser, draft: Arena, name: str, typed: dict[str, str], at: str
) -> None:
    organiser.at = step(draft, name)
    organiser.press("next", **typed)
    assert at in organiser.errors()
    assert organiser.page.redirect_chain == []
    assert not StaffAction.objects.filter(kind="changed").exists()


def test_published_parameters_can_be_chosen_and_left_again(
    organiser: Organiser, draft: Arena
) -> None:
    def choose(**sent: str) -> dict[str, Any]:
        organiser.at = step(draft, "rating")
        organiser.press("review", **sent)
        draft.refresh_from_db()
        parameters: dict[str, Any] = draft.rating_parameters
        return parameters

    glickman = choose(rating_system="glicko-2", parameters="glicko-2:glickman")
    assert glickman["deviation_growth"] == "volatility"
    assert glickman["rating_default"] == 1500
    assert choose(rating_system="glicko-2", parameters="") == glickman, "as already set"
    assert choose(rating_system="glicko-2", parameters="usual") == usual("glicko-2")
    assert choose(rating_system="fermi", parameters="fermi:kreimeier")["max_gain"] == 1
    assert choose(rating_system="elo", parameters="") == usual("elo")


def usual(system: str) -> dict[str, object]:
    return build(system).parameters.model_dump(mode="json")


def rows(*divisions: tuple[str, str, str], **more: str) -> dict[str, str]:
    sent = {"by": "rating", "row-TOTAL_FORMS": str(len(divisions)), "row-INITIAL_FORMS": "0"}
    for number, (name, first, colour) in enumerate(divisions):
        keys = (f"row-{number}-{key}" for key in ("name", "first", "colour"))
        sent |= dict(zip(keys, (name, first, colour), strict=True))
    return {**sent, **more}


def test_divisions_are_rows_in_any_order_with_expected_shares(staff: Client, draft: Arena) -> None:
    sent = rows(
        ("Gold", "1700", "#E3BD62"), ("Bronze", "", "#b87333"), ("", "", "#000000"),
        ("Silver", "1500", "#c0c0c0"),
    )  # fmt: skip
    live = staff.post(
        step(draft, "divisions"), {**sent, "preview": "1"}, headers={"HX-Request": "true"}
    )
    # Chess players around 1500 with a width of 200: one deviation above is 15.9\u00a0%.
    assert re.findall(r'id="share-(\d)"[^>]*>([^<]*)<', live.text) == [
        ("0", "15.9\u00a0%"), ("1", "50\u00a0%"), ("2", ""), ("3", "34.1\u00a0%"),
    ]  # fmt: skip
    assert "Nobody plays here yet" in live.text
    draft.refresh_from_db()
    assert draft.rules().divisions.cuts.by == "percentile"
    assert staff.post(step(draft, "divisions"), {**sent, "review": "1"}).status_code == 302
    draft.refresh_from_db()
    saved = draft.rules().divisions
    assert [(each.name, each.first, each.colour) for each in saved.divisions[1:]] == [
        ("Silver", 1500, "#c0c0c0"),
        ("Gold", 1700, "#e3bd62"),
    ]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([("A", "", ""), ("B", "", "")], "omit its cut|above|must"),
        ([("A", "", ""), ("B", "nan", "")], "Must be a number"),
        ([("A", "", ""), ("B", "1e999", "")], "Must be a number"),
        ([("A", "", ""), ("", "5", "")], "Give the division a name"),
        ([("A", "", ""), ("A", "5", "")], "wo divisions are called A"),
        ([("A", "", "red")], "colour"),
        ([("x" * 41, "", "")], "40"),
        ([(f"D{each}", str(each) if each else "", "") for each in range(33)], "30"),
    ],
)
def test_rows_that_are_no_divisions_are_refused(
    staff: Client, draft: Arena, given: list[tuple[str, str, str]], said: str
) -> None:
    answer = staff.post(step(draft, "divisions"), {**rows(*given), "review": "1"})
    assert answer.status_code == 200
    assert re.search(said, " ".join(answer.context["form"].problems())), answer.context[
        "form"
    ].problems()


def test_rows_without_their_count_change_nothing(staff: Client, draft: Arena) -> None:
    answer = staff.post(step(draft, "divisions"), {"by": "rating", "review": "1"})
    assert answer.status_code == 200
    before = draft.season_rules
    draft.refresh_from_db()
    assert draft.season_rules == before


def test_no_page_of_the_wizard_has_inline_scripts_or_styles(staff: Client, draft: Arena) -> None:
    pages = [step(draft, name) for name in ("format", "rating", "calendar", "divisions")]
    for page in (START, *pages, reverse("admin:league_arena_draft", args=[draft.pk])):
        assert_strict(staff, page)


@pytest.mark.parametrize("name", ["rating", "divisions", ""])
def test_a_page_of_the_wizard_takes_few_statements(
    staff: Client, draft: Arena, django_assert_max_num_queries: Any, name: str
) -> None:
    page = step(draft, name) if name else reverse("admin:league_arena_draft", args=[draft.pk])
    with django_assert_max_num_queries(20):
        assert staff.get(page).status_code == 200


# Publishing


def test_a_published_arena_has_no_steps_and_is_published_once(
    organiser: Organiser, draft: Arena
) -> None:
    organiser.at = reverse("admin:league_arena_draft", args=[draft.pk])
    review = organiser.at
    organiser.press("publish", starts_at="2001-01-01T12:00")
    assert organiser.errors() == {"starts_at": ["Must be in the future, or empty to open now."]}
    organiser.press("publish", season_name="x" * 61)
    assert "season_name" in organiser.errors()
    organiser.press("publish")
    for address in (review, step(draft, "format"), step(draft, "divisions")):
        answer = organiser.browser.post(address, {"name": "Other"})
        assert answer.status_code == 302
        assert "is published. Change it here." in messages_of(answer)
    assert draft.seasons.count() == 1


def test_a_draft_can_be_changed_on_one_page_and_stays_a_draft(staff: Client, draft: Arena) -> None:
    page = reverse("admin:league_arena_change", args=[draft.pk])
    assert "Review and publish" in staff.get(page).text
    assert "Open a new season" not in staff.get(page).text
    answer = send(staff, page, {"description": "Every Tuesday."})
    assert answer.status_code == 302
    assert "No season is running" not in messages_of(answer)
    draft.refresh_from_db()
    assert (draft.description, draft.is_draft) == ("Every Tuesday.", True)
    assert staff.post(reverse("admin:league_arena_open_season", args=[draft.pk])).status_code == 403


def test_staff_without_seasons_can_prepare_but_not_publish(draft: Arena, alice: Player) -> None:
    browser = browser_of(may("Frank", "change_arena", "add_arena"))
    review = reverse("admin:league_arena_draft", args=[draft.pk])
    assert "somebody else has to publish it" in browser.get(review).text
    assert browser.post(review, {}).status_code == 403
    assert browser.get(step(draft, "format")).status_code == 200
    stranger = browser_of(may("Grace", "view_arena"))
    for address in (review, step(draft, "format"), START):
        assert stranger.get(address).status_code == 403
    assert browser_of(alice.user).get(review).status_code == 302
