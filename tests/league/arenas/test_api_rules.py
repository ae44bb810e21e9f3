"""Programs read the rules of an arena."""

from typing import Any

from rest_framework.test import APIClient

from league.models import Arena, ArenaQueue, ArenaText, PenaltyReason
from ratings.seasons.rules import SEASON_RULES
from tests.support.api_steps import fields_at_fault
from tests.support.cast import arena


def rules(made: Arena, query: str = "") -> Any:
    answer = APIClient().get(f"/api/v1/arenas/{made.slug}/rules/{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def values(parameters: list[dict[str, Any]]) -> dict[str, Any]:
    return {one["name"]: one["value"] for one in parameters}


def test_the_rules_of_the_season_in_force_are_shown() -> None:
    made = arena("one", rating_system="elo", rating_parameters={"max_gain": 20})
    season = made.seasons.get()
    made.rating_parameters = {"max_gain": 40}
    made.save()
    ArenaText.objects.create(arena=made, rules="Be **kind**.")
    shown = rules(made)
    assert shown["season"] == {"id": season.pk, "name": season.name}
    assert values(shown["rating"])["max_gain"] == 20
    assert (shown["rating_system"]["name"], shown["house_rules"]) == ("elo", "Be **kind**.")
    assert [one["name"] for one in shown["groups"]] == list(SEASON_RULES)
    assert "placement_matches" in values(shown["groups"][1]["parameters"])
    assert (shown["queue"], shown["offences"]) == (None, [])
    assert rules(made, f"?season={season.pk}") == shown


def test_the_queue_and_what_offences_cost_are_shown() -> None:
    made = arena("one")
    PenaltyReason.objects.create(arena=made, name="Insults", stacks=3)
    queue = ArenaQueue.objects.create(arena=made, matcher=ArenaQueue.Matcher.LAUREL)
    shown = rules(made)
    assert shown["queue"]["matcher"] == "laurel"
    assert [one["name"] for one in shown["queue"]["groups"]] == ["queue", "laurel"]
    insults = shown["offences"][-1]
    assert (insults["name"], insults["stacks"]) == ("Insults", 3)
    assert insults["timeout"] > 0
    queue.matcher = ArenaQueue.Matcher.NEW
    queue.save()
    assert [one["name"] for one in rules(made)["queue"]["groups"]] == ["queue", "matcher"]


def test_drafts_and_seasons_of_other_arenas_stay_unknown() -> None:
    made, other = arena("one"), arena("two")
    season = other.seasons.get().pk
    address, read = f"/api/v1/arenas/{made.slug}/rules/", APIClient()
    assert read.get(f"{address}?season={season}").status_code == 404
    assert fields_at_fault(read.get(f"{address}?season=x")) == {"season"}
    assert fields_at_fault(read.get(f"{address}?season=0")) == {"season"}
    other.is_draft = True
    other.save()
    assert read.get(f"/api/v1/arenas/{other.slug}/rules/").status_code == 404
