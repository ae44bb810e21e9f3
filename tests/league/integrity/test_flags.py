"""Attacks on a league are flagged to staff, who resolve the flags."""

from datetime import timedelta
from typing import cast

import pytest
from django.urls import reverse

from league.models import Arena, Flag, Player, Proposal, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.detectors import DAYS
from league.services.integrity.flags import describe_evidence, raise_all, raise_flags, resolve
from tests.support.cast import NOW
from tests.support.league_steps import League, honest, people
from tests.support.web_steps import browser_of, words


def flagged(league: League) -> set[tuple[str, str]]:
    league.settle()
    raise_flags(league.season, league.now)
    return {(flag.kind, flag.player.name) for flag in Flag.objects.open()}


def farmed() -> tuple[League, Player, Player]:
    """Return a league in which a cheat won 100 reported matches, or as many as counted."""
    league = League()
    honest(league, 10)
    cheat, accomplice = people("Cheat", "Accomplice")
    for _ in range(100):
        league.wins(cheat, accomplice)
        league.now += timedelta(hours=2)
    return league, cheat, accomplice


def test_agreed_wins_over_one_account_are_flagged() -> None:
    league, _cheat, _accomplice = farmed()
    assert flagged(league) == {
        ("one_sided", "Cheat"),
        ("one_opponent", "Cheat"),
        ("unranked", "Cheat"),
    }
    flag = Flag.objects.get(kind="one_sided")
    assert "Cheat won " in describe_evidence(flag)
    assert "matches against Accomplice in 28 days" in describe_evidence(flag)


@pytest.mark.parametrize("system", ["elo", "glicko", "glicko-2"])
def test_a_ring_of_five_ranked_players_is_flagged(system: str) -> None:
    league = League(system=system)
    members = honest(league, 12)
    cheat, *feeders = members[:5]
    assert len(league.ranked()) == 12
    league.now += timedelta(days=DAYS)
    for week in range(4):
        for feeder, other in zip(feeders, members[5 + week :], strict=False):
            league.now += timedelta(days=1)
            league.wins(cheat, feeder)
            league.wins(other, feeder) if week % 2 else league.wins(feeder, other)
        league.wins(members[5 + week], cheat) if week % 2 else league.wins(cheat, members[11])
    assert flagged(league) == {("few_opponents", "Honest 0")}
    assert "over 4 opponents, who lose to Honest 0 again" in describe_evidence(Flag.objects.get())


def test_an_honest_league_raises_no_flags() -> None:
    league = League()
    honest(league, 10)
    assert flagged(league) == set()


def test_a_flag_is_raised_once_and_not_again_for_the_same_results(olga: Player) -> None:
    league, _cheat, _accomplice = farmed()
    league.settle()
    assert raise_all(league.now) == 3
    assert raise_all(league.now) == 0
    staff = cast("User", olga.user)
    for flag in Flag.objects.all():
        resolve(flag.pk, by=staff, note="They are brothers.", now=league.now)
    assert raise_all(league.now + timedelta(days=1)) == 0
    assert raise_all(league.now + timedelta(days=DAYS + 1)) == 0, "the results are too old"


def test_only_staff_resolve_a_flag_once_and_with_a_note(olga: Player, alice: Player) -> None:
    league, *_others = farmed()
    league.settle()
    raise_all(league.now)
    flag = Flag.objects.latest("id")
    with pytest.raises(Forbidden):
        resolve(flag.pk, by=cast("User", alice.user), note="Fine.", now=NOW)
    with pytest.raises(Refused, match="Write what you found"):
        resolve(flag.pk, by=cast("User", olga.user), note=" ", now=NOW)
    resolve(flag.pk, by=cast("User", olga.user), note="Fine.", now=NOW)
    with pytest.raises(Conflict):
        resolve(flag.pk, by=cast("User", olga.user), note="Fine.", now=NOW)


def test_olga_reads_the_evidence_and_resolves_the_flag(olga: Player) -> None:
    league, *_others = farmed()
    league.settle()
    raise_all(league.now)
    flag = Flag.objects.get(kind="one_sided")
    staff = browser_of(olga)
    assert "3 open flags" in words(staff.get("/admin/"))
    listed = staff.get(reverse("admin:league_flag_changelist") + "?resolved_at__isempty=1")
    assert "Cheat won" in words(listed)
    page = reverse("admin:league_flag_change", args=[flag.pk])
    shown = staff.get(page).content.decode()
    last = league.arena.matches.rated().latest("rated_order")
    assert last.get_absolute_url() in shown
    assert "Write what you found" in words(staff.post(page, {"note": " "}))
    assert staff.post(page, {"note": "Both admitted it."}).status_code == 302
    flag.refresh_from_db()
    assert (flag.note, flag.resolved_by) == ("Both admitted it.", olga.user)
    again = words(staff.post(page, {"note": "Changed."}, follow=True))
    assert "Your note is not saved: “Changed.”" in again
    flag.refresh_from_db()
    assert flag.note == "Both admitted it."


def test_a_player_who_accepts_no_matches_is_flagged(duel: Arena, alice: Player) -> None:
    for _ in range(8):
        Proposal.objects.create(
            arena=duel,
            state=Proposal.State.CANCELLED,
            proposed_at=NOW,
            deadline=NOW,
            missed=[alice.pk],
        )
    assert raise_flags(duel.seasons.get(), NOW) == 1
    assert describe_evidence(Flag.objects.get()) == (
        "Alice did not accept 8 of 8 matches offered by the queue in 28 days."
    )
