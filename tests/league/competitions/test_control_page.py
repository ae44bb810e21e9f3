"""Olga runs a competition on its page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Arrangement, Competition, Fixture, Match, Player, StaffAction
from league.services.competitions.running import entering_by_staff
from league.services.core.clock import database_now
from league.services.people import entry_lists
from tests.support.cast import NOW
from tests.support.competition_steps import begun, competition, crowd, opened
from tests.support.correction_steps import correct
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


@pytest.fixture
def olgas(client: Client, olga: Player) -> Client:
    client.force_login(user_of(olga))
    return client


def page_of(one: Competition, name: str = "competition_run") -> str:
    return reverse(name, args=[one.season.arena.slug, one.pk])


def send(client: Client, one: Competition, answer: str, **values: Any) -> Any:
    """Send the page's form and return the page that follows."""
    return client.post(page_of(one), {"answer": answer, **values}, follow=True)


def with_names(one: Competition, olga: Player, *names: str) -> Competition:
    entries = entry_lists.read_list("\n".join(names)).entries
    entering_by_staff.enter(one.pk, entries, {}, by=user_of(olga), now=NOW)
    return one


@pytest.fixture
def swiss(duel: Arena, olga: Player, olgas: Client) -> Competition:
    """A Swiss of five people without an account, whose first round is drawn."""
    one = with_names(opened(duel, olga, "swiss"), olga, "Ann", "Bob", "Cy", "Dee", "Eve")
    send(olgas, one, "start")
    one.refresh_from_db()
    return one


def open_games(one: Competition) -> list[Fixture]:
    rows = one.fixtures.undecided().exclude(games__arrangement__state="played")
    return list(rows.with_sides().order_by("number"))


def fields(one: Competition, *texts: str) -> dict[str, str]:
    pairs = zip(open_games(one), texts, strict=False)
    return {f"result-{fixture.pk}": text for fixture, text in pairs}


def test_a_swiss_is_run_on_one_page(duel: Arena, olga: Player, olgas: Client) -> None:
    draft = competition(duel, "swiss", play={"rounds": 2})
    draft.starts_at = database_now().replace(year=2090)
    draft.save()
    assert "Open for entries" in olgas.get(page_of(draft)).content.decode()
    assert "Open for entries." in send(olgas, draft, "open").content.decode()
    with_names(draft, olga, "Ann", "Bob", "Cy", "Dee")
    assert "Drawn and started." in send(olgas, draft, "start").content.decode()
    home, away = open_games(draft)[0].home, open_games(draft)[0].away
    text = olgas.get(page_of(draft)).content.decode()
    assert f"Game 1, {home} – {away}, has no result." in text
    saved = send(olgas, draft, "save", **fields(draft, "1-0", "½")).content.decode()
    assert "2 results saved." in saved
    assert "Round 2 is drawn by itself" in saved
    assert "Round 2 is drawn." in send(olgas, draft, "draw:2").content.decode()
    send(olgas, draft, "save", **fields(draft, "0-1", "+:-"))
    draft.refresh_from_db()
    assert draft.state == Competition.State.OVER
    assert "The final table" in olgas.get(page_of(draft)).content.decode()


def test_wrong_rows_keep_what_was_typed(swiss: Competition, olgas: Client) -> None:
    first, second = open_games(swiss)
    answer = olgas.post(
        page_of(swiss),
        {"answer": "save", f"result-{first.pk}": "three one", f"result-{second.pk}": "2-0"},
    )
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "1 result was not saved" in text
    assert 'value="three one"' in text
    assert "“three one” is not a result" in text
    assert f'name="result-{first.pk}"' in text
    assert f'name="result-{second.pk}"' not in text  # it is saved, and shows its score
    assert Match.objects.count() == 1


def test_the_same_form_sent_twice_is_saved_once(swiss: Competition, olgas: Client) -> None:
    form = {"answer": "save", **fields(swiss, "1-0", "½")}
    olgas.post(page_of(swiss), form)
    again = olgas.post(page_of(swiss), form, follow=True)
    assert again.status_code == 200
    assert "These results were saved before." in again.content.decode()
    assert Match.objects.count() == 2


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "nonsense",
        "draw:7",
        "draw:x",
        "undo:9",
        "again:99999999999999999999",
        "open-round:1",
        "reopen:1",
        "clock-set",
        "clock-start",
        "save",
        "open",
        "start",
    ],
)
def test_steps_that_are_not_possible_are_refused(
    swiss: Competition, olgas: Client, answer: str
) -> None:
    sends = {"answer": answer, "minutes": "soon", "result-99": "\0", "result-x": "1-0"}
    assert olgas.post(page_of(swiss), sends).status_code in {302, 400, 409}
    assert not Match.objects.exists()
    assert swiss.rounds.filter(opened_at__isnull=False).count() == 1


