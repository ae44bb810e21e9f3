"""Files of results are imported into an arena."""

import math
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from league.models import Arena, Match, Participant, Player, Rating, RatingEvent, User
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.transfer.files.result_files import parse_mapping, read
from league.services.transfer.histories.imports import import_history
from ratings.files.histories import read_history, starting_states
from ratings.io.csvproblems import CsvError
from ratings.replay import replay
from tests.support.cast import NOW, arena, beats
from tests.support.import_steps import boss, checked, upload

__all__ = ["boss"]

RESULTS = """date,home_team,away_team,home_score,away_score,tournament,city
2026-01-02,Scotland,England,0,0,Friendly,Glasgow
2026-01-03,England,Scotland,4,2,Friendly,London
2026-01-03,England,Wales,1,3,Cup,London
"""

HISTORY = """match_id,played_at,side,place,player,score,seconds,quit,profession,weight
m1,2026-01-02T10:00:00Z,a,0,Alice,3,801,0,Ranger,1
m1,2026-01-02T10:00:00Z,a,0,Bob,3,609.5,1,Monk,1
m1,2026-01-02T10:00:00Z,b,1,Charlie,1,801,0,,1
m2,2026-01-03T10:00:00Z,a,0,Alice,,,,,2
m2,2026-01-03T10:00:00Z,b,0,Charlie,,,,,2
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "results.csv"


def contents() -> tuple[int, int, int, int]:
    return (
        Match.objects.count(),
        Player.objects.count(),
        Rating.objects.count(),
        RatingEvent.objects.count(),
    )


def bring(arena: Arena, file: Path, text: str, *, dry_run: bool = False) -> tuple[int, int, int]:
    file.write_text(text)
    done = import_history(arena, read(file), now=NOW, dry_run=dry_run)
    return done.matches, done.already_there, done.new_players


def test_results_are_imported_with_their_information_and_rated(duel: Arena, file: Path) -> None:
    assert bring(duel, file, RESULTS) == (3, 0, 3)
    match = Match.objects.order_by("rated_order")[1]
    assert match.information == {"tournament": "Friendly", "city": "London"}
    assert [side.score for side in match.sides.order_by("index")] == [4, 2]
    assert Rating.objects.get(player__name="Wales").rating > 1200
    assert RatingEvent.objects.count() == 6
    assert verify(duel.seasons.get()) == []


def test_the_replay_format_brings_teams_seconds_quits_and_professions(
    teams: Arena, file: Path
) -> None:
    assert bring(teams, file, HISTORY) == (2, 0, 3)
    bob = Participant.objects.get(player__name="Bob")
    assert (bob.seconds, bob.quit, bob.profession) == (609.5, True, "Monk")
    assert Match.objects.get(external_id="m2").weight == 2
    assert verify(teams.seasons.get()) == []


def test_a_column_called_neutral_says_where_somebody_was_at_home(file: Path) -> None:
    """England at home is worth a lead to every replay, and Wales on neutral ground is not."""
    home = arena("home", rating_system="elo", rating_parameters={"first_side": 100})
    rows = "2026-01-05,England,Wales,1,1,{}\n2026-01-06,Wales,Scotland,2,1,TRUE\n"
    header = "date,home_team,away_team,home_score,away_score,neutral\n"
    bring(home, file, header + rows.format("FALSE"))
    firsts = Match.objects.order_by("rated_order").values_list("first_side", flat=True)
    assert list(firsts) == [0, None]
    england = Rating.objects.get(player__name="England").rating
    assert england == pytest.approx(1500 - 32 * (0.640065 - 0.5), abs=1e-3)
    draw = Match.objects.get(first_side=0)
    assert draw.forecast == pytest.approx([0.640065, 0.359935], abs=1e-6)
    assert verify(home.seasons.get()) == []
    page = Client().get(draw.get_absolute_url()).content.decode()
    assert "England has the first-side advantage." in page
    assert bring(home, file, header + rows.format("TRUE")) == (0, 2, 0), "known matches stay"


def test_a_season_takes_results_of_the_day_on_which_it_starts(duel: Arena, file: Path) -> None:
    start = datetime(2026, 1, 2, 9, 31, tzinfo=UTC)
    duel.seasons.update(starts_at=start)
    assert bring(duel, file, RESULTS) == (3, 0, 3)
    assert bring(duel, file, RESULTS) == (0, 3, 0)
    assert Match.objects.earliest("played_at").played_at == start
    with pytest.raises(CsvError, match="was played outside"):
        bring(duel, file, RESULTS.replace("2026-01-02", "2026-01-01"))


def test_importing_twice_changes_nothing(duel: Arena, file: Path) -> None:
    bring(duel, file, RESULTS)
    before = contents(), list(Rating.objects.order_by("pk").values_list("rating", "deviation"))
    assert bring(duel, file, RESULTS) == (0, 3, 0)
    after = contents(), list(Rating.objects.order_by("pk").values_list("rating", "deviation"))
    assert after == before


def test_a_longer_file_adds_only_new_matches_and_rates_them_as_if_imported_at_once(
    duel: Arena, file: Path
) -> None:
    first, second = RESULTS, RESULTS + "2026-01-09,Wales,Scotland,2,1,Cup,Cardiff\n"
    bring(duel, file, first)
    assert bring(duel, file, second) == (1, 3, 0)
    assert verify(duel.seasons.get()) == []
    other = arena("other")
    bring(other, file, second)
    ratings = [
        list(
            Rating.objects.filter(season__arena=one)
            .order_by("player")
            .values_list("player", "rating", "deviation", "volatility")
        )
        for one in (duel, other)
    ]
    assert ratings[0] == ratings[1]


def test_a_dry_run_says_what_would_happen_and_changes_nothing(duel: Arena, file: Path) -> None:
    before = contents()
    assert bring(duel, file, RESULTS, dry_run=True) == (3, 0, 3)
    assert contents() == before


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty"),
        ("date,home_team\n2026-01-02,A\n", "Choose the columns of both sides"),
        ("date,home_team,away_team,home_score,away_score\n", "no rows below the header"),
        (RESULTS.replace("2026-01-02", "02.13.2026"), "line 2: “02.13.2026” is not a date"),
        (RESULTS.replace("Wales", "England"), "line 4: England is in this match twice"),
        (RESULTS.replace(",1,3,", ",1,x,"), "line 4: “x” is not a number"),
        (RESULTS.replace("2026-01-02", "1872-11-30"), "line 2: match .* outside Duel"),
        (RESULTS.replace("Wales", "ENGLAND"), "line 4: England is in this match twice"),
        (RESULTS.replace("Wales", "W\u0430les"), "mixes letters"),
        (RESULTS.replace("Wales", ""), "line 4: Name both sides"),
        (RESULTS + "2026-01-04,Wales\n", "line 5: .*Name both sides|line 5: Name both sides"),
        (HISTORY, "match m1 has a side of 2 players"),
        (HISTORY.replace("Charlie", "Alice"), "Alice is in match m1 twice"),
        (HISTORY.replace(",b,", ",a,"), "m2 has only one side|place"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_refused_whole_with_the_line(
    duel: Arena, file: Path, text: str, sentence: str
) -> None:
    before = contents()
    with pytest.raises(CsvError, match=sentence):
        bring(duel, file, text)
    assert contents() == before


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252", "utf-8-sig"])
def test_a_file_in_another_encoding_is_read(file: Path, encoding: str) -> None:
    file.write_bytes(RESULTS.replace("Wales", "Córdoba").encode(encoding))
    assert read(file).history.players == ["Scotland", "England", "Córdoba"]


def test_a_file_that_is_no_text_is_refused(file: Path) -> None:
    file.write_bytes(RESULTS.replace("Wales", "W\0ales").encode())
    with pytest.raises(CsvError, match="not text"):
        read(file)


def test_results_in_another_order_are_rated_in_the_order_of_time(file: Path) -> None:
    header, *rows = RESULTS.splitlines()
    file.write_text(RESULTS)
    sorted_ = read(file)
    file.write_text("\n".join([header, *reversed(rows)]))
    assert read(file).history.match_ids == sorted_.history.match_ids


def test_a_file_of_a_gigabyte_is_refused_before_it_is_read(file: Path) -> None:
    with file.open("wb") as sparse:
        sparse.write(RESULTS.encode())
        sparse.truncate(1_000_000_000)
    with pytest.raises(CsvError, match="the limit is 256 MB"):
        read(file)


def test_another_result_for_a_known_match_is_refused(duel: Arena, file: Path) -> None:
    bring(duel, file, RESULTS)
    with pytest.raises(CsvError, match=r"line 4: .* imported before with another result"):
        bring(duel, file, RESULTS.replace(",1,3,", ",3,1,"))


def test_results_older_than_those_already_rated_are_refused(
    duel: Arena, alice: Player, charlie: Player, file: Path
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    with pytest.raises(CsvError, match="the latest rated result"):
        bring(duel, file, RESULTS)


def test_an_arena_without_draws_names_the_draw(duel: Arena, file: Path) -> None:
    duel.draws_allowed = False
    with pytest.raises(CsvError, match=r"line 2: .* Duel has no draws"):
        bring(duel, file, RESULTS)


def test_any_columns_can_be_mapped(duel: Arena, file: Path) -> None:
    file.write_text("when,a,b,x,y\n2026-01-02,Ann,Ben,11,9\n")
    mapping = parse_mapping("played_at=when,side_1=a,side_2=b,score_1=x,score_2=y")
    assert import_history(duel, read(file, mapping), now=NOW).matches == 1
    with pytest.raises(CsvError, match="invalid mapping"):
        parse_mapping("wann=when")


def test_the_command_reports_its_result_and_its_errors(
    duel: Arena, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(RESULTS)
    call_command("import_history", str(file), arena="duel")
    assert "3 matches imported into Duel" in capsys.readouterr().out
    with pytest.raises(CommandError, match="Arenas: duel"):
        call_command("import_history", str(file), arena="dual")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_history", str(file) + "x", arena="duel")
    file.write_text(RESULTS.replace(",0,0,", ",zero,0,"))
    with pytest.raises(CommandError, match=r"(?s)Nothing changed.*line 2"):
        call_command("import_history", str(file), arena="duel")


def test_verification_sees_a_rating_that_was_tampered_with(duel: Arena, file: Path) -> None:
    bring(duel, file, RESULTS)
    rating = Rating.objects.get(player__name="Wales")
    rating.rating = math.nextafter(rating.rating, math.inf)
    rating.save()
    first = str(verify(duel.seasons.get())[0])
    assert first.startswith("rating of Wales: 0x")
    with pytest.raises(CommandError, match="1 value differs from the replay"):
        call_command("verify_ratings")


UNDATED = "home,away,score\nAnn,Bob,1-0\nBob,Cem,1-0\nAnn,Bob,1-0\n"


def test_a_file_without_dates_needs_its_day_and_keeps_its_order(duel: Arena, file: Path) -> None:
    file.write_text(UNDATED)
    with pytest.raises(CommandError, match="the file has no dates: give the day"):
        call_command("import_history", str(file), arena="duel")
    assert contents()[0] == 0
    for matches in (3, 0):  # importing it again changes nothing
        before = Match.objects.count()
        call_command("import_history", str(file), "--day=2026-01-03", arena="duel", repeats="each")
        assert Match.objects.count() - before == matches
    played = Match.objects.order_by("rated_order").values_list("played_at", flat=True)
    assert [str(at) for at in played] == [f"2026-01-03 00:00:0{at}+00:00" for at in range(3)]


def test_times_without_a_zone_are_those_of_the_arena_as_in_the_browser(
    duel: Arena, boss: User, file: Path
) -> None:
    text = "date,home,away,score\n2026-01-03 20:00,Ann,Bob,1-0\n"
    Arena.objects.update(time_zone="America/New_York")
    duel.refresh_from_db()
    file.write_text(text)
    call_command("import_history", str(file), arena="duel")
    [match] = Match.objects.all()
    assert str(match.played_at) == "2026-01-04 01:00:00+00:00"
    assert checked(upload(duel, boss, text))["new"] == 0


def test_two_spellings_of_a_name_are_one_player_as_in_the_browser(duel: Arena, file: Path) -> None:
    file.write_text(
        "date,home,away,score\n2026-01-02,Ann Lee,Bob,1-0\n2026-01-03,ann  lee,BOB,0-1\n"
    )
    call_command("import_history", str(file), arena="duel")
    assert set(Player.objects.values_list("name", flat=True)) == {"Ann Lee", "Bob"}
    assert Match.objects.count() == 2


def test_players_start_with_the_ratings_of_a_list(
    duel: Arena, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A replay of the file with the same list gives the same ratings to the bit."""
    starts = tmp_path / "starts.csv"
    file.write_text(RESULTS)
    starts.write_text("name,rating,rd\nSCOTLAND,1700,80\nEngland,1550,60\nNobody,1400,\n")
    season = duel.seasons.get()
    given = ["import_history", str(file), "--arena", "duel", "--start", str(starts)]
    call_command(*given, "--dry-run")
    assert contents() == (0, 0, 0, 0)
    call_command(*given)
    assert "3 matches imported" in capsys.readouterr().out
    assert verify(duel.seasons.get()) == []
    history, system = read_history(file), season.system()
    rated = replay(system, history, starting_states(starts, system, history)).states
    for code, name in enumerate(history.players):
        held = Rating.objects.get(season=season, player__name__iexact=name)
        assert (held.rating, held.deviation) == (rated.rating[code], rated.deviation[code])
    assert Rating.objects.get(player__name="Nobody").rating == 1400
    with pytest.raises(CommandError, match="This season has results"):
        call_command(*given)


def test_a_list_with_a_wrong_rating_is_refused_with_its_line(
    duel: Arena, file: Path, tmp_path: Path
) -> None:
    starts = tmp_path / "starts.csv"
    file.write_text(RESULTS)
    starts.write_text("name,rating\nScotland,1700\nEngland,9999999\n")
    given = ["import_history", str(file), "--arena", "duel", "--start", str(starts)]
    with pytest.raises(CommandError, match="line 3: England"):
        call_command(*given)
    assert contents() == (0, 0, 0, 0)
