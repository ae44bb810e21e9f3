"""Game servers send single events of a free-for-all, which are rated in place of its places."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from league.models import Arena, Format, Match, MatchEvent, Player, Rating, RatingEvent, User
from league.services.core.errors import Conflict, Forbidden
from league.services.integrity.ratings import verify
from league.services.rating.tail import read_tail
from league.services.replay.edits import Joined
from league.services.replay.history import with_joined
from league.services.results.playing import events, servers
from league.services.results.playing.events import Event
from league.services.results.playing.watching import live_matches
from league.services.results.reports import live
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide
from ratings.history import History, Participant, Side
from ratings.history import Match as Played
from ratings.registry import build
from ratings.replay import replay
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW, account, arena
from tests.support.correction_steps import correct
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words

MINUTE = timedelta(minutes=1)


@pytest.fixture
def host(db: None) -> User:
    """The account of a game server."""
    user = User.objects.create(username="server")
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    return user


@pytest.fixture
def server(host: User) -> APIClient:
    return by_token(Player(name="", user=host))


@pytest.fixture
def four(db: None) -> list[Player]:
    return [account(name) for name in ("Ada", "Ben", "Cleo", "Dan")]


def deathmatch(system: str = "fermi", **parameters: object) -> Arena:
    """A free-for-all arena whose season rates each event."""
    return arena(
        "deathmatch",
        format=Format.FREE_FOR_ALL,
        sides_max=5,
        rating_system=system,
        rating_parameters={"rate_events": True, **parameters},
    )


def begins(where: Arena, players: Sequence[Player], host: User, at: int = 0) -> Match:
    sides = [StartingSide(player, [player]) for player in players]
    return servers.start(where, sides, by=host, now=NOW + at * MINUTE)


def ends(match: Match, host: User, at: int = 0) -> Match:
    finishes = [Finish(place) for place in range(match.sides.count())]
    return servers.finish(match.pk, finishes, by=host, now=NOW + at * MINUTE + MINUTE / 2)


def frags(players: Sequence[Player], count: int, seed: int = 1) -> list[Event]:
    drawn = np.random.default_rng(seed)
    pairs = ([players[at] for at in drawn.permutation(len(players))[:2]] for _ in range(count))
    return [Event(at, one.pk, other.pk) for at, (one, other) in enumerate(pairs, start=1)]


def sends(client: APIClient, match: Match, batch: Sequence[Event | dict[str, Any]]) -> Any:
    body = {"events": [one if isinstance(one, dict) else one._asdict() for one in batch]}
    return client.post(f"/api/v1/matches/{match.pk}/events/", body, format="json")


def ratings_of(where: Arena) -> list[float]:
    rows = Rating.objects.filter(season__arena=where).order_by("player")
    return list(rows.values_list("rating", flat=True))


@pytest.mark.parametrize("system", ["fermi", "ladder"])
def test_the_feed_of_a_free_for_all_is_rated_frag_by_frag_and_replayed_to_the_bit(
    system: str, server: APIClient, host: User, four: list[Player]
) -> None:
    where = deathmatch(system)
    match, batch = begins(where, four, host), frags(four, 90)
    Match.objects.update(played_at=timezone.now())
    assert sends(server, match, batch[60:]).json() == {"new": 30, "total": 30}
    assert sends(server, match, batch[:40]).json() == {"new": 40, "total": 70}
    report = {"sides": [{"place": place} for place in range(4)]}
    path = f"/api/v1/matches/{match.pk}/report/"
    early = server.post(path, report, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "events_missing")
    assert "20 of the events up to number 90 are missing" in early.json()["detail"]
    assert sends(server, match, batch[30:]).json() == {"new": 20, "total": 90}
    assert sends(server, match, batch).json() == {"new": 0, "total": 90}
    done = server.post(path, report, format="json")
    assert (done.status_code, done.json()["status"]) == (200, "rated")
    assert done.json()["event_count"] == 90
    sides = {player.pk: index for index, player in enumerate(four)}
    pairs = [(sides[one.winner], sides[one.loser]) for one in batch]
    alone = [Side(place, [Participant(player.name)]) for place, player in enumerate(four)]
    played = History.build([Played("1", 0, alone, events=pairs)])
    by_hand = replay(build(system, {"rate_events": True}), played)
    assert ratings_of(where) == by_hand.states.rating.tolist()
    assert ratings_of(where) != replay(build(system, {}), played).states.rating.tolist()
    assert verify(where.seasons.get()) == []
    assert_strict(Client(), match.get_absolute_url())
    page = words(Client().get(match.get_absolute_url()))
    assert "This match is rated by its 90 events in order, not by its places" in page
    won = sum(one.winner == four[0].pk for one in batch)
    lost = sum(one.loser == four[0].pk for one in batch)
    assert f"Ada {won} {lost}" in page
    late = sends(server, match, batch)
    assert (late.status_code, late.json()["code"]) == (409, "rated")


def test_kinds_of_events_count_by_their_weights(
    server: APIClient, host: User, four: list[Player]
) -> None:
    where = deathmatch(event_weights=[1.0, 0.1], max_gain=1)
    match = begins(where, four, host)
    batch: list[Any] = [event._asdict() for event in frags(four, 40)]
    for event in batch[::2]:
        event["kind"] = 2
    for event in batch[1::2]:
        del event["kind"]
    assert sends(server, match, batch).json()["new"] == 40
    assert sends(server, match, [batch[1] | {"kind": 1}]).json()["new"] == 0
    assert sends(server, match, [batch[1] | {"kind": 2}]).json()["code"] == "number_taken"
    [live_now] = live_matches(where, NOW)
    assert sum(side.points for side in live_now.sides) == 20
    ends(match, host)
    ratings = dict.fromkeys((player.pk for player in four), 0.0)
    for event in batch:
        winner, loser = event["winner"], event["loser"]
        points = 1 / (1 + math.exp(ratings[winner] - ratings[loser]))
        points *= 0.1 if event.get("kind") == 2 else 1
        ratings[winner] += points
        ratings[loser] -= points
    assert ratings_of(where) == pytest.approx([ratings[player.pk] for player in four])
    assert verify(where.seasons.get()) == []


def test_a_bad_event_is_refused_at_its_field_and_nothing_of_its_batch_is_kept(
    server: APIClient, host: User, four: list[Player], eve: Player
) -> None:
    match, (first, second, *_rest) = begins(deathmatch(), four, host), frags(four, 5)
    fine, me = first._asdict(), four[0].pk
    faults: list[tuple[dict[str, Any], str]] = [
        ({"winner": eve.pk}, "events.1.winner"),
        ({"loser": 10**18}, "events.1.loser"),
        ({"winner": me, "loser": me}, "events.1.loser"),
        ({"number": 0}, "events.1.number"),
        ({"number": 20_001}, "events.1.number"),
        ({"number": "2"}, "events.1.number"),
        ({"at": "now"}, "events.1.at"),
        ({"kind": 0}, "events.1.kind"),
        ({"kind": 101}, "events.1.kind"),
    ]
    for wrong, field in faults:
        answer = sends(server, match, [fine, second._asdict() | wrong])
        assert (answer.status_code, fields_at_fault(answer)) == (400, {field}), wrong
    for batch in ([], [fine] * 1001):
        answer = sends(server, match, batch)
        assert (answer.status_code, fields_at_fault(answer)) == (400, {"events"})
    other = Event(1, first.loser, first.winner)
    assert sends(server, match, [first, other]).json()["code"] == "number_taken"
    assert not MatchEvent.objects.exists()
    assert sends(server, match, [first, first]).json() == {"new": 1, "total": 1}
    assert sends(server, match, [second, other]).status_code == 409
    assert list(MatchEvent.objects.values_list("number", flat=True)) == [1]
    assert Match.objects.get().event_count == 1


def test_only_the_server_of_a_match_feeds_and_ends_it(
    server: APIClient, host: User, four: list[Player]
) -> None:
    match, batch = begins(deathmatch(), four, host), frags(four, 3)
    other = User.objects.create(username="other")
    assert sends(by_token(Player(name="", user=other)), match, batch).json()["code"] == (
        "not_a_game_server"
    )
    other.user_permissions.add(Permission.objects.get(codename="add_match"))
    stranger = sends(by_token(Player(name="", user=other)), match, batch)
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not_its_server")
    assert sends(by_token(four[0]), match, batch).status_code == 403
    assert server.post("/api/v1/matches/99999/events/", {}, format="json").status_code == 404
    events.add(match.pk, batch, by=host)
    # A player who is also a server does not count as one in their own match.
    own = user_of(four[0])
    own.user_permissions.add(Permission.objects.get(codename="add_match"))
    Match.objects.filter(pk=match.pk).update(status="void")
    match.participants.update(live=False)
    mine = begins(Arena.objects.get(), four, own)
    with pytest.raises(Forbidden, match="not the game server"):
        events.add(mine.pk, batch, by=own)


def test_captains_cannot_report_before_the_server_has_sent_anything(
    host: User, four: list[Player]
) -> None:
    match, browser = begins(deathmatch(), four, host), browser_of(four[0])
    Match.objects.update(played_at=timezone.now())
    page, form = match.get_absolute_url(), reverse("match_report", args=[match.pk])
    said = words(browser.get(page))
    assert "the game server reports the result" in said
    assert form not in browser.get(page).content.decode()
    assert browser.get(form).status_code == 403
    falsely = [Finish(at) for at in range(4)]
    with pytest.raises(Forbidden, match="The game server reports this match"):
        live.finish(match.pk, falsely, reporter=four[0], now=timezone.now())
    assert Match.objects.get().status == "live"
    by_places = arena("melee", format=Format.FREE_FOR_ALL, sides_max=5)
    others = [account(name) for name in ("Eli", "Fay")]
    match = begins(by_places, others, host)
    places = [Finish(at) for at in range(2)]
    assert live.finish(match.pk, places, reporter=others[0], now=NOW).status == "reported"


def test_a_lost_server_keeps_nobody_in_its_match(
    server: APIClient, host: User, four: list[Player]
) -> None:
    where = deathmatch()
    match, batch = begins(where, four, host), frags(four, 20)
    events.add(match.pk, [*batch[:5], *batch[9:]], by=host)
    places = [Finish(at) for at in (3, 2, 1, 0)]
    late = NOW + live.SERVERS_TIME
    with pytest.raises(Forbidden, match="captains can do so 6 hours after the start"):
        live.finish(match.pk, places, reporter=four[0], now=late - MINUTE)
    with pytest.raises(Conflict, match="4 of the events"):
        servers.finish(match.pk, places, by=host, now=late - MINUTE)
    live.finish(match.pk, places, reporter=four[0], now=late)
    assert not match.participants.filter(live=True).exists()
    confirm(match.pk, by=four[1], now=late)
    confirm(match.pk, by=four[2], now=late)
    # The places are the captain's word, the ratings those of the events that came.
    sides = {player.pk: index for index, player in enumerate(four)}
    pairs = [(sides[one.winner], sides[one.loser]) for one in [*batch[:5], *batch[9:]]]
    alone = [Side(place, [Participant(player.name)]) for place, player in enumerate(four)]
    played = History.build([Played("1", 0, alone, events=pairs)])
    by_hand = replay(build("fermi", {"rate_events": True}), played)
    assert ratings_of(where) == by_hand.states.rating.tolist()
    assert verify(where.seasons.get()) == []


def test_seasons_that_go_by_places_and_teams_take_no_events(
    host: User, four: list[Player], melee: Arena
) -> None:
    with pytest.raises(Conflict, match="by their places"):
        events.add(begins(melee, four, host).pk, frags(four, 1), by=host)
    where = arena(
        "squads",
        team_size_min=2,
        team_size_max=2,
        rating_system="fermi",
        rating_parameters={"rate_events": True},
    )
    Match.objects.update(status="void")
    Match.objects.get().participants.update(live=False)
    pairs = [StartingSide(four[at], four[at : at + 2]) for at in (0, 2)]
    match = servers.start(where, pairs, by=host, now=NOW)
    with pytest.raises(Conflict, match="here teams play"):
        events.add(match.pk, frags(four, 1), by=host)


@pytest.mark.parametrize("system", ["fermi", "ladder"])
def test_corrections_and_replays_of_matches_with_and_without_events_agree(
    system: str, host: User, four: list[Player], olga: Player
) -> None:
    where, matches = deathmatch(system), []
    for at, count in enumerate((0, 40, 25)):
        match = begins(where, four, host, at)
        if count:
            events.add(match.pk, frags(four, count, seed=at), by=host)
        matches.append(ends(match, host, at))
    season, boss = where.seasons.get(), user_of(olga)
    assert verify(season) == []
    before = ratings_of(where)
    correct(matches[1], boss, [(3, None), (2, None), (1, None), (0, None)])
    assert ratings_of(where) == before  # other places of a match that its events rate
    assert verify(season) == []
    correct(matches[0], boss, [(3, None), (2, None), (1, None), (0, None)])
    assert verify(season) == []
    after_places = ratings_of(where)
    assert (after_places != before) or system == "ladder"  # its ranks may end as they were
    correct(matches[1], boss)  # void
    assert verify(season) == []
    assert (ratings_of(where) != after_places) or system == "ladder"
    tail = read_tail(season, -1)
    assert set(tail.events) == {matches[2].pk}
    assert with_joined(tail, Joined(four[0].pk, 10**9, starts_anew=False)).events == tail.events


def test_staff_read_that_other_places_change_no_rating(
    host: User, four: list[Player], olga: Player
) -> None:
    said, browser = "Other places change no rating", browser_of(olga)
    match = begins(deathmatch(), four, host)
    page = reverse("match_decide", args=[match.pk])
    assert said not in words(browser.get(page))
    batch = frags(four, 9)
    events.add(match.pk, [*batch[:3], *batch[5:]], by=host)
    open_page = words(browser.get(page))
    assert said in open_page
    assert "2 of its events have not arrived. It would be rated without them" in open_page
    events.add(match.pk, batch, by=host)
    assert "have not arrived" not in words(browser.get(page))
    ends(match, host)
    assert said in words(browser.get(reverse("match_correct", args=[match.pk])))


def test_ten_thousand_events_take_few_statements(
    server: APIClient, host: User, four: list[Player], django_assert_max_num_queries: Any
) -> None:
    where = deathmatch()
    match, batch = begins(where, four, host), frags(four, 10_000)
    with django_assert_max_num_queries(10 * 10):
        for start in range(0, 9_000, events.MOST_AT_ONCE):
            events.add(match.pk, batch[start : start + events.MOST_AT_ONCE], by=host)
        assert sends(server, match, batch[9_000:]).json() == {"new": 1_000, "total": 10_000}
    ends(match, host)
    assert RatingEvent.objects.count() == 4
    assert sum(ratings_of(where)) == pytest.approx(0, abs=1e-9)
    assert verify(where.seasons.get()) == []


def test_events_are_never_changed(host: User, four: list[Player]) -> None:
    match = begins(deathmatch(), four, host)
    events.add(match.pk, frags(four, 2), by=host)
    for statement in ("UPDATE league_matchevent SET number = 9", "DELETE FROM league_matchevent"):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
