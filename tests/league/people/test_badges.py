"""Badges are what the rules say of the results, by a second reading of those rules, and follow
every correction."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Match, Player, Rating, RatingEvent, Season, Status
from league.services.results.records.badges import (
    Badge,
    Result,
    badges_of,
    compute_badges,
    find_moments,
    results_of,
)
from league.services.results.records.profiles import seasons_played
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats
from tests.support.correction_steps import correct, undo
from tests.support.web_steps import browser_of, words

pytestmark = pytest.mark.usefixtures("countless_reports")

DAYS = timedelta(days=1)


def counted(results: list[Result]) -> list[bool]:
    """Return whether each match counts: in full enough, and the third of a week at most."""
    flags: list[bool] = []
    for now, one in enumerate(results):
        lately = [
            earlier
            for earlier, flag in zip(results[:now], flags, strict=True)
            if flag
            and earlier.opponents == one.opponents
            and one.played_at - earlier.played_at < 7 * DAYS
        ]
        flags.append(one.share >= 0.5 and (not one.opponents or len(lately) < 3))
    return flags


def moments_by_the_rules(results: list[Result]) -> list[tuple[str, int]]:
    """Return what :func:`find_moments` should, by looking back from every match."""
    flags = counted(results)
    found: list[tuple[str, int]] = []
    for at, one in enumerate(results):
        if not flags[at]:
            continue
        before = list(zip(results[: at + 1], flags[: at + 1], strict=True))
        if sum(flags[: at + 1]) == 100:
            found.append(("century", one.match_id))
        meetings = [r for r, flag in before if flag and r.opponents == one.opponents]
        outcomes = [r.outcome for r in meetings]
        weeks = {r.played_at.strftime("%G-%V") for r in meetings}
        each = min(outcomes.count("win"), outcomes.count("loss"))
        if one.is_duel and len(weeks) >= 10 and each >= 3:
            found.append(("rivalry", one.match_id))
        if one.outcome != "win":
            continue
        found.append(("first_win", one.match_id))
        here = [(r, flag) for r, flag in before if r.arena_id == one.arena_id][::-1]
        run = 0
        while run < len(here) and here[run][0].outcome == "win":
            run += 1
        wins = [r.opponents for r, flag in here[:run] if flag]
        lost = 0
        while run + lost < len(here) and here[run + lost][0].outcome == "loss":
            lost += 1
        several = len(set(wins)) >= 2 or frozenset() in wins
        if len(wins) >= 5 and several:
            found.append(("streak", one.match_id))
        if lost >= 3 and len(wins) >= 3 and several:
            found.append(("comeback", one.match_id))
        if one.chance is not None and one.chance <= 0.2:
            found.append(("giant", one.match_id))
    return found


def random_ledger(seed: int) -> list[Result]:
    """Return up to 140 results of a person against a few others, minutes or weeks apart."""
    draw = random.Random(seed)  # noqa: S311 - no secrets
    at, rows = NOW, []
    for number in range(draw.randint(1, 140)):
        at += timedelta(hours=draw.choice([0, 1, 3, 20, 170]))
        others = frozenset(draw.choice([[], [1], [2], [3], [1, 2]]))
        rows.append(
            Result(
                match_id=number,
                season_id=1,
                arena_id=draw.choice([1, 1, 1, 2]),
                played_at=at,
                outcome=draw.choice(["win", "win", "win", "loss", "loss", "draw"]),
                share=draw.choice([1.0, 1.0, 0.5, 0.3]),
                chance=draw.choice([None, 0.1, 0.2, 0.5]),
                opponents=others,
                is_duel=len(others) == 1,
            )
        )
    return rows


@pytest.mark.parametrize("seed", range(150))
def test_moments_are_those_of_the_rules_in_any_order_of_results(seed: int) -> None:
    results = random_ledger(seed)
    found = [(kind, one.match_id) for kind, one in find_moments(results)]
    assert found == moments_by_the_rules(results)


def read_again(player: Player) -> list[Badge]:
    """Return a player's badges as a page shows them."""
    return badges_of(player, seasons_played(player), [])


