"""An organiser of single arenas is locked out of all others, whatever they send."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Discipline,
    Flag,
    Match,
    PenaltyReason,
    Player,
    Roster,
    StaffAction,
    Status,
    User,
)
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from league.services.results.reports.answers import confirm, dispute
from tests.support.admin_steps import browser_of, form_on
from tests.support.api_steps import a_token
from tests.support.cast import NOW, beats
from tests.support.result_steps import user_of


@pytest.fixture
def organiser(duel: Arena, bob: Player) -> Client:
    """Bob organises the duels, and no other arena."""
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    return browser_of(User.objects.get(player=bob))


@pytest.fixture
def elsewhere(teams: Arena, alice: Player, charlie: Player) -> Match:
    """A disputed match of the teams."""
    match = beats(alice, charlie, teams)
    dispute(match.pk, by=charlie, reason="No.", now=NOW)
    return match


@pytest.fixture
def here(duel: Arena, alice: Player, charlie: Player) -> Match:
    """A disputed match of the duels."""
    match = beats(alice, charlie, duel)
    dispute(match.pk, by=charlie, reason="No.", now=NOW)
    return match


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def test_lists_filters_and_exports_name_no_other_arena(
    organiser: Client, here: Match, elsewhere: Match
) -> None:
    shown = page(organiser, reverse("admin:league_match_changelist"))
    assert "Duel" in shown
    assert "Teams" not in shown
    for query in (f"?arena__id__exact={elsewhere.arena_id}", "?q=Alice", "?status__exact=disputed"):
        assert f"/match/{elsewhere.pk}/" not in page(
            organiser, reverse("admin:league_match_changelist") + query
        )
    sent = organiser.get(reverse("admin:league_match_export"))
    lines = b"".join(sent.streaming_content).decode()  # type: ignore[attr-defined] # streams
    assert "duel" in lines
    assert "teams" not in lines
    assert organiser.get(reverse("admin:league_player_export")).status_code == 403


def test_a_changed_number_in_the_address_leads_nowhere(
    organiser: Client, teams: Arena, elsewhere: Match
) -> None:
    season = elsewhere.season
    queue = ArenaQueue.objects.create(arena=teams)
    flag = Flag.objects.create(
        kind=Flag.Kind.DODGING,
        season=season,
        player=Player.objects.get(name="Alice"),
        evidence={"dodges": 9, "offered": 10},
        raised_at=NOW,
    )
    for route, number in (
        ("league_match_change", elsewhere.pk),
        ("league_arena_change", teams.pk),
        ("league_arenaqueue_change", queue.pk),
        ("league_flag_change", flag.pk),
        ("league_match_history", elsewhere.pk),
        ("league_arena_history", teams.pk),
        ("league_arenaqueue_history", queue.pk),
    ):
        answer = organiser.get(reverse(f"admin:{route}", args=[number]))
        assert answer.status_code in {302, 403}, route
        assert organiser.post(reverse(f"admin:{route}", args=[number])).status_code in {302, 403}
    history: Any = teams.history
    version = history.first()
    old = reverse("admin:league_arena_simple_history", args=[teams.pk, version.pk])
    assert organiser.get(old).status_code == 403
    for address in (
        reverse("admin:league_arena_open_season", args=[teams.pk]),
        reverse("admin:league_arena_end_season", args=[teams.pk, season.pk]),
        reverse("admin:league_arena_other_rules", args=[teams.pk, season.pk]),
        reverse("match_decide", args=[elsewhere.pk]),
        reverse("match_correct", args=[elsewhere.pk]),
        reverse("enter", args=[teams.slug]),
    ):
        assert organiser.get(address).status_code == 403, address
        assert organiser.post(address).status_code == 403, address
    assert flag.resolved_at is None


def test_a_season_of_another_arena_is_not_reached_through_their_own(
    organiser: Client, duel: Arena, elsewhere: Match
) -> None:
    for route in ("end_season", "other_rules"):
        address = reverse(f"admin:league_arena_{route}", args=[duel.pk, elsewhere.season_id])
        assert organiser.get(address).status_code == 404


def test_their_own_arena_works_as_it_does_for_an_organiser(
    organiser: Client, duel: Arena, here: Match
) -> None:
    address = reverse("admin:league_arena_change", args=[duel.pk])
    values = form_on(organiser, address)
    assert organiser.post(address, values | {"description": "New."}).status_code == 302
    duel.refresh_from_db()
    assert duel.description == "New."
    action = StaffAction.objects.get()
    assert (action.kind, action.arena_id) == (StaffAction.Kind.CHANGED, duel.pk)
    assert page(organiser, reverse("admin:league_arena_open_season", args=[duel.pk]))
    decided = organiser.post(
        reverse("match_decide", args=[here.pk]), {"verdict": "voided", "reason": "So."}
    )
    assert decided.status_code == 302
    here.refresh_from_db()
    assert here.status == Status.VOID
    log = page(organiser, reverse("admin:league_staffaction_changelist"))
    assert "voided a match" in log
    assert "changed" in log


def test_a_form_sent_with_another_arena_is_refused_at_its_field(
    organiser: Client, duel: Arena, teams: Arena, alice: Player, bob: Player
) -> None:
    add = reverse("admin:league_roster_add")
    fields = {**form_on(organiser, add), "arena": teams.pk, "name": "Spies", "captain": bob.pk}
    answer = organiser.post(add, fields)
    assert f"{teams.pk} was not found. Give the whole name." in answer.content.decode()
    assert not Roster.objects.exists()
    queues = reverse("admin:league_arenaqueue_add")
    answer = organiser.post(queues, {**form_on(organiser, queues), "arena": teams.pk})
    assert answer.status_code in {200, 403}
    assert not ArenaQueue.objects.exists()
    owls = Roster.objects.create(arena=duel, name="Owls", captain=alice)
    change = reverse("admin:league_roster_change", args=[owls.pk])
    organiser.post(change, {**form_on(organiser, change), "arena": teams.pk})
    owls.refresh_from_db()
    assert owls.arena == duel


def test_suggestions_while_typing_name_no_other_arena(organiser: Client, teams: Arena) -> None:
    found = organiser.get(
        reverse("admin:autocomplete"),
        {"app_label": "league", "model_name": "roster", "field_name": "arena", "term": ""},
    )
    assert [each["text"] for each in found.json()["results"]] == ["Duel"]


def test_bulk_deletion_reaches_no_roster_of_another_arena(
    organiser: Client, teams: Arena, alice: Player
) -> None:
    owls = Roster.objects.create(arena=teams, name="Owls", captain=alice)
    organiser.post(
        reverse("admin:league_roster_changelist"),
        {
            "action": "delete_selected",
            "_selected_action": [owls.pk],
            "post": "yes",
            "_reason": "No.",
        },
    )
    assert Roster.objects.filter(pk=owls.pk).exists()


def test_amnesties_and_penalties_are_for_their_arenas_only(
    organiser: Client, duel: Arena, teams: Arena, alice: Player
) -> None:
    amnesty = reverse("admin:league_amnesty_add")
    fields = {"since": "2026-01-01T00:00", "until": "2026-12-31T00:00", "offences": "abandoned"}
    for arena in ("", teams.pk):
        sent = {**fields, "arena": arena, "reason": "So.", "_grant": "1"}
        answer = organiser.post(amnesty, sent)
        assert answer.context["form"].errors["arena"]
    other = PenaltyReason.objects.create(arena=teams, name="Insults", stacks=1)
    penalise = reverse("admin:league_player_penalise", args=[alice.pk])
    answer = organiser.post(penalise, {"reason": other.pk, "note": "So."})
    assert answer.context["form"].errors["reason"]
    own = PenaltyReason.objects.create(arena=duel, name="Insults", stacks=1)
    assert organiser.post(penalise, {"reason": own.pk, "note": "So."}).status_code == 302
    assert organiser.get(reverse("admin:league_player_ban", args=[alice.pk])).status_code == 403


def test_the_api_gives_staff_rights_in_their_arenas_only(
    organiser: Client, bob: Player, here: Match, elsewhere: Match, alice: Player, charlie: Player
) -> None:
    _token, text = a_token(user_of(bob))
    headers = {"authorization": f"Token {text}"}
    for match, status in ((here, 200), (elsewhere, 403)):
        address = reverse("api:match-decision", args=[match.pk])
        sent = {"verdict": "voided", "reason": "So."}
        answer = organiser.post(address, sent, "application/json", headers=headers)
        assert answer.status_code == status
    teams = elsewhere.arena
    entry = reverse("api:results", args=[teams.slug])
    assert organiser.post(entry, {}, "application/json", headers=headers).status_code == 403
    rated = beats(alice, charlie, teams)
    confirm(rated.pk, by=charlie, now=NOW)
    correct = reverse("api:corrections", args=[rated.pk])
    assert organiser.post(correct, {}, "application/json", headers=headers).status_code == 403


def test_who_may_only_read_rules_brings_back_no_old_ones(alice: Player) -> None:
    rules = Discipline.objects.create()
    version = Discipline.history.first()  # type: ignore[attr-defined] # of simple_history
    user_of(alice).user_permissions.set(Permission.objects.filter(codename="view_discipline"))
    User.objects.filter(player=alice).update(is_staff=True)
    client = browser_of(User.objects.get(player=alice))
    old = reverse("admin:league_discipline_simple_history", args=[rules.pk, version.pk])
    assert client.post(old, {}).status_code == 405


def test_other_arenas_pages_offer_them_nothing(organiser: Client, elsewhere: Match) -> None:
    arena = elsewhere.arena
    assert reverse("enter", args=[arena.slug]) not in page(organiser, arena.get_absolute_url())
    shown = page(organiser, elsewhere.get_absolute_url())
    assert reverse("match_decide", args=[elsewhere.pk]) not in shown


def test_competitions_are_offered_only_their_seasons(
    organiser: Client, duel: Arena, teams: Arena
) -> None:
    form = organiser.get(reverse("admin:league_competition_add")).context["adminform"].form
    offered = {season.arena for season in form.fields["season"].queryset}
    assert offered == {duel}
