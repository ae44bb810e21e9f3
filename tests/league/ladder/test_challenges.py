"""Challenges on a ladder, their effect on ranks, and agreement with replays."""

from datetime import timedelta
from functools import partial
from typing import cast
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from league.models import (
    Arena,
    Challenge,
    Match,
    Offence,
    Player,
    Rating,
    RatingEvent,
    StaffAction,
    Status,
    User,
)
from league.services import corrections
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor.discipline import penalise
from league.services.integrity.ratings import verify
from league.services.ladder import challenges, playing
from league.services.ladder.challenges import accept, call_off, challenge, decline, withdraw
from league.services.ladder.deadlines import sweep
from league.services.results.records import profiles
from league.services.results.records.histories import history_of
from league.services.results.records.lines import latest_rated, recent_matches
from league.services.results.reports import live
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish
from league.services.seasons import end_previews
from tests.support.cast import NOW, account, beats, put_in_order
from tests.support.challenge_steps import LATER, ladder_of, ranks, reported


def test_an_accepted_challenge_is_started_by_a_player_and_its_winner_takes_the_rank() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    made = challenge(ladder, alice, by=dora, now=NOW)
    agreed = accept(made.pk, by=alice, now=NOW)
    assert agreed.is_agreed
    assert agreed.play_by == NOW + timedelta(days=7)
    assert not Match.objects.filter(status=Status.LIVE).exists()
    match = playing.start(made.pk, by=dora, now=NOW)
    assert match.status == Status.LIVE
    live.finish(match.pk, [Finish(0), Finish(1)], reporter=dora, now=NOW)
    confirm(match.pk, by=alice, now=NOW)
    assert ranks(ladder) == {"Dora": 1, "Bob": 2, "Charlie": 3, "Alice": 4}
    assert verify(ladder.seasons.get()) == []
    with pytest.raises(Conflict, match="again in"):
        challenge(ladder, dora, by=alice, now=NOW)
    challenge(ladder, dora, by=alice, now=NOW + timedelta(days=2))
    challenge(ladder, bob, by=charlie, now=NOW)


def test_ignoring_a_challenge_costs_ranks_but_does_not_count_as_a_game() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(
        ["Alice", "Bob", "Charlie", "Dora"],
        rating_parameters={"ignored_challenge_cost": 2, "challenge_range": 3},
    )
    season = ladder.seasons.get()
    eve = account("Eve")
    made = challenge(ladder, bob, by=eve, now=NOW)  # a newcomer challenges from below the bottom
    assert sweep(NOW + timedelta(days=2)) == 0
    assert sweep(LATER) == 1
    assert sweep(LATER) == 0
    assert ranks(ladder) == {"Alice": 1, "Charlie": 2, "Dora": 3, "Bob": 4}
    made.refresh_from_db()
    assert made.state == Challenge.State.IGNORED
    loss = made.match
    assert loss is not None
    assert not loss.is_game
    assert [event.player for event in loss.events.order_by("rating_after")] == [charlie, dora, bob]
    held = Rating.objects.get(player=bob)
    assert (held.games, held.last_played_at) == (1, NOW - timedelta(hours=1))
    assert [played.record for played in profiles.seasons_played(bob)] == [profiles.Record(0, 0, 1)]
    assert history_of(season, bob).opponents() == [
        profiles.Opponent(alice, profiles.Record(0, 0, 1)),
    ]
    assert [point.rating for point in profiles.rating_history(season, bob)] == [2, 4]
    assert loss not in recent_matches(season)
    assert loss not in latest_rated([season])
    assert verify(season) == []
    put_in_order()
    season.ends_at = LATER + timedelta(days=1)
    season.save()
    frozen = end_previews.preview(season, season.ends_at)
    assert frozen
    shown = {one.player.name: one for one in frozen.standings}
    assert (shown["Bob"].games, shown["Bob"].losses, shown["Charlie"].wins) == (1, 1, 1)
    del alice, dora


