"""Differences of two systems' losses on the same matches."""

import numpy as np
import pytest

from ratings.history import History
from ratings.lab.differences import Losses, difference, losses_of
from ratings.lab.evaluation import predict_history, predicted_matches
from ratings.lab.trial import try_system
from ratings.registry import build
from tests.support.rating_histories import random_duels


def losses(history: History, system: str, first: int, **parameters: float) -> Losses:
    predictions = predict_history(build(system, parameters), history)
    chosen = predicted_matches(history, predictions) & (np.arange(len(history)) >= first)
    return losses_of(history, predictions, chosen)


@pytest.fixture(scope="module")
def history() -> History:
    return random_duels(400, 12, 3)


def test_the_difference_is_that_of_the_two_losses(history: History) -> None:
    one, other = (losses(history, name, 100) for name in ("elo", "glicko"))
    elo, glicko = (try_system(build(name), history, 100, float) for name in ("elo", "glicko"))
    assert difference(one, other).value == pytest.approx(elo.log_loss - glicko.log_loss)
    assert len(one.loss) == elo.matches


def test_its_interval_is_narrower_than_those_of_the_losses(history: History) -> None:
    one, other = (losses(history, "elo", 100, max_gain=gain) for gain in (32, 33))
    found = difference(one, other)
    trial = try_system(build("elo"), history, 100, float, full=True)
    assert trial.details
    alone = trial.details.log_loss
    assert found.low < found.value < found.high
    assert found.high - found.low < (alone.high - alone.low) / 10


def test_a_system_does_not_differ_from_itself(history: History) -> None:
    one = losses(history, "elo", 100)
    found = difference(one, one)
    assert (found.value, found.low, found.high) == (0, 0, 0)


def test_different_matches_cannot_be_compared(history: History) -> None:
    one, other = (losses(history, "elo", first) for first in (100, 101))
    assert np.isnan(difference(one, other).value)
    none = losses(history, "elo", 400)
    assert np.isnan(difference(none, none).value)
