"""The attacks. Each tells what the cheat has won by it."""

import time
from datetime import timedelta

from django.core.exceptions import ValidationError

from league.models import (
    Arena,
    DishonorAward,
    Match,
    Player,
    Rating,
    Roster,
    RosterMember,
    Season,
    Status,
)
from league.services.core.clock import database_now
from tests.attacks import farming
from tests.attacks.outcome import Attack, Outcome
from tests.attacks.people import free_for_all, new_arena, rating_of, sign_up, two_days_pass
from tests.attacks.rings import RINGS
from tests.support.name_lists import imitations


def wins_over_absent_players(address: str) -> Outcome:
    """A fresh account reports wins over the best of a league, who have no account."""
    football = Arena.objects.get(slug="football")
    mallory = sign_up(address, "Mallory")
    absent = Rating.objects.filter(season__arena=football, player__user=None).order_by("-rating")
    answers = [mallory.report(football, mallory.player, rating.player) for rating in absent[:12]]
    two_days_pass()
    rating = rating_of(mallory.player, football)
    return Outcome(
        len(answers),
        sum(answer.accepted for answer in answers),
        "never rated" if rating is None else f"rated {rating:.0f}",
        rating is None,
    )


def one_accomplice_confirms(address: str) -> Outcome:
    """One accomplice confirms a free-for-all of four; the other two are never asked."""
    race = free_for_all("race")
    cheat, accomplice, dupe, other = (
        sign_up(address, name) for name in ("Racer", "Pacer", "Dupe", "Gull")
    )
    report = cheat.report(race, cheat.player, accomplice.player, dupe.player, other.player)
    confirmed = accomplice.confirm(report) if report.accepted else report
    two_days_pass()
    moved = [one for one in (dupe, other) if rating_of(one.player, race) is not None]
    return Outcome(1, int(confirmed.accepted), f"{len(moved)} of 2 victims rated", not moved)


def fresh_accounts_sink_a_ranked_player(address: str) -> Outcome:
    """Four fresh accounts place a ranked player last, three of them confirming it."""
    by_matches = {"ranked": {"placement_matches": 10, "opponents": 0}}
    race = free_for_all("sinking", season_rules=by_matches)
    victim = sign_up(address, "Ranked")
    season = Season.objects.get(arena=race)
    Rating.objects.create(
        season=season,
        player=victim.player,
        rating=1900,
        deviation=60,
        volatility=0.06,
        games=60,
    )
    cheat, *others = (sign_up(address, f"Sock {name}") for name in ("One", "Two", "Ten", "Six"))
    reports = []
    for number in range(5):
        order = [cheat.player, *(other.player for other in others), victim.player]
        report = cheat.report(race, *order, hours_ago=1 + 30 * number)
        reports.append(report)
        for other in others:
            if report.accepted:
                other.confirm(report)
    silent = rating_of(victim.player, race)
    two_days_pass()
    after = rating_of(victim.player, race)
    Rating.objects.filter(season=season, player=victim.player).delete()  # no result explains it
    return Outcome(
        len(reports),
        sum(report.accepted for report in reports),
        f"victim at {silent:.0f} before the deadline, at {after:.0f} after it",
        silent == after == 1900,
    )


def a_team_mate_as_a_quitter(address: str) -> Outcome:
    """A captain says that a team mate quit, and the other captain confirms it, eight times."""
    pitch = new_arena("deserters", team_size_min=2, team_size_max=2)
    cheat, victim, accomplice, dupe = (
        sign_up(address, name) for name in ("Judas", "Loyal", "Pilate", "Caius")
    )
    for captain, mate in ((cheat, victim), (accomplice, dupe)):
        made = Roster.objects.create(
            arena=pitch, name=f"Of {captain.player}", captain=captain.player
        )
        for player in (captain.player, mate.player):
            RosterMember.objects.create(roster=made, player=player)
    reports = []
    for number in range(8):
        played_at = (database_now() - timedelta(hours=1 + 26 * number)).isoformat()
        parts = [{"player": cheat.player.pk}, {"player": victim.player.pk, "quit": True}]
        theirs = [{"player": accomplice.player.pk}, {"player": dupe.player.pk}]
        sides = [
            {"captain": cheat.player.pk, "participants": parts, "place": 0},
            {"captain": accomplice.player.pk, "participants": theirs, "place": 1},
        ]
        body = {"sides": sides, "played_at": played_at}
        report = cheat.post(f"arenas/{pitch.slug}/reports/", body)
        reports.append(report)
        if report.accepted:
            accomplice.confirm(report)
    two_days_pass()
    penalties = DishonorAward.objects.filter(player=victim.player).count()
    return Outcome(
        len(reports),
        sum(report.accepted for report in reports),
        f"{penalties} penalties of the team mate",
        not penalties,
    )