def test_bad_fields_are_refused(swiss: Competition, olgas: Client) -> None:
    game = open_games(swiss)[0]
    for values in (
        {f"venue-{game.pk}": "x" * 200},
        {f"venue-{game.pk}": "", f"time-{game.pk}": "soon"},
        {f"venue-{game.pk}": "", f"time-{game.pk}": "0001-01-01T00:00"},
        {f"venue-{game.pk}": "", f"time-{game.pk}": "9999-12-31T23:59"},
    ):
        answer = olgas.post(page_of(swiss), {"answer": "places", **values})
        assert answer.status_code in {400, 409}, values
    assert olgas.get(page_of(swiss) + "?round=x").status_code == 200
    assert olgas.get(page_of(swiss) + "?round=99999999999999").status_code == 200


def test_a_draw_is_undone_and_made_again(swiss: Competition, olgas: Client) -> None:
    assert "Undo the whole draw" in olgas.get(page_of(swiss)).content.decode()
    assert "Drawn again." in send(olgas, swiss, "again:1").content.decode()
    assert len(open_games(swiss)) == 2
    text = send(olgas, swiss, "undo:1").content.decode()
    assert "Round 1 waits for you to draw it." in text
    send(olgas, swiss, "draw:1")
    text = send(olgas, swiss, "undo").content.decode()
    assert "It waits for you to draw again." in text
    send(olgas, swiss, "start")
    send(olgas, swiss, "save", **fields(swiss, "1-0"))
    assert "Undo the" not in olgas.get(page_of(swiss)).content.decode()


def test_pairings_are_changed_by_choosing_names(swiss: Competition, olgas: Client) -> None:
    send(olgas, swiss, "save", **fields(swiss, "1-0", "1-0"))
    met = swiss.fixtures.exclude(away=None).select_related("home", "away")[0]
    address = page_of(swiss, "competition_pair")
    page = olgas.get(address)
    games, bye = page.context["games"], page.context["alone"]
    by_rules = {"home": [g[0] for g in games], "away": [g[1] for g in games], "bye": bye}
    assert met.home
    assert met.away
    pair = [met.home.seed, met.away.seed]
    rest = [each for each, _name in page.context["choices"] if each not in pair]
    again = {"home": [pair[0], rest[0]], "away": [pair[1], rest[1]], "bye": rest[2], "number": 2}
    refused = olgas.post(address, again)
    assert refused.status_code == 400
    assert "Have met" in refused.content.decode()
    assert f'value="{rest[2]}" selected' in refused.content.decode()
    twice = olgas.post(address, again | {"home": [rest[0], rest[0]]})
    assert "Not paired" in twice.content.decode()
    knowingly = again | {"knowingly": "1"}
    assert "Give a reason" in olgas.post(address, knowingly).content.decode()
    olgas.post(address, knowingly | {"reason": "The hall is half empty."})
    assert swiss.fixtures.filter(round__number=2, home=met.home, away=met.away).exists()
    late = olgas.post(address, by_rules | {"number": 2}, follow=True)
    assert "Round 2 has been drawn meanwhile." in late.content.decode()


def test_games_have_boards_venues_and_times(swiss: Competition, olgas: Client) -> None:
    first, second = open_games(swiss)
    send(
        olgas,
        swiss,
        "places",
        **{
            f"venue-{first.pk}": " Main  hall ",
            f"time-{first.pk}": f"{database_now() + timedelta(days=6):%Y-%m-%dT%H:%M}",
            f"venue-{second.pk}": "",
        },
    )
    first.refresh_from_db()
    assert first.venue == "Main hall"
    log = StaffAction.objects.get(kind="competition", reason="Set venues.")
    game = f"{first.number}: {first}"
    assert (log.before, log.after) == ({game: "–"}, {game: "Main hall"})
    dates = Arrangement.objects.filter(game__fixture__in=[first, second]).order_by("pk")
    assert len({date.play_at for date in dates}) == 2
    public = olgas.get(swiss.get_absolute_url()).content.decode()
    assert "Main hall" in public


