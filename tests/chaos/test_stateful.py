"""The services in random order, compared with a league in plain Python after every step.

Time advances by at least a second each step, and is sometimes set an hour forward or back.
"""

import math
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from league.models import (
    Arena,
    DishonorAward,
    Match,
    Participant,
    Player,
    Proposal,
    Rating,
    StaffAction,
    Ticket,
    TicketMember,
    User,
)
from league.services import corrections
from league.services.core.errors import Refused
from league.services.integrity.queue import breaches
from league.services.integrity.ratings import verify
from league.services.queue import queueing, ready_checks, ticks
from league.services.results.reports import answers, changing, live, reporting
from league.services.results.reports.live import Finish
from league.services.results.staff import decisions
from tests.chaos.arenas import add_queue
from tests.chaos.plain_league import Check, Place, PlainLeague, PlainMatch, Stage
from tests.support.cast import NOW, account, arena, side
from tests.support.effort import LONG
from tests.support.result_steps import user_of

PLAYERS = 6
EXAMPLES, STEPS = (120, 105) if LONG else (8, 40)
LEAST_STEPS = 10_000 if LONG else 250
players, sides, numbers = st.integers(0, PLAYERS - 1), st.integers(0, 1), st.integers(0, 10**6)
verdicts = st.sampled_from(["upheld", "voided", "corrected"])


class World:
    """State that all examples share. Each example undoes its changes."""

    players: list[Player]
    arena: Arena
    olga: User
    steps = 0
    proposals = 0


def code_of(act: Callable[[], object]) -> str:
    """Return the code of the refusal, empty if there is none."""
    try:
        with transaction.atomic():
            act()
    except Refused as refusal:
        return refusal.code
    return ""