def from_matches(player: Player) -> list[Result]:
    """Return a player's duels, read one by one."""
    found = []
    for match in Match.objects.filter(status=Status.RATED).order_by("played_at", "rated_order"):
        sides = list(match.sides.prefetch_related("participants"))
        own = [one for one in sides if player.pk in {p.player_id for p in one.participants.all()}]
        if not own:
            continue
        (other,) = (one for one in sides if one != own[0])
        tied = own[0].place == other.place
        won = own[0].place == 0
        found.append(
            Result(
                match_id=match.pk,
                season_id=match.season_id,
                arena_id=match.arena_id,
                played_at=match.played_at,
                outcome="draw" if tied else "win" if won else "loss",
                share=match.weight / match.contest_weight,
                chance=match.forecast[own[0].index] if match.forecast else None,
                opponents=frozenset(p.player_id for p in other.participants.all()),
                is_duel=True,
            )
        )
    return found


def badges_by_the_rules(player: Player) -> dict[str, int]:
    """Return the first match of each badge, read from the matches one by one."""
    first: dict[str, int] = {}
    for kind, match in moments_by_the_rules(from_matches(player)):
        if kind == "giant":
            games = RatingEvent.objects.filter(match=match).values_list("games", flat=True)
            if min(games) <= 5:
                continue
        first.setdefault(kind, match)
    return first


@pytest.mark.parametrize("seed", range(2))
def test_badges_follow_every_correction(
    seed: int, duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    draw = random.Random(seed)  # noqa: S311 - no secrets
    people = [alice, bob, charlie]
    matches = []
    for number in range(30):
        one, other = draw.sample(people, 2)
        now = NOW + timedelta(hours=30 * number)
        matches.append(confirm(beats(one, other, duel, now=now).pk, by=other, now=now))
    seen: set[str] = set()
    for _step in range(5):
        for player in people:
            found = {one.kind: one.match_id for one in read_again(player)}
            assert found == badges_by_the_rules(player)
            assert results_of(player) == from_matches(player)
            seen |= found.keys()
        match = draw.choice(matches)
        if draw.random() < 0.4:
            matches.remove(match)
            correct(match, olga.user)
        else:
            places = list(match.sides.order_by("index").values_list("place", flat=True))
            correct(match, olga.user, [(place or 0, None) for place in reversed(places)])
    assert {"first_win", "giant"} & seen


def test_a_voided_first_win_is_taken_back_and_given_again(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    assert olga.user
    match = confirm(beats(alice, bob, duel).pk, by=bob, now=NOW)
    assert [(one.kind, one.match_id) for one in read_again(alice)] == [("first_win", match.pk)]
    assert read_again(bob) == []
    done = correct(match, olga.user)
    assert read_again(alice) == []
    assert done.correction
    undo(done.correction, olga.user)
    assert [(one.kind, one.match_id) for one in read_again(alice)] == [("first_win", match.pk)]


def test_two_friends_who_trade_wins_earn_nothing_but_their_first(
    duel: Arena, alice: Player, bob: Player
) -> None:
    for number in range(60):
        winner, loser = (alice, bob) if number // 10 % 2 else (bob, alice)
        now = NOW + timedelta(minutes=number)
        confirm(beats(winner, loser, duel, now=now).pk, by=loser, now=now)
    assert {one.kind for one in read_again(alice) + read_again(bob)} == {"first_win"}


def test_the_page_names_a_badge_its_rule_and_its_match(
    duel: Arena, alice: Player, bob: Player
) -> None:
    match = confirm(beats(alice, bob, duel).pk, by=bob, now=NOW)
    page = Client().get(alice.get_absolute_url())
    assert "Badges" in words(page)
    assert "First win" in words(page)
    assert match.get_absolute_url() in page.content.decode()
    assert "Giant-killer" in words(Client().get("/badges/"))


def test_who_hides_their_matches_shows_badges_only_to_themselves(
    duel: Arena, alice: Player, bob: Player
) -> None:
    confirm(beats(alice, bob, duel).pk, by=bob, now=NOW)
    Player.objects.filter(pk=alice.pk).update(hides_history=True)
    assert "First win" not in words(Client().get(alice.get_absolute_url()))
    assert "First win" in words(browser_of(alice).get(alice.get_absolute_url()))


def test_statements_do_not_grow_with_matches(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    counts = []
    for number in range(12):
        now = NOW + timedelta(hours=30 * number)
        loser = (bob, charlie)[number % 2]
        confirm(beats(alice, loser, duel, now=now).pk, by=loser, now=now)
        with CaptureQueriesContext(connection) as taken:
            compute_badges(alice, {one.pk: one for one in Season.objects.all()})
        counts.append(len(taken))
    assert max(counts) <= 4
    played = seasons_played(alice)
    read_again(alice)
    with CaptureQueriesContext(connection) as taken:
        badges_of(alice, played, [])
    assert len(taken) == 0
    assert Rating.objects.filter(player=alice).get().wins == 12
