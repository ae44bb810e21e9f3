"""Errata say what an archive would without a mistake, and the archive stays as it is."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from league.models import Correction, Erratum, ErratumLine, Match, Season, StaffAction, Status
from league.services.core.errors import Conflict
from league.services.corrections import errata
from league.services.integrity.ratings import verify
from league.services.seasons.ending import freeze
from league.services.seasons.errata import MOST_SHOWN, Shown, visible_part
from tests.support.cast import side
from tests.support.correction_steps import correct
from tests.support.point_steps import plays, with_points
from tests.support.season_steps import NEXT
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from league.models import Player, User

pytestmark = pytest.mark.django_db

FROZEN = NEXT + timedelta(days=3)


@pytest.fixture
def season(alice: Player, bob: Player, charlie: Player) -> Season:
    return played_season("one", alice, bob, charlie)


def played_season(slug: str, alice: Player, bob: Player, charlie: Player) -> Season:
    """Alice beats Bob twice, Bob beats Charlie."""
    league = with_points(slug)
    for winner, loser in ((alice, bob), (alice, bob), (bob, charlie)):
        plays(league, side(winner, place=0, score=9), side(loser, place=1, score=3))
    season = league.seasons.get()
    season.ends_at = NEXT
    season.save()
    return season


def user_of(olga: Player) -> User:
    assert olga.user
    return olga.user


def archived(season: Season) -> Season:
    assert freeze(season.pk, now=FROZEN)
    return Season.objects.select_related("arena").get(pk=season.pk)


def test_an_erratum_says_what_the_archive_would_without_the_mistake(
    season: Season, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    by, other = user_of(olga), played_season("other", alice, bob, charlie)
    first, second, _third = season.matches.order_by("rated_order")
    season = archived(season)
    before = (errata.archive_of(season), list(season.ratings.order_by("pk").values()))
    match = Match.objects.get(pk=first.pk)
    seen = errata.preview(match, by=by)
    assert not StaffAction.objects.exists()
    made = errata.publish(match, by=by, reason="A cheat", digest=seen.digest, now=FROZEN)

    correct(other.matches.order_by("rated_order")[0], by)
    right = errata.archive_of(archived(other))
    assert errata.published(season) == right
    assert (errata.archive_of(season), list(season.ratings.order_by("pk").values())) == before
    assert (Match.objects.get(pk=first.pk).status, verify(season)) == (Status.RATED, [])
    assert not Correction.objects.filter(season=season).exists()
    action = StaffAction.objects.get(kind=StaffAction.Kind.ERRATUM)
    assert (action.match, action.reason) == (match, "A cheat")

    # The next one builds on it.
    later = Match.objects.get(pk=second.pk)
    placings: list[tuple[int, float | None]] = [(1, 3.0), (0, 9.0)]
    seen = errata.preview(later, by=by, placings=placings)
    errata.publish(
        later, by=by, reason="Swapped", digest=seen.digest, now=FROZEN, placings=placings
    )
    assert errata.published(season)[bob.pk].rank == 1
    with pytest.raises(Conflict, match="already been published"):
        errata.preview(match, by=by)
    with pytest.raises(IntegrityError, match="ledger"), transaction.atomic():
        Erratum.objects.filter(pk=made.pk).update(reason="None")


def test_errata_are_for_archived_seasons_and_need_the_present_preview(
    season: Season, olga: Player
) -> None:
    by, match = user_of(olga), season.matches.order_by("rated_order")[0]
    with pytest.raises(Conflict, match="is not archived"):
        errata.preview(match, by=by)
    archived(season)
    match = Match.objects.get(pk=match.pk)
    with pytest.raises(Conflict, match="Check it again"):
        errata.publish(match, by=by, reason="A cheat", digest="none", now=FROZEN)
    assert not Erratum.objects.exists()


def test_olga_publishes_an_erratum_and_everyone_sees_it(
    season: Season, olga: Player, alice: Player, charlie: Player
) -> None:
    season, staff = archived(season), browser_of(olga)
    match = season.matches.order_by("rated_order")[0]
    address = reverse("match_erratum", args=[match.pk])
    assert address in staff.get(match.get_absolute_url()).content.decode()
    assert address not in browser_of(alice).get(match.get_absolute_url()).content.decode()
    form: dict[str, Any] = {"verdict": "voided", "reason": "A cheat"}
    seen = staff.post(address, form)
    assert "Alice rank 1" in words(seen)
    found = re.findall(r'name="digest" value="(\w+)"', seen.content.decode())
    done = staff.post(address, {**form, "digest": found[-1], "apply": "1"}, follow=True)
    assert "Published. Everyone can read your reason." in words(done)
    page = staff.get(match.get_absolute_url())
    assert "an erratum says what would be right" in words(page)
    assert address not in page.content.decode()
    again = staff.get(address, follow=True)
    assert again.redirect_chain[-1][0] == season.get_absolute_url()
    assert "An erratum of this match has already been published." in words(again)
    visitor = browser_of(charlie)
    for page in (
        visitor.get(season.get_absolute_url()),
        visitor.get(f"{alice.get_absolute_url()}?season={season.pk}"),
    ):
        assert f"Match {match.pk} should not have counted. Published by Olga" in words(page)
        assert "A cheat" in words(page)
    told = b"".join(visitor.get(reverse("season_export", args=[season.pk, "json"])))
    (erratum,) = json.loads(told)["errata"]
    assert (erratum["match"], erratum["reason"]) == (match.pk, "A cheat")
    assert {row["name"] for row in erratum["players"]} >= {"Alice", "Bob"}
    csv = b"".join(visitor.get(reverse("season_export", args=[season.pk, "csv"]))).decode()
    assert csv.splitlines()[0].endswith("erratum_rank,erratum_rating")


def line(**more: Any) -> ErratumLine:
    values: dict[str, Any] = {"name": "Alice", "rank_was": 1, "rank_is": 1}
    return ErratumLine(**{**values, "rating_was": 1200.1, "rating_is": 1200.1, **more})


def test_a_page_shows_the_lines_whose_readers_see_a_difference(season: Season) -> None:
    same = [line(rating_is=1200.3), line(rating_is=1199.9)]
    other = [line(rating_is=1200.6), line(rank_is=2), line(points_is=3), line(awards_is=["first"])]
    assert visible_part([*same, *other], season.shows) == Shown(other, more=0, finer=2)
    many = visible_part(other * 30, season.shows)
    assert (len(many.lines), many.more, many.finer) == (MOST_SHOWN, 4 * 30 - MOST_SHOWN, 0)


def test_pages_say_how_many_lines_they_leave_out(
    season: Season, olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    season, staff = archived(season), browser_of(olga)
    match = season.matches.order_by("rated_order")[0]
    address = reverse("match_erratum", args=[match.pk])
    form: dict[str, Any] = {"verdict": "voided", "reason": "A cheat"}
    monkeypatch.setattr("league.services.seasons.errata.MOST_SHOWN", 1)
    seen = staff.post(address, form)
    more = r"\d more players? would have another place or rating\."
    assert re.search(more, words(seen))
    (digest,) = re.findall(r'name="digest" value="(\w+)"', seen.content.decode())
    staff.post(address, {**form, "digest": digest, "apply": "1"})
    assert re.search(more, words(staff.get(season.get_absolute_url())))