class Services(RuleBasedStateMachine):
    """Each rule does something in the database and in the model, and both must agree."""

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.now = NOW
        self.model = PlainLeague(places={one.pk: Place.FREE for one in World.players})

    def teardown(self) -> None:
        try:
            self.sweep()
            self.everything_agrees()
            self.ratings_agree()
            assert verify(World.arena.seasons.get()) == []
            assert breaches(self.now) == []
        finally:
            transaction.set_rollback(True)
            self.example.__exit__(None, None, None)

    def chosen(self, number: int, *stages: Stage) -> int | None:
        """Return a match in one of these stages, or in any if none is named."""
        found = [pk for pk, one in self.model.matches.items() if not stages or one.stage in stages]
        return found[number % len(found)] if found else None

    def captain(self, match: int, at: int) -> Player:
        return Player.objects.get(pk=self.model.matches[match].players[at])

    # What players do

    @rule(joining=st.lists(players, min_size=1, max_size=4), ticks=st.booleans())
    def join(self, joining: list[int], ticks: bool) -> None:
        for at in joining:
            player = World.players[at]
            code = code_of(partial(queueing.join, World.arena, player, [], now=self.now))
            assert code == ("" if self.model.places[player.pk] is Place.FREE else "busy")
            if not code:
                self.model.places[player.pk] = Place.WAITING
        if ticks:
            self.tick()

    @rule(at=players)
    def leave(self, at: int) -> None:
        player = World.players[at]
        ticket = Ticket.objects.filter(captain=player).order_by("pk").last()
        if ticket is None:
            return
        code = code_of(lambda: queueing.leave(ticket.pk, by=player, now=self.now))
        assert code == ("proposed" if self.model.places[player.pk] is Place.ASKED else "")
        if self.model.places[player.pk] is Place.WAITING:
            self.model.places[player.pk] = Place.FREE

    @rule(number=numbers, at=players, accepts=st.sampled_from([True, True, True, False]))
    def answer_ready_check(self, number: int, at: int, accepts: bool) -> None:
        if not self.model.checks:
            return
        pk = sorted(self.model.checks)[number % len(self.model.checks)]
        check = self.model.checks[pk]
        player = World.players[at]
        if number % 4:
            player = Player.objects.get(pk=check.players[at % 2])
        answer = ready_checks.accept if accepts else ready_checks.decline
        code = code_of(lambda: answer(pk, by=player, now=self.now))
        if player.pk not in check.players:
            assert code == "not_asked"
        elif check.deadline <= self.now:
            assert code == "too_late"
        elif not accepts:
            assert code == ""
            self.model.cancel(pk, {player.pk}, {player.pk})
        else:
            assert code == ""
            check.accepted.add(player.pk)
            if check.accepted == set(check.players):
                started = Proposal.objects.get(pk=pk).match_id
                assert started
                self.model.start(started, pk)

    @rule(one=players, other=players, winner=sides, again=st.booleans())
    def report(self, one: int, other: int, winner: int, again: bool) -> None:
        if one == other:
            return
        pair = World.players[one], World.players[other]
        played_at, token = self.now - timedelta(minutes=1), uuid4()
        result = [side(pair[at], place=int(at != winner)) for at in (0, 1)]
        made = [
            reporting.report(
                World.arena,
                result,
                reporter=pair[0],
                played_at=played_at,
                now=self.now,
                client_token=token,
            ).pk
            for _time in range(1 + again)
        ]
        assert len(set(made)) == 1
        deadline = self.now + World.arena.confirmation_window
        self.model.matches[made[0]] = PlainMatch(
            (pair[0].pk, pair[1].pk), Stage.REPORTED, winner, deadline=deadline
        )

    @rule(number=numbers, reporter=sides, winner=sides)
    def finish(self, number: int, reporter: int, winner: int) -> None:
        match = self.chosen(number, Stage.LIVE) or self.chosen(number)
        if match is None:
            return
        one = self.model.matches[match]
        finishes = [Finish(int(at != winner)) for at in (0, 1)]
        captain = self.captain(match, reporter)
        code = code_of(lambda: live.finish(match, finishes, reporter=captain, now=self.now))
        if one.stage is not Stage.LIVE:
            assert code == one.stage.value
            return
        assert code == ""
        one.stage, one.winner, one.reporter = Stage.REPORTED, winner, reporter
        one.deadline = self.now + World.arena.confirmation_window
        self.model.free(one.players)

    @rule(number=numbers, at=sides, is_open=st.booleans())
    def confirm(self, number: int, at: int, is_open: bool) -> None:
        match = self.chosen(number, *([Stage.REPORTED] if is_open else []))
        if match is None:
            return
        one = self.model.matches[match]
        captain = self.captain(match, at)
        code = code_of(lambda: answers.confirm(match, by=captain, now=self.now))
        assert code == self.refusal_of_answer(one, at)
        if not code:
            self.model.settle(match)

    @rule(number=numbers, at=sides)
    def dispute(self, number: int, at: int) -> None:
        match = self.chosen(number)
        if match is None:
            return
        one = self.model.matches[match]
        captain = self.captain(match, at)
        code = code_of(lambda: answers.dispute(match, by=captain, reason="No.", now=self.now))
        assert code == self.refusal_of_answer(one, at)
        if not code:
            one.stage = Stage.DISPUTED

    def refusal_of_answer(self, one: PlainMatch, at: int) -> str:
        if one.stage is not Stage.REPORTED:
            return str(one.stage.value)
        return "own_report" if at == one.reporter else ""

    @rule(number=numbers)
    def withdraw(self, number: int) -> None:
        match = self.chosen(number, Stage.REPORTED)
        if match is None:
            return
        one = self.model.matches[match]
        captain = self.captain(match, one.reporter)
        code = code_of(lambda: changing.withdraw(match, by=captain, now=self.now))
        assert code == ("began_live" if one.began_live else "")
        if not code:
            self.model.void(match)

    # What staff do

    @rule(number=numbers, verdict=verdicts, winner=sides)
    def decide(self, number: int, verdict: str, winner: int) -> None:
        match = self.chosen(number)
        if match is None:
            return None
        one = self.model.matches[match]
        placings = [(int(at != winner), None) for at in (0, 1)]
        code = code_of(
            lambda: decisions.decide(
                match,
                verdict=StaffAction.Kind(verdict),
                by=World.olga,
                reason="Seen.",
                now=self.now,
                placings=placings if verdict == "corrected" else None,
            )
        )
        open_to = {Stage.REPORTED, Stage.DISPUTED} | (
            set() if verdict == "upheld" else {Stage.LIVE}
        )
        if one.stage not in open_to:
            assert code == one.stage.value
            return None
        assert code == ""
        if verdict == "voided":
            return self.model.void(match)
        if one.stage is Stage.LIVE:
            self.model.free(one.players)
        if verdict == "corrected":
            one.winner = winner
        return self.model.settle(match)

    @rule(number=numbers, voids=st.booleans())
    def correct(self, number: int, voids: bool) -> None:
        pk = self.chosen(number, Stage.RATED)
        if pk is None:
            return
        one, match = self.model.matches[pk], Match.objects.get(pk=pk)
        placings = None if voids else [(int(at == one.winner), None) for at in (0, 1)]
        preview = corrections.preview(match, by=World.olga, placings=placings)
        request = corrections.ask(
            match,
            by=World.olga,
            reason="A mistake.",
            digest=preview.digest,
            horizon=preview.horizon,
            now=self.now,
            placings=placings,
        )
        for _time in range(2):
            done = corrections.carry_out(request.pk, self.now)
            assert done
            assert done.state == "done"
        if voids:
            self.model.void(pk)
        else:
            one.winner = 1 - one.winner
        self.ratings_agree()

    # What the clock does

    def tick(self) -> None:
        ticks.tick(World.arena.pk, now=self.now, seed=1)
        for proposal in Proposal.objects.filter(state="open").exclude(pk__in=self.model.checks):
            members = TicketMember.objects.filter(ticket__proposal=proposal).order_by(
                "ticket__team"
            )
            one, other = members.values_list("player", flat=True)
            for player in (one, other):
                assert self.model.places[player] is Place.WAITING
                self.model.places[player] = Place.ASKED
            World.proposals += 1
            self.model.checks[proposal.pk] = Check((one, other), self.now, proposal.deadline)

    @rule()
    def sweep(self) -> None:
        over = ready_checks.cancel_expired(self.now)
        asleep, stepped = ready_checks.ASLEEP, ready_checks.STEPPED_BACK
        assert over == self.model.expire_checks(self.now, stepped, asleep)
        due = {
            pk
            for pk, one in self.model.matches.items()
            if one.stage is Stage.REPORTED and one.deadline and one.deadline <= self.now
        }
        assert answers.confirm_expired(self.now) == len(due)
        agreed = {pk for pk in due if self.model.matches[pk].began_live}
        for pk in due - agreed:
            self.model.void(pk)
        stored = Match.objects.rated().filter(pk__in=agreed).order_by("rated_order")
        in_order = list(stored.values_list("pk", flat=True))
        assert set(in_order) == agreed
        for pk in in_order:
            self.model.settle(pk)

    @rule(seconds=st.sampled_from([5, 15, 35, 60, 3600, 86400, -3600]))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    # What holds after each step

    @invariant()
    def everything_agrees(self) -> None:
        World.steps += 1
        self.now += timedelta(seconds=1, microseconds=1)
        stored = dict(Match.objects.values_list("pk", "status"))
        assert stored == {pk: one.stage.value for pk, one in self.model.matches.items()}
        states = dict(TicketMember.objects.filter(open=True).values_list("player", "ticket__state"))
        waiting = {player for player, state in states.items() if state == "waiting"}
        playing = set(Participant.objects.filter(live=True).values_list("player", flat=True))
        for place, found in (
            (Place.WAITING, waiting),
            (Place.ASKED, states.keys() - waiting),
            (Place.PLAYING, playing),
        ):
            assert found == {one for one, at in self.model.places.items() if at is place}
        dodges = DishonorAward.objects.count()
        assert dodges == sum(self.model.dodges.values())

    def ratings_agree(self) -> None:
        stored = {one.player_id: one for one in Rating.objects.filter(games__gt=0)}
        records = self.model.records()
        assert {pk: (one.games, one.wins) for pk, one in stored.items()} == records
        for player, rating in self.model.ratings().items():
            assert math.isclose(stored[player].rating, rating, abs_tol=1e-6)


@pytest.mark.usefixtures("countless_reports")
def test_the_services_agree_with_a_league_in_plain_python(db: None) -> None:
    World.players = [account(f"Player {number}") for number in range(PLAYERS)]
    World.olga = user_of(account("Olga", superuser=True))
    World.arena = arena("plain", rating_system="elo")
    add_queue(World.arena)
    World.steps = World.proposals = 0
    run_state_machine_as_test(
        Services,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert World.steps >= LEAST_STEPS
    assert World.proposals
