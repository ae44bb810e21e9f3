"""Rosters are locked in a season, but for transfer windows, and open to eligible players."""

from datetime import date, timedelta

import pytest
from django.test import Client

from league.models import Arena, Participant, Player, Rating, RosterInvitation, StandIn, TeamMember
from league.services.core.errors import Conflict, Refused
from league.services.eligibility.rosters import lock_of
from league.services.people import invitations
from league.services.people.players import save_roster
from league.services.results.reports.reporting import report
from league.services.teams import membership, rosters
from tests.support.cast import NOW, OPENING, account, roster, side
from tests.support.team_steps import club, current, joined, team_arena, team_of

WINDOWS = {"lock_after": "30d", "window_every": "1 month", "window_length": "3d"}


@pytest.mark.parametrize(
    ("day", "open_again"),
    [
        (29, None),  # not locked yet
        (30, date(2026, 2, 28)),
        (45, date(2026, 2, 28)),
        (58, None),  # 28 February, in the first window
        (61, date(2026, 3, 31)),
    ],
)
def test_windows_open_month_by_month(db: None, day: int, open_again: object) -> None:
    lock = lock_of(team_arena(**WINDOWS), OPENING + timedelta(days=day))
    assert (lock.until.date() if lock and lock.until else lock) == open_again


def test_without_windows_a_lock_lasts_to_the_end(db: None) -> None:
    lock = lock_of(team_arena(lock_after="30d"), NOW)
    assert lock
    assert lock.until is None


def test_nobody_joins_or_is_removed_while_rosters_are_locked(alice: Player, bob: Player) -> None:
    where = team_arena(lock_after="90d")
    mine = save_roster(where, alice, "Owls", [bob], now=NOW)
    invitation = mine.invitations.get()
    locked = OPENING + timedelta(days=90)
    with pytest.raises(Conflict, match="locked until the end of the season"):
        invitations.answer(invitation.pk, by=bob, accept=True, now=locked)
    invitations.answer(invitation.pk, by=bob, accept=True, now=NOW)
    with pytest.raises(Conflict, match="locked"):
        save_roster(where, alice, "Owls", [], now=locked, roster=mine)
    save_roster(where, alice, "Barn Owls", [bob], now=locked, roster=mine)
    invitations.leave(mine, by=bob)


def test_a_team_keeps_its_rosters_while_they_are_locked(eve: Player) -> None:
    where = team_arena(lock_after="90d")
    owls = club(where, "Owls", "OWL")
    team, locked = owls.team, OPENING + timedelta(days=90)
    assert team
    mate = TeamMember.objects.current().exclude(player=owls.captain).get(team=team)
    with pytest.raises(Conflict, match="locked"):
        membership.remove(team, mate.pk, by=owls.captain, now=locked)
    with pytest.raises(Conflict, match="locked"):
        rosters.line_up(
            team, where, "Owls", [owls.captain], owls.captain, by=owls.captain, now=locked,
            roster=owls,
        )  # fmt: skip
    membership.leave(team, by=mate.player, now=locked)
    assert list(current(team)) == [owls.captain.name]
    assert list(owls.members.all()) == [owls.captain]


def test_a_roster_has_a_largest_size(alice: Player, bob: Player) -> None:
    where = team_arena(members_max=1)
    invitation = save_roster(where, alice, "Owls", [bob], now=NOW).invitations.get()
    with pytest.raises(Refused, match="can have at most 1 player"):
        invitations.answer(invitation.pk, by=bob, accept=True, now=NOW)


@pytest.mark.parametrize(
    ("rule", "message"), [("lowest_rating", "too low"), ("highest_rating", "too high")]
)
def test_ratings_keep_players_out(alice: Player, bob: Player, rule: str, message: str) -> None:
    where = team_arena(**{rule: 1400.0})
    found = 1300.0 if rule == "lowest_rating" else 1500.0
    Rating.objects.create(season=where.seasons.get(), player=bob, rating=found, games=1)
    invitation = save_roster(where, alice, "Owls", [bob], now=NOW).invitations.get()
    with pytest.raises(Refused, match=message):
        invitations.answer(invitation.pk, by=bob, accept=True, now=NOW)


def test_a_player_plays_for_one_team_in_an_arena(db: None) -> None:
    where = team_arena()
    owls, foxes = club(where, "Owls", "OWL"), club(where, "Foxes", "FOX")
    assert foxes.team
    TeamMember.objects.create(team=foxes.team, player=owls.captain, joined_at=NOW)
    with pytest.raises(Conflict, match="plays for Owls"):
        rosters.line_up(
            foxes.team, where, "Foxes B", [owls.captain, foxes.captain], foxes.captain,
            by=foxes.captain, now=NOW,
        )  # fmt: skip


def test_strangers_and_missing_captains_are_no_line_up(eve: Player) -> None:
    where = team_arena()
    owls = club(where, "Owls", "OWL")
    assert owls.team
    for members, captain, message in (
        ([owls.captain, eve], owls.captain, "Not in the team: Eve"),
        ([owls.captain], eve, "has to be in it"),
    ):
        with pytest.raises(Refused, match=message):
            rosters.line_up(owls.team, where, "B", members, captain, by=owls.captain, now=NOW)


