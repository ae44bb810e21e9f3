"""Who cannot go on is told so before they type anything, and where the way on is."""

import re

import pytest
from django.conf import settings
from django.template import Context, Template
from django.urls import reverse

from league.models import Arena, ArenaQueue, Player, PointEntry
from league.services.core.clock import database_now
from league.services.ladder import challenges, playing
from league.services.points.points_leaderboard import ExplainedPoints
from league.templatetags.happened import points_in_words
from ratings.points.rules import Checkpoint, PointRule
from tests.support.cast import arena, roster
from tests.support.challenge_steps import ladder_of
from tests.support.result_steps import closed_to_captains, user_of
from tests.support.web_steps import browser_of, result_form, words


def test_a_report_that_nobody_can_confirm_is_refused_before_it_is_typed(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    browser, ghost = browser_of(alice), Player.objects.create(name="Ghost")
    address = reverse("report", args=["duel"])
    refused = browser.get(address, {"opponent": "Ghost"})
    assert refused.status_code == 400
    assert "Ghost has no account, so nobody can confirm this. Ask the organisers" in words(refused)
    assert "How did it end?" not in words(refused)
    page = words(browser.get(ghost.get_absolute_url()))
    assert "Report a match against Ghost" not in page
    assert "How did it end?" in words(browser.get(address, {"opponent": "Charlie"}))
    user = user_of(charlie)
    user.is_active = False
    user.save()
    assert "cannot log in" in words(browser.get(address, {"opponent": "Charlie"}))


def test_pages_of_players_offer_reports_only_where_they_work(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    season = duel.seasons.get()
    ghost = Player.objects.create(name="Ghost")
    for opponent in (ghost, charlie):
        form = result_form("", sides=f"Alice\n{opponent}", reason="Final")
        browser_of(olga).post(reverse("enter", args=["duel"]), form)
    browser = browser_of(alice)
    assert "Report a match against Charlie" in words(browser.get(charlie.get_absolute_url()))
    page = words(browser.get(f"{ghost.get_absolute_url()}?season={season.pk}"))
    assert "Report a match against Ghost" not in page
    assert "Ghost has no account, so only organisers can enter your matches." in page
    closed_to_captains(duel)
    for player in (ghost, charlie):
        page = words(browser.get(f"{player.get_absolute_url()}?season={season.pk}"))
        assert "Report a match against" not in page


def test_a_ladder_match_that_shuts_a_player_out_of_a_queue_is_named_with_a_link(
    alice: Player,
) -> None:
    ladder, (top, second) = ladder_of(["Tom", "Sue"])
    now = database_now()
    sent = challenges.challenge(ladder, top, by=second, now=now)
    challenges.accept(sent.pk, by=top, now=now)
    match = playing.start(sent.pk, by=second, now=now)
    queued = arena("pairs", team_size_min=2, team_size_max=2)
    ArenaQueue.objects.create(arena=queued, is_open=True)
    owls = roster(queued, "Owls", alice, top)
    link = f'href="{match.get_absolute_url()}"'

    own = browser_of(top).get(reverse("queue", args=["pairs"]))
    assert f"You are in match {match.pk} in Ladder . You can queue again" in words(own)
    assert link in own.content.decode()

    refused = browser_of(alice).post(reverse("queue_join", args=["pairs"]), {"roster": owls.pk})
    assert f"Tom is in a live match in Ladder: report match {match.pk} first." in words(refused)
    assert link in refused.content.decode()
    assert f"Go to match {match.pk}" in words(refused)


@pytest.mark.parametrize(
    ("points", "expected"),
    [(-1, "−1 point"), (1, "+1 point"), (-2, "−2 points"), (0, "0 points"), (2, "+2 points")],
)
def test_one_point_is_one_point_with_either_sign(points: int, expected: str) -> None:
    page = (settings.BASE_DIR / "templates/results/_side.html").read_text()
    part = re.search(r"{% blocktranslate [^%]*entry\.points.*?{% endblocktranslate %}", page)
    assert part
    context = {"seat": {"given": {"entry": {"points": points}}}}
    template = Template("{% load i18n laurel %}" + part[0])
    assert template.render(Context(context)) == expected


@pytest.mark.parametrize(
    ("odds", "ratio", "victory", "deserted", "points", "sentence"),
    [
        (0.5, 1, True, False, 1, "Even match, won: +1 point."),
        (0.55, 1, False, False, 0, "Even match, drawn: 0 points."),
        (0.45, 0, False, False, -1, "Even match, lost: −1 point."),
        (0.72, 0.6, False, False, -2, "Favourite with 72 %, lost with 60 % of the winning score"),
        (0.28, 1, True, False, 2, "Underdog with 28 %, won: +2 points."),
        (0.28, 0.9, False, True, -1, "Underdog with 28 %, left early: −1 point."),
    ],
)
def test_points_are_explained_in_plain_words(
    odds: float, ratio: float, victory: bool, deserted: bool, points: int, sentence: str
) -> None:
    entry = PointEntry(
        odds=odds, score_ratio=ratio, victory=victory, deserted=deserted, points=points
    )
    said = points_in_words(ExplainedPoints(entry, PointRule(odds, ()), Checkpoint(ratio, points)))
    assert " ".join(said.split()).startswith(sentence)