def test_a_forfeit_is_opened_again(swiss: Competition, olgas: Client) -> None:
    game = open_games(swiss)[0]
    send(olgas, swiss, "save", **{f"result-{game.pk}": "-:+"})
    text = send(olgas, swiss, f"reopen:{game.pk}").content.decode()
    assert "The game is open again." in text
    assert len(open_games(swiss)) == 2
    send(olgas, swiss, "save", **{f"result-{game.pk}": "1-0"})
    assert Match.objects.count() == 1


def test_later_rounds_of_a_table_open_early(duel: Arena, olga: Player, olgas: Client) -> None:
    one = with_names(opened(duel, olga, "table"), olga, "Ann", "Bob", "Cy", "Dee")
    send(olgas, one, "start")
    second = one.rounds.get(number=2)
    before = olgas.get(f"{page_of(one)}?round={second.pk}").content.decode()
    assert "This round takes results once it is open." in before
    assert "Save the results" not in before
    after = send(olgas, one, f"open-round:{second.pk}")
    assert after.context["control"].round == second, "though the first round has open games"
    opened_round = one.rounds.get(number=2)
    assert opened_round.opened_at
    assert opened_round.play_at == second.play_at
    page = olgas.get(f"{page_of(one)}?round={second.pk}").content.decode()
    assert page.count('name="result-') == 2


def test_a_void_game_of_an_ended_league_takes_no_result(
    duel: Arena, olga: Player, olgas: Client
) -> None:
    one = with_names(opened(duel, olga, "table"), olga, "Ann", "Bob")
    send(olgas, one, "start")
    send(olgas, one, "save", **fields(one, "3-1"))
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    assert "Every game has a result." in words(olgas.get(page_of(one)))
    correct(Match.objects.get(), user_of(olga))
    page = olgas.get(page_of(one))
    assert "These games do not count, because their results are void:" in words(page)
    assert "Every game has a result." not in words(page)
    assert b'name="result-' not in page.content
    assert b"Save the results" not in page.content


def test_everybody_sees_the_clock(swiss: Competition, olgas: Client) -> None:
    clock = page_of(swiss, "competition_clock")
    assert "No clock is set." in olgas.get(clock).content.decode()
    send(olgas, swiss, "clock-set", minutes="90")
    assert "1:30:00" in Client().get(clock).content.decode()
    assert "paused" in Client().get(swiss.get_absolute_url()).content.decode()
    send(olgas, swiss, "clock-start")
    swiss.refresh_from_db()
    assert swiss.clock_ends_at
    part = Client().get(clock, {"part": "large"}).content.decode()
    assert "data-runs" in part
    assert "<html" not in part
    send(olgas, swiss, "clock-pause")
    swiss.refresh_from_db()
    assert swiss.clock_left
    assert 5390 < swiss.clock_left <= 5400
    send(olgas, swiss, "clock-set", minutes="0")
    assert "No clock is set." in olgas.get(clock).content.decode()


def test_the_page_of_a_competition_leads_organisers_here(
    duel: Arena, olga: Player, alice: Player, olgas: Client
) -> None:
    one = begun(duel, olga, [alice, *crowd(2)], "table")
    assert page_of(one) in olgas.get(one.get_absolute_url()).content.decode()
    olgas.force_login(user_of(alice))
    assert page_of(one) not in olgas.get(one.get_absolute_url()).content.decode()
    assert olgas.get(page_of(one)).status_code == 403
    assert olgas.get(page_of(one, "competition_pair")).status_code == 403


def test_visitors_who_log_in_come_back_to_where_they_were(swiss: Competition) -> None:
    login = f"{reverse('account_login')}?next="
    address = f"{swiss.get_absolute_url()}?round=1"
    assert f'href="{login}{quote(address)}"' in Client().get(address).content.decode()
    assert Client().get(page_of(swiss))["Location"] == login + page_of(swiss)
    page = Client().get(reverse("account_login")).content.decode()
    assert f'href="{login}' not in page


