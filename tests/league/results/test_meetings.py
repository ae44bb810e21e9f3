"""Limits on reports of the same opponents, and the weight of their repeated matches."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.models import Arena, Match, Player, Roster
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import report
from ratings.seasons.fair_play import meetings
from tests.support.api_steps import by_token, win
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, beats, roster, side
from tests.support.concurrency import all_at_once
from tests.support.web_steps import reports, result_form, words

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def fair(slug: str = "fair", *, fair_play: dict[str, Any] | None = None, **given: Any) -> Arena:
    rules = {**RANKED_AT_ONCE, "fair_play": {"same_opponents": 0, **(fair_play or {})}}
    return arena(slug, season_rules=rules, rating_system="elo", **given)


def wins(winner: Player, loser: Player, arena: Arena, now: datetime) -> Match:
    return confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)


def test_a_fourth_match_within_a_day_is_refused_until_the_first_is_a_day_old(
    alice: Player, charlie: Player, bob: Player
) -> None:
    club = fair()
    for hour in range(3):
        wins(alice, charlie, club, NOW + hour * HOUR)
    with pytest.raises(
        Refused,
        match=r"Charlie and Alice have already played 3 rated matches within 1 day\. "
        r"You can report the next one in 21 hours",
    ):
        beats(charlie, alice, club, now=NOW + 3 * HOUR, reporter=alice)
    beats(alice, bob, club, now=NOW + 3 * HOUR)
    with pytest.raises(Refused):
        beats(alice, charlie, club, now=NOW + DAY - timedelta(seconds=1))
    beats(alice, charlie, club, now=NOW + DAY)


def test_an_eleventh_match_within_a_week_is_refused(alice: Player, charlie: Player) -> None:
    club = fair()
    played = [NOW + day * DAY + hour * HOUR for day in range(4) for hour in range(3)][:10]
    for now in played:
        wins(alice, charlie, club, now)
    with pytest.raises(Refused, match="10 rated matches within 7 days"):
        beats(alice, charlie, club, now=NOW + 6 * DAY)
    beats(alice, charlie, club, now=NOW + 7 * DAY)


def test_an_earlier_time_of_play_does_not_avoid_the_limit(alice: Player, charlie: Player) -> None:
    club = fair()

    def played(days: int) -> Match:
        sides = [side(alice, place=0), side(charlie, place=1)]
        return report(club, sides, reporter=alice, played_at=NOW - days * DAY, now=NOW)

    for days in (1, 9, 17):
        played(days)
    with pytest.raises(Refused, match="already played"):
        played(25)


def test_open_and_disputed_reports_count_and_void_ones_do_not(
    alice: Player, charlie: Player
) -> None:
    club = fair()
    first, second, _third = (beats(alice, charlie, club) for _ in range(3))
    dispute(first.pk, by=charlie, reason="No", now=NOW)
    with pytest.raises(Refused):
        beats(alice, charlie, club)
    Match.objects.filter(pk=second.pk).update(status="void")
    beats(alice, charlie, club)


def test_a_form_sent_again_at_the_limit_gives_its_match(alice: Player, charlie: Player) -> None:
    club = fair(fair_play={"per_day": 1})
    token = uuid4()
    sides = [side(alice, place=0), side(charlie, place=1)]
    made = [
        report(club, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token)
        for _ in range(2)
    ]
    assert made[0] == made[1]


@pytest.mark.usefixtures("countless_reports")
def test_teams_are_limited_whoever_leads_them(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    club = fair(team_size_min=1, team_size_max=2)
    rosters: list[Roster] = [
        roster(club, name, captain, other)
        for name, captain, other in (
            ("1", alice, bob),
            ("2", bob, alice),
            ("3", charlie, dora),
            ("4", dora, charlie),
        )
    ]
    assert len(rosters) == 4
    lineups = [(alice, bob, charlie, dora), (bob, alice, dora, charlie)] * 2
    refused = []
    for number, (one, two, three, four) in enumerate(lineups):
        sides = [side(one, two, place=0), side(three, four, place=1)]
        try:
            report(club, sides, reporter=one, played_at=NOW, now=NOW, client_token=uuid4())
        except Refused as refusal:
            refused.append((number, refusal.code))
    assert refused == [(3, "same_opponents")]


def test_matches_made_by_the_site_are_not_refused(alice: Player, charlie: Player) -> None:
    club = fair()
    for hour in range(5):
        now = NOW + hour * HOUR
        match = start(club, [StartingSide(one, [one]) for one in (alice, charlie)], now=now)
        finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=now)
        confirm(match.pk, by=charlie, now=now)
    assert club.matches.rated().count() == 5
    with pytest.raises(Refused):
        beats(alice, charlie, club, now=NOW + 5 * HOUR)


def test_repeated_matches_count_less_and_replay_to_the_same_ratings(
    alice: Player, bob: Player, charlie: Player
) -> None:
    club = fair()
    matches = [wins(alice, charlie, club, NOW + number * HOUR) for number in range(3)]
    assert [match.weight for match in matches] == pytest.approx([1, 0.8, 0.64])
    assert wins(alice, bob, club, NOW + 3 * HOUR).weight == 1
    assert wins(alice, charlie, club, NOW + 8 * DAY).weight == 1
    assert verify(club.seasons.get()) == []
    gains = [match.events.get(player=alice).change for match in matches]
    assert gains[0] > gains[1] > gains[2]
    assert gains[2] < 0.65 * gains[0]


@pytest.mark.usefixtures("countless_reports")
def test_a_factor_of_one_and_no_limits_change_nothing(alice: Player, charlie: Player) -> None:
    club = fair(fair_play={"per_day": 0, "per_week": 0, "repeat_factor": 1})
    assert {wins(alice, charlie, club, NOW).weight for _ in range(12)} == {1}


def test_seasons_that_know_no_fair_play_use_the_defaults(alice: Player, charlie: Player) -> None:
    club = fair()
    season = club.seasons.get()
    del season.rules["fair_play"]
    season.save()
    matches = [wins(alice, charlie, club, NOW) for _ in range(3)]
    assert [match.weight / (match.one_sided or 1) for match in matches] == pytest.approx(
        [1, 0.8, 0.64]
    )
    assert [match.one_sided for match in matches] == [
        None,
        pytest.approx(2 / 3),
        pytest.approx(0.505, abs=0.001),
    ]
    with pytest.raises(Refused):
        beats(alice, charlie, club)


def test_the_match_page_explains_a_lower_weight(
    client: Client, alice: Player, charlie: Player
) -> None:
    club = fair()
    first, _second, third = (wins(alice, charlie, club, NOW) for _ in range(3))
    explained = "Counts 64 %: 3rd match of the same opponents within a week."
    assert explained in words(client.get(third.get_absolute_url()))
    assert "Counts" not in words(client.get(first.get_absolute_url()))


def test_web_and_api_refuse_a_match_too_many(alice: Player, charlie: Player) -> None:
    club = fair(fair_play={"per_day": 1})
    assert reports(alice, club, result_form("Charlie")).status_code == 302
    confirm(club.matches.get().pk, by=charlie, now=database_now())
    answer = reports(charlie, club, result_form("Alice"))
    assert answer.status_code == 400
    assert "already played 1 rated match within 1 day" in words(answer)
    answer = by_token(alice).post(
        f"/api/v1/arenas/{club.slug}/reports/", win(alice, charlie), format="json"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "same_opponents")
    assert club.matches.count() == 1


def team_reports(club: Arena, *teams: tuple[Player, Player]) -> list[Callable[[], object]]:
    """Return calls that report matches between the captains in each line-up of their teams.

    Reports of one line-up wait for each other anyway.
    """
    lineups = [[(captain, mate), (captain,)] for captain, mate in teams]
    return [
        partial(
            report,
            club,
            [side(*one, place=0), side(*other, place=1)],
            reporter=one[0],
            played_at=NOW,
            now=NOW,
        )
        for one, other in product(*lineups)
    ]


@pytest.fixture
def club(alice: Player, bob: Player, charlie: Player, dora: Player) -> Arena:
    """Two teams whose captains play in four line-ups, once a day."""
    club = fair(team_size_min=1, team_size_max=2, fair_play={"per_day": 1})
    roster(club, "1", alice, bob)
    roster(club, "2", charlie, dora)
    return club


@pytest.mark.django_db(transaction=True)
def test_reports_at_the_same_instant_do_not_exceed_the_limit(
    club: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    answers = all_at_once(team_reports(club, (alice, bob), (charlie, dora)))
    accepted = [sides_in(match) for match in Match.objects.order_by("pk")]
    assert sum(isinstance(answer, Refused) for answer in answers) == 4 - len(accepted) > 0
    for nth, sides in enumerate(accepted):  # a whole team may still meet who played one of it
        assert meetings(sides, accepted[:nth]) < 1


def sides_in(match: Match) -> dict[int, int]:
    return dict(match.participants.values_list("player", "side__index"))


@pytest.mark.django_db(transaction=True)
def test_confirmations_at_the_same_instant_each_count_less(alice: Player, charlie: Player) -> None:
    club = fair()
    matches = [beats(alice, charlie, club) for _ in range(3)]
    all_at_once([partial(confirm, match.pk, by=charlie, now=NOW) for match in matches])
    weights = sorted(Match.objects.values_list("weight", flat=True))
    assert weights == pytest.approx([0.64, 0.8, 1])
    assert verify(club.seasons.get()) == []
