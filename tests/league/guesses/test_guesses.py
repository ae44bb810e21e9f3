"""Players guess coming matches: nobody can know the result, and points follow from it."""

from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Arena, Arrangement, Guess, Match, Player, Season, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.dates.answers import accept
from league.services.dates.changing import agree, ask_to_move
from league.services.dates.previews import preview
from league.services.dates.proposals import propose
from league.services.guesses import records
from league.services.guesses.boxes import box_of
from league.services.guesses.forecasting import forecasts_of
from league.services.guesses.giving import give, list_open_for, open_dates
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from league.services.seasons.ending import freeze_early
from tests.support.cast import NOW, account, arena, roster, side
from tests.support.correction_steps import correct
from tests.support.date_steps import SATURDAY, SUNDAY
from tests.support.merge_steps import merged
from tests.support.team_steps import joined, team_of
from tests.support.web_steps import browser_of, words

HOUR = timedelta(hours=1)


def agreed_on(
    where: Arena, one: Player, other: Player, at: datetime = SATURDAY, now: datetime = NOW
) -> Arrangement:
    made = propose(where, other, at, by=one, now=now)
    return accept(made.pk, by=other, seen=1, now=now)


def play(one: Arrangement, places: tuple[int, int], *, played_at: datetime | None = None) -> Match:
    """Report and confirm the match of a date, by default an hour after its time."""
    at = played_at or one.play_at + HOUR
    sides = [side(one.proposer, place=places[0]), side(one.opponent, place=places[1])]
    now = max(at, one.play_at) + HOUR
    match = playing.report(one.pk, sides, reporter=one.proposer, played_at=at, now=now)
    confirm(match.pk, by=one.opponent, now=now)
    match.refresh_from_db()
    return match


@pytest.fixture
def agreed_date(duel: Arena, alice: Player, charlie: Player) -> Arrangement:
    """Alice and Charlie play on Saturday."""
    return agreed_on(duel, alice, charlie)


def test_a_guess_is_compared_with_the_forecast_of_its_moment(
    agreed_date: Arrangement, duel: Arena, eve: Player
) -> None:
    outlook = preview(agreed_date, duel.seasons.get(), NOW)
    assert outlook
    guess = give(agreed_date, 80, by=eve, now=NOW)
    assert guess.forecast == pytest.approx(outlook.expected)
    give(agreed_date, 90, by=eve, now=NOW + HOUR)
    play(agreed_date, (0, 1))
    [row] = records.counted_guesses()
    assert row.percent == 90
    assert row.points == pytest.approx(99)
    assert row.forecast_points == pytest.approx(100 - 100 * (1 - guess.forecast) ** 2)


