"""Each preset is played from the add page to its final table, which is computed again by hand."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone

from league.admin.competitions.presets import PRESETS
from league.models import Competition
from tests.support.competition_steps import sides_of
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.test import Client

    from league.models import Arena, Player

    Game = tuple[str, str, float, float]
    """Home, away and their scores."""

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gil", "Hal"]
FOOTBALL, SWISS, TEAMS, TENNIS, ESPORTS, DARTS = range(6)
ADD = "/admin/league/competition/add/"


def football(random: Random) -> tuple[str, float, float]:
    home, away = random.randint(0, 3), random.randint(0, 3)
    return f"{home}:{away}", home, away


def chess(random: Random) -> tuple[str, float, float]:
    return random.choice(
        [("1-0", 1.0, 0.0), ("½", 0.5, 0.5), ("0-1", 0.0, 1.0), ("1/2-1/2", 0.5, 0.5)]
    )


def team_chess(random: Random) -> tuple[str, float, float]:
    return random.choice(
        [("2½-1½", 2.5, 1.5), ("2-2", 2.0, 2.0), ("0,5:3,5", 0.5, 3.5), ("3-1", 3.0, 1.0)]
    )


def sets(random: Random) -> tuple[str, float, float]:
    return random.choice(
        [("11:7 11:5 11:9", 3.0, 0.0), ("7:11 11:9 11:6 9:11 11:8", 3.0, 2.0), ("1-3", 1.0, 3.0)]
    )


def legs(random: Random) -> tuple[str, float, float]:
    won, lost = 6, random.randint(0, 5)
    return random.choice([(f"{won}-{lost}", won, lost), (f"{lost}-{won}", lost, won)])


def make_competition(client: Client, arena: Arena, number: int) -> Competition:
    """Return a competition of eight people that was made on the add page and is drawn."""
    preset = PRESETS[number]
    form = client.get(f"{ADD}?{preset.query}").context["adminform"].form
    typed = {bound.html_name: bound.value() for bound in form if bound.value() not in {None, False}}
    start = timezone.now() + timedelta(days=2)
    typed |= {
        "season": arena.seasons.get().pk,
        "name": "Autumn Cup",
        "starts_at_0": start.date().isoformat(),
        "starts_at_1": "20:00",
    }
    assert client.post(ADD, typed).status_code == 302
    one = Competition.objects.get()
    slug = [arena.slug, one.pk]
    run = reverse("competition_run", args=slug)
    client.post(run, {"answer": "open"})
    entrants = reverse("competition_entrants", args=slug)
    checked = client.post(entrants, {"answer": "check", "names": "\n".join(NAMES)})
    client.post(entrants, {"answer": "enter", "names": checked.context["as_text"]})
    client.post(run, {"answer": "start"})
    one.refresh_from_db()
    assert one.state == Competition.State.RUNNING
    return one


def played(
    client: Client,
    one: Competition,
    write: Callable[[Random], tuple[str, float, float]],
    rounds: int = 99,
) -> list[Game]:
    """Play rounds to their end on the run page, and return the games."""
    random = Random(7)  # noqa: S311 - results, no secrets
    run = reverse("competition_run", args=[one.season.arena.slug, one.pk])
    games: list[Game] = []
    for _round in range(rounds):
        page = client.get(run)
        rows = [row for row in page.context["rows"] if row.takes_result]
        sent: dict[str, Any] = {"answer": "save"}
        for row in rows:
            text, home, away = write(random)
            fixture = row.line.fixture
            sent[f"result-{fixture.pk}"] = text
            first, second = sides_of(fixture)
            games.append((first.name, second.name, home, away))
        done = client.post(f"{run}?round={page.context['control'].round.pk}", sent, follow=True)
        assert done.status_code == 200, done.context["errors"]
        after = client.get(run).context["control"]
        if after.next_swiss_round:
            client.post(run, {"answer": f"draw:{after.next_swiss_round.number}"})
        elif after.next_to_open:
            client.post(run, {"answer": f"open-round:{after.next_to_open.pk}"})
        else:
            break
    return games


def read_table(client: Client, one: Competition) -> list[list[str]]:
    """Return the rows of all tables on the public page, as texts without the places."""
    page = client.get(one.get_absolute_url()).content.decode()
    tables = re.findall(r'<table class="standing">.*?</table>', page, re.DOTALL)
    rows = [row for table in tables for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)[1:]]
    return [
        [
            re.sub(r"<[^>]+>", "", cell).strip()
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)
        ][1:]
        for row in rows
    ]


def write_number(value: float | None, *, signed: bool = False) -> str:
    if value is None:
        return ""
    text = f"{value:.3f}".rstrip("0").rstrip(".").replace("-", "−")
    return f"+{text}" if signed and value > 0 else text


class ByHand:
    """A table computed from the games alone."""

    def __init__(self, games: Sequence[Game], win: float, draw: float) -> None:
        self.games = [*games, *((away, home, b, a) for home, away, a, b in games)]
        self.win, self.draw = win, draw

    def earned(self, game: Game) -> float:
        _name, _other, mine, theirs = game
        return self.win if mine > theirs else self.draw if mine == theirs else 0

    def points(self, name: str, among: Sequence[str] = NAMES) -> float:
        return sum(self.earned(game) for game in self.games if game[0] == name and game[1] in among)

    def difference(self, name: str, _tied: Sequence[str]) -> float:
        return sum(mine - theirs for me, _other, mine, theirs in self.games if me == name)

    def scored(self, name: str, _tied: Sequence[str]) -> float:
        return sum(mine for me, _other, mine, _theirs in self.games if me == name)

    def direct(self, name: str, tied: Sequence[str]) -> float | None:
        """Return the points among the tied, who have all met equally often, or none of them has."""
        met = [game for game in self.games if game[0] == name and game[1] in tied]
        return self.points(name, tied) if met else None

    def buchholz(self, name: str, _tied: Sequence[str]) -> float:
        return sum(self.points(game[1]) for game in self.games if game[0] == name)

    def cut(self, name: str, tied: Sequence[str]) -> float:
        lowest = min(self.points(game[1]) for game in self.games if game[0] == name)
        return self.buchholz(name, tied) - lowest

    def sonneborn(self, name: str, _tied: Sequence[str]) -> float:
        return sum(
            self.earned(game) * self.points(game[1]) for game in self.games if game[0] == name
        )

    def rows(self, names: Sequence[str], tie_breaks: Sequence[Any]) -> list[list[str]]:
        """Return each name with points and all tie-breaks, the best first."""
        notes: dict[str, list[float | None]] = {name: [self.points(name)] for name in names}
        for tie_break in tie_breaks:
            levels = Counter(tuple(notes[name]) for name in names)
            tied = {
                level: [name for name in names if tuple(notes[name]) == level] for level in levels
            }
            added = {name: tie_break(name, tied[tuple(notes[name])]) for name in names}
            for name, value in added.items():
                notes[name].append(value)
        order = sorted(names, key=lambda name: [-(value or 0) for value in notes[name]])
        signed = [False, *(tie_break == self.difference for tie_break in tie_breaks)]
        return [
            [
                name,
                *(
                    write_number(value, signed=sign)
                    for value, sign in zip(notes[name], signed, strict=True)
                ),
            ]
            for name in order
        ]


def with_counts(table: ByHand, rows: Sequence[Sequence[str]], *, draws: bool) -> list[list[str]]:
    """Return rows as the page shows them, with games, wins and scores."""
    found = []
    for name, points, *rest in rows:
        mine = [(a, b) for me, _other, a, b in table.games if me == name]
        counts = [
            sum(a > b for a, b in mine),
            sum(a == b for a, b in mine),
            sum(a < b for a, b in mine),
        ]
        texts = [str(count) for at, count in enumerate(counts) if draws or at != 1]
        scores = (
            f"{write_number(sum(a for a, _b in mine))}–{write_number(sum(b for _a, b in mine))}"
        )
        found.append([name, str(len(mine)), " · ".join(texts), scores, points, *rest])
    return found


@pytest.fixture
def olgas(client: Client, olga: Player) -> Client:
    client.force_login(user_of(olga))
    return client


@pytest.mark.parametrize(
    ("number", "write", "rules", "tie_breaks", "games"),
    [
        (FOOTBALL, football, (3, 1), (ByHand.difference, ByHand.scored, ByHand.direct), 56),
        (SWISS, chess, (1, 0.5), (ByHand.cut, ByHand.buchholz, ByHand.sonneborn), 12),
        (TEAMS, team_chess, (2, 1), (ByHand.scored, ByHand.direct, ByHand.sonneborn), 28),
        (DARTS, legs, (2, 0), (ByHand.difference, ByHand.scored, ByHand.direct), 28),
    ],
)
def test_a_table_is_that_of_a_calculation_by_hand(
    duel: Arena, olgas: Client, number: int, write: Any, rules: Any, tie_breaks: Any, games: int
) -> None:
    one = make_competition(olgas, duel, number)
    results = played(olgas, one, write)
    assert len(results) == games
    table = ByHand(results, *rules)
    methods = [method.__get__(table) for method in tie_breaks]
    wanted = with_counts(table, table.rows(NAMES, methods), draws=True)
    if number == SWISS:  # the points of a game of chess are its scores
        wanted = [[*row[:3], *row[4:]] for row in wanted]
    rows = read_table(olgas, one)
    assert sorted(rows) == sorted(wanted)
    assert [row[4:] for row in rows] == [row[4:] for row in wanted]
    one.refresh_from_db()
    assert one.state == Competition.State.OVER


def test_groups_of_table_tennis_are_those_of_a_calculation_by_hand(
    duel: Arena, olgas: Client
) -> None:
    one = make_competition(olgas, duel, TENNIS)
    results = played(olgas, one, sets)
    table = ByHand(results, 1, 0)
    wanted = []
    for group in range(2):
        names = list(one.entrants.filter(group=group).values_list("name", flat=True))
        wanted += with_counts(
            table, table.rows(names, [table.direct, table.difference, table.scored]), draws=True
        )
    assert read_table(olgas, one) == wanted


def test_double_elimination_ends_with_those_who_lost_twice(duel: Arena, olgas: Client) -> None:
    one = make_competition(olgas, duel, ESPORTS)
    texts = ["2-0", "13-7 9-13 13-11", "1-2", "7-13 8-13"]
    ends = {texts[0]: (2, 0), texts[1]: (2, 1), texts[2]: (1, 2), texts[3]: (0, 2)}

    def series(random: Random) -> tuple[str, float, float]:
        text = random.choice(texts)
        return text, *ends[text]

    results = played(olgas, one, series)
    lost = Counter(away if a > b else home for home, away, a, b in results)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    winner = one.entrants.get(place=1).name
    assert lost.pop(winner, 0) < 2
    assert set(lost.values()) == {2}
    assert [row.place for row in one.entrants.order_by("place")] == [1, 2, 3, 4, 5, 5, 7, 7]
