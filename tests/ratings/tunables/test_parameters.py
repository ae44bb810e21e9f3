"""Parameters: declared once, refused with the allowed range."""

import json
import math

import pytest
from pydantic import ValidationError

from ratings.registry import UnknownSystem, build
from ratings.systems.glicko2.parameters import Glicko2Parameters
from ratings.tunables.kinds import NumberOrInf, PositiveNumbers
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import ParameterError, read_parameters, read_parameters_json

A_DURATION = "must be a duration from 1m to 3650d, written like 30s, 90m, 4h, 3d, 1w or 250ms"


def problems(values: dict[str, object]) -> dict[str, str]:
    with pytest.raises(ParameterError) as refused:
        read_parameters(Glicko2Parameters, values)
    return dict(refused.value.problems)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"deviation_default": 0.5}, "must be from 1 to 10000; you gave 0.5"),
        ({"rating_max_change": 0}, "must be more than 0 and at most 100000; you gave 0"),
        ({"rating_min": "low"}, "must be a number from -100000 to 100000; you gave “low”"),
        ({"rating_min": None}, "must be a number from -100000 to 100000; you gave nothing"),
        ({"rating_min": True}, "must be a number from -100000 to 100000; you gave true"),
        ({"rating_min": float("nan")}, "must be a number from -100000 to 100000; you gave nan"),
        ({"deviation_max_periods": 2.5}, "must be a whole number from 1 to 100000; you gave 2.5"),
        ({"team_strength": "median"}, "must be one of mean, sum, max, min; you gave “median”"),
        ({"deviation_period": "5s"}, "must be from 1m to 3650d; you gave “5s”"),
        ({"deviation_period": "soon"}, f"{A_DURATION}; you gave “soon”"),
        (
            {"deviation_default": 20},
            "must be from 30 to 350, which are deviation_min and deviation_max; you gave 20",
        ),
        ({"rating_min": 6000}, "must be at most rating_max (5000); you gave 6000"),
    ],
)
def test_an_invalid_value_is_refused_with_the_allowed_range(
    values: dict[str, object], sentence: str
) -> None:
    assert problems(values) == {next(iter(values)): sentence}


def test_an_unknown_name_is_refused_with_the_nearest_name() -> None:
    assert problems({"rating_defualt": 1200}) == {
        "rating_defualt": "is not a parameter; did you mean rating_default?"
    }
    assert "choose from rating_default, rating_min" in problems({"xyz": 1})["xyz"]


def test_all_mistakes_are_reported_at_once() -> None:
    assert set(problems({"rating_min": "x", "volatility_max": 7, "colour": "red"})) == {
        "rating_min",
        "volatility_max",
        "colour",
    }


def test_a_clash_is_refused_however_parameters_are_created() -> None:
    with pytest.raises(ValidationError, match="deviation_default must be from 30 to 350"):
        Glicko2Parameters(deviation_default=20)


def test_text_that_is_not_a_json_object_is_refused() -> None:
    assert (
        read_parameters_json(Glicko2Parameters, '{"deviation_period": "1w"}').deviation_period
        == 604800
    )
    for text in ("{", "[1]", '"x"'):
        with pytest.raises(ParameterError, match="JSON"):
            read_parameters_json(Glicko2Parameters, text)


class Patience(Parameters):
    """Parameters of the rarer kinds."""

    delays: PositiveNumbers = parameter((), label="Delays", description="Some.", source="us")
    rate: NumberOrInf = parameter(1.0, label="Rate", description="One.", source="us", minimum=0)


@pytest.mark.parametrize(
    "written", [[0.5, 0.75], (0.5, 0.75), "0.5, 0.75", " .5,0.75,", ["0.5", 0.75]]
)
def test_a_list_of_numbers_is_read_from_json_and_from_text(written: object) -> None:
    assert read_parameters(Patience, {"delays": written}).delays == (0.5, 0.75)


@pytest.mark.parametrize("written", ["0.5; 0.75", "half", [1, "x"], 3, [0], [-1], [True, None]])
def test_an_invalid_list_of_numbers_is_refused(written: object) -> None:
    with pytest.raises(ParameterError, match=r"delays: must be numbers from 0.000001 to 1000000"):
        read_parameters(Patience, {"delays": written})


def test_an_infinite_number_survives_a_round_trip_where_allowed() -> None:
    parameters = read_parameters(Patience, {"rate": "inf", "delays": "1, 2"})
    assert parameters.rate == math.inf
    assert parameters.to_json() == {"delays": [1, 2], "rate": "inf"}
    assert read_parameters_json(Patience, json.dumps(parameters.to_json())) == parameters
    for wrong in ("nan", math.nan, -1, "-inf", "many"):
        with pytest.raises(ParameterError, match=r"rate: must be.* at least 0 or inf; you gave"):
            read_parameters(Patience, {"rate": wrong})


def test_an_unknown_system_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownSystem, match="did you mean glicko-2"):
        build("glicko2")
    with pytest.raises(UnknownSystem, match=r"choose from .*elo, .*glicko-2, "):
        build("dice")