def test_nobody_guesses_a_match_of_their_own_side(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    owls, foxes = roster(teams, "Owls", alice, bob), roster(teams, "Foxes", charlie, dora)
    owls.team = joined(team_of(alice), bob, eve)
    owls.save()
    made = propose(teams, charlie, SATURDAY, by=alice, now=NOW, roster=owls, opponent_roster=foxes)
    one = accept(made.pk, by=charlie, seen=1, now=NOW)
    for player in (alice, bob, charlie, dora, eve):
        assert list_open_for(player, NOW, 9) == []
        with pytest.raises(Forbidden):
            give(one, 70, by=player, now=NOW)
    [(listed, forecast, mine)] = list_open_for(account("Fay"), NOW, 9)
    outlook = preview(one, teams.seasons.get(), NOW)
    assert outlook
    assert (listed, mine) == (one, None)
    assert forecast == pytest.approx(outlook.expected)


def test_guesses_close_at_the_agreed_time_and_never_open_again(
    agreed_date: Arrangement, charlie: Player, alice: Player, eve: Player
) -> None:
    give(agreed_date, 60, by=eve, now=SATURDAY - HOUR)
    with pytest.raises(Conflict, match="closed"):
        give(agreed_date, 99, by=eve, now=SATURDAY)
    asked = ask_to_move(agreed_date.pk, SUNDAY, by=alice, seen=1, now=SATURDAY + HOUR)
    agree(agreed_date.pk, by=charlie, request=asked.request_id or 0, now=SATURDAY + HOUR)
    agreed_date.refresh_from_db()
    assert agreed_date.play_at == SUNDAY
    with pytest.raises(Conflict, match="closed"):
        give(agreed_date, 99, by=eve, now=SATURDAY + 2 * HOUR)
    assert Guess.objects.get().percent == 60


def test_a_date_that_is_moved_in_time_stays_open_until_the_new_one(
    agreed_date: Arrangement, charlie: Player, alice: Player, eve: Player
) -> None:
    asked = ask_to_move(agreed_date.pk, SUNDAY, by=alice, seen=1, now=NOW)
    agree(agreed_date.pk, by=charlie, request=asked.request_id or 0, now=NOW)
    give(agreed_date, 75, by=eve, now=SATURDAY + HOUR)
    with pytest.raises(Conflict):
        give(agreed_date, 75, by=eve, now=SUNDAY)


def test_guesses_close_once_the_two_play_live(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    assert open_dates(NOW).filter(pk=agreed_date.pk).exists()
    start(duel, [StartingSide(charlie, [charlie]), StartingSide(alice, [alice])], now=NOW)
    with pytest.raises(Conflict):
        give(agreed_date, 75, by=eve, now=NOW + HOUR)


def test_a_guess_after_an_early_start_does_not_count(
    agreed_date: Arrangement, eve: Player, dora: Player
) -> None:
    give(agreed_date, 80, by=dora, now=SATURDAY - HOUR)
    give(agreed_date, 100, by=eve, now=SATURDAY - timedelta(minutes=5))
    play(agreed_date, (0, 1), played_at=SATURDAY - timedelta(minutes=10))
    assert [one.player for one in records.counted_guesses()] == [dora]


def test_corrected_results_count_as_corrected_and_void_ones_not(
    agreed_date: Arrangement, eve: Player, boss: User
) -> None:
    give(agreed_date, 80, by=eve, now=NOW)
    match = play(agreed_date, (0, 1))
    assert records.counted_guesses().get().points == pytest.approx(96)
    correct(match, boss, [(1, None), (0, None)])
    assert records.counted_guesses().get().points == pytest.approx(36)
    match.refresh_from_db()
    correct(match, boss)
    assert not records.counted_guesses().exists()


def test_guesses_need_a_number_and_a_forecast(
    agreed_date: Arrangement, eve: Player, alice: Player, charlie: Player
) -> None:
    for percent in (-1, 101):
        with pytest.raises(Refused, match="0 to 100"):
            give(agreed_date, percent, by=eve, now=NOW)
    Season.objects.update(ends_at=NOW)
    with pytest.raises(Refused, match="no forecast"):
        give(agreed_date, 50, by=eve, now=NOW)
    assert not Guess.objects.exists()


def test_what_others_thought_shows_once_it_is_closed(
    agreed_date: Arrangement, eve: Player, dora: Player
) -> None:
    give(agreed_date, 80, by=eve, now=NOW)
    give(agreed_date, 60, by=dora, now=NOW)
    box = box_of(agreed_date, eve, NOW, 0.5)
    assert box
    assert (box.is_open, box.position, box.crowd) == (True, 80, None)
    box = box_of(agreed_date, None, SATURDAY, 0.5)
    assert box
    assert box.crowd == records.Crowd(2, 70)


def test_the_table_is_that_of_an_independent_calculation(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    random = Random(39)  # noqa: S311 - no secret
    people = [account(f"Guest {number}") for number in range(6)]
    said: dict[Player, list[tuple[float, float, float]]] = {one: [] for one in people}
    for number in range(14):
        at = SATURDAY + number * 24 * HOUR
        one = agreed_on(duel, alice, charlie, at, now=at - 20 * HOUR)
        given = [
            give(one, random.randrange(101), by=player, now=at - 10 * HOUR)
            for player in people
            if random.random() < 0.6
        ]
        places = random.choice([(0, 1), (1, 0), (0, 0)])
        play(one, places)
        worth = {(0, 1): 1.0, (1, 0): 0.0, (0, 0): 0.5}[places]
        for guess in given:
            said[guess.player].append((guess.percent / 100, guess.forecast, worth))
    expected = []
    for player, rows in said.items():
        if len(rows) >= 5:
            points = [100 - 100 * (own - came) ** 2 for own, _system, came in rows]
            system = [100 - 100 * (other - came) ** 2 for _own, other, came in rows]
            lead = (sum(points) - sum(system)) / (len(rows) + 10)
            expected.append((player.name, len(rows), sum(points) / len(rows), lead))
    expected.sort(key=lambda row: -row[3])
    table = records.standings(duel.seasons.get())
    listed = [one for one in table if one.player]
    assert len(listed) >= 3
    assert [(one.player.name, one.count) for one in listed if one.player] == [
        row[:2] for row in expected
    ]
    for found, row in zip(listed, expected, strict=True):
        assert (found.points, found.lead) == pytest.approx((row[2], row[3]))
    ahead = sum(row[3] > 0 for row in expected)
    assert [number for number, one in enumerate(table) if one.player is None] == [ahead]


def test_a_copied_forecast_leads_by_nothing(
    agreed_date: Arrangement, duel: Arena, eve: Player
) -> None:
    forecast = forecasts_of([agreed_date], NOW)[agreed_date.pk]
    give(agreed_date, round(100 * forecast), by=eve, now=NOW)
    play(agreed_date, (1, 0))
    standing = records.standing_of(eve, duel.seasons.get())
    assert standing
    assert standing.lead == pytest.approx(0, abs=0.1)
    assert standing.missing == records.FEWEST - 1


@pytest.mark.parametrize(
    ("guesses", "verdict"),
    [
        ([(70, 1.0)] * 7 + [(30, 1.0)] * 3, "right"),
        ([(95, 0.0)] * 10, "sure"),
        ([(60, 1.0), (40, 0.0)] * 15, "careful"),
        ([(60, 1.0)] * 4, "few"),
    ],
)
def test_the_record_says_whether_one_is_too_sure(
    guesses: list[tuple[int, float]], verdict: str
) -> None:
    [band] = records.calibration(guesses)
    assert band.verdict == verdict


def test_a_merged_player_keeps_one_guess_of_a_match(
    agreed_date: Arrangement, eve: Player, dora: Player, boss: User
) -> None:
    give(agreed_date, 80, by=eve, now=NOW)
    give(agreed_date, 20, by=dora, now=NOW)
    merged(eve, dora, boss)
    guess = Guess.objects.get()
    assert (guess.player, guess.percent) == (eve, 80)


def test_guesses_of_an_archived_season_count_after_a_merge_of_its_players(
    duel: Arena, agreed_date: Arrangement, alice: Player, eve: Player, dora: Player, boss: User
) -> None:
    """The season keeps who played, and the date is of whom they were merged into."""
    give(agreed_date, 80, by=eve, now=NOW)
    give(agreed_date, 70, by=dora, now=NOW)
    play(agreed_date, (0, 1))
    before = list(records.counted_guesses().order_by("pk").values_list("points", "lead"))
    season = duel.seasons.get()
    season.ends_at = SATURDAY + 24 * HOUR
    season.save()
    freeze_early(season.pk, now=season.ends_at)
    merged(account("Alice anew"), alice, boss)
    agreed_date.refresh_from_db()
    assert agreed_date.proposer.name == "Alice anew"
    after = list(records.counted_guesses().order_by("pk").values_list("points", "lead"))
    assert after == before != []
    merged(dora, agreed_date.opponent, boss)  # who guessed as somebody else and then played
    assert [one.player for one in records.counted_guesses()] == [eve]


def test_matches_without_a_forecast_leave_room_for_others(
    duel: Arena, alice: Player, charlie: Player, bob: Player, dora: Player
) -> None:
    ending = arena("ending")
    for number in range(25):
        agreed_on(ending, bob, dora, SATURDAY + number * HOUR, now=NOW - 3 * (25 - number) * HOUR)
    Season.objects.filter(arena=ending).update(ends_at=NOW + timedelta(minutes=1))
    one = agreed_on(duel, alice, charlie, SUNDAY + 24 * HOUR)
    now = NOW + timedelta(minutes=2)
    assert [each for each, *_rest in list_open_for(None, now, 20)] == [one]
    assert list_open_for(None, now, 20)[0][1] == pytest.approx(forecasts_of([one], now)[one.pk])


def test_home_offers_the_next_match_to_those_who_can_guess_it(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    now = timezone.now()
    assert "Beat the forecast" not in words(browser_of(eve).get("/"))
    one = agreed_on(duel, alice, charlie, now + 20 * HOUR, now=now)
    shown = words(Client().get("/"))
    assert "Alice against Charlie: the forecast says" in shown
    assert "Log in to guess" in shown
    assert "Beat the forecast" not in words(browser_of(alice).get("/"))
    browser = browser_of(eve)
    page = browser.get("/")
    assert "How likely is it that Alice beats Charlie?" in words(page)
    form = {"percent": "70", "other": "50", "shown": "50", "slider": "50", "page": "home"}
    sent = browser.post(f"/arenas/duel/dates/{one.pk}/guess/", form, follow=True)
    assert sent.redirect_chain[-1][0] == "/"
    assert "Your guess: 70 % for Alice." in words(sent)
    assert "Beat the forecast" not in words(sent).partition("Your guess")[2]


def test_an_unlisted_player_is_not_in_the_table(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    guests = [account("Gus"), account("Hal")]
    Player.objects.filter(pk=guests[1].pk).update(is_unlisted=True)
    for number in range(5):
        at = SATURDAY + number * 24 * HOUR
        one = agreed_on(duel, alice, charlie, at, now=at - 20 * HOUR)
        for guest in guests:
            give(one, 70, by=guest, now=at - HOUR)
        play(one, (0, 1))
    season = duel.seasons.get()
    assert [one.player for one in records.standings(season) if one.player] == guests[:1]
    assert records.standing_of(guests[1], season)


class TestPages:
    """Real time: the pages read the clock of the database."""

    @pytest.fixture
    def coming(self, duel: Arena, alice: Player, charlie: Player) -> Arrangement:
        now = timezone.now()
        return agreed_on(duel, alice, charlie, now + 24 * HOUR, now=now)

    def address(self, one: Arrangement) -> str:
        return f"{one.get_absolute_url()}guess/"

    @pytest.mark.parametrize(
        ("sent", "percent"),
        [
            ({"slider": "80", "percent": "50", "other": "50", "shown": "50"}, 20),
            ({"slider": "30", "percent": "70", "other": "10", "shown": "70"}, 90),
            ({"slider": "30", "percent": "65", "other": "30", "shown": "70"}, 65),
            ({"slider": "35", "percent": "65", "other": "35", "shown": "70"}, 65),
            ({"slider": "30", "percent": "70", "other": "30", "shown": "70"}, 70),
            ({"percent": "12"}, 12),
        ],
    )
    def test_the_slider_or_a_number_counts_without_javascript(
        self, coming: Arrangement, eve: Player, sent: dict[str, str], percent: int
    ) -> None:
        answer = browser_of(eve).post(self.address(coming), sent, follow=True)
        assert f"Your guess: {percent} %" in words(answer)
        assert Guess.objects.get().percent == percent
        assert f'value="{percent}"' in answer.content.decode()

    def test_numbers_that_contradict_each_other_are_refused(
        self, coming: Arrangement, eve: Player
    ) -> None:
        sent = {"percent": "80", "other": "30", "shown": "50", "slider": "50"}
        answer = browser_of(eve).post(self.address(coming), sent)
        assert answer.status_code == 400
        assert "Enter two numbers that add up to 100." in words(answer)
        assert not Guess.objects.exists()

    @pytest.mark.parametrize(
        "sent",
        [
            {},
            {"percent": "x"},
            {"percent": "101"},
            {"slider": "9" * 40},
            {"percent": "50", "shown": "50", "other": "101"},
            {"percent": "50", "shown": "50", "other": ""},
            {"percent": "50", "shown": "50", "slider": "x"},
        ],
    )
    def test_odd_guesses_are_refused(
        self, coming: Arrangement, eve: Player, sent: dict[str, str]
    ) -> None:
        answer = browser_of(eve).post(self.address(coming), sent)
        assert answer.status_code == 400
        assert "Enter a guess from 0 to 100." in words(answer)
        assert not Guess.objects.exists()

    def test_others_guesses_are_hidden_until_the_match(
        self, coming: Arrangement, eve: Player, dora: Player
    ) -> None:
        browser_of(dora).post(self.address(coming), {"percent": "87"})
        for path in (coming.get_absolute_url(), "/guesses/", "/arenas/duel/guesses/"):
            assert "87" not in words(browser_of(eve).get(path))
            assert "87" not in words(Client().get(path))

    def test_the_pages_show_what_a_reader_can_do(
        self, coming: Arrangement, alice: Player, eve: Player
    ) -> None:
        assert "Log in to guess" in words(Client().get("/guesses/"))
        assert "How likely is it that Alice beats Charlie?" in words(
            browser_of(eve).get("/guesses/")
        )
        assert "No match to guess" in words(browser_of(alice).get("/guesses/"))
        assert "Others guess your match" in words(browser_of(alice).get(coming.get_absolute_url()))
        browser_of(eve).post(self.address(coming), {"percent": "70"})
        assert "70 % for Alice" in words(browser_of(eve).get("/guesses/mine/"))

    def test_the_list_reads_a_constant_number_of_statements(
        self, coming: Arrangement, duel: Arena, eve: Player
    ) -> None:
        browser, now = browser_of(eve), timezone.now()
        browser.get("/guesses/")
        with CaptureQueriesContext(
            connection,
        ) as few:
            browser.get("/guesses/")
        for number in range(5):
            pair = account(f"One {number}"), account(f"Other {number}")
            agreed_on(duel, *pair, now + (25 + number) * HOUR, now=now)
        with CaptureQueriesContext(connection) as many:
            assert words(browser.get("/guesses/")).count("How likely") == 6
        assert len(many) == len(few)


def test_the_home_card_lists_matches_without_a_guess_first(
    agreed_date: Arrangement, duel: Arena, bob: Player, dora: Player, eve: Player
) -> None:
    later = agreed_on(duel, bob, dora, SUNDAY)
    give(agreed_date, 55, by=eve, now=NOW)
    listed = [(one, mine and mine.percent) for one, _forecast, mine in list_open_for(eve, NOW, 5)]
    assert listed == [(later, None), (agreed_date, 55)]
    assert [one for one, *_rest in list_open_for(eve, NOW, 1)] == [later]


def test_deviations_grow_until_the_match_as_on_its_page(alice: Player, charlie: Player) -> None:
    here = arena("gw2", rating_system="glicko-2")
    one = agreed_on(here, alice, charlie)
    outlook = preview(one, here.seasons.get(), NOW)
    assert outlook
    assert forecasts_of([one], NOW)[one.pk] == pytest.approx(outlook.expected)


def test_a_guess_of_somebody_who_then_played_does_not_count(
    agreed_date: Arrangement, alice: Player, eve: Player
) -> None:
    """A side can take a substitute who had guessed the match before."""
    guess = give(agreed_date, 80, by=eve, now=NOW)
    play(agreed_date, (0, 1))
    assert records.counted_guesses().get() == guess
    Guess.objects.update(player=alice)
    assert not records.counted_guesses().exists()
