"""The arena wizard: from an empty admin to a published arena, one click after another."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

import tests.support
from league.models import Arena, ArenaQueue, Player, StaffAction
from league.services.standings.updating import update_pending
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW, arena
from tests.support.season_steps import set_season_rules, win
from tests.support.wizard_steps import START, Organiser, organiser

__all__ = ["organiser", "staff"]
PUBLISHED = Path(tests.support.__path__[0]) / "published.xml"
MOST_CLICKS = 6


# Three leagues


def test_an_arena_can_be_copied_once_there_is_one(staff: Client) -> None:
    page = staff.get(START).text
    assert "Copy another arena" not in page
    arena("duel")
    assert "Copy another arena" in staff.get(START).text


def test_a_chess_ladder_with_calendar_months_takes_at_most_six_clicks(
    organiser: Organiser,
) -> None:
    organiser.add_arena()
    organiser.press("start", "chess-club", name="Chess ladder")
    organiser.follow("Calendar")
    organiser.press("review", length="1 month", time_zone="Europe/Berlin")
    assert "A season lasts 1 month." in organiser.page.text
    organiser.press("publish")
    arena = Arena.objects.get(slug="chess-ladder")
    assert not arena.is_draft
    form = organiser.browser.get(f"/admin/league/arena/{arena.pk}/change/").text
    assert "A season lasts 1 month, and the next follows at once." in form
    season = arena.seasons.get()
    assert season.ends_at
    assert timedelta(days=28) <= season.ends_at - season.starts_at <= timedelta(days=31, hours=1)
    assert organiser.clicks <= MOST_CLICKS
    assert browser_of(None).get("/arenas/chess-ladder/leaderboard/").status_code == 200
    kinds = list(StaffAction.objects.order_by("id").values_list("kind", flat=True))
    assert kinds == ["created", "changed", "season"]
    changed = StaffAction.objects.get(kind="changed")
    assert changed.before
    assert changed.after
    assert (changed.before["Length of a season"], changed.after["Length of a season"]) == (
        "3 months",
        "1 month",
    )


def test_ranked_5v5_as_published_with_queue_and_dishonor_takes_at_most_six_clicks(
    organiser: Organiser,
) -> None:
    organiser.add_arena()
    organiser.press("start", "gw2-ranked", name="Ranked")
    organiser.follow("Review")
    for text in (
        "falls evenly",
        "700",
        "Not accepting a match",
        "5 against 5",
        "As published: Ranked Arena",
    ):
        assert text in organiser.page.text, text
    organiser.press("publish")
    assert ArenaQueue.objects.open().get().arena.slug == "ranked"
    assert organiser.clicks <= MOST_CLICKS


def test_racing_with_elo_mmr_takes_at_most_six_clicks(organiser: Organiser) -> None:
    organiser.add_arena()
    organiser.press("start", "racing", name="Grand Prix")
    organiser.press("next")
    assert "Elo-MMR" in organiser.page.text
    organiser.press("review")
    organiser.press("publish", season_name="2026")
    assert Arena.objects.get(slug="grand-prix").seasons.get().name == "2026"
    assert organiser.clicks <= MOST_CLICKS


# Starts


def test_a_copy_is_a_draft_whose_divisions_count_the_players_of_the_original(
    organiser: Organiser, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    scale = {
        "cuts": {"by": "rating"},
        "divisions": [{"name": "All"}, {"name": "Top", "first": 1250}],
    }
    set_season_rules(duel, **scale)
    win(duel, alice, bob)
    win(duel, alice, charlie)
    update_pending(NOW)
    organiser.at = START
    organiser.press("start", "copy", name="Copy", copied=str(duel.pk))
    copy = Arena.objects.get(slug="copy")
    organiser.follow("Divisions")
    assert "Shares of the 3 ranked players" in organiser.page.text
    shares = [row.share for row in organiser.page.context["form"].table()]
    assert shares == ["66.7\u00a0%", "33.3\u00a0%", "", "", ""]
    assert copy.is_draft


def upload(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("arena.xml", content, content_type="text/xml")


def test_a_configuration_becomes_drafts_with_their_queues(organiser: Organiser) -> None:
    organiser.at = START
    organiser.press("start", "file", file=upload(PUBLISHED.read_bytes()))
    assert "Its &lt;Dishonor&gt; now holds for the whole league." in organiser.page.text
    arenas = Arena.objects.order_by("name")
    assert [arena.name for arena in arenas] == [
        "Ranked Arena",
        "Ranked Arena Off-Season",
        "Unranked Arena",
    ]
    assert all(arena.is_draft and arena.queue and not arena.seasons.exists() for arena in arenas)
    assert StaffAction.objects.filter(kind="created").count() == 3
    organiser.at = START
    organiser.press("start", "file", file=upload(PUBLISHED.read_bytes()))
    assert "there is an arena of that name already" in organiser.errors()["file"][1]


def xml_of(name: str) -> bytes:
    """Return the published ranked arena under another name."""
    text = PUBLISHED.read_text()
    start = text.index('<Arena name="Ranked Arena">')
    block = text[start : text.index("</Arena>", start)] + "</Arena>"
    return block.replace("Ranked Arena", name, 1).encode()


BOMB = b"""<!DOCTYPE bomb [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<Arena name="&b;"/>"""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x" * 20_000_000, "The file has 20 MB"),
        ("<Arena name='Überarena'/>".encode("utf-16"), "not UTF-8 text"),
        (b"<Arena name='One'>", "line 1"),
        (b"", "empty"),
        (BOMB, "Nothing was imported."),
        (b"<Prediction/>", "has no <Arena>"),
        (xml_of(""), "name"),
        (b"".join(xml_of(f"A{each}") for each in range(51)), "51 arenas"),
    ],
    ids=["20 MB", "encoding", "broken", "empty", "bomb", "no arena", "no name", "many"],
)
def test_a_file_that_cannot_be_used_is_refused_at_its_field(
    organiser: Organiser, content: bytes, said: str
) -> None:
    organiser.at = START
    organiser.press("start", "file", file=upload(content))
    problems = organiser.errors()
    assert list(problems) == ["file"]
    assert said in " ".join(problems["file"])
    assert not Arena.objects.exists()


@pytest.mark.parametrize(
    ("typed", "at"),
    [
        ({"start": "ladder", "name": ""}, "name"),
        ({"start": "ladder", "name": "x" * 61}, "name"),
        ({"start": "ladder", "name": "Duel"}, "name"),
        ({"start": "ladder", "name": "Two", "slug": "duel"}, "slug"),
        ({"start": "ladder", "name": "将棋"}, "slug"),
        ({"start": "ladder", "name": "Two", "slug": "no spaces"}, "slug"),
        ({"start": "copy", "name": "Two"}, "copied"),
        ({"start": "copy", "name": "Two", "copied": "99999"}, "copied"),
        ({"start": "file"}, "file"),
        ({"start": "nonsense", "name": "Two"}, "__all__"),
        ({"name": "Two"}, "__all__"),
    ],
)
def test_bad_input_at_the_start_is_refused_at_its_field(
    staff: Client, duel: Arena, typed: dict[str, str], at: str
) -> None:
    answer = staff.post(START, typed)
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [at]
    assert Arena.objects.get() == duel
