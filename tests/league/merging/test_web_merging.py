"""Merged players on the pages, in the admin and in the API."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Arena, Player, Rating, StaffAction, User
from league.services.people.claims import claim, decide
from league.services.results.reports.answers import confirm
from league.services.seasons.ending import freeze_early
from league.services.seasons.opening import open_season
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings.history import History, Match, Participant, Side
from tests.support.cast import NOW, account, beats, roster
from tests.support.imported_histories import LATEST
from tests.support.merge_steps import all_differences, merged
from tests.support.result_steps import user_of
from tests.support.season_steps import set_season_rules
from tests.support.web_steps import browser_of, words

PAGE = "/admin/league/player/merge/"


@pytest.fixture
def staff(boss: User) -> Client:
    browser = Client()
    browser.force_login(boss)
    return browser


def won(winner: Player, loser: Player, place: Arena, days_ago: int = 0) -> None:
    match = beats(winner, loser, place, now=NOW - timedelta(days=days_ago))
    confirm(match.pk, by=loser, now=NOW)


def test_olga_chooses_two_players_reads_the_preview_and_merges_them(
    duel: Arena, eve: Player, bob: Player, staff: Client
) -> None:
    old = account("Eve of old")
    won(old, bob, duel)
    chosen = {"action": "merge_selected", "_selected_action": [eve.pk, old.pk]}
    answer = staff.post("/admin/league/player/", chosen, follow=True)
    page = words(answer)
    assert "Eve of old becomes Eve" in page
    assert "The account eve acts for Eve." in page
    assert "The account eve of old is locked" in page
    assert "Participants 1" in page
    assert not StaffAction.objects.exists()
    address = f"{PAGE}?{urlencode({'kept': 'Eve', 'merged': 'Eve of old'})}"
    assert "Give a reason." in words(staff.post(address, {"reason": " "}))
    answer = staff.post(address, {"reason": "Same mail."}, follow=True)
    assert "Eve of old is now Eve." in words(answer)
    assert StaffAction.objects.get().reason == "Same mail."
    assert "Eve of old" in words(staff.get(f"/admin/league/player/{eve.pk}/change/"))
    one = {"action": "merge_selected", "_selected_action": [eve.pk]}
    answer = staff.post("/admin/league/player/", one, follow=True)
    assert "Select exactly two players." in words(answer)


@pytest.mark.parametrize("may_merge", [False, True])
def test_the_list_of_players_leads_to_the_page_for_those_who_may_merge(
    alice: Player, may_merge: bool
) -> None:
    names = ["view_player", *(["merge_player"] if may_merge else [])]
    user_of(alice).user_permissions.set(Permission.objects.filter(codename__in=names))
    User.objects.filter(player=alice).update(is_staff=True)
    shown = browser_of(alice).get("/admin/league/player/").content.decode()
    assert (f'href="{PAGE}"' in shown) == may_merge


def test_olga_can_keep_the_other_account(eve: Player, staff: Client) -> None:
    old = account("Eve of old")
    assert old.user
    query = {"kept": "Eve", "merged": "Eve of old", "account": old.user.pk}
    address = f"{PAGE}?{urlencode(query)}"
    assert "The account eve of old acts for Eve." in words(staff.get(address))
    staff.post(address, {"reason": "Same mail."})
    eve.refresh_from_db()
    assert eve.user == old.user


@pytest.mark.parametrize(
    ("kept", "other", "said"),
    [
        ("Eve", "Nobody", "There is no player with this name."),
        ("Eve", "eve", "Choose two different players."),
        ("", "Eve", "This field is required."),
        ("Olga", "Eve", "Somebody else must merge your own player."),
        ("\u202e", "Eve", "There is no player with this name."),
    ],
)
def test_a_wrong_choice_is_explained(
    eve: Player, staff: Client, kept: str, other: str, said: str
) -> None:
    answer = staff.get(f"{PAGE}?{urlencode({'kept': kept, 'merged': other})}")
    assert answer.status_code == 200
    assert said in words(answer)


def test_an_unknown_account_is_refused(eve: Player, bob: Player, staff: Client) -> None:
    query = {"kept": "Eve", "merged": "Bob", "account": "99999"}
    page = words(staff.get(f"{PAGE}?{urlencode(query)}"))
    assert "Select a valid choice" in page


def test_old_addresses_lead_to_the_player_who_stays(
    duel: Arena, eve: Player, bob: Player, boss: User, client: Client
) -> None:
    old = account("Eve of old")
    won(old, bob, duel)
    season = duel.seasons.get()
    merged(eve, old, boss)
    for address, kept in [
        (f"/players/{old.pk}/", f"/players/{eve.pk}/"),
        (f"/players/{old.pk}/?season={season.pk}", f"/players/{eve.pk}/?season={season.pk}"),
        (f"/api/v1/players/{old.pk}/", f"/api/v1/players/{eve.pk}/"),
        (f"/api/v1/players/{old.pk}/ratings/?page=1", f"/api/v1/players/{eve.pk}/ratings/?page=1"),
        (f"/api/v1/players/{old.pk}/rating-history/", f"/api/v1/players/{eve.pk}/rating-history/"),
        (f"/api/v1/players/{old.pk}/points/", f"/api/v1/players/{eve.pk}/points/"),
    ]:
        answer = client.get(address)
        assert (answer.status_code, answer.headers["Location"]) == (301, kept)
    answer = browser_of(bob).get(f"/players/{old.pk}/claim/")
    assert answer.headers["Location"] == f"/players/{eve.pk}/claim/"
    listed = client.get("/players/?q=eve").context["found"]
    assert [one.player for one in listed] == [eve]
    found = client.get("/api/v1/players/?search=eve").json()["results"]
    assert [one["id"] for one in found] == [eve.pk]
    history = client.get(f"/api/v1/players/{eve.pk}/rating-history/").json()
    assert len(history["results"]) == 1


def test_an_archived_season_is_shown_under_the_old_name(
    duel: Arena, eve: Player, bob: Player, boss: User, client: Client
) -> None:
    old = account("Eve of old")
    won(old, bob, duel, days_ago=9)
    season = duel.seasons.get()
    season.ends_at = NOW - timedelta(days=1)
    season.save()
    freeze_early(season.pk, now=NOW)
    merged(eve, old, boss)
    page = client.get(f"/players/{eve.pk}/?season={season.pk}", follow=True)
    assert page.redirect_chain == [(f"/players/{old.pk}/?season={season.pk}", 302)]
    assert "Eve of old now Eve" in words(page)
    assert "(Eve of old)" in words(client.get(f"/players/{eve.pk}/"))
    assert client.get(f"/players/{bob.pk}/").status_code == 200
    history = client.get(f"/api/v1/players/{eve.pk}/rating-history/").json()
    assert len(history["results"]) == 1
    (rated,) = client.get(f"/api/v1/players/{eve.pk}/ratings/").json()["results"]
    assert rated["season"]["id"] == season.pk
    assert all_differences() == []


def test_a_new_season_carries_the_rating_of_a_merged_player_over_to_the_person(
    duel: Arena, eve: Player, bob: Player, alice: Player, boss: User
) -> None:
    old, other = account("Eve of old"), account("Alice of old")
    for winner, loser in ((old, bob), (other, bob), (alice, bob)):
        won(winner, loser, duel, days_ago=9)
    season = duel.seasons.get()
    season.ends_at = NOW - timedelta(days=1)
    season.save()
    freeze_early(season.pk, now=NOW)
    merged(eve, old, boss)
    merged(alice, other, boss)
    set_season_rules(duel, start={"placement": "carry-over"})
    following = open_season(duel, starts_at=NOW)
    before = {row.player: row.rating for row in season.ratings.select_related("player")}
    after = {row.player: row.rating for row in following.ratings.select_related("player")}
    assert after == {eve: before[old], bob: before[bob], alice: before[alice]}
    assert all_differences() == []


def test_an_import_knows_merged_players_by_their_old_names(
    duel: Arena, eve: Player, boss: User
) -> None:
    old = Player.objects.create(name="Eve of old")
    merged(eve, old, boss)

    def file(*names: str) -> ResultFile:
        sides = [Side(place, [Participant(name)]) for place, name in enumerate(names)]
        return ResultFile(History.build([Match("1", LATEST, sides)]), [{}], [])

    with pytest.raises(Exception, match="are one player"):
        import_history(duel, file("Eve of old", "Eve"), now=NOW)
    import_history(duel, file("Eve of old", "Zoe"), now=NOW)
    names = Rating.objects.values_list("player__name", flat=True)
    assert sorted(names) == ["Eve", "Zoe"]


def test_an_approved_claim_leaves_one_player(
    duel: Arena, teams: Arena, eve: Player, alice: Player, boss: User
) -> None:
    imported = Player.objects.create(name="Eve of old")
    assert eve.user
    asked = claim(eve.user, imported, evidence="Me.", now=NOW)
    decide(asked.pk, approve=True, by=boss, reason="So.", now=NOW)
    assert Player.objects.get(user=eve.user) == imported
    assert Player.ever.get(pk=eve.pk).merged_into == imported
    assert list(imported.former_names.values_list("name", flat=True)) == ["Eve"]
    kinds = list(StaffAction.objects.order_by("pk").values_list("kind", flat=True))
    assert sorted(kinds) == ["claim", "merged"]


@pytest.mark.parametrize("typed", ["takacs", "Takács", "TAKÁCS"])
def test_the_admin_finds_names_whatever_their_accents(
    teams: Arena, staff: Client, typed: str
) -> None:
    player = account("Takács")
    roster(teams, "Takács és társai", player)
    for model in ("player", "roster", "user"):
        page = words(staff.get(f"/admin/league/{model}/?{urlencode({'q': typed})}"))
        assert "1 result" in page, model
        assert "Takács" in page