def test_voiding_a_forfeit_updates_all_later_ranks(
    olga: Player,
) -> None:
    ladder, (alice, bob, _charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    season = ladder.seasons.get()
    made = challenge(ladder, alice, by=bob, now=NOW)
    sweep(LATER)
    made.refresh_from_db()
    assert ranks(ladder) == {"Bob": 1, "Alice": 2, "Charlie": 3, "Dora": 4}
    confirm(beats(dora, bob, ladder).pk, by=bob, now=NOW)
    first = Match.objects.rated().order_by("rated_order")[0]
    assert made.match is not None
    staff = cast("User", olga.user)
    with pytest.raises(Refused, match="Nobody played this"):
        corrections.preview(made.match, by=staff, placings=[(0, None), (1, None)])
    void(made.match, staff)
    assert ranks(ladder) == {"Alice": 1, "Dora": 2, "Charlie": 3, "Bob": 4}
    assert verify(season) == []
    # The same with a forfeit that counts: an earlier result is voided.
    again = challenge(ladder, alice, by=dora, now=LATER)
    sweep(LATER + timedelta(days=4))
    again.refresh_from_db()
    assert ranks(ladder) == {"Dora": 1, "Alice": 2, "Charlie": 3, "Bob": 4}
    void(first, staff)
    assert verify(season) == []
    latest = Match.objects.rated().order_by("-rated_order")[0]
    assert latest == again.match
    void(Match.objects.rated().order_by("rated_order")[0], staff)
    assert verify(season) == []
    assert RatingEvent.objects.filter(match=latest).count() == 2


def void(match: Match, staff: User) -> None:
    seen = corrections.preview(match, by=staff)
    asked = corrections.ask(
        match, by=staff, reason="A mistake", digest=seen.digest, horizon=seen.horizon, now=LATER
    )
    corrections.carry_out(asked.pk, LATER)


def test_declining_costs_ranks_and_withdrawing_does_not() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(
        ["Alice", "Bob", "Charlie", "Dora"],
        season_rules={"challenges": {"decline_cost": 3, "rest": 0}},
    )
    made = challenge(ladder, alice, by=bob, now=NOW)
    with pytest.raises(Forbidden):
        decline(made.pk, by=bob, now=NOW)
    with pytest.raises(Forbidden):
        withdraw(made.pk, by=alice, now=NOW)
    withdraw(made.pk, by=bob, now=NOW)
    with pytest.raises(Conflict, match="withdrawn"):
        accept(made.pk, by=alice, now=NOW)
    assert Match.objects.unplayed().count() == 0
    decline(challenge(ladder, alice, by=charlie, now=NOW).pk, by=alice, now=NOW)
    assert ranks(ladder) == {"Bob": 1, "Charlie": 2, "Dora": 3, "Alice": 4}
    decline(challenge(ladder, bob, by=alice, now=NOW).pk, by=bob, now=NOW)
    late = challenge(ladder, charlie, by=dora, now=NOW)
    with pytest.raises(Conflict, match="time to answer"):
        decline(late.pk, by=charlie, now=LATER)
    assert verify(ladder.seasons.get()) == []


def test_only_players_above_and_within_range_can_be_challenged(duel: Arena) -> None:
    ladder, players = ladder_of(
        ["Alice", "Bob", "Charlie", "Dora"], rating_parameters={"challenge_range": 1}
    )
    alice, bob, charlie, dora = players
    eve, zoe = account("Eve"), Player.objects.create(name="Zoe")

    def refused(by: Player, whom: Player, where: Arena = ladder) -> str:
        with pytest.raises(Refused) as refusal:
            challenge(where, whom, by=by, now=NOW)
        return refusal.value.code

    assert refused(alice, alice) == "self"
    assert refused(alice, bob) == "below"
    assert refused(dora, bob) == "out_of_range"
    assert refused(eve, charlie) == "out_of_range"
    assert refused(alice, eve) == "not_on_the_ladder"
    assert refused(dora, zoe) == "cannot_answer"
    assert refused(bob, alice, duel) == "no_ladder"
    User.objects.filter(player=charlie).update(is_active=False)
    assert refused(dora, Player.objects.get(name="Charlie")) == "cannot_answer"
    User.objects.filter(player=charlie).update(is_active=True)
    penalise([charlie], Offence.ABANDON, ladder, now=NOW)
    assert refused(dora, charlie) == refused(charlie, bob) == "timeout"
    challenge(ladder, alice, by=bob, now=NOW)
    assert refused(bob, alice) == "pending"
    season = ladder.seasons.get()
    season.ends_at = NOW
    season.save()
    assert refused(eve, dora) == "closed"
    with pytest.raises(IntegrityError, match="challenge_of_another"), transaction.atomic():
        Challenge.objects.create(
            season=season, challenger=bob, challenged=bob, made_at=NOW, answer_by=NOW
        )


def test_sent_and_received_challenges_are_limited() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(
        ["Alice", "Bob", "Charlie", "Dora"],
        season_rules={"challenges": {"sent": 2, "received": 1}},
    )
    challenge(ladder, alice, by=dora, now=NOW)
    challenge(ladder, bob, by=dora, now=NOW)
    with pytest.raises(Conflict, match="the most that the rules allow"):
        challenge(ladder, charlie, by=dora, now=NOW)
    with pytest.raises(Conflict, match="already been challenged"):
        challenge(ladder, alice, by=charlie, now=NOW)


def test_a_challenge_starts_once_both_players_are_free_and_is_void_if_not_reported() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    sides = [live.StartingSide(player, [player]) for player in (alice, charlie)]
    busy = live.start(ladder, sides, now=NOW)
    made = accept(challenge(ladder, alice, by=bob, now=NOW).pk, by=alice, now=NOW)
    assert made.match is None
    with pytest.raises(Conflict, match="Alice is in a live match"):
        playing.start(made.pk, by=bob, now=NOW)
    live.finish(busy.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    assert sweep(NOW) == 0
    with pytest.raises(Forbidden):
        playing.start(made.pk, by=dora, now=NOW)
    playing.start(made.pk, by=bob, now=NOW)
    for play in (playing.start, challenges.accept):
        with pytest.raises(Conflict):
            play(made.pk, by=alice, now=NOW)
    made.refresh_from_db()
    assert made.match is not None
    assert sweep(NOW + timedelta(days=6)) == 0
    assert sweep(NOW + timedelta(days=8)) == 1
    made.refresh_from_db()
    assert made.state == Challenge.State.LAPSED
    assert made.match.status == Status.VOID
    live.start(ladder, sides, now=NOW)  # both are free again
    assert ranks(ladder) == {"Alice": 1, "Bob": 2, "Charlie": 3, "Dora": 4}


def test_an_accepted_challenge_that_nobody_plays_lapses_at_no_cost() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    made = accept(challenge(ladder, alice, by=bob, now=NOW).pk, by=alice, now=NOW)
    # Until then it counts as open, for both players and for the limits.
    with pytest.raises(Conflict, match="already a challenge between"):
        challenge(ladder, alice, by=bob, now=NOW)
    with pytest.raises(Conflict, match="already been challenged"):
        challenge(ladder, alice, by=dora, now=NOW)
    assert made.play_by is not None
    assert sweep(made.play_by - timedelta(seconds=1)) == 0
    for late in (partial(playing.start, made.pk, by=bob), partial(reported, made, bob, alice)):
        with pytest.raises(Conflict, match="run out"):
            late(now=made.play_by)
    assert sweep(made.play_by) == 1
    made.refresh_from_db()
    assert (made.state, made.match) == (Challenge.State.LAPSED, None)
    assert ranks(ladder) == {"Alice": 1, "Bob": 2, "Charlie": 3, "Dora": 4}
    challenge(ladder, alice, by=dora, now=made.play_by)
    del charlie


def test_an_accepted_challenge_can_be_reported_once_without_a_start() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    made = challenge(ladder, alice, by=dora, now=NOW)
    with pytest.raises(Conflict, match="waiting for an answer"):
        reported(made, dora, alice, NOW)
    accept(made.pk, by=alice, now=NOW)
    later = NOW + timedelta(hours=1)
    with pytest.raises(Forbidden):
        reported(made, dora, alice, later, reporter=bob)
    with pytest.raises(Refused, match="between Dora and Alice"):
        reported(made, dora, bob, later)
    with pytest.raises(Refused, match="accepted later"):
        reported(made, dora, alice, later, played_at=NOW - timedelta(minutes=1))
    token = uuid4()
    match = reported(made, dora, alice, later, client_token=token)
    assert reported(made, dora, alice, later, client_token=token) == match
    for again in (partial(reported, made, alice, dora), partial(playing.start, made.pk, by=dora)):
        with pytest.raises(Conflict, match=r"already begun|had already reported this match"):
            again(now=later)
    assert sweep(NOW + timedelta(days=30)) == 0
    confirm(match.pk, by=alice, now=later)
    assert ranks(ladder) == {"Dora": 1, "Bob": 2, "Charlie": 3, "Alice": 4}
    with pytest.raises(Conflict, match="again in"):
        challenge(ladder, dora, by=alice, now=later)
    other = accept(challenge(ladder, bob, by=charlie, now=later).pk, by=bob, now=later)
    with pytest.raises(Conflict, match="another match"):
        reported(other, charlie, bob, later, client_token=token)


def test_challenges_lapse_without_cost_when_the_season_ends_or_a_player_is_locked(
    olga: Player,
) -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    banned = challenge(ladder, alice, by=bob, now=NOW)
    User.objects.filter(player=alice).update(is_active=False)
    assert sweep(LATER) == 1
    banned.refresh_from_db()
    assert banned.state == Challenge.State.LAPSED
    User.objects.filter(player=alice).update(is_active=True)
    called_off = challenge(ladder, bob, by=charlie, now=NOW)
    staff = cast("User", olga.user)
    with pytest.raises(Forbidden):
        call_off(called_off.pk, by=cast("User", bob.user), reason="No.", now=NOW)
    with pytest.raises(Refused, match="reason"):
        call_off(called_off.pk, by=staff, reason=" ", now=NOW)
    call_off(called_off.pk, by=staff, reason="A bet.", now=NOW)
    assert StaffAction.objects.get().details == {
        "challenge": called_off.pk,
        "players": ["Charlie", "Bob"],
        "arena_id": ladder.pk,
    }
    with pytest.raises(Conflict):
        call_off(called_off.pk, by=staff, reason="A bet.", now=NOW)
    over = challenge(ladder, charlie, by=dora, now=NOW)
    season = ladder.seasons.get()
    season.ends_at = NOW + timedelta(days=1)
    season.save()
    with pytest.raises(Conflict, match="can no longer begin"):
        accept(over.pk, by=charlie, now=NOW + timedelta(days=1))
    assert sweep(LATER) == 1
    over.refresh_from_db()
    assert over.state == Challenge.State.LAPSED
    assert not Match.objects.unplayed().exists()


def test_a_player_sends_at_most_ten_challenges_in_24_hours() -> None:
    ladder, (alice, bob, _charlie, dora) = ladder_of(
        ["Alice", "Bob", "Charlie", "Dora"], season_rules={"challenges": {"rest": 0}}
    )
    for number in range(10):
        made = challenge(ladder, (alice, bob)[number % 2], by=dora, now=NOW)
        withdraw(made.pk, by=dora, now=NOW)
    with pytest.raises(Conflict, match="sent 10 challenges in 24 hours"):
        challenge(ladder, alice, by=dora, now=NOW + timedelta(hours=23))
    challenge(ladder, alice, by=dora, now=NOW + timedelta(days=1))
