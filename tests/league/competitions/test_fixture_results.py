"""Olga types the results of a round."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.models import Arena, Competition, Entrant, Fixture, Match, Player, Status
from league.services.competitions.outcomes import games_of, outcome
from league.services.competitions.running import entering_by_staff, opening, starting
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.people import entry_lists
from league.services.results.rules import written
from league.services.transfer.evenings import fixture_results
from league.services.transfer.evenings.fixture_results import Entered, Typed
from ratings.files.scores import DRAW, FIRST, NEITHER, SECOND, Written
from tests.support.cast import NOW, account, side
from tests.support.competition_steps import begun, crowd, date_of, opened
from tests.support.concurrency import all_at_once
from tests.support.result_steps import user_of

LATER = NOW + timedelta(days=1)


@pytest.fixture
def four(duel: Arena, olga: Player) -> Competition:
    """A table of four players without an account."""
    one = opened(duel, olga, "table")
    names = entry_lists.read_list("Ann\nBob\nCy\nDee").entries
    entering_by_staff.enter(one.pk, names, {}, by=user_of(olga), now=NOW)
    starting.start(one.pk, by=user_of(olga), now=NOW)
    one.refresh_from_db()
    return one


def first_round(one: Competition) -> list[Fixture]:
    rows = Fixture.objects.with_sides().filter(competition=one, round__number=1)
    return list(rows.order_by("number"))


def entered(one: Competition, olga: Player, *texts: str, after: int = 0) -> Entered:
    typed = [
        Typed(fixture.pk, text, after)
        for fixture, text in zip(first_round(one), texts, strict=False)
    ]
    return fixture_results.enter(one.pk, typed, by=user_of(olga), now=LATER)


def results(one: Competition) -> list[tuple[str, float | None, float | None]]:
    games = games_of([one.pk])
    ended = [outcome(fixture, games.get(fixture.pk, [])) for fixture in first_round(one)]
    return [(str(each.result), each.home, each.away) for each in ended]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3-1", Written(FIRST, (3, 1), games=((3, 1),))),
        (" 1 – 3 ", Written(SECOND, (1, 3), games=((1, 3),))),
        ("2:2", Written(DRAW, (2, 2), games=((2, 2),))),
        ("5½-2½", Written(FIRST, (5.5, 2.5), games=((5.5, 2.5),))),
        ("2,5 : 1,5", Written(FIRST, (2.5, 1.5), games=((2.5, 1.5),))),
        ("½", Written(DRAW, (0.5, 0.5), games=((0.5, 0.5),))),
        ("0.5", Written(DRAW, (0.5, 0.5), games=((0.5, 0.5),))),
        ("1/2-1/2", Written(DRAW, (0.5, 0.5), games=((0.5, 0.5),))),
        ("1/2-1/2 1-0", Written(FIRST, (1, 0), games=((0.5, 0.5), (1, 0)))),
        ("=", Written(DRAW)),
        ("½-½", Written(DRAW, (0.5, 0.5), games=((0.5, 0.5),))),
        ("1", Written(FIRST)),
        ("0", Written(SECOND)),
        ("11:7 9:11, 11:5", Written(FIRST, (2, 1), games=((11, 7), (9, 11), (11, 5)))),
        ("+:-", Written(FIRST, forfeit=True)),
        ("+ - −", Written(FIRST, forfeit=True)),
        ("−:+", Written(SECOND, forfeit=True)),
        ("- - -", Written(NEITHER, forfeit=True)),
        ("w.o.", Written(FIRST, forfeit=True)),
        ("W/O 2", Written(SECOND, forfeit=True)),
        ("0-3 wo", Written(SECOND, forfeit=True)),
        ("walkover", Written(FIRST, forfeit=True)),
    ],
)
def test_results_are_read_as_people_write_them(text: str, expected: Written) -> None:
    assert written.read(text) == expected


@pytest.mark.parametrize(
    "text", ["", "3", "3-", "a-b", "3-1-2", "-1-2", "1e9-2", "2-2 wo", "9" * 200, "3-1\0", "٣-١x"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not a result"):
        written.read(text)


@given(st.text(st.sampled_from("0123459½/.,:;-–−+=x wo\t\u0663\0"), max_size=20))
def test_any_text_is_a_result_or_refused(text: str) -> None:
    try:
        found = written.read(text)
    except Refused:
        return
    assert found.winner in {FIRST, SECOND, DRAW, NEITHER}
    if found.score is not None:
        assert all(math.isfinite(score) and score >= 0 for score in found.score)
        swapped = " ".join(f"{away:g}:{home:g}" for home, away in found.games)
        other = {FIRST: SECOND, SECOND: FIRST, DRAW: DRAW}
        if all(score < 1000 for game in found.games for score in game):
            assert written.read(swapped).winner == other[found.winner]


def test_lower_scores_win_where_they_do() -> None:
    assert written.read("68-71", lower_wins=True).winner == FIRST
    assert written.read("3-1 2-1", lower_wins=True).score == (0, 2)


def test_typed_results_are_rated_and_count_for_their_fixtures(
    four: Competition, olga: Player
) -> None:
    done = entered(four, olga, "3-1", "½")
    assert (done.saved, done.errors) == (2, {})
    assert results(four) == [("home", 3, 1), ("draw", 0.5, 0.5)]
    rated = Match.objects.filter(arrangement__game__fixture__competition=four)
    assert {match.status for match in rated} == {Status.RATED}
    assert {match.first_side for match in rated} == {0}
    assert all(match.events.count() == 2 for match in rated)


def test_a_forfeit_decides_the_fixture_without_a_match(four: Competition, olga: Player) -> None:
    assert entered(four, olga, "-:+", "w.o.").saved == 2
    assert [row[0] for row in results(four)] == ["away", "home"]
    assert not Match.objects.exists()
    [one, other] = first_round(four)
    assert one.decided_by == other.decided_by == Fixture.DecidedBy.FORFEIT


def test_a_wrong_row_leaves_the_others(four: Competition, olga: Player) -> None:
    done = entered(four, olga, "3 to 1", "2-0")
    assert done.saved == 1
    assert done.errors is not None
    assert list(done.errors) == [first_round(four)[0].pk]
    assert [row[0] for row in results(four)] == ["", "home"]


@pytest.mark.parametrize("texts", [("3-1", "½"), ("+:-", "-:-"), ("0", "1")])
def test_the_same_form_sent_twice_enters_nothing_twice(
    four: Competition, olga: Player, texts: tuple[str, str]
) -> None:
    entered(four, olga, *texts)
    before = Match.objects.count()
    again = entered(four, olga, *texts)
    assert (again.saved, again.errors) == (0, {})
    assert Match.objects.count() == before


def test_another_result_for_a_decided_fixture_is_refused(four: Competition, olga: Player) -> None:
    entered(four, olga, "3-1", "+:-")
    again = entered(four, olga, "1-3", "2-1")
    assert again.saved == 0
    assert again.errors is not None
    assert {"another result already" in text for text in again.errors.values()} == {True}


def test_a_game_of_a_round_that_is_not_open_takes_no_result(
    four: Competition, olga: Player
) -> None:
    later = four.fixtures.get(pk=four.fixtures.latest("number").pk)
    done = fixture_results.enter(four.pk, [Typed(later.pk, "1-0")], by=user_of(olga), now=LATER)
    assert done.errors is not None
    assert "not open yet" in done.errors[later.pk]


def test_fixtures_of_other_competitions_are_left_alone(
    four: Competition, duel: Arena, olga: Player
) -> None:
    four.name = "Another"
    four.save()
    other = begun(duel, olga, crowd(2), "table")
    typed = [Typed(other.fixtures.get().pk, "1-0")]
    assert fixture_results.enter(four.pk, typed, by=user_of(olga), now=LATER).saved == 0


def test_a_series_takes_game_after_game_or_all_at_once(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"best_of": 3})
    assert entered(one, olga, "11:7", "11:7 9:11 11:5").saved == 2
    assert [row[0] for row in results(one)] == ["", "home", ""]
    assert entered(one, olga, "11:7", after=0).saved == 0  # the same form, sent again
    assert entered(one, olga, "11:7", after=1).saved == 1
    assert results(one)[:2] == [("home", 2, 0), ("home", 2, 1)]
    final = one.fixtures.get(round__stage="final")
    assert final.home  # winners have advanced at once
    assert final.away


def test_a_series_takes_the_games_won_before_its_first_game_only(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"best_of": 3})
    assert entered(one, olga, "2-1", "0:2").saved == 2
    assert results(one)[:2] == [("home", 2, 1), ("away", 0, 2)]
    assert entered(one, olga, "2-1", "0:2", after=0).saved == 0  # the same form, sent again
    final = one.fixtures.get(round__stage="final")
    opening.open_early(one.pk, final.round_id, by=user_of(olga), now=LATER)
    typed = [Typed(final.pk, "13-7")]
    assert fixture_results.enter(one.pk, typed, by=user_of(olga), now=LATER).saved == 1
    typed = [Typed(final.pk, "1-2", after=1)]  # the score of the second game
    assert fixture_results.enter(one.pk, typed, by=user_of(olga), now=LATER).saved == 1
    ended = outcome(final, games_of([one.pk])[final.pk])
    assert (ended.result, ended.home, ended.away) == ("", 1, 1)


def test_a_series_takes_no_game_after_its_end(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"best_of": 3})
    done = entered(one, olga, "11:7 11:8 11:9")
    assert done.errors is not None
    assert "More games than the series has." in done.errors.values()
    assert not Match.objects.exists()


def test_all_members_of_rosters_are_rated(teams: Arena, olga: Player) -> None:
    one = opened(teams, olga, "table")
    names = entry_lists.read_list("Owls: Ann, Bob\nCrows: Cy, Dee").entries
    entering_by_staff.enter(one.pk, names, {}, by=user_of(olga), now=NOW)
    starting.start(one.pk, by=user_of(olga), now=NOW)
    assert entered(one, olga, "2-1").saved == 1
    match = Match.objects.get()
    assert match.events.count() == 4
    assert {side.roster.name for side in match.sides.all() if side.roster} == {"Owls", "Crows"}


def test_a_knockout_takes_no_draw(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single")
    done = entered(one, olga, "½", "2-2")
    assert (done.saved, len(done.errors or {})) == (0, 2)


def test_a_report_of_a_captain_waits_for_its_decision(
    duel: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "table")
    date = date_of(one.fixtures.get())
    sides = [side(date.proposer, place=0), side(date.opponent, place=1)]
    playing.report(date.pk, sides, reporter=date.proposer, played_at=date.play_at, now=date.play_at)
    done = entered(one, olga, "1-0")
    assert done.errors is not None
    assert "A captain has reported this game" in next(iter(done.errors.values()))


def test_only_organisers_who_do_not_play_enter_results(
    duel: Arena, olga: Player, alice: Player
) -> None:
    one = begun(duel, olga, [alice, olga, *crowd(1)], "table")
    with pytest.raises(Forbidden, match="Only organisers"):
        fixture_results.enter(one.pk, [], by=user_of(alice), now=LATER)
    assert entered(one, olga, "1-0").saved == 1  # nobody else can
    account("Petra", superuser=True)
    with pytest.raises(Forbidden, match="You play in this competition"):
        fixture_results.enter(one.pk, [], by=user_of(olga), now=LATER)


def test_a_competition_that_does_not_run_takes_no_result(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "table")
    with pytest.raises(Conflict):
        fixture_results.enter(one.pk, [], by=user_of(olga), now=LATER)


def test_the_last_result_ends_the_competition(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(2), "table")
    entered(one, olga, "1-0")
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    assert Entrant.objects.get(competition=one, place=1)


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_by_many_at_once_counts_once(four: Competition, olga: Player) -> None:
    found = all_at_once([lambda: entered(four, olga, "3-1", "½")] * 4)
    assert sorted(done.saved for done in found if isinstance(done, Entered)) == [0, 0, 0, 2]
    assert Match.objects.count() == 2