def test_a_fixture_offers_a_report_once_it_is_due(
    client: Client, duel: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    fixture = begun(duel, olga, [alice, bob], "table").fixtures.get()
    client.force_login(user_of(alice))
    date = Arrangement.objects.get(game__fixture=fixture)
    for play_at, offers in ((database_now() + timedelta(days=1), False), (database_now(), True)):
        Arrangement.objects.filter(pk=date.pk).update(play_at=play_at)
        text = client.get(fixture.get_absolute_url()).content.decode()
        assert ("Report the result, move" in text) == offers
        assert ("Move the date or write" in text) == (not offers)
    client.force_login(user_of(bob))
    client.logout()
    assert "Open the match" in client.get(fixture.get_absolute_url()).content.decode()


def test_the_public_page_shows_the_round_that_is_played_and_when_it_was(
    swiss: Competition, olgas: Client
) -> None:
    def find_shown_round() -> int:
        return int(
            olgas.get(swiss.get_absolute_url()).context["page"]().round_to_show(0).round.number
        )

    send(olgas, swiss, "save", **fields(swiss, "1-0", "1-0"))
    assert find_shown_round() == 1
    send(olgas, swiss, "draw:2")
    assert find_shown_round() == 2
    lines = olgas.get(swiss.get_absolute_url()).context["page"]().round_to_show(1).fixtures
    times = [line.play_at for line in lines if line.play_at]
    assert len(times) == 2
    assert all(time <= database_now() for time in times)


def test_the_page_of_a_new_competition_leads_to_entering_people(
    duel: Arena, olga: Player, olgas: Client
) -> None:
    one = opened(duel, olga, "swiss")
    for names in ((), ("Ann",), ("Bob", "Cy")):
        with_names(one, olga, *names)
        page = olgas.get(page_of(one)).content.decode()
        assert f'href="{page_of(one, "competition_entrants")}">Enter people</a>' in page


@pytest.mark.parametrize("minutes", ["0", "00", "90"])
def test_the_message_about_the_clock_says_whether_there_is_one(
    swiss: Competition, olgas: Client, minutes: str
) -> None:
    page = send(olgas, swiss, "clock-set", minutes=minutes).content.decode()
    assert ("The clock is taken away." in page) == ("No clock is set." in page)


@pytest.mark.parametrize("highest", [1, 10_000])
def test_the_help_shows_results_that_the_arena_takes(
    duel: Arena, swiss: Competition, olgas: Client, highest: int
) -> None:
    duel.draws_allowed = True
    duel.result_rules = {"highest_score": highest}
    duel.save()
    text = words(olgas.get(page_of(swiss)))
    example = "such as 1-0" if highest == 1 else "Write 3-1"
    assert example in text
    for typed in ("1", "0", "½", "1-0") if highest == 1 else ("3-1", "½", "11:7 9:11 11:5"):
        page = send(olgas, swiss, "save", **fields(swiss, typed)).content.decode()
        assert "1 result saved." in page, typed
        if not open_games(swiss):
            break


def test_a_chess_table_shows_scores_only_if_they_decide_places(
    duel: Arena, swiss: Competition, olgas: Client
) -> None:
    duel.draws_allowed = True
    duel.result_rules = {"highest_score": 1}
    duel.save()
    send(olgas, swiss, "save", **fields(swiss, "1", "½"))
    for tie_breaks, shown in (("buchholz", False), ("for", True)):
        swiss.rules = swiss.rules | {"table": {"tie_breaks": tie_breaks}}
        swiss.save()
        for address in (swiss.get_absolute_url(), page_of(swiss)):
            page = olgas.get(address).content.decode()
            assert ("Scored and conceded" in page) == shown


def test_a_corrected_result_leads_back_to_its_round(
    swiss: Competition, olgas: Client, alice: Player
) -> None:
    first = open_games(swiss)[0]
    send(olgas, swiss, "save", **fields(swiss, "2-1"))
    match = Match.objects.latest("pk")
    address = f"{page_of(swiss)}?round={first.round_id}"
    assert f'href="{address}"' in olgas.get(match.get_absolute_url()).content.decode()
    for reader in (Client(), browser_of(alice)):
        assert address not in reader.get(match.get_absolute_url()).content.decode()


def test_the_rules_of_a_swiss_say_how_rounds_without_a_game_count_in_tie_breaks(
    swiss: Competition,
) -> None:
    sentence = "In tie-breaks, a round without a game counts as one against somebody"
    assert sentence in words(Client().get(swiss.get_absolute_url()))
    swiss.format = "table"
    swiss.save()
    assert sentence not in words(Client().get(swiss.get_absolute_url()))
