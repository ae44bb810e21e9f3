"""The arena's admin page says in words what happens to ratings when a season opens."""

from typing import Any

import pytest
from django.test import Client

from league.models import Arena
from league.services.seasons.words import start_in_words
from league.services.transfer.configuration.configurations import Import, import_configuration
from ratings.seasons.start import Start
from tests.support.admin_steps import arena_page, staff
from tests.support.cast import NOW
from tests.support.matchmaking_xml import PUBLISHED

__all__ = ["staff"]

LONG_AGO, LATER = "2013-11-26T08:00:00-08:00", "2015-01-27T16:30:00-08:00"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            {},
            ["Each season has ratings of its own, and everyone starts as a newcomer."],
        ),
        (
            {"partial_reset_before": LATER},
            [
                "Each season has ratings of its own, and everyone starts as a newcomer.",
                "Resets have no effect, because nobody’s rating is kept.",
            ],
        ),
        (
            {"placement": "carry-over", "full_reset_before": LONG_AGO},
            [
                "Ratings carry over: each season starts with those of the season before.",
                "Players who last played before 26 Nov 2013, 16:00 UTC start as newcomers.",
            ],
        ),
        (
            {
                "placement": "linear-scale",
                "center": 1500,
                "ratio": 0.25,
                "full_reset_before": LATER,
                "partial_reset_before": LONG_AGO,
            },
            [
                (
                    "Each season has ratings of its own. They start nearer to 1500, at 25\u00a0% "
                    "of their distance from it in the season before: 1900 becomes 1600."
                ),
                "Players who last played before 28 Jan 2015, 00:30 UTC start as newcomers.",
                (
                    "The reset of deviations has no effect, because it is not after 28 Jan 2015, "
                    "00:30 UTC."
                ),
            ],
        ),
        (
            {"placement": "carry-over", "reset_deviation": True},
            [
                "Ratings carry over: each season starts with those of the season before.",
                "All ratings are as uncertain as a newcomer’s.",
            ],
        ),
    ],
)
def test_the_start_of_a_season_is_said_in_words(rules: dict[str, Any], said: list[str]) -> None:
    assert start_in_words(Start(**rules)) == said


def test_olga_reads_what_was_understood_of_an_imported_file(staff: Client) -> None:
    import_configuration(PUBLISHED, Import("published.xml", NOW))
    page = staff.get(arena_page(Arena.objects.get(slug="ranked-arena"))).content.decode()
    for sentence in (
        (
            "They start nearer to 1200, at 50\u00a0% of their distance from it in the season "
            "before: 1600 becomes 1400."
        ),
        "Players who last played before 26 Nov 2013, 16:00 UTC start as newcomers.",
        (
            "Players who last played before 28 Jan 2015, 00:30 UTC keep their rating, but it is as "
            "uncertain as a newcomer’s."
        ),
    ):
        assert sentence in page
