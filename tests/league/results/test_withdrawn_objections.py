"""Objectors can withdraw an objection while it waits. Then everything is as before it."""

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from league.models import Arena, Match, Notice, NoticeKind, Objection, Player
from league.services import corrections
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden
from league.services.integrity.ratings import verify
from league.services.notices.texts import tell as text_of
from league.services.results.records import timeline
from league.services.results.records.timeline import whole_match
from league.services.results.rules.limits import MOST_OBJECTIONS
from league.services.results.staff.objections import object_to, open_one, withdraw
from league.services.results.staff.threads import write
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import ask
from tests.support.objection_steps import objects, rating_of, refused, rejects, team_match, told
from tests.support.result_steps import user_of
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

__all__ = ["team_match"]


@pytest.fixture
def rated_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return win(duel, alice, charlie)


def history_of(match: Match) -> list[str]:
    whole = whole_match(match.pk)
    return [entry.what.value for entry in timeline.entries(whole, read_since=NOW)]


def test_an_objector_withdraws_and_everything_is_as_before(
    rated_match: Match, alice: Player, charlie: Player
) -> None:
    before = Match.objects.filter(pk=rated_match.pk).values().get(), rating_of(alice)
    history = history_of(rated_match)
    objection = objects(rated_match, charlie)
    withdraw(rated_match.pk, by=charlie, now=NOW)
    objection.refresh_from_db()
    assert (objection.state, objection.closed_at, objection.action) == ("withdrawn", NOW, None)
    assert (Match.objects.filter(pk=rated_match.pk).values().get(), rating_of(alice)) == before
    assert history_of(rated_match) == [*history, "objected", "no_longer_objects"]
    assert verify(rated_match.season) == []
    with pytest.raises(Conflict, match="not disputed"):
        write(rated_match.pk, by=user_of(alice), player=alice, text="Good.", now=NOW)
    objects(rated_match, alice)
    withdraw(rated_match.pk, by=alice, now=NOW)
    object_to(rated_match.pk, by=charlie, reason="Still a draw.", now=NOW)
    assert open_one(rated_match.pk)


def test_all_others_who_played_are_told(
    team_match: Match, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    objects(team_match, dora)
    withdraw(team_match.pk, by=dora, now=NOW)
    for player in (alice, bob, charlie):
        assert told(player, NoticeKind.WITHDRAWN, team_match)
    assert not told(dora, NoticeKind.WITHDRAWN, team_match)
    notice = Notice.objects.get(player=bob, kind=NoticeKind.WITHDRAWN)
    assert text_of(notice).text == (
        "Dora withdrew the objection to the result of your match in Teams."
    )


def test_only_the_objector_withdraws_and_only_while_it_waits(
    team_match: Match, alice: Player, charlie: Player, dora: Player, eve: Player, olga: Player
) -> None:
    with pytest.raises(Conflict, match="No objection"):
        withdraw(team_match.pk, by=dora, now=NOW)
    objection = objects(team_match, dora)
    for player in (alice, charlie, eve, olga):
        with pytest.raises(Forbidden, match="Only the player who made"):
            withdraw(team_match.pk, by=player, now=NOW)
    asked = ask(team_match, user_of(olga))
    with pytest.raises(Conflict, match="correcting this result"):
        withdraw(team_match.pk, by=dora, now=NOW)
    objection.refresh_from_db()
    assert objection.state == "open"
    corrections.carry_out(asked.pk, NOW)
    with pytest.raises(Conflict, match="No objection"):
        withdraw(team_match.pk, by=dora, now=NOW)


def test_a_rejected_objection_still_counts_for_its_side(
    rated_match: Match, charlie: Player, olga: Player
) -> None:
    objects(rated_match, charlie)
    withdraw(rated_match.pk, by=charlie, now=NOW)
    object_to(rated_match.pk, by=charlie, reason="A draw after all.", now=NOW)
    rejects(rated_match, olga)
    assert refused(rated_match, charlie) == "objected_before"
    with pytest.raises(IntegrityError), transaction.atomic():
        Objection.objects.create(match=rated_match, side=1, player=charlie, at=NOW, reason="Again.")


def test_withdrawing_is_no_way_around_the_limit(rated_match: Match, charlie: Player) -> None:
    for _time in range(MOST_OBJECTIONS):
        object_to(rated_match.pk, by=charlie, reason="A draw.", now=NOW)
        withdraw(rated_match.pk, by=charlie, now=NOW)
    assert refused(rated_match, charlie) == "objections_per_time"


@pytest.mark.django_db(transaction=True)
def test_a_withdrawal_and_rejections_at_once_close_it_once(
    rated_match: Match, charlie: Player, olga: Player
) -> None:
    objects(rated_match, charlie)
    steps = [
        partial(withdraw, rated_match.pk, by=charlie, now=NOW),
        partial(rejects, rated_match, olga),
    ]
    done = [answer for answer in all_at_once([*steps, *steps]) if isinstance(answer, Match)]
    assert len(done) == 1
    assert Objection.objects.get().state in {"withdrawn", "rejected"}


# Pages and API


@pytest.fixture
def match_with_objection(duel: Arena, alice: Player, charlie: Player) -> Match:
    """Charlie objects to a result of just now, by the real clock."""
    now = database_now()
    return object_to(win(duel, alice, charlie, now=now).pk, by=charlie, reason="A draw.", now=now)


def test_charlie_withdraws_on_the_match_page(
    match_with_objection: Match, alice: Player, charlie: Player
) -> None:
    address = match_with_objection.get_absolute_url()
    assert "Withdraw your objection" not in words(browser_of(alice).get(address))
    assert "Withdraw your objection" in words(browser_of(charlie).get(address))
    withdrawing = reverse("objection_withdraw", args=[match_with_objection.pk])
    assert browser_of(charlie).get(withdrawing).headers["Location"] == address
    assert browser_of(alice).post(withdrawing).status_code == 403
    page = words(browser_of(charlie).post(withdrawing, follow=True))
    for text in (
        "Withdrawn. The result stays as it is.",
        "Charlie objected to the rated result",
        "Charlie withdrew the objection",
        "Everyone who played can object until",
        "Object to this result",
    ):
        assert text in page
    assert "rated objected to" not in page
    assert "Withdraw your objection" not in page
    again = browser_of(charlie).post(withdrawing)
    assert (again.status_code, "No objection to this result" in words(again)) == (409, True)
    assert browser_of(charlie).post(reverse("objection_withdraw", args=[0])).status_code == 404
    assert "withdrew the objection" in words(browser_of(alice).get(reverse("inbox")))


def test_programs_withdraw(match_with_objection: Match, alice: Player, charlie: Player) -> None:
    def withdraws(player: Player, body: Any = None) -> Any:
        address = reverse("api:objection-withdrawal", args=[match_with_objection.pk])
        return send(by_token(player), address, body or {})

    assert withdraws(alice).json()["code"] == "not_yours"
    assert withdraws(charlie, {"reason": "Sorry."}).status_code == 400
    done = withdraws(charlie)
    (objection,) = done.json()["objections"]
    assert (done.status_code, objection["state"]) == (200, "withdrawn")
    assert done.json()["objections_until"] is not None
    again = withdraws(charlie)
    assert (again.status_code, again.json()["code"]) == (409, "no_objection")
