"""``Ratings``: rating, predicting, explaining, saving."""

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import ratings as library
from ratings import (
    History,
    HistoryError,
    Match,
    NotRatedYet,
    ParameterError,
    Participant,
    Ratings,
    SavedError,
    Side,
    UnknownSystem,
    UnsupportedMatch,
)
from ratings.lab.evaluation import predict_history
from ratings.registry import SYSTEMS
from ratings.replay import replay
from ratings.types import States

DAY = 86_400_000_000
START = 1_700_000_000_000_000
SHAPES = [(1, 1), (2, 2), (1, 1, 1), (3, 1)]


def matches(system: str, count: int = 60, seed: int = 1) -> list[Match]:
    """Return random matches of the shapes that the system rates, a day and a bit apart."""
    chance = np.random.default_rng(seed)
    shapes = [shape for shape in SHAPES if rates(system, shape)]
    made = []
    for number in range(count):
        shape = shapes[chance.integers(len(shapes))]
        names = iter(chance.permutation(12 + number // 4))
        places = chance.integers(0, len(shape), len(shape))
        scores = -places + chance.random(len(shape))
        sides = [
            Side(
                int(place),
                [
                    Participant(
                        f"player {next(names)}",
                        seconds=float(chance.integers(1, 1000)),
                        quit=bool(chance.random() < 0.1),
                        profession=str(chance.choice(["", "scout", "smith"])),
                    )
                    for _ in range(size)
                ],
                float(score),
            )
            for size, place, score in zip(shape, places, scores, strict=True)
        ]
        made.append(Match(str(number), START + number * DAY * 5 // 4, sides, 1 + number % 3 / 2))
    return made


def rates(system: str, shape: tuple[int, ...]) -> bool:
    try:
        library.build(system).check_sizes(shape)
    except UnsupportedMatch:
        return False
    return True


def state_bits(states: States, count: int) -> list[bytes]:
    """Return the bits of the first states, without the padding of their memory."""
    rows = states.take(slice(0, count))
    memory = [row[: np.flatnonzero(~np.isnan(row)).max(initial=-1) + 1] for row in rows.memory]
    columns = (rows.rating, rows.deviation, rows.volatility, rows.games, rows.last_played, *memory)
    return [column.tobytes() for column in columns]


def bits(ratings: Ratings) -> list[bytes]:
    return state_bits(ratings._states, len(ratings))


@pytest.mark.parametrize("system", SYSTEMS)
def test_matches_one_by_one_in_parts_and_together_give_the_same_bits(system: str) -> None:
    played = matches(system)
    one_by_one, in_parts, together = Ratings(system), Ratings(system), Ratings(system)
    for match in played:
        one_by_one.rate_many([match])
    for start in range(0, len(played), 17):
        in_parts.rate_many(played[start : start + 17])
    changes = together.rate_many(played)
    history = History.build(played)
    replayed = replay(library.build(system), history)
    assert list(one_by_one) == list(in_parts) == list(together) == history.players
    assert bits(one_by_one) == bits(in_parts) == bits(together)
    assert bits(together) == state_bits(replayed.states, len(history.players))
    assert [str(one_by_one.explain(name)) for name in together] == [
        str(together.explain(name)) for name in together
    ]
    assert changes.after.rating.tobytes() == replayed.after.rating.tobytes()


@pytest.mark.parametrize("system", SYSTEMS)
def test_saved_ratings_go_on_as_if_never_saved(system: str, tmp_path: Path) -> None:
    played = matches(system)
    kept = Ratings(system)
    kept.rate_many(played[:31])
    kept.save(tmp_path / "ratings.json")
    loaded = Ratings.load(tmp_path / "ratings.json")
    assert loaded.leaderboard() == kept.leaderboard()
    for ratings in (kept, loaded):
        ratings.rate_many(played[31:])
    assert list(loaded) == list(kept)
    assert bits(loaded) == bits(kept)
    assert loaded.matches == kept.matches == len(played)
    assert loaded.system.parameters == kept.system.parameters


@pytest.mark.parametrize("system", SYSTEMS)
def test_predictions_are_those_of_the_evaluation(system: str) -> None:
    played = matches(system)
    history = History.build(played)
    expected = predict_history(library.build(system), history).chance
    ratings = Ratings(system)
    for number, match in enumerate(played):
        prediction = ratings.predict(
            [side.participants for side in match.sides],
            at=datetime.fromtimestamp(match.played_at_us / 1e6, UTC),
        )
        assert sum(prediction.win) + prediction.draw == pytest.approx(1)
        start, stop = history.side_offsets[number : number + 2]
        assert prediction.expected == pytest.approx(expected[start:stop], abs=1e-12)
        ratings.rate_many([match])


def test_ranks_scores_and_order_say_who_won() -> None:
    found = [Ratings("elo") for _ in range(3)]
    found[0].rate(["Ann", "Bob", "Cem"])
    found[1].rate(["Ann", "Bob", "Cem"], ranks=[1, 2, 7])
    found[2].rate(["Ann", "Bob", "Cem"], scores=[30, 20, 10])
    assert bits(found[0]) == bits(found[1]) == bits(found[2])
    tie = Ratings("elo")
    tie.rate(["Ann", "Bob"], scores=[1, 1])
    assert tie["Ann"] == tie["Bob"]


def test_the_leaderboard_shares_ranks_and_knows_ladders() -> None:
    ratings = Ratings("elo")
    ratings.rate(["Ann", "Bob"])
    ratings.rate(["Cem", "Dia"])
    board = ratings.leaderboard()
    assert [(row.rank, row.player) for row in board] == [
        (1, "Ann"), (1, "Cem"), (3, "Bob"), (3, "Dia")
    ]  # fmt: skip
    assert [row.player for row in ratings.leaderboard(2)] == ["Ann", "Cem"]
    ladder = Ratings("ladder")
    ladder.rate(["Ann", "Bob"], ranks=[1, 0])
    assert [row.player for row in ladder.leaderboard()] == ["Bob", "Ann"]


def test_an_explanation_reads_like_one() -> None:
    ratings = Ratings("glicko-2")
    ratings.rate([("p1", "p2"), ("p3", "p4")], ranks=[0, 1], match_id="final")
    change = ratings.explain("p1")
    assert change.match_id == "final"
    assert change.change == change.after.rating - change.before.rating > 0
    assert "p1: 1200.00 → 1362.31 (+162.31) in match final" in str(change)
    assert "Expected result" in str(change)
    ratings.rate(["p1", "p9"])
    assert ratings.explain("p1").match_id == "2"
    assert ratings.explain("p2") == ratings.explain("p2")


def test_a_refused_match_changes_nothing() -> None:
    ratings = Ratings("ladder")
    ratings.rate(["Ann", "Bob"], at="2024-05-01")
    before = bits(ratings)
    with pytest.raises(UnsupportedMatch):
        ratings.rate([("Cem", "Dia"), ("Eve", "Fox")], at="2024-05-02")
    with pytest.raises(HistoryError, match="Cem plays twice"):
        ratings.rate(["Cem", "Cem"], at="2024-05-02")
    assert (list(ratings), bits(ratings), ratings.matches) == (["Ann", "Bob"], before, 1)
    with pytest.raises(ValueError, match="before the last"):
        ratings.rate(["Ann", "Bob"], at="2024-04-30")
    with pytest.raises(ValueError, match="needs a time"):
        ratings.rate(["Ann", "Bob"])


def test_mistakes_are_explained() -> None:
    ratings = Ratings("elo")
    with pytest.raises(UnknownSystem, match="did you mean glicko-2"):
        Ratings("glicko2")
    with pytest.raises(ParameterError, match="did you mean max_gain"):
        Ratings("elo", maxgain=20)
    with pytest.raises(NotRatedYet, match="Ann has not played"):
        ratings["Ann"]
    with pytest.raises(ValueError, match="2 sides but 3 ranks"):
        ratings.rate(["Ann", "Bob"], ranks=[0, 1, 2])
    with pytest.raises(ValueError, match="must be numbers"):
        ratings.rate(["Ann", "Bob"], scores=[1, float("nan")])
    with pytest.raises(ValueError, match="is not a time"):
        ratings.rate(["Ann", "Bob"], at="yesterday")
    with pytest.raises(TypeError, match="a side is"):
        ratings.rate([1, 2])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a player is"):
        ratings.rate([["Ann"], [2]])  # type: ignore[list-item]
    ratings.rate(["Ann", "Bob"])
    with pytest.raises(ValueError, match="leave “at” out"):
        ratings.predict(["Ann", "Bob"], at="2024-05-01")
    with pytest.raises(ValueError, match="oldest first"):
        Ratings("elo").rate_many(matches("elo")[::-1])


def test_files_that_hold_no_ratings_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "ratings.json"
    ratings = Ratings("elo")
    ratings.rate(["Ann", "Bob"])
    ratings.save(file)
    good = json.loads(file.read_text())
    for text, why in (
        ("[]", "not a file of saved ratings"),
        ("no JSON", "not a file of saved ratings"),
        (json.dumps({**good, "version": 3}), "install a newer one"),
        (json.dumps({**good, "rating": [1.0]}), "damaged"),
        (json.dumps({**good, "system": "eloo"}), "damaged"),
        (json.dumps({**good, "rating": ["x", "y"]}), "damaged"),
        (json.dumps({key: good[key] for key in good if key != "games"}), "damaged"),
    ):
        file.write_text(text)
        with pytest.raises(SavedError, match=why):
            Ratings.load(file)
    file.write_text(json.dumps(good))
    with pytest.raises(NotRatedYet, match="since these ratings were loaded"):
        Ratings.load(file).explain("Ann")


def test_every_name_of_the_package_is_there() -> None:
    for name in library.__all__:
        assert getattr(library, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Rating_'"):
        library.Rating_  # noqa: B018


def test_the_first_side_has_the_systems_advantage() -> None:
    ratings = Ratings("elo", first_side=100.0)
    gap = 10 ** (100 / 400)
    assert ratings.predict(["Ann", "Bob"], first=0).win[0] == pytest.approx(gap / (1 + gap))
    assert ratings.predict(["Ann", "Bob"], first=1).win[0] == pytest.approx(1 / (1 + gap))
    assert ratings.predict(["Ann", "Bob"]).win[0] == 0.5
    ratings.rate(["Ann", "Bob"], first=0)
    assert ratings["Ann"].rating == pytest.approx(1500 + 32 / (1 + gap))