def stood_in(where: Arena, captain: Player, stand_in: Player, other: Player) -> set[str]:
    """Report a match in which ``stand_in`` plays for ``captain``. Return the stand-ins."""
    match = report(
        where,
        [side(captain, stand_in, place=0), side(other, place=1)],
        reporter=captain,
        played_at=NOW - timedelta(hours=1),
        now=NOW,
    )
    parts = Participant.objects.filter(match=match, stand_in=True)
    return set(parts.values_list("player__name", flat=True))


def test_who_offered_can_stand_in_where_the_season_allows_it(alice: Player, eve: Player) -> None:
    where, dora = team_arena(stand_ins=1), account("Dora")
    roster(where, "Owls", alice)
    with pytest.raises(Refused, match="not offering to stand in: Dora"):
        stood_in(where, alice, dora, eve)
    StandIn.objects.create(arena=where, player=dora, at=NOW)
    assert stood_in(where, alice, dora, eve) == {"Dora"}


def test_nobody_stands_in_where_the_season_has_no_stand_ins(alice: Player, eve: Player) -> None:
    where, dora = team_arena(), account("Dora")
    StandIn.objects.create(arena=where, player=dora, at=NOW)
    with pytest.raises(Refused, match="Invite them first"):
        stood_in(where, alice, dora, eve)


def test_the_form_of_a_report_lists_stand_ins_after_the_roster(
    client: Client, alice: Player, eve: Player
) -> None:
    where = team_arena(stand_ins=1)
    mine = roster(where, "Owls", alice)
    roster(where, "Foxes", eve)
    StandIn.objects.create(arena=where, player=account("Dora"), at=NOW)
    assert alice.user
    client.force_login(alice.user)
    asked = f"/arenas/clubs/report/?roster={mine.pk}&opponent=Foxes"
    field = client.get(asked).context["form"].fields["plays-0"]
    assert [label for _pk, label in field.choices] == ["Alice", "Dora (stand-in)"]
    assert field.initial == [alice.pk]


def test_no_captain_of_the_team_follows_into_a_locked_roster(alice: Player, eve: Player) -> None:
    where, dora = team_arena(lock_after="90d"), account("Dora")
    team = joined(team_of(alice), eve, dora)
    lined = rosters.line_up(team, where, "Owls", [eve, dora], eve, by=alice, now=NOW)
    membership.leave(team, by=eve, now=OPENING + timedelta(days=90))
    lined.refresh_from_db()
    assert lined.captain == dora
    assert list(lined.members.all()) == [dora]


def test_no_roster_begins_while_they_are_locked_or_with_a_captain_who_is_kept_out(
    alice: Player, eve: Player
) -> None:
    where = team_arena(lock_after="90d", highest_rating=1400.0)
    Rating.objects.create(season=where.seasons.get(), player=eve, rating=1500.0, games=1)
    with pytest.raises(Refused, match="too high"):
        save_roster(where, eve, "Foxes", [], now=NOW)
    with pytest.raises(Conflict, match="locked"):
        save_roster(where, alice, "Owls", [], now=OPENING + timedelta(days=90))


def test_an_older_copy_of_a_roster_does_not_take_it_from_its_team(
    alice: Player, eve: Player
) -> None:
    where = team_arena()
    mine = save_roster(where, alice, "Owls", [eve], now=NOW)
    team = rosters.adopt(team_of(alice), mine, by=alice, now=NOW).team
    with pytest.raises(Refused, match="plays for a team"):
        save_roster(where, alice, "Barn Owls", [eve], now=NOW, roster=mine)
    with pytest.raises(Refused, match="Only members of the team"):
        invitations.invite(mine, [eve], NOW)
    late = RosterInvitation.objects.create(roster=mine, player=eve, invited_at=NOW)
    with pytest.raises(Conflict, match="belongs to a team"):
        invitations.answer(late.pk, by=eve, accept=True, now=NOW)
    mine.refresh_from_db()
    assert (mine.team, list(mine.members.all())) == (team, [alice])


def test_a_stand_in_is_not_lent_past_the_limits_of_ratings(alice: Player, eve: Player) -> None:
    where, dora = team_arena(stand_ins=1, highest_rating=1400.0), account("Dora")
    roster(where, "Owls", alice)
    StandIn.objects.create(arena=where, player=dora, at=NOW)
    Rating.objects.create(season=where.seasons.get(), player=dora, rating=1500.0, games=1)
    with pytest.raises(Refused, match="Dora’s rating is too high"):
        stood_in(where, alice, dora, eve)


def test_the_form_of_a_roster_keeps_what_was_typed_while_rosters_are_locked(
    client: Client, alice: Player, eve: Player
) -> None:
    where = team_arena(lock_after="1d")
    mine = roster(where, "Owls", alice, eve)
    assert alice.user
    client.force_login(alice.user)
    for address in ("new/", f"{mine.pk}/"):
        sent = {"name": "Barn Owls", "members": ""}
        answer = client.post(f"/arenas/clubs/rosters/{address}", sent)
        assert answer.status_code == 400
        assert "are locked until the end of the season" in answer.text
        assert 'value="Barn Owls"' in answer.text
