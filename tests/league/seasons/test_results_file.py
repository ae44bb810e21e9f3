"""All results of a season as CSV and JSON."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Rating
from ratings.files.histories import read_history
from tests.support.cast import arena, beats
from tests.support.import_steps import bring
from tests.support.season_steps import win


def content(arena: Arena, kind: str) -> bytes:
    answer: Any = Client().get(reverse("season_results", args=[arena.seasons.get().pk, kind]))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def file(arena: Arena, kind: str) -> str:
    return content(arena, kind).decode()


def rows(arena: Arena) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file(arena, "csv"))))


def test_a_row_for_each_player_says_what_the_rating_became(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = win(duel, alice, charlie)
    [won, lost] = rows(duel)
    assert [won["player"], lost["player"]] == ["Alice", "Charlie"]
    assert [won["side"], won["place"], lost["place"]] == ["1", "1", "2"]
    events = {event.player_id: event for event in match.events.all()}
    assert float(won["rating_after"]) == events[alice.pk].rating_after
    assert float(lost["rating_before"]) == events[charlie.pk].rating_before
    [first, _second] = json.loads(file(duel, "json"))
    assert (first["match"], first["player"]) == (match.pk, "Alice")


def test_unlisted_players_have_no_name_and_hidden_histories_no_ratings(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    win(duel, alice, charlie)
    Player.objects.filter(pk=alice.pk).update(is_unlisted=True)
    Player.objects.filter(pk=charlie.pk).update(hides_history=True)
    [won, lost] = rows(duel)
    assert (won["player"], won["rating_after"]) == ("", "")
    assert (lost["player"], lost["rating_after"]) == ("Charlie", "")


def test_results_that_do_not_count_are_left_out(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    assert rows(duel) == []
    assert json.loads(file(duel, "json")) == []


def test_a_season_of_a_draft_or_one_that_has_not_opened_has_no_file(duel: Arena) -> None:
    season = duel.seasons.get()
    duel.is_draft = True
    duel.save()
    assert Client().get(reverse("season_results", args=[season.pk, "csv"])).status_code == 404


LADDER = """date,side 1,side 2,score 1,score 2,first,weight
2026-01-02 10:00,Ann,Bob,3,1,1,
2026-01-02 11:00,Bob,Cem,2,2,2,0.5
2026-01-02 12:00,Cem,Ann,0,4,,2
2026-01-03 10:00,Ann,Bob,1,2,1,
"""


def ratings_in(arena: Arena) -> dict[str, float]:
    return dict(Rating.objects.filter(season__arena=arena).values_list("player__name", "rating"))


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
def test_the_file_rates_another_arena_and_the_command_to_the_bit(
    olga: Player, tmp_path: Path, kind: str
) -> None:
    """The side at home and the weight of a match count, so the file has them."""
    one, other = (
        arena(slug, rating_system="elo", rating_parameters={"first_side": 80})
        for slug in ("one", "other")
    )
    assert olga.user
    bring(one, olga.user, LADDER)
    before = ratings_in(one)
    sent = content(one, kind)
    file = bring(other, olga.user, sent, name=f"results.{kind}")
    assert (file.report or {})["new"] == 4
    assert ratings_in(other) == before
    path = tmp_path / f"results.{kind}"
    path.write_bytes(sent)
    history = read_history(path)
    assert history.first is not None
    assert history.first.tolist() == [0, 1, -1, 0]
    assert history.weights.tolist() == [1, 0.5, 2, 1]


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
def test_the_list_of_seasons_leads_to_the_file_on_phones_too(duel: Arena, kind: str) -> None:
    page = Client().get(reverse("seasons", args=[duel.slug])).content.decode()
    for cell in re.findall(r"<td class=\"wide-only\">.*?</td>", page):  # hidden on phones
        page = page.replace(cell, "")
    assert f'href="{reverse("season_results", args=[duel.seasons.get().pk, kind])}"' in page
