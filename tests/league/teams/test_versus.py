"""Two teams against each other: the page, and the record of every meeting counted by hand."""

import random
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Match, Player, Roster, Side, Status, Team
from league.services.results.records.encounters import record_of
from league.services.results.records.profiles import Record
from league.services.teams.meetings import encounters_of, most_met
from tests.support.correction_steps import correct
from tests.support.team_steps import club, meet, team_arena
from tests.support.web_steps import browser_of, words


def team_in(roster: Roster) -> Team:
    assert roster.team
    return roster.team


def clubs(count: int = 3) -> tuple[Arena, list[Roster]]:
    where = team_arena()
    names = ["Owls", "Foxes", "Bears", "Wolves"][:count]
    return where, [club(where, name, name[:3]) for name in names]


def by_hand(one: Team, other: Team) -> Record:
    """Return a team's record against another, match by match."""
    outcomes = []
    for match in Match.objects.filter(status=Status.RATED):
        sides = {s.roster.team_id: s.place for s in match.sides.all() if s.roster}
        if {one.pk, other.pk} <= sides.keys():
            mine, theirs = sides[one.pk], sides[other.pk]
            assert mine is not None
            assert theirs is not None
            outcomes.append((mine > theirs) - (mine < theirs))
    return Record(outcomes.count(-1), outcomes.count(0), outcomes.count(1))


def test_records_are_those_of_the_matches_and_follow_corrections(db: None, olga: Player) -> None:
    assert olga.user
    draw = random.Random(5)  # noqa: S311 - no secrets
    _where, rosters = clubs()
    played = []
    for _number in range(12):
        one, other = draw.sample(rosters, 2)
        played.append(meet(one, other, draw.choice([(0, 1), (1, 0)])))
    for voided in (None, *draw.sample(played, 2)):
        if voided:
            correct(voided, olga.user)
        for team in map(team_in, rosters):
            others = [team_in(each) for each in rosters if each.team_id != team.pk]
            records = {other: by_hand(team, other) for other in others}
            assert {other: record_of(encounters_of(team, other)) for other in others} == records
            met = {other: record for other, record in records.items() if record.total}
            assert {each.team: each.record for each in most_met(team)} == met


def test_the_page_has_the_score_the_odds_and_the_matches(db: None) -> None:
    _where, (owls, foxes, _bears) = clubs()
    matches = [meet(owls, foxes), meet(owls, foxes), meet(foxes, owls)]
    address = f"/teams/{owls.team_id}/against/{foxes.team_id}/"
    answer = Client().get(address)
    said = words(answer)
    assert record_of(encounters_of(team_in(owls), team_in(foxes))) == Record(2, 0, 1)
    assert "Owls leads by 1 win" in said
    assert "If they played now" in said
    for match in matches:
        assert match.get_absolute_url() in answer.text
    turned = words(Client().get(f"/teams/{foxes.team_id}/against/{owls.team_id}/"))
    assert "Owls leads by 1 win" in turned


def test_the_team_the_match_and_a_visiting_captain_lead_to_it(db: None) -> None:
    _where, (owls, foxes, bears) = clubs()
    match = meet(owls, foxes)
    address = f"/teams/{owls.team_id}/against/{foxes.team_id}/"
    assert address in Client().get(f"/teams/{owls.team_id}/").text
    assert address in Client().get(match.get_absolute_url()).text
    own = f"/teams/{bears.team_id}/against/{owls.team_id}/"
    assert own in browser_of(bears.captain).get(f"/teams/{owls.team_id}/").text
    assert own not in Client().get(f"/teams/{owls.team_id}/").text


def test_teams_that_never_met_say_so_and_odd_addresses_are_answered(db: None) -> None:
    _where, (owls, foxes, _bears) = clubs()
    address = f"/teams/{owls.team_id}/against/{foxes.team_id}/"
    said = words(Client().get(address))
    assert "have never met" in said
    assert "If they played now" in said
    assert Client().get(f"/teams/{owls.team_id}/against/0/").status_code == 404
    assert Client().get(f"{address}?season=999").status_code == 404
    itself = Client().get(f"/teams/{owls.team_id}/against/{owls.team_id}/")
    assert itself.headers["Location"] == f"/teams/{owls.team_id}/"
    meet(owls, foxes)
    assert Client().get(address, {"after": "x"}).status_code == 400


def test_two_rosters_of_a_team_have_not_met_their_own(db: None) -> None:
    where, (owls, foxes, _bears) = clubs()
    match = meet(owls, foxes)
    Side.objects.filter(match=match, index=1).update(roster=owls)
    assert most_met(team_in(owls)) == []
    assert "All meetings of" not in words(Client().get(match.get_absolute_url()))
    Side.objects.filter(match=match, index=1).update(roster=foxes)
    Arena.objects.filter(pk=where.pk).update(is_draft=True)
    assert encounters_of(team_in(owls), team_in(foxes)) == []


def test_statements_do_not_grow_with_meetings(db: None) -> None:
    _where, (owls, foxes, _bears) = clubs()
    address = f"/teams/{owls.team_id}/against/{foxes.team_id}/"
    counts: list[Any] = []
    for _number in range(3):
        meet(owls, foxes)
        with CaptureQueriesContext(connection) as taken:
            Client().get(address)
        counts.append(len(taken))
    assert max(counts) <= 15
    assert counts[1] == counts[2]