def silence_and_false_quits(address: str) -> Outcome:
    """Invented games in which the opponent is said to have left, until somebody looks."""
    pitch = new_arena("pitch")
    cheat, victim = sign_up(address, "Quilla"), sign_up(address, "Victor")
    reports = [
        cheat.report(
            pitch, cheat.player, victim.player, left=victim.player, hours_ago=1 + 0.1 * number
        )
        for number in range(8)
    ]
    two_days_pass()
    penalties = DishonorAward.objects.filter(player=victim.player).count()
    rating = rating_of(victim.player, pitch)
    return Outcome(
        len(reports),
        sum(report.accepted for report in reports),
        f"victim {'not rated' if rating is None else f'rated {rating:.0f}'}, {penalties} penalties",
        rating is None and not penalties,
    )


def a_flood_of_reports(address: str) -> Outcome:
    """As many reports as fit into five seconds, then two hundred open ones."""
    pitch = new_arena("flooded")
    cheat, victim = sign_up(address, "Flora"), sign_up(address, "Drown")
    until = time.monotonic() + 5
    tried = accepted = 0
    while tried < 60 and time.monotonic() < until:
        tried += 1
        accepted += cheat.report(
            pitch, cheat.player, victim.player, hours_ago=1 + 0.2 * tried
        ).accepted
    still_open = Match.objects.filter(reported_by=cheat.player, status=Status.REPORTED).count()
    return Outcome(tried, accepted, f"{still_open} reports open", still_open <= 20)


def both_report_their_game(address: str) -> Outcome:
    """Both captains report the one game they played, and confirm what they find."""
    pitch = new_arena("twice")
    one, other = sign_up(address, "Twain"), sign_up(address, "Second")
    reports = [captain.report(pitch, one.player, other.player) for captain in (one, other)]
    for captain, report in zip((other, one), reports, strict=True):
        captain.confirm(report)
    rated = Match.objects.filter(arena=pitch, status=Status.RATED).count()
    return Outcome(2, sum(report.accepted for report in reports), f"{rated} rated", rated == 1)


def a_score_against_the_places(address: str) -> Outcome:
    """The winner of 1 : 5."""
    football = Arena.objects.get(slug="practice")
    scotland, england = sign_up(address, "Scott"), sign_up(address, "Angle")
    report = scotland.report(football, scotland.player, england.player, scores=(1, 5))
    return Outcome(
        1, int(report.accepted), report.body.get("detail", "accepted"), not report.accepted
    )


def imitated_names(address: str) -> Outcome:
    """Names that look like those of a nation in the league and of its staff."""
    tried = [*imitations("England"), *imitations("admin")]
    passed = [name for name in tried if may_be_called(name)]
    return Outcome(len(tried), len(passed), f"{len(passed)} look-alikes", len(passed) <= 10)


def may_be_called(name: str) -> bool:
    """Check a name as signing up and renaming do."""
    try:
        Player(name=name).full_clean()
    except ValidationError:
        return False
    return True


ATTACKS: dict[str, Attack] = {
    "12 wins over players without an account, confirmed by silence": wins_over_absent_players,
    "a free-for-all of four, confirmed by one accomplice": one_accomplice_confirms,
    "5 free-for-alls of 4 fresh accounts against a ranked player": (
        fresh_accounts_sink_a_ranked_player
    ),
    "8 games that a team mate is said to have left": a_team_mate_as_a_quitter,
    "8 invented games that the opponent is said to have left": silence_and_false_quits,
    "100 agreed wins over one second account": farming.wins_over_one_friend,
    "agreed wins over 60 fresh accounts": farming.wins_over_fresh_accounts,
    "the same, then honest matches until ranked": farming.patient_over_fresh_accounts,
    "agreed wins over 5 fresh accounts while uncertain, then the same": (
        farming.patient_while_uncertain
    ),
    "a ranked player, 26 weeks of agreed wins over one account": farming.ranked_over_one_friend,
    "a ranked player, agreed wins over 60 fresh accounts": farming.ranked_over_fresh_accounts,
    "a ranked player, 26 weeks of agreed free-for-alls": farming.races_over_five_accounts,
    "a ring of 6 accounts, joined to the league by one match": farming.a_ring_joined_by_one_match,
    **RINGS,
    "60 reports in 5 seconds": a_flood_of_reports,
    "both captains report the same game": both_report_their_game,
    "a win by 1 : 5": a_score_against_the_places,
    "imitations of “England” and “admin”": imitated_names,
}
