"""Matches of more than two sides: what a player wins from those placed below is limited, too."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import cast

import pytest
from django.test import Client

from league.models import Format, Match, Player, Rating, RatingEvent, User
from league.services.core.locking import lock
from league.services.integrity.ratings import verify
from league.services.rating.rate import hold
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.results.rules.one_sided import one_sidedness, trial
from ratings.history import NEGLIGIBLE_WEIGHT
from tests.support.cast import side
from tests.support.correction_steps import correct
from tests.support.league_steps import League, people
from tests.support.web_steps import words

HOUR = timedelta(hours=1)


class Races(League):
    """A league of free-for-alls with the default rules, but for fewer placement matches."""

    def __init__(self) -> None:
        super().__init__()
        self.arena.format = Format.FREE_FOR_ALL
        self.arena.sides_max = 12
        self.arena.save()

    def race(self, order: Sequence[Player], places: Sequence[int] | None = None) -> Match:
        """Report a race, best first, and let the others confirm it until it counts."""
        self.now += 17 * HOUR
        sides = [
            side(player, place=place)
            for player, place in zip(order, places or range(len(order)), strict=True)
        ]
        made = report(self.arena, sides, reporter=order[0], played_at=self.now, now=self.now)
        for player in order[1:]:
            if not Match.objects.rated().filter(pk=made.pk).exists():
                confirm(made.pk, by=player, now=self.now)
        return Match.objects.rated().get(pk=made.pk)

    def rating(self, player: Player) -> float:
        return Rating.objects.get(season=self.season, player=player).rating


def settled(count: int = 6) -> tuple[Races, list[Player]]:
    """A league whose members are ranked, of equal ratings on the whole."""
    races = Races()
    members = people(*(f"Runner {number}" for number in range(count)))
    for number in range(count):
        races.race(members[number:] + members[:number])
    assert len(races.ranked()) == count
    return races, members


def gain(races: Races, cheat: Player, fields: Sequence[Sequence[Player]]) -> float:
    before = races.rating(cheat)
    for others in fields:
        races.race([cheat, *others])
    return races.rating(cheat) - before


def test_agreed_wins_over_the_same_unranked_accounts_gain_a_ranked_player_little() -> None:
    races, (cheat, *_members) = settled()
    accounts = people(*(f"Fresh {number}" for number in range(3)))
    assert 10 < gain(races, cheat, [accounts] * 20) < 20.001
    assert verify(races.season) == []


def test_agreed_wins_over_ever_new_accounts_gain_a_ranked_player_little() -> None:
    races, (cheat, *_members) = settled()
    accounts = people(*(f"Fresh {number}" for number in range(24)))
    fields = [accounts[number : number + 3] for number in range(0, 24, 3)]
    assert 10 < gain(races, cheat, fields) < 20.001


def test_an_accomplice_who_wins_beside_the_cheat_changes_nothing() -> None:
    races, (cheat, *_members) = settled()
    front, *accounts = people(*(f"Fresh {number}" for number in range(4)))
    before = races.rating(cheat)
    for _ in range(15):
        races.race([front, cheat, *accounts])
    assert races.rating(cheat) - before < 20.001


def test_agreed_draws_with_a_stronger_accomplice_gain_little() -> None:
    races, (cheat, *_members) = settled()
    strong, other = people("Strong", "Other")
    races.race([strong, other, cheat])
    Rating.objects.filter(player=strong).update(rating=2200)
    before = races.rating(cheat)
    for _ in range(20):
        races.race([cheat, strong, other], [0, 0, 1])
    assert races.rating(cheat) - before < 40


def test_friends_who_always_race_each_other_hardly_notice_it() -> None:
    races, friends = settled()
    for _ in range(12):
        weight = races.race(friends).one_sided
        assert weight is None or weight > 0.5
    assert races.rating(friends[0]) > 1520


def test_the_first_race_of_a_field_counts_fully() -> None:
    races = Races()
    match = races.race(people("One", "Two", "Three", "Four"))
    assert (match.weight, match.one_sided) == (1, None)


def test_zero_points_turn_it_off() -> None:
    races, (cheat, *_members) = settled()
    races.season.rules["fair_play"] = {
        **races.season.rules.get("fair_play", {}),
        "same_opponents": 0,
    }
    races.season.save()
    accounts = people(*(f"Fresh {number}" for number in range(3)))
    assert gain(races, cheat, [accounts] * 8) > 30


def test_what_is_left_is_as_the_definition_says() -> None:
    """Every earlier match of every player who gains, without any statement of the rule."""
    races, members = settled(5)
    fresh = people("Fresh", "Newer")
    for order in (
        [members[0], fresh[0], members[1]],
        [members[0], fresh[1], fresh[0], members[2]],
        [members[3], members[0], fresh[0]],
    ):
        races.race(order)
    races.settle()
    races.now += HOUR
    playing = [members[0], fresh[0], members[3], fresh[1]]
    made = report(
        races.arena,
        [side(player, place=place) for place, player in enumerate(playing)],
        reporter=playing[0],
        played_at=races.now,
        now=races.now,
    )
    sides = {player.pk: number for number, player in enumerate(playing)}
    locked = lock(made.pk)
    found = one_sidedness(locked, hold(locked), sides, met=True, now=races.now)
    gains = trial(locked, hold(locked))(1.0)
    assert found == pytest.approx(plain(races, [player.pk for player in playing], gains))
    assert NEGLIGIBLE_WEIGHT < found < 1


def test_a_race_counts_whoever_of_its_losers_has_nothing_left_to_win() -> None:
    races, (cheat, *members) = settled()
    accounts = people(*(f"Fresh {number}" for number in range(4)))
    gain(races, cheat, [accounts[:3]] * 10)
    race = races.race([*members[:4], cheat, accounts[3]])
    assert race.events.get(player=cheat).change < 0
    assert race.one_sided is None or race.one_sided > 0.5


def plain(races: Races, order: list[int], gains: dict[int, float]) -> float:
    """The definition, word for word."""
    returned = 800 / math.log(10)
    known = set(Rating.objects.filter(connected=True).values_list("player", flat=True))
    shares = []
    for place, player in enumerate(order[:-1]):
        if gains[player] <= 0:
            continue
        lefts = []
        for other in order[place + 1 :]:
            stranger = player in known and other not in known
            left, points = 3.0, 0.0
            events = RatingEvent.objects.filter(season=races.season, player=player)
            for event in events.order_by("games"):
                them = set(event.match.participants.values_list("player", flat=True)) - {player}
                strangers = them - known if player in known else set()
                part = len(strangers) / len(them)
                if part <= 0.5:
                    changed = (1 - part) * abs(event.change)
                    left_of_them = math.sinh(points / returned) * math.exp(-changed / returned)
                    points = returned * math.asinh(left_of_them)
                points += event.change * part
                same = them & {other}
                left -= min(event.change / 16, 1) * len(same) / len(them)
                left += 0.25 * len(them - strangers - same) / len(them)
                left = min(left, 3)
            share = min(20 - points, 20) / 20 if stranger else left / 3
            lefts.append(share if share >= 0.01 else NEGLIGIBLE_WEIGHT)
        shares.append(sum(lefts) / len(lefts))
    return min(shares)


def test_a_race_counts_fully_once_its_order_is_corrected(olga: Player) -> None:
    races, (cheat, *_members) = settled()
    accounts = people(*(f"Fresh {number}" for number in range(3)))
    for _ in range(3):
        match = races.race([cheat, *accounts])
    share, weight = match.one_sided, match.weight
    assert share is not None
    staff = cast("User", olga.user)
    correct(match, staff, [(place, 9.0 - place) for place in range(4)])
    match.refresh_from_db()
    assert (match.one_sided, match.weight) == (share, weight), "the order is the same"
    correct(match, staff, [(place, None) for place in (3, 0, 1, 2)])
    match.refresh_from_db()
    assert match.one_sided is None
    assert match.weight == pytest.approx(weight / share)
    assert verify(races.season) == []


def test_the_match_page_says_why_a_race_counts_less(client: Client) -> None:
    races, (cheat, *_members) = settled()
    accounts = people(*(f"Fresh {number}" for number in range(3)))
    races.race([cheat, *accounts])
    match = races.race([cheat, *accounts])
    assert match.one_sided is not None
    page = words(client.get(match.get_absolute_url()))
    assert f"Counts {round(100 * match.one_sided)} %: a player has won many points" in page
