"""Places that are kept when a competition ends, and where they and teams are shown."""

from collections import Counter
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Competition, Entrant, Fixture, Match, Player, Roster, Team
from league.services.competitions import decisions, pages, progress
from league.services.competitions.running import entering, withdrawing
from league.services.competitions.trophies import trophies_of, trophies_of_team, write_places
from tests.support.cast import roster
from tests.support.competition_steps import START, begun, crowd, opened, play
from tests.support.effort import spread
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)


def let_the_better_seed_win(one: Competition, olga: Player) -> None:
    """Decide everything, round by round."""
    for week in range(8):
        now = START + week * WEEK
        progress.sweep(now)
        open_ = one.fixtures.with_sides().filter(result=Fixture.Result.OPEN)
        for fixture in open_.filter(home__isnull=False, away__isnull=False):
            assert fixture.home
            assert fixture.away
            better = (fixture.home.seed or 0) < (fixture.away.seed or 0)
            result = "home" if better else "away"
            decisions.decide(fixture.pk, result, by=user_of(olga), reason="Test.", now=now)
        progress.sweep(now)
    one.refresh_from_db()
    assert one.state == one.State.OVER


def places(one: Competition) -> dict[int, int | None]:
    return {entrant.seed or 0: entrant.place for entrant in one.entrants.all()}


def trophies(one: Competition) -> set[int | None]:
    """Return the seeds of those whose places are trophies."""
    return {entrant.seed for entrant in one.entrants.filter(place__lte=3) if entrant.trophy}


def test_a_table_keeps_all_places(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4))
    let_the_better_seed_win(one, olga)
    assert places(one) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert trophies(one) == {1, 2, 3}


def test_the_last_and_those_who_withdrew_or_never_played_get_no_trophy(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), play={"withdrawal": "forfeit"})
    withdrawing.withdraw(one.pk, by=one.entrants.get(seed=2).captain, now=START)
    let_the_better_seed_win(one, olga)
    assert (places(one), trophies(one)) == ({1: 1, 3: 2, 4: 3, 2: 4}, {1, 3, 4})
    Fixture.objects.update(result="draw", decided_by="deadline")
    write_places(pages.load(one))
    assert not trophies(one)


def test_all_share_the_places_of_the_round_in_which_they_lost(
    duel: Arena, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, crowd(6), "single")
    let_the_better_seed_win(one, olga)
    assert places(one) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5}
    assert trophies(one) == {1, 2, 3, 4}
    page = client.get(one.get_absolute_url()).content.decode()
    assert page.count("</span>3–4</span>") == page.count("</span>5–6</span>") == 2
    listed = client.get(reverse("api:entrants", args=[one.pk])).json()["results"]
    assert {each["seed"]: each["place"] for each in listed} == places(one)


@pytest.mark.parametrize("third", [True, False])
def test_a_game_for_the_third_place_separates_the_third_and_the_fourth(
    duel: Arena, olga: Player, third: bool
) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"third_place": third})
    let_the_better_seed_win(one, olga)
    assert places(one) == {1: 1, 2: 2, 3: 3, 4: 4 if third else 3}
    assert trophies(one) == ({1, 2, 3} if third else {1, 2})


def test_nobody_is_first_if_both_lose_the_final(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(2), "single")
    final = one.fixtures.get()
    decisions.decide(final.pk, "neither", by=user_of(olga), reason="Brawl.", now=START)
    progress.sweep(START)
    assert places(one) == {1: 2, 2: 2}


def alive_after_each_round(one: Competition) -> dict[int, int]:
    """Return the places of a bracket: one more than were left after the round of a last loss."""
    losses, allowed = Counter[int](), 2 if one.format == "double" else 1
    left = set(one.entrants.values_list("pk", flat=True))
    found: dict[int, int] = {}
    rounds = one.rounds.exclude(stage="third").exclude(stage="final", number=2)
    stages = {"winners": 1, "losers": 2, "final": 3}
    ordered = sorted(rounds, key=lambda each: (stages[each.stage], each.number))
    for round_ in ordered:
        out = set()
        for fixture in round_.fixtures.all():
            loser = fixture.away_id if fixture.result == "home" else fixture.home_id
            losses[loser or 0] += loser is not None
            if losses[loser or 0] >= allowed and loser:
                out.add(loser)
        left -= out
        found |= dict.fromkeys(out, len(left) + 1)
    second = one.fixtures.filter(round__stage="final", round__number=2).exclude(result="none")
    for fixture in second:
        loser = fixture.away_id if fixture.result == "home" else fixture.home_id
        left -= {loser}
        found[loser or 0] = 2
    return found | dict.fromkeys(left, 1)


