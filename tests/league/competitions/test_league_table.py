"""A league table, from its announcement to the final table."""

from datetime import timedelta

from django.test import Client

from league.models import Arena, Competition, Player, RatingEvent
from league.services.competitions import progress
from league.services.competitions.standings import competition_tables
from tests.support.competition_steps import START, begun, crowd, fixture_of, play, sides_of

WEEK = timedelta(days=7)


def standing(one: Competition) -> list[tuple[str, int, str]]:
    [table] = competition_tables.read_tables(one)
    return [(line.entrant.name, line.row.place, line.points) for line in table.lines]


def test_results_count_for_the_table_and_the_rating_at_once(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    players = [alice, bob, charlie, dora]
    one = begun(duel, olga, players)
    for number in range(3):
        progress.sweep(START + number * WEEK)
        for fixture in one.fixtures.with_sides().filter(round__number=number + 1):
            best = min((side.player for side in sides_of(fixture)), key=players.index)
            play(fixture, best)
    assert standing(one) == [
        ("Alice", 1, "9"),
        ("Bob", 2, "6"),
        ("Charlie", 3, "3"),
        ("Dora", 4, "0"),
    ]
    assert RatingEvent.objects.count() == 12
    progress.sweep(START + 3 * WEEK)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    assert one.final
    assert [line["name"] for line in one.final["boards"][0]["lines"]] == [p.name for p in players]


def test_processing_again_changes_nothing(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    assert not progress.process(one.pk, START)
    play(fixture_of(one, alice, bob), alice)
    assert progress.process(one.pk, START + timedelta(days=6))
    assert not progress.process(one.pk, START + timedelta(days=6))


def test_a_phone_sees_goals_and_their_signed_difference(
    client: Client, duel: Arena, olga: Player
) -> None:
    rules = {"tie_breaks": "difference, for"}
    one = begun(duel, olga, crowd(3), "table", table=rules)
    fixture = one.fixtures.with_sides().filter(games__arrangement__state="accepted").first()
    assert fixture
    assert fixture.home
    play(fixture, fixture.home.player, score=(4, 1))
    page = " ".join(client.get(one.get_absolute_url()).content.decode().split())
    cell = '<td class="number nowrap">'
    assert all(f"{cell}{text}</td>" in page for text in ("4–1", "1–4", "0–0", "+3", "−3", "0"))
    assert '<td class="number nowrap wide">4</td>' in page
    lines = competition_tables.read_tables(one)[0].lines
    assert {line.tie_breaks[0] for line in lines} == {"3", "0", "-3"}, "files keep numbers"
