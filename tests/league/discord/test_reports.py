"""/report and its buttons: captains alone, and only what they have read."""

import pytest

from league.models import Arena, Match, Player, Roster, Status
from league.services.core.clock import database_now
from league.services.dishonor import bans
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import arena, beats
from tests.support.competition_steps import begun, date_of
from tests.support.counting_steps import due
from tests.support.discord_steps import completes, linked, presses, said, types


def live_match(arena: Arena, one: Player, other: Player) -> Match:
    sides = [StartingSide(player, [player]) for player in (one, other)]
    return start(arena, sides, now=database_now())


def test_only_captains_of_the_match_report_it(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = live_match(duel, alice, charlie)
    refused = types(linked(eve), "report", match=str(match.pk), result="won")
    assert said(refused) == "Only the captains of the sides can report."
    match.refresh_from_db()
    assert match.status == Status.LIVE
    assert completes(linked(eve), "report", "match", match="") == []


def test_a_live_match_counts_for_the_fixture_of_its_sides(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, charlie]))
    match = live_match(duel, alice, charlie)
    answer = said(types(linked(alice), "report", match=f"{match.pk}", result="lost"))
    assert "It counts for Spring Cup, Round 1." in answer
    assert date_of(fixture).match == match


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "²", "9" * 30, "1 OR 1=1", "999999"])
def test_a_match_that_there_is_not(duel: Arena, alice: Player, text: str) -> None:
    assert "There is no such match" in said(
        types(linked(alice), "report", match=text, result="won")
    )


def test_a_report_of_nonsense_or_of_a_match_that_is_reported(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    uid, match = linked(alice), live_match(duel, alice, charlie)
    assert "Choose a result" in said(types(uid, "report", match=f"{match.pk}", result="lied"))
    types(uid, "report", match=f"#{match.pk}", result="lost")
    again = types(uid, "report", match=f"{match.pk}", result="won")
    assert said(again) == "This match has already been reported."
    assert Match.objects.get().sides.get(captain=alice).place == 1


def test_naming_the_result_does_not_confirm_what_else_was_reported(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    uid, match = linked(charlie), beats(alice, charlie, duel, now=database_now())
    other_mode = types(uid, "report", match=str(match.pk), result="lost", mode="Blitz")
    match.participants.filter(player=charlie).update(quit=True)
    quit_as_well = types(uid, "report", match=str(match.pk), result="lost")
    for message in (other_mode, quit_as_well):
        assert "reported more than the result" in said(message)
        assert message["embeds"][0]["url"].endswith(match.get_absolute_url())
    assert Match.objects.get().status == Status.REPORTED


def test_nobody_confirms_their_own_report_by_a_button(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, duel, now=database_now())
    button = f"confirm:{match.pk}:{match.revision}"
    for player in (alice, eve):
        answer = presses(linked(player), button)
        assert answer["type"] == 4
    match.refresh_from_db()
    assert match.status == Status.REPORTED
    assert "Confirmed" in said(presses(linked(charlie), button)["data"])
    match.refresh_from_db()
    assert match.status == Status.RATED


def test_a_button_of_a_report_that_has_changed_confirms_nothing(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel, now=database_now())
    Match.objects.filter(pk=match.pk).update(revision=match.revision + 1)
    answer = presses(linked(charlie), f"confirm:{match.pk}:{match.revision}")
    assert answer["type"] == 4
    assert Match.objects.get().status == Status.REPORTED


def test_a_game_that_was_just_played_is_reported_by_its_opponent(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    one, other = linked(alice), linked(charlie)
    told = types(one, "report", result="won", opponent="Charlie", arena="duel")
    assert "Reported. The other side can now confirm it." in said(told)
    match = Match.objects.get()
    assert (match.status, match.reported_by) == (Status.REPORTED, alice)
    assert match.sides.get(captain=alice).place == 0
    same = types(other, "report", result="lost", opponent="Alice", arena="duel")
    assert "The other side reported the same result, so it is now rated." in said(same)
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert Match.objects.count() == 1


def test_a_report_that_is_typed_again_is_the_first_one(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    uid = linked(alice)
    types(uid, "report", result="won", opponent="Charlie", arena="duel")
    again = types(uid, "report", result="won", opponent="Charlie", arena="duel")
    assert "You reported this a moment ago" in said(again)
    match = Match.objects.get()
    assert again["embeds"][0]["url"].endswith(match.get_absolute_url())


def test_a_report_of_a_game_is_refused_as_on_the_site(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    uid = linked(alice)
    himself = types(uid, "report", result="won", opponent="Alice", arena="duel")
    assert "You cannot play against yourself" in said(himself)
    nobody = types(uid, "report", result="won", opponent="Nobody", arena="duel")
    assert "There is no player “Nobody”" in said(nobody)
    duel.result_rules = {"reporters": "organisers"}
    duel.save()
    only_staff = said(types(uid, "report", result="won", opponent="Charlie", arena="duel"))
    assert "organisers" in only_staff.lower()
    duel.result_rules = {}
    duel.save()
    assert olga.user
    bans.ban(alice, arena=duel, by=olga.user, reason="Cheating", now=database_now())
    banned = said(types(uid, "report", result="won", opponent="Charlie", arena="duel"))
    assert "ban" in banned
    assert not Match.objects.exists()


def test_a_report_that_has_to_name_who_played_is_made_on_the_site(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player
) -> None:
    message = types(linked(alice), "report", result="won", opponent="Foxes", arena="teams")
    assert "Report it on the site" in said(message)
    assert message["embeds"][0]["url"].endswith("/arenas/teams/report/")
    assert not Match.objects.exists()


def test_a_match_of_many_sides_is_reported_on_the_site(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = [StartingSide(player, [player]) for player in (alice, bob, charlie)]
    match = start(melee, sides, now=database_now())
    message = types(linked(alice), "report", match=str(match.pk), result="won")
    assert "Report it on the site" in said(message)
    assert match.get_absolute_url() in message["embeds"][0]["url"]
    several = types(linked(bob), "report", result="won", opponent="Alice\nCharlie", arena="melee")
    assert "Report it on the site" in said(several)
    assert several["embeds"][0]["url"].endswith("/arenas/melee/report/")


def test_a_game_mode_is_named_where_there_are_several(alice: Player, charlie: Player) -> None:
    modes = arena("modes", modes=["Blitz", "Rapid"])
    uid, match = linked(alice), live_match(modes, alice, charlie)
    message = types(uid, "report", match=str(match.pk), result="won")
    assert "Choose the game mode: Blitz, Rapid." in said(message)
    types(uid, "report", match=str(match.pk), result="won", mode="rapid")
    assert Match.objects.get(pk=match.pk).mode == "Rapid"
    other = linked(charlie)
    unnamed = types(other, "report", match=str(match.pk), result="lost")
    assert "reported more than the result" in said(unnamed)
    same = types(other, "report", match=str(match.pk), result="lost", mode="rapid")
    assert "Confirmed." in said(same)


def test_a_match_of_a_draft_is_not_known(duel: Arena, alice: Player, charlie: Player) -> None:
    match = live_match(duel, alice, charlie)
    Arena.objects.update(is_draft=True)
    message = types(linked(alice), "report", match=str(match.pk), result="won")
    assert "There is no such match" in said(message)
    match.refresh_from_db()
    assert match.status == Status.LIVE
