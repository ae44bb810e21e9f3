"""Players read why the matcher made their match, and nothing private about others."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Offence,
    Player,
    Proposal,
    RankPreference,
    Tick,
    TicketMember,
)
from league.services.core.clock import database_now
from league.services.dishonor.discipline import penalise
from league.services.queue import kept_ticks, reasons
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept
from league.services.queue.regions import set_latencies
from league.services.queue.ticks import tick
from matchmaking.matchers import MATCHERS
from matchmaking.rules.arena import Rules
from matchmaking.tick import Match as Found
from matchmaking.tick import Pick
from tests.support.api_steps import by_token
from tests.support.cast import account, arena
from tests.support.queue_steps import ANYBODY, everyone_is_there
from tests.support.web_steps import browser_of, words


@pytest.fixture
def court() -> Arena:
    made = arena("court", modes=["Conquest"], regions=["Europe", "Asia"])
    queue = ArenaQueue(arena=made, bars_timeouts=False)
    queue.start_from("recommended-1v1")
    queue.save()
    return made


def proposed(made: Arena, *players: Player) -> Proposal:
    """Queue players, each ten seconds after the one before, and find a match a minute later."""
    now = database_now()
    for nth, player in enumerate(players):
        early = now - timedelta(seconds=60 + 10 * (len(players) - nth))
        join(made, player, [], now=early, modes=made.modes[:1])
    assert tick(made.pk, now=now, seed=1)
    return Proposal.objects.latest("pk")


def accepted(proposal: Proposal) -> Match:
    """Let everybody accept."""
    for member in TicketMember.objects.filter(ticket__proposal=proposal):
        proposal = accept(proposal.pk, by=member.player, now=proposal.proposed_at)
    assert proposal.match
    return proposal.match


def asked(match: Match, reader: Player | None, **headers: Any) -> Any:
    browser = browser_of(reader) if reader else Client()
    return browser.get(reverse("match_why", args=[match.pk]), headers=headers)


def test_both_players_read_what_was_weighed(court: Arena, alice: Player, bob: Player) -> None:
    match = accepted(proposed(court, alice, bob))
    said = words(asked(match, alice))
    assert "Waiting: you 1 minute 20 seconds, your opponent 1 minute 10 seconds. (+" in said
    assert "Odds: your expected result was 50 %. Only matches from 40 % to 60 % are made." in said
    assert "Ratings: you 1200, your opponent 1200." in said
    assert "Distance: 0 points from the highest to the lowest party. Together you had" in said
    assert "Repetition: no opponents were in each other’s last match." in said
    assert "Game mode: everybody chose Conquest." in said
    assert "It was found among 2 waiting parties (2 players)." in said
    assert "you 1 minute 10 seconds, your opponent 1 minute 20 seconds" in words(asked(match, bob))
    part = asked(match, alice, **{"HX-Request": "true"})
    assert words(part).startswith("Waiting: you")


def test_only_the_match_leads_its_players_to_it(
    court: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    proposal = proposed(court, alice, bob)
    checking = words(browser_of(alice).get(reverse("queue", args=["court"])))
    assert "Match found" in checking
    assert "your opponent" not in checking  # nothing that says who it is
    match = accepted(proposal)
    where = reverse("match_why", args=[match.pk])
    for reader, reads in ((alice, True), (bob, True), (charlie, False), (None, False)):
        browser = browser_of(reader) if reader else Client()
        assert (where in browser.get(match.get_absolute_url()).content.decode()) == reads
        answer = asked(match, reader)
        assert answer.status_code == (200 if reads else 404 if reader else 302)
    assert "The match" in words(asked(match, alice))


def test_programs_of_its_players_read_it(
    court: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    match = accepted(proposed(court, alice, bob))
    where = reverse("api:match-why", args=[match.pk])
    read = by_token(alice).get(where).json()
    assert (read["chance"], read["fair"]) == (0.5, [0.4, 0.6])
    assert (read["own_wait"], read["theirs"]["waited"]) == ("00:01:20", "00:01:10")
    assert (read["parties"], read["players"], read["repeats"]) == (2, 2, 0)
    assert by_token(bob).get(where).json()["own_wait"] == "00:01:10"
    assert by_token(charlie).get(where).status_code == 404
    Tick.objects.all().delete()
    assert by_token(alice).get(where).status_code == 404


def test_nobody_reads_stacks_latencies_or_filters_of_others(
    court: Arena, alice: Player, bob: Player
) -> None:
    penalise([alice], Offence.QUEUE_DODGE, court, now=database_now() - timedelta(hours=2))
    set_latencies(court, alice, {"Europe": 31, "Asia": 31}, database_now())
    set_latencies(court, bob, {"Europe": 47, "Asia": 47}, database_now())
    for player in (alice, bob):
        RankPreference.objects.create(arena=court, player=player, percentiles=20, strict=False)
    proposal = proposed(court, alice, bob)
    match = accepted(proposal)
    mine, theirs = words(asked(match, alice)), words(asked(match, bob))
    assert "Dishonor: you had 3 stacks." in mine
    assert "Your latency there is 31 ms." in mine
    assert "Your latency there is 47 ms." in theirs
    assert "31 ms" not in theirs
    assert "ishonor" not in theirs
    assert "47 ms" not in mine
    found = reasons.why(proposal, bob)
    assert found
    assert not {"dishonor_distance", "dishonor_stack"} & set(found.counted)


def test_nothing_is_said_once_the_tick_is_gone(court: Arena, alice: Player, bob: Player) -> None:
    match = accepted(proposed(court, alice, bob))
    Tick.objects.all().delete()
    assert asked(match, alice).status_code == 404
    assert "Why this match" not in words(browser_of(alice).get(match.get_absolute_url()))


@pytest.mark.parametrize("matcher", ["new", "old", "laurel"])
def test_teams(matcher: str, teams: Arena, owls: Any, foxes: Any) -> None:
    rules = {"queue": ANYBODY, "matcher": {"profession_matching": 100}}
    ArenaQueue.objects.create(arena=teams, matcher=matcher, rules=rules)
    now = database_now()
    for roster in (owls, foxes):
        join(
            teams,
            roster.captain,
            list(roster.members.all()),
            roster=roster,
            now=now - timedelta(seconds=100),
            profession="Thief",
        )
    everyone_is_there()
    assert tick(teams.pk, now=now, seed=1)
    said = words(asked(accepted(Proposal.objects.get()), owls.captain))
    assert "Average ratings: your team 1200, the other team 1200." in said
    assert "Largest parties: 2 in your team, 2 in the other." in said
    assert "Professions: 1 on both teams." in said
    assert ("searching 1000 points either side" in said) == (matcher != "laurel")
    assert ("how much each counted in the match’s score" in said) == (matcher == "laurel")


def test_the_numbers_are_those_of_explain_for_the_whole_queue(
    court: Arena, alice: Player, bob: Player
) -> None:
    people = [account(f"Player {number}") for number in range(7)]
    proposed(court, alice, bob, *people)
    made = Tick.objects.get()
    snapshot = kept_ticks.snapshot_of(made)
    queue, places = snapshot.queue(), [ticket.id for ticket in snapshot.tickets]
    for seats in made.found:
        one, other = (tuple(map(places.index, team)) for team in seats)
        found = Found(one, other, (Pick(other[0], 2, 0.0),))
        whole = MATCHERS["laurel"].explain(
            queue, Rules.model_validate(made.rules), found, now=made.at.timestamp()
        )
        proposal = next(each for each in Proposal.objects.all() if each.seats == seats)
        reader = Player.objects.get(ticket_memberships__ticket=seats[0][0])
        why = reasons.why(proposal, reader)
        assert why
        assert why.counted == {name: whole[0][name] for name in why.counted}
