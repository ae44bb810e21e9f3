"""Random challenges: once a day, chance chooses the opponent."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Challenge, Player, Rating, User
from league.services.core.errors import Conflict, Refused
from league.services.following.blocks import block
from league.services.integrity.ratings import verify
from league.services.ladder.challenges import (
    accept,
    challenge,
    decline,
    ladder_to_play_on,
    withdraw,
)
from league.services.ladder.draws import MOST_TRIES, draw, lots
from league.services.ladder.lists import challengeable
from league.services.ladder.playing import start
from league.services.results.reports.answers import confirm
from tests.support.admin_steps import arena_page, errors_of, send
from tests.support.api_steps import by_token
from tests.support.cast import NOW, RANKED_AT_ONCE
from tests.support.challenge_steps import ladder_of, ranks, reported
from tests.support.concurrency import all_at_once
from tests.support.effort import examples
from tests.support.web_steps import browser_of, words

DAY = timedelta(days=1)
NAMES = ["Ann", "Ben", "Cleo", "Dan", "Elle", "Finn", "Gus", "Hal"]


def drawing_ladder(
    names: Sequence[str] = NAMES, reach: int = 0, **rules: object
) -> tuple[Arena, dict[str, Player]]:
    """A ladder with random challenges, and its players by name, the first at the top."""
    made, players = ladder_of(
        names,
        rating_parameters={"challenge_range": reach},
        season_rules={**RANKED_AT_ONCE, "challenges": {"draws": True, **rules}},
    )
    order = ranks(made)
    by_name = {player.name: player for player in players}
    return made, {name: by_name[name] for name in order}


def test_the_draw_is_among_all_who_can_be_challenged() -> None:
    ladder, players = drawing_ladder(reach=5)
    lowest = list(players.values())[-1]
    within = list(players)[-6:-1]  # ranks 3 to 7
    drawn = set()
    for seed in range(examples(60)):
        one = draw(ladder, by=lowest, now=NOW, seed=seed)
        assert one.drawn_from == 5
        drawn.add(one.challenged.name)
        one.delete()
    assert drawn == set(within)
    assert verify(ladder.seasons.get()) == []


def test_the_draw_is_fair() -> None:
    ladder, players = drawing_ladder(reach=5)
    lowest = list(players.values())[-1]
    season, rules = ladder_to_play_on(ladder, NOW)
    draws = examples(600)
    first = Counter(lots(season, rules, lowest, seed)[0] for seed in range(draws))
    # A fifth is expected of each. Chance gives somebody less than a tenth once in a billion times.
    assert len(first) == 5
    assert min(first.values()) >= draws / 10


def test_the_same_seed_draws_the_same_opponent() -> None:
    ladder, players = drawing_ladder()
    lowest = list(players.values())[-1]
    names = set()
    for _again in range(2):
        one = draw(ladder, by=lowest, now=NOW, seed=99)
        names.add(one.challenged.name)
        one.delete()
    assert len(names) == 1


def test_a_draw_is_stored_and_cannot_be_drawn_again() -> None:
    ladder, players = drawing_ladder()
    lowest = list(players.values())[-1]
    first = draw(ladder, by=lowest, now=NOW, seed=1)
    withdraw(first.pk, by=lowest, now=NOW)
    with pytest.raises(
        Conflict, match=f"You have already drawn {first.challenged}. You can draw again in 23 hours"
    ):
        draw(ladder, by=lowest, now=NOW + timedelta(minutes=1), seed=2)
    second = draw(ladder, by=lowest, now=NOW + DAY, seed=3)
    assert second.pk != first.pk
    with pytest.raises(Conflict, match="still open"):
        draw(ladder, by=lowest, now=NOW + 2 * DAY, seed=4)


def test_it_does_not_count_as_one_of_the_challenges_sent() -> None:
    ladder, players = drawing_ladder(sent=1)
    *others, lowest = players.values()
    one = draw(ladder, by=lowest, now=NOW, seed=1)
    season = ladder.seasons.get()
    possible = [rating.player for rating in challengeable(season, lowest, NOW)]
    assert one.challenged not in possible
    assert len(possible) == len(others) - 1
    challenge(ladder, possible[0], by=lowest, now=NOW)
    assert challengeable(season, lowest, NOW) == []
    with pytest.raises(Conflict, match="open challenges"):
        challenge(ladder, possible[1], by=lowest, now=NOW)


def test_whoever_beats_their_drawn_opponent_takes_their_rank() -> None:
    ladder, players = drawing_ladder(reach=3)
    before, lowest = ranks(ladder), list(players.values())[-1]
    with pytest.raises(Refused, match="too far above you"):
        challenge(ladder, players[list(players)[-5]], by=lowest, now=NOW)
    drawn = {before[self_drawn(ladder, lowest, seed).name]: seed for seed in range(20)}
    assert set(drawn) == {5, 6, 7}
    one = draw(ladder, by=lowest, now=NOW, seed=drawn[5])  # the one furthest up
    accept(one.pk, by=one.challenged, now=NOW)
    confirm(reported(one, lowest, one.challenged, NOW).pk, by=one.challenged, now=NOW)
    assert ranks(ladder) == {**before, lowest.name: 5, one.challenged.name: 8}
    assert verify(ladder.seasons.get()) == []


def self_drawn(ladder: Arena, by: Player, seed: int) -> Player:
    one = draw(ladder, by=by, now=NOW, seed=seed)
    one.delete()
    return one.challenged


def test_who_rests_is_busy_or_cannot_answer_is_not_drawn() -> None:
    ladder, players = drawing_ladder(["Ann", "Ben", "Cleo", "Dan"], sent=2)
    ann, ben, cleo, dan = players.values()
    rested = challenge(ladder, ann, by=dan, now=NOW)
    decline(rested.pk, by=ann, now=NOW)  # Ann drops below Ben, and rests
    challenge(ladder, ben, by=cleo, now=NOW)  # Ben has as many as the rules allow
    assert {self_drawn(ladder, dan, seed) for seed in range(6)} == {cleo}
    assert cleo.user
    cleo.user.is_active = False
    cleo.user.save()
    with pytest.raises(Conflict, match="nobody you can challenge"):
        draw(ladder, by=dan, now=NOW, seed=1)
    assert not Challenge.objects.filter(drawn_from__isnull=False).exists()  # nothing is used up


def test_a_block_refuses_no_challenge_and_chooses_no_opponent() -> None:
    ladder, players = drawing_ladder(["Ann", "Ben"])
    ann, ben = players.values()
    block(ann, ben, now=NOW)
    assert challenge(ladder, ann, by=ben, now=NOW)
    Challenge.objects.all().delete()
    block(ben, ann, now=NOW)
    assert self_drawn(ladder, ben, seed=1) == ann


def test_a_drawn_challenge_is_played_and_rated_like_any_other() -> None:
    ladder, players = drawing_ladder(["Ann", "Ben"])
    ann, ben = players.values()
    one = draw(ladder, by=ben, now=NOW, seed=1)
    assert one.challenged == ann
    page = words(browser_of(ann).get(f"/arenas/{ladder.slug}/challenges/"))
    assert "Drawn at random from 1 player." in page
    decline(one.pk, by=ann, now=NOW)
    assert ranks(ladder) == {"Ben": 1, "Ann": 2}
    assert verify(ladder.seasons.get()) == []
    with pytest.raises(Conflict):
        start(one.pk, by=ben, now=NOW)


def test_a_draw_on_a_large_ladder_tries_a_few_only(alice: Player) -> None:
    ladder, players = drawing_ladder(["Ann", "Ben"])
    season, count = ladder.seasons.get(), MOST_TRIES + 30
    users = User.objects.bulk_create(User(username=f"u{at}", password="!") for at in range(count))
    resting = Player.objects.bulk_create(
        Player(name=user.username, folded_name=user.username, user=user) for user in users
    )
    Rating.objects.bulk_create(
        Rating(season=season, player=player, rating=rank)
        for rank, player in enumerate(resting, start=3)
    )
    Challenge.objects.bulk_create(
        Challenge(
            season=season,
            challenger=player,
            challenged=alice,
            made_at=NOW,
            answer_by=NOW,
            closed_at=NOW,
            state=Challenge.State.WITHDRAWN,
        )
        for player in [*resting, *players.values()]
    )
    with CaptureQueriesContext(connection) as asked, pytest.raises(Conflict, match="nobody"):
        draw(ladder, by=alice, now=NOW, seed=5)
    rests = [query for query in asked if "closed_at" in query["sql"] and "LIMIT 1" in query["sql"]]
    assert len(rests) == MOST_TRIES + 1  # and the player's own last draw


@pytest.mark.django_db(transaction=True)
def test_two_draws_at_once_leave_one() -> None:
    ladder, players = drawing_ladder()
    lowest = list(players.values())[-1]
    asking: list[Callable[[], object]] = [
        partial(draw, ladder, by=lowest, now=NOW, seed=seed) for seed in range(5)
    ]
    answers = all_at_once(asking)
    assert sum(isinstance(answer, Challenge) for answer in answers) == 1
    assert Challenge.objects.filter(drawn_from__isnull=False).count() == 1


def test_a_ladder_without_draws_refuses_them(alice: Player) -> None:
    ladder, (*_others, lowest) = ladder_of(["Ann", "Ben"])
    with pytest.raises(Refused, match="no random challenges"):
        draw(ladder, by=lowest, now=NOW, seed=1)
    browser = browser_of(lowest)
    address = f"/arenas/{ladder.slug}/challenges/"
    assert "at random" not in words(browser.get(address))
    answer = browser.post(f"{address}draw/")
    assert answer.status_code == 400
    assert "no random challenges" in words(answer)


def test_by_page_and_by_api(olga: Player) -> None:
    ladder, (_ann, ben, _cleo, dan) = ladder_of(["Ann", "Ben", "Cleo", "Dan"])
    address = arena_page(ladder)
    answer = send(browser_of(olga), address, {"season_challenges__draws": "on"})
    assert errors_of(answer) == {}
    season = ladder.seasons.get()
    season.rules = {**season.rules, "challenges": {**season.rules["challenges"], "draws": True}}
    season.save()  # it has results, so it keeps its rules: as if it had begun with them
    page = f"/arenas/{ladder.slug}/challenges/"
    browser = browser_of(dan)
    assert "Challenge somebody at random" in words(browser.get(page))
    answer = browser.post(f"{page}draw/", follow=True)
    assert "Your challenge was sent to" in words(answer)
    assert ", drawn from 3 players." in words(answer)
    again = browser.post(f"{page}draw/")
    assert again.status_code == 409
    assert "You can draw again in" in words(again)
    made = by_token(ben).post(f"/api/v1/arenas/{ladder.slug}/challenges/draw/", {}, format="json")
    assert made.status_code in {201, 409}
    body = made.json()
    assert body.get("drawn_from") == 1 or body["code"] == "nobody"
