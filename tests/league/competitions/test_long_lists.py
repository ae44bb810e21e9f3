"""A large competition on a phone: what matters first, and the rest unfolds without scripts."""

from league.models import Arena, Player
from tests.support.competition_steps import begun, crowd
from tests.support.web_steps import browser_of, words


def test_a_large_swiss_begins_with_the_pairings_and_names_ones_own_place(
    duel: Arena, olga: Player
) -> None:
    people = crowd(28)
    one = begun(duel, olga, people, "swiss")
    page = browser_of(people[20]).get(one.get_absolute_url())
    text = words(page)
    parts = ["Round 1 of", "Show all 14 games", "Your place:", "Show all 28 entrants", "Withdraw"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert page.content.decode().count('<tr class="me">') >= 1
    assert all(person.name in text for person in people)
    visitor = words(browser_of(olga).get(one.get_absolute_url()))
    assert "Your place:" not in visitor
    assert "Your entry" not in visitor


def test_a_small_competition_has_nothing_to_unfold(duel: Arena, olga: Player) -> None:
    people = crowd(4)
    one = begun(duel, olga, people)
    assert "Show all" not in words(browser_of(people[0]).get(one.get_absolute_url()))
