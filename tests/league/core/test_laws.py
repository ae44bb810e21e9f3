"""The database itself refuses code that would break the rules."""

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from league.models import (
    Arena,
    Match,
    Participant,
    Player,
    Rating,
    RatingEvent,
    RulesVersion,
    Season,
    Side,
    StaffAction,
    User,
)
from league.services.core.constraints import violated_rule
from league.services.results.reports.answers import confirm
from league.services.results.staff.decisions import decide
from league.services.seasons.opening import adopt_rules, open_season
from tests.support.cast import NOW, OPENING, beats


def refused(statement: str, *parameters: int | datetime) -> str:
    """Return the database's error for ``statement``, which it must refuse."""
    with pytest.raises(IntegrityError) as refusal:
        execute(statement, parameters)
    return str(refusal.value)


def execute(statement: str, parameters: tuple[int | datetime, ...]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_a_player_is_in_one_live_match(duel: Arena, alice: Player, charlie: Player) -> None:
    beats(alice, charlie, duel)
    beats(alice, charlie, duel)
    said = refused("UPDATE league_participant SET live = true WHERE player_id = %s", alice.pk)
    assert "player_in_one_live_match" in said


def test_a_result_is_rated_once(duel: Arena, alice: Player, charlie: Player) -> None:
    match = confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    said = refused(
        """INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, games,
               rating_before, rating_after, why)
           SELECT season_id, match_id, player_id, rated_at, games, 0, 0, '{}'
           FROM league_ratingevent WHERE match_id = %s""",
        match.pk,
    )
    assert "a_result_is_rated_once" in said


def test_a_side_cannot_confirm_its_own_report(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    said = refused("UPDATE league_match SET confirmed_by_side = 0 WHERE id = %s", match.pk)
    assert "match_confirmed_by_another_side" in said


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        (
            "UPDATE league_ratingevent SET rating_after = 9000",
            "league_ratingevent_is_append_only",
        ),
        ("DELETE FROM league_ratingevent", "league_ratingevent_is_kept"),
        ("UPDATE league_staffaction SET reason = 'None'", "league_staffaction_is_append_only"),
        ("DELETE FROM league_staffaction", "league_staffaction_is_append_only"),
        ("UPDATE league_rulesversion SET number = 9", "league_rulesversion_is_append_only"),
        ("DELETE FROM league_rulesversion", "league_rulesversion_is_append_only"),
    ],
)
def test_ledgers_only_grow(
    duel: Arena, alice: Player, charlie: Player, olga: Player, statement: str, rule: str
) -> None:
    assert olga.user
    decide(
        beats(alice, charlie, duel).pk,
        verdict=StaffAction.Kind.UPHELD,
        by=olga.user,
        reason="Seen",
        now=NOW,
    )
    note_rules(duel.seasons.get(), olga.user)
    with pytest.raises(IntegrityError, match="written once and never changed") as refusal:
        execute(statement, ())
    assert violated_rule(refusal.value) == rule


def note_rules(season: Season, by: User) -> None:
    """Write a version of a season's rules."""
    RulesVersion.objects.create(
        season=season,
        number=1,
        since=0,
        at=NOW,
        rating_system=season.rating_system,
        rating_parameters=season.rating_parameters,
        rules=season.rules,
        by=by,
    )


def test_a_rated_match_has_its_place_in_the_order(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    assert "match_rated_has_its_order" in refused(
        "UPDATE league_match SET status = 'rated' WHERE id = %s", match.pk
    )


def test_a_report_has_a_reporter_and_a_deadline(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    assert "match_reported_has_reporter_and_deadline" in refused(
        "UPDATE league_match SET confirm_deadline = NULL WHERE id = %s", match.pk
    )


def test_a_participant_is_on_a_side_of_the_same_match(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    first, second = beats(alice, charlie, duel), beats(alice, charlie, duel)
    side = Side.objects.filter(match=second).first()
    assert side
    assert "participant_on_a_side_of_its_match" in refused(
        "UPDATE league_participant SET side_id = %s WHERE match_id = %s AND player_id = %s",
        side.pk,
        first.pk,
        alice.pk,
    )


def test_a_player_is_in_a_match_once(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    part = Participant.objects.filter(match=match).first()
    assert part
    assert "player_once_a_match" in refused(
        "UPDATE league_participant SET player_id = %s WHERE match_id = %s", alice.pk, match.pk
    )


def test_names_are_unique_in_their_folded_form(alice: Player) -> None:
    assert "folded_name" in refused(
        "INSERT INTO league_player"
        " (name, folded_name, skeleton, search_name, sort_name, may_resemble, created_at)"
        " VALUES ('ALICE', 'alice', 'another', 'alice', 'alice', false, now())"
    )
    with pytest.raises(ValidationError, match="taken"):
        Player(name="ＡＬＩＣＥ").full_clean()


def test_seasons_of_an_arena_do_not_overlap(duel: Arena) -> None:
    season = duel.seasons.get()
    said = refused(
        """INSERT INTO league_season (arena_id, name, starts_at, rating_system, rating_parameters,
               rules)
           VALUES (%s, 'Another', %s, 'elo', '{}', '{}')""",
        duel.pk,
        season.starts_at + timedelta(days=1),
    )
    assert "seasons_of_an_arena_do_not_overlap" in said


def test_two_arenas_have_seasons_of_their_own(duel: Arena, teams: Arena) -> None:
    assert Season.objects.running(NOW).count() == 2


def test_a_next_season_ends_the_one_before(duel: Arena) -> None:
    later = OPENING + timedelta(days=90)
    second = open_season(duel, starts_at=later)
    assert duel.seasons.get(name="Season 1").ends_at == later
    assert duel.current_season(later) == second


def test_a_season_keeps_the_rules_it_began_with(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    season = duel.seasons.get()
    duel.rating_system, duel.rating_parameters = "elo", {}
    duel.full_clean()
    duel.save()
    assert adopt_rules(season, duel)
    season.refresh_from_db()
    assert season.rating_system == "elo"

    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    duel.rating_system = "glicko-2"
    duel.rating_parameters = {}
    duel.full_clean()
    duel.save()
    assert not adopt_rules(season, duel)
    season.refresh_from_db()
    assert season.rating_system == "elo"
    assert Rating.objects.get(player=alice).deviation is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"sides_min": 3, "sides_max": 2}, "Must be at most “Most sides” \\(2\\)"),
        ({"team_size_min": 5, "team_size_max": 2}, "Must be at most “Largest team” \\(2\\)"),
        ({"format": "free-for-all", "team_size_max": 2}, "every side is one player"),
        ({"confirmation_window": timedelta(seconds=1)}, "greater than or equal to"),
        ({"rating_system": "elo-mrr"}, "there is no rating system"),
        ({"rating_parameters": {"rating_max": 1}}, "rating_min: must be at most “Rating: highest”"),
        ({"rating_parameters": {"ratingmax": 1}}, "ratingmax"),
    ],
)
def test_an_arena_with_impossible_rules_is_refused(
    duel: Arena, change: dict[str, object], sentence: str
) -> None:
    for name, value in change.items():
        setattr(duel, name, value)
    with pytest.raises(ValidationError, match=sentence):
        duel.full_clean()


def test_a_match_with_participants_cannot_be_deleted(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    with pytest.raises(ProtectedError):
        Match.objects.filter(pk=match.pk).delete()
    with pytest.raises(ProtectedError):
        alice.delete()
    assert RatingEvent.objects.count() == 2
