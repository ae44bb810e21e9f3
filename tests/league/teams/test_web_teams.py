"""The pages of teams."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from league.models import Arena, Player, Roster, Season, Team, TeamMember, TeamPicture, TeamRole
from league.services.competitions import progress
from league.services.competitions.running import entering
from league.services.teams import inviting, pictures, rating
from tests.support.cast import NOW, account, roster
from tests.support.competition_steps import START, opened
from tests.support.pictures import halves, read, saved, upload
from tests.support.team_steps import club, current, joined, meet, team_arena, team_of

FORM = {"name": "Night Owls", "tag": "owl", "colour": "#102030", "second_colour": "#ffffff"}


@pytest.fixture
def owls_team(alice: Player, bob: Player) -> Team:
    return joined(team_of(alice), bob)


def as_player(client: Client, player: Player) -> Client:
    assert player.user
    client.force_login(player.user)
    return client


def test_alice_founds_a_team_in_the_browser(client: Client, alice: Player) -> None:
    as_player(client, alice)
    assert client.get("/teams/new/").status_code == 200
    answer = client.post("/teams/new/", FORM, follow=True)
    team = Team.objects.get()
    assert (answer.status_code, team.name, team.colour) == (200, "Night Owls", "#102030")
    assert "You have founded Night Owls." in answer.text


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "\u200b"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"tag": "<b>"}, "tag"),
        ({"colour": "red; background: url(evil)"}, "colour"),
        ({"second_colour": ""}, "second_colour"),
    ],
)
def test_a_bad_value_is_refused_beside_its_field(
    client: Client, alice: Player, change: dict[str, str], field: str
) -> None:
    answer = as_player(client, alice).post("/teams/new/", FORM | change)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]
    assert not Team.objects.exists()


def test_everybody_reads_the_list_and_the_page(client: Client, owls_team: Team) -> None:
    assert "Night Owls" in client.get("/teams/?q=nigh").text
    assert "Night Owls" in client.get("/teams/?q=OWL").text
    assert "No teams found" in client.get("/teams/?q=foxes").text
    page = client.get(f"/teams/{owls_team.pk}/").text
    assert "Alice" in page
    assert "captain" in page


def test_a_page_takes_as_many_statements_for_any_number_of_rows(
    client: Client, db: None, django_assert_max_num_queries: Any
) -> None:
    clubs = team_arena(rate=True)
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    meet(owls, foxes)
    rating.refresh_all(NOW)
    for _more in range(2):
        with django_assert_max_num_queries(18):
            answer = client.get(f"/teams/{owls.team_id}/")
        meet(owls, foxes)
    assert answer.status_code == 200
    assert "beat" in answer.text


def test_the_page_shows_ratings_of_rosters_beside_the_teams(client: Client, db: None) -> None:
    clubs = team_arena(rate=True)
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    joined(owls.team or Team(), account("Newcomer"))
    meet(owls, foxes)
    rating.refresh_all(NOW)
    page = client.get(f"/teams/{owls.team_id}/").context["page"]
    (line_up,) = page.rosters
    assert (line_up.season.arena, line_up.rating.rating) == (clubs, 1024.0)
    assert [(one.player.name, one.row.rating) for one in line_up.members] == [
        ("Owls one", 1024.0),
        ("Owls two", 1024.0),
    ]
    ratings = {
        one.member.player.name: [row.rating for _in, row in one.ratings] for one in page.members
    }
    assert ratings == {"Owls one": [1024.0], "Owls two": [1024.0], "Newcomer": []}


def test_a_roster_that_has_not_played_has_no_ratings(client: Client, db: None) -> None:
    owls = club(team_arena(), "Owls", "OWL")
    answer = client.get(f"/teams/{owls.team_id}/")
    (line_up,) = answer.context["page"].rosters
    assert [one.row for one in line_up.members] == [None, None]
    Season.objects.all().delete()
    assert client.get(f"/teams/{owls.team_id}/").context["page"].rosters[0].season is None


def test_the_page_shows_the_next_dates_and_fixtures(
    client: Client, db: None, olga: Player, django_assert_max_num_queries: Any
) -> None:
    clubs = team_arena()
    rosters = [club(clubs, name, name[:3]) for name in ("Owls", "Foxes", "Bears")]
    one = opened(clubs, olga)
    for each in rosters:
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    later = timezone.now() - START + timedelta(days=9)
    times = ("opens_at", "play_at", "closes_at")
    one.rounds.update(**{name: F(name) + later for name in times})
    for each in rosters:
        with django_assert_max_num_queries(15):
            answer = client.get(f"/teams/{each.team_id}/")
        dates, fixtures = answer.context["dates"], answer.context["fixtures"]
        assert len(dates) + len(fixtures) == 2
        assert all(each.name in {date.proposer_name, date.opponent_name} for date in dates)
        assert all(each.name in {one.home, one.away} for one in fixtures)
        assert "Next matches" in answer.text
        assert "Without a date yet" in answer.text


def test_the_board_shows_teams_best_first(client: Client, db: None) -> None:
    clubs = team_arena(rate=True)
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    meet(foxes, owls)
    rating.refresh_all(NOW)
    page = client.get("/arenas/clubs/teams/").text
    assert page.index("Foxes") < page.index("Owls")
    assert "1024" in page


def test_an_arena_that_does_not_rate_teams_has_no_board(client: Client, duel: Arena) -> None:
    assert client.get("/arenas/duel/teams/").status_code == 404


def test_bob_is_invited_by_name_and_joins(client: Client, alice: Player, bob: Player) -> None:
    team = team_of(alice)
    as_player(client, alice).post(f"/teams/{team.pk}/manage/", {"player": "bob"})
    page = as_player(client, bob).get("/matches/waiting/").text
    assert "invites you to the team" in page
    invitation = team.invitations.get()
    client.post(f"/teams/invitations/{invitation.pk}/answer/", {"answer": "accept"})
    assert current(team)["Bob"] == TeamRole.PLAYER


def test_leaders_see_who_has_not_answered(client: Client, alice: Player, bob: Player) -> None:
    team = team_of(alice)
    inviting.invite(team, bob, by=alice, now=timezone.now())
    assert "Waiting for an answer" in as_player(client, alice).get(f"/teams/{team.pk}/manage/").text


def test_an_unknown_player_is_no_guest(client: Client, alice: Player, bob: Player) -> None:
    team = team_of(alice)
    answer = as_player(client, alice).post(f"/teams/{team.pk}/manage/", {"player": "Bobb"})
    assert answer.status_code == 400
    assert "Did you mean Bob?" in answer.text


def test_a_link_is_made_shown_and_used(client: Client, alice: Player, bob: Player) -> None:
    team = team_of(alice)
    as_player(client, alice)
    client.post(f"/teams/{team.pk}/manage/", {"action": "link", "places": "1"})
    path = f"/teams/join/{inviting.token_of(team.invitations.get())}/"
    assert path in client.get(f"/teams/{team.pk}/manage/").text
    as_player(client, bob)
    assert "Join Night Owls" in client.get(path).text
    assert "Bob" not in current(team)  # reading is not joining
    assert client.post(path).status_code == 302
    assert "Bob" in current(team)
    assert client.post("/teams/join/forged/").status_code == 400


def test_roles_change_and_the_captaincy_is_handed_over(
    client: Client, owls_team: Team, alice: Player, bob: Player
) -> None:
    one = TeamMember.objects.current().get(team=owls_team, player=bob)
    address = f"/teams/{owls_team.pk}/members/{one.pk}/"
    as_player(client, alice)
    client.post(address, {"action": "offer"})
    as_player(client, bob)
    assert "offered the captaincy" in client.get(f"/teams/{owls_team.pk}/").text
    client.post(f"/teams/{owls_team.pk}/captaincy/", {"answer": "accept"})
    assert current(owls_team) == {"Alice": "player", "Bob": "captain"}


@pytest.mark.parametrize("data", [{}, {"action": "crown"}, {"action": "role", "role": "captain"}])
def test_forged_actions_change_nothing(
    client: Client, owls_team: Team, alice: Player, data: dict[str, str]
) -> None:
    one = owls_team.members.get(player__name="Bob")
    answer = as_player(client, alice).post(f"/teams/{owls_team.pk}/members/{one.pk}/", data)
    assert answer.status_code == 400
    assert current(owls_team) == {"Alice": "captain", "Bob": "player"}


def test_members_of_other_teams_are_out_of_reach(
    client: Client, owls_team: Team, eve: Player, alice: Player
) -> None:
    other = team_of(eve, "Evening Stars", "EVE")
    captain = other.members.get()
    address = f"/teams/{owls_team.pk}/members/{captain.pk}/"
    assert as_player(client, alice).post(address, {"action": "remove"}).status_code == 409
    assert current(other) == {"Eve": "captain"}


def test_the_team_is_lined_up_in_an_arena(
    client: Client, owls_team: Team, alice: Player, bob: Player, teams: Arena
) -> None:
    as_player(client, alice)
    address = f"/teams/{owls_team.pk}/rosters/new/"
    assert client.get(address).status_code == 200
    chosen = {
        "arena": teams.pk,
        "name": "Night Owls",
        "members": [alice.pk, bob.pk],
        "captain": bob.pk,
    }
    assert client.post(address, chosen).status_code == 302
    made = Roster.objects.get()
    assert (made.team, made.captain) == (owls_team, bob)
    moved = client.get(f"/arenas/teams/rosters/{made.pk}/")
    assert moved.status_code == 403  # Bob leads it
    as_player(client, bob)
    assert client.get(f"/arenas/teams/rosters/{made.pk}/")["Location"] == (
        f"/teams/{owls_team.pk}/rosters/{made.pk}/"
    )


def test_members_cannot_be_forged_into_a_roster(
    client: Client, owls_team: Team, alice: Player, eve: Player, teams: Arena
) -> None:
    chosen = {"arena": teams.pk, "name": "Owls", "members": [alice.pk, eve.pk], "captain": eve.pk}
    answer = as_player(client, alice).post(f"/teams/{owls_team.pk}/rosters/new/", chosen)
    assert answer.status_code == 400
    assert not Roster.objects.exists()


def test_a_roster_of_mine_comes_into_my_team(
    client: Client, owls_team: Team, alice: Player, bob: Player, eve: Player, teams: Arena
) -> None:
    mine, hers = roster(teams, "Barn Birds", alice, bob), roster(teams, "Strays", eve)
    as_player(client, alice)
    address = f"/teams/{owls_team.pk}/rosters/adopt/"
    assert client.post(address, {"roster": hers.pk}).status_code == 403
    assert client.post(address, {"roster": mine.pk}).status_code == 302
    assert Roster.objects.get(pk=mine.pk).team == owls_team


def test_a_picture_is_decoded_and_encoded_anew(
    client: Client, owls_team: Team, alice: Player
) -> None:
    as_player(client, alice)
    address = f"/teams/{owls_team.pk}/picture/"
    assert client.post(address, {"image": upload()}).status_code == 302
    owls_team.refresh_from_db()
    answer = client.get(f"/teams/{owls_team.pk}/picture/{owls_team.picture}.webp")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/webp", "nosniff")
    assert "sandbox" in answer["Content-Security-Policy"]
    stored = bytes(TeamPicture.objects.get().webp)
    assert stored[8:12] == b"WEBP"
    client.post(address, {"action": "remove"})
    gone = client.get(f"/teams/{owls_team.pk}/picture/{owls_team.picture}.webp")
    assert gone.status_code == 404


def test_a_wide_picture_is_cut_to_a_square() -> None:
    image = pictures.square(saved(halves((640, 320)), "WEBP"))
    assert read(image).size == (pictures.SIDE, pictures.SIDE)


def test_teams_without_a_picture_bear_different_crests_that_stay() -> None:
    crests = [pictures.crest(number) for number in range(1, 100)]
    assert crests == [pictures.crest(number) for number in range(1, 100)]
    assert set(crests) == set(pictures.ORDINARIES)


def test_disbanding_needs_the_tag(client: Client, owls_team: Team, alice: Player) -> None:
    as_player(client, alice)
    address = f"/teams/{owls_team.pk}/disband/"
    assert client.post(address, {"tag": "x"}).status_code == 400
    assert client.post(address, {"tag": "owl"}).status_code == 302
    page = client.get(f"/teams/{owls_team.pk}/").text
    assert "Disbanded" in page
    assert "Night Owls" not in client.get("/teams/").text


def test_the_page_of_a_player_names_their_teams(
    client: Client, owls_team: Team, bob: Player
) -> None:
    assert f'href="/teams/{owls_team.pk}/"' in client.get(f"/players/{bob.pk}/").text