@pytest.mark.parametrize("format_", ["single", "double"])
@pytest.mark.parametrize("count", spread(range(2, 14), 3))
def test_every_place_of_a_bracket_is_given(
    duel: Arena, olga: Player, format_: str, count: int
) -> None:
    generator = np.random.default_rng(count)
    one = begun(duel, olga, crowd(count), format_)
    for week in range(20):
        now = START + week * WEEK
        progress.sweep(now)
        for fixture in one.fixtures.filter(result="", home__isnull=False, away__isnull=False):
            result = ["home", "away"][generator.integers(2)]
            decisions.decide(fixture.pk, result, by=user_of(olga), reason="Test.", now=now)
        if week == 1:
            playing = one.entrants.in_play().with_people()
            gone = playing[int(generator.integers(len(playing)))]
            if one.state == one.State.RUNNING and count > 2:
                withdrawing.withdraw(one.pk, by=gone.captain, now=now)
        progress.sweep(now)
        one.refresh_from_db()
        if one.state == one.State.OVER:
            break
    assert one.state == one.State.OVER
    assert dict(one.entrants.values_list("pk", "place")) == alive_after_each_round(one)


def test_the_loser_of_the_losers_final_is_third(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(5), "double")
    let_the_better_seed_win(one, olga)
    assert places(one) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
    assert trophies(one) == {1, 2, 3}


def test_groups_alone_have_no_places(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "groups", play={"groups": 2})
    let_the_better_seed_win(one, olga)
    assert set(places(one).values()) == {None}


@pytest.fixture
def cup(teams: Arena, alice: Player, bob: Player, charlie: Player, olga: Player) -> Competition:
    """A cup that Alice has won for the Owls of a team, without Bob, against Charlie alone."""
    owls = roster(teams, "Owls", alice, bob)
    owls.team = Team.objects.create(name="Night Owls", tag="OWL", created_at=timezone.now())
    owls.save()
    one = opened(teams, olga)
    entering.register(one.pk, by=alice, now=START - WEEK / 7, roster=owls)
    entering.register(one.pk, by=charlie, now=START - WEEK / 7)
    progress.sweep(START)
    fixture = one.fixtures.with_sides().get()
    assert fixture.home
    play(fixture, alice)
    progress.sweep(START + WEEK)
    return one


def test_players_and_teams_show_their_trophies(
    cup: Competition, alice: Player, bob: Player, client: Client
) -> None:
    team = Team.objects.get()
    first = Entrant.objects.get(roster__team=team)
    assert not trophies_of(bob)
    for found in (trophies_of(alice), trophies_of_team(team)):
        assert [(one.pk, one.place) for one in found] == [(first.pk, 1)]
    for shown in (alice, team):
        page = client.get(shown.get_absolute_url()).content.decode()
        assert "Trophies" in page
        assert cup.get_absolute_url() in page


def test_running_competitions_give_no_trophies(cup: Competition, alice: Player) -> None:
    Competition.objects.update(state="running", over_at=None, final=None)
    assert not trophies_of(alice)


@pytest.fixture
def final(owls: Roster, foxes: Roster, olga: Player) -> Competition:
    """A cup of two rosters whose captains played alone: Alice won, and Charlie was second."""
    one = opened(owls.arena, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, now=START - WEEK / 7, roster=each)
    progress.sweep(START)
    play(one.fixtures.with_sides().get(), owls.captain)
    progress.sweep(START + WEEK)
    one.entrants.filter(roster=owls).update(place=1)
    one.entrants.filter(roster=foxes).update(place=2, trophy=True)
    one.refresh_from_db()
    return one


def earlier_place(final: Competition, **whose: Any) -> Entrant:
    """Return a third place in a cup that was over before the final was."""
    earlier = Competition.objects.get(pk=final.pk)
    earlier.pk, earlier.over_at = None, START - WEEK
    earlier.name = f"Cup {Competition.objects.count()}"
    earlier.save()
    return Entrant.objects.create(
        competition=earlier, place=3, name="Earlier", entered_at=START - WEEK, **whose
    )


def test_both_rosters_that_played_show_their_own_trophy(
    final: Competition, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    found = {
        one: [(each.name, each.place) for each in trophies_of(one)] for one in (alice, charlie)
    }
    assert found == {alice: [("Owls", 1)], charlie: [("Foxes", 2)]}
    assert not trophies_of(bob)
    assert not trophies_of(dora)


def test_a_captain_has_no_part_in_what_the_roster_won_elsewhere(
    final: Competition, owls: Roster, alice: Player
) -> None:
    earlier_place(final, player=alice, roster=owls)
    assert [each.competition for each in trophies_of(alice)] == [final]


def test_whoever_entered_alone_has_the_latest_trophy_first(
    final: Competition, alice: Player, bob: Player
) -> None:
    for player in (alice, bob):
        earlier_place(final, player=player)
    assert [each.place for each in trophies_of(alice)] == [1, 3]
    assert [each.place for each in trophies_of(bob)] == [3]


def test_void_matches_and_drafts_give_no_trophies(final: Competition, alice: Player) -> None:
    Match.objects.update(status="void", rated_order=None)
    assert not trophies_of(alice)
    earlier_place(final, player=alice)
    assert trophies_of(alice)
    Arena.objects.update(is_draft=True)
    assert not trophies_of(alice)


def test_tables_and_fixtures_show_the_team_beside_its_roster(
    cup: Competition, client: Client
) -> None:
    for address in (cup.get_absolute_url(), cup.fixtures.get().get_absolute_url()):
        page = client.get(address).content.decode()
        assert "team-mark" in page
        assert ">OWL</span>" in page
