"""Players beside each other: head-to-head pages, compared curves and records."""

from time import monotonic

from django.test import Client

from league.models import Arena, Match, MatchMap, Player
from league.services.results.records import histories, player_records
from league.services.results.records.encounters import encounters, record_of
from league.services.results.records.profiles import Record
from league.services.results.reports.answers import confirm
from league.web.people import records
from tests.support.cast import NOW, account, beats
from tests.support.challenge_steps import ladder_of
from tests.support.versus_steps import played_arena, wins
from tests.support.web_steps import words

__all__ = ["played_arena"]


def test_an_upset_on_a_ladder_is_told_in_whole_ranks() -> None:
    ladder, (top, _second, _third, low) = ladder_of(["Top", "Second", "Third", "Low"])
    confirm(beats(low, top, ladder).pk, by=top, now=NOW)
    page = words(Client().get(f"/players/{low.pk}/records/"))
    assert "The other side was 3 ranks ahead." in page


def test_a_merged_player_s_matches_count_for_the_person(
    played_arena: Arena, alice: Player, charlie: Player
) -> None:
    old = account("Old")
    wins(alice, old, played_arena, 5)
    Player.objects.filter(pk=old.pk).update(merged_into=charlie, user=None)
    assert record_of(encounters(alice, charlie)) == Record(4, 0, 1)
    answer = Client().get(f"/players/{alice.pk}/against/{old.pk}/")
    assert answer.headers["Location"] == f"/players/{alice.pk}/against/{charlie.pk}/"


def test_names_lead_to_head_to_head_and_comparison_pages(
    played_arena: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    here = f"/players/{alice.pk}"
    found = Client().get(f"{here}/against/", {"with": "charlie"})
    assert found.headers["Location"] == f"{here}/against/{charlie.pk}/"
    compared = words(Client().get(f"{here}/compare/", {"with": "Charlie\nEve"}))
    assert "Alice, Charlie, Eve" in compared
    assert "Alice against Eve" in compared
    for sent, problem in (
        ({"with": "Charly"}, "There is no player “Charly”. Did you mean Charlie?"),
        ({"with": "a\nb\nc\nd\ne\nf"}, "You named 6 players. Name at most 5."),
    ):
        refused = Client().get(f"{here}/compare/", sent)
        assert refused.status_code == 400
        assert problem in words(refused)
    assert Client().get(f"{here}/against/").status_code == 400
    assert Client().get(f"{here}/against/{alice.pk}/").headers["Location"] == f"{here}/"
    assert Client().get(f"{here}/compare/", {"season": "999"}).status_code == 404
    assert Client().get(f"{here}/against/{charlie.pk}/", {"after": "x"}).status_code == 400


def test_records_name_streaks_upsets_and_rivals(
    played_arena: Arena, alice: Player, charlie: Player
) -> None:
    page = words(Client().get(f"/players/{alice.pk}/records/"))
    assert "Longest winning streak 3" in page
    assert "Most met" in page
    assert "Charlie 3 0 1 75 %" in page
    assert "Biggest upset" not in page
    assert "By side" in page
    upset = words(Client().get(f"/players/{charlie.pk}/records/"))
    assert "Biggest upset The other side was rated" in upset
    assert "Charlie beat Alice" in upset
    assert Client().get(f"/players/{account('New').pk}/records/").status_code == 404


def test_records_count_results_by_map(played_arena: Arena, alice: Player) -> None:
    first, second, third, *_rest = Match.objects.order_by("id")
    for match, name in ((first, "Temple"), (second, "Temple"), (third, "")):
        MatchMap.objects.create(
            match=match, maps=["Temple", "Niflhel"], seed="0" * 32, began_at=NOW, chosen=name
        )
    histories.clear_cache()
    page = words(Client().get(f"/players/{alice.pk}/records/"))
    assert "By map" in page
    assert "Temple 2 2 · 0 · 0 100 %" in page
    assert "Niflhel" not in page


def test_streaks_and_evenness() -> None:
    def ended(place: int, winners: int = 1) -> player_records.Played:
        return player_records.Played(
            1, NOW, place, 2, winners, "", "", "", 0, 1500, 1500, 1500, 1600
        )

    won, drawn, lost = ended(1), ended(1, 2), ended(2)
    played = [won, won, lost, won, drawn, won, lost]
    winning = player_records.longest(played, "win")
    unbeaten = player_records.longest(played, "win", "draw")
    assert winning
    assert winning.count == 2
    assert unbeaten
    assert unbeaten.count == 3
    assert player_records.longest([lost], "win") is None
    upset = player_records.biggest_upset(played, lowest_first=False)
    assert upset
    assert upset.ahead == 100
    assert player_records.biggest_upset(played, lowest_first=True) is None


def test_the_list_of_all_matches_does_not_keep_a_former_name(
    played_arena: Arena, alice: Player, charlie: Player
) -> None:
    address = f"/players/{alice.pk}/matches/"
    assert "Charlie" in words(Client().get(address))
    charlie.name = "Somebody"
    charlie.save()
    records.lists.expire(monotonic() + records.SECONDS + 1)
    page = words(Client().get(address))
    assert ("Charlie" in page, "Somebody" in page) == (False, True)


def test_the_score_of_all_meetings_comes_first_and_the_match_leads_to_it(
    played_arena: Arena, alice: Player, charlie: Player
) -> None:
    here = f"/players/{alice.pk}/against/{charlie.pk}/"
    page = Client().get(here).content.decode()
    record = record_of(encounters(alice, charlie))
    assert f'viewBox="0 0 {record.total} 1"' in page
    assert f'<rect class="first" width="{record.wins}"' in page
    assert f'<rect class="second" x="{record.wins + record.draws}" width="{record.losses}"' in page
    match = encounters(alice, charlie)[0].match_id
    assert f'href="{here}"' in Client().get(f"/matches/{match}/").content.decode()
