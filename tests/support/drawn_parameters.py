"""Parameters of rating systems, drawn from what the systems declare."""

import math
from collections.abc import Callable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from ratings.registry import build, find
from ratings.system import RatingSystem
from ratings.tunables.declarations import Declaration, declarations
from ratings.tunables.durations import format_duration
from ratings.tunables.reading import ParameterError

Drawn = dict[str, Any]
Promise = Callable[[Drawn], bool]


def anything(_drawn: Drawn) -> bool:
    """Accept all parameters."""
    return True


@st.composite
def systems(draw: st.DrawFn, name: str, promise: Promise = anything) -> RatingSystem:
    """Draw a system with its defaults, or with any parameters that it accepts.

    ``promise`` leaves out parameters with which the system does not promise what a test checks.
    """
    drawn = draw(st.just({}) | parameters(name))
    assume(promise(drawn))
    made = accepted(name, drawn)
    assume(made is not None)
    assert made is not None
    return made


@st.composite
def parameters(draw: st.DrawFn, name: str) -> Drawn:
    """Draw one to six parameters of a system. They may contradict each other."""
    declared = {one.name: one for one in declarations(find(name).Parameters)}
    chosen = draw(st.lists(st.sampled_from(sorted(declared)), unique=True, min_size=1, max_size=6))
    return {one: draw(values(declared[one])) for one in chosen}


def accepted(name: str, drawn: Drawn) -> RatingSystem | None:
    """Return the system, or ``None`` if it refuses the parameters in sentences at their names."""
    problems = {}
    try:
        return build(name, drawn)
    except ParameterError as refused:
        problems = refused.problems
    assert problems.keys() <= {one.name for one in declarations(find(name).Parameters)}
    assert all(sentence.startswith("must be ") for sentence in problems.values()), problems
    return None


def values(declared: Declaration) -> st.SearchStrategy[Any]:
    """Draw what a declaration allows, in JSON: near the default, anywhere, or at a bound."""
    match declared.kind:
        case "choice":
            return st.sampled_from([choice.value for choice in declared.choices])
        case "boolean":
            return st.booleans()
        case "integer":
            return numbers(declared).map(round)
        case "duration":
            return numbers(declared).map(lambda seconds: format_duration(round(seconds)))
        case "number":
            finite = numbers(declared)
            return finite | st.just("inf") if declared.infinite else finite
        case "numbers":
            return st.lists(st.floats(1e-6, 1e6) | st.sampled_from([1e-6, 0.5, 1e6]), max_size=4)
    raise NotImplementedError(f"{declared.name} is a {declared.kind}, which no system had so far")


def numbers(declared: Declaration) -> st.SearchStrategy[float]:
    low, high = declared.minimum, declared.maximum
    assert low is not None, f"{declared.name} has no lower bound"
    if high is None:
        assert declared.infinite, f"{declared.name} has no upper bound"
        high = 1e9
    default = declared.default if isinstance(declared.default, int | float) else 0
    middle = default or (low + high) / 2
    near = st.floats(0.5, 2.0).map(lambda share: min(max(middle * share, low), high))
    anywhere = st.floats(
        low, high, exclude_min=declared.exclusive_minimum, exclude_max=declared.exclusive_maximum
    )
    bounds = [
        math.nextafter(low, high) if declared.exclusive_minimum else low,
        math.nextafter(high, low) if declared.exclusive_maximum else high,
    ]
    return near | anywhere | st.sampled_from(bounds)
