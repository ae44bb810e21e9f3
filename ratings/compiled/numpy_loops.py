"""The functions of NumPy and SciPy for compiled code.

Two implementations of ``exp`` may differ in the last bit, and NumPy's depends on the processor. So
compiled code calls the very loop that NumPy calls, at the address in the ``PyUFuncObject`` that
NumPy's C API documents. SciPy's functions are such objects, too.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from functools import cache, wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, register_jitable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.types import Floats

Function = TypeVar("Function", bound=Callable[..., Any])

if numba.config.DISABLE_JIT:
    raise ImportError("Numba compiles nothing, as NUMBA_DISABLE_JIT is set")


def inline(function: Function) -> Function:
    """Let compiled code call a function. It is compiled with the first code that does.

    Python's calls of it run no compiled code. What they would need is a third of the compiling.
    """
    return cast("Function", register_jitable(error_model="numpy")(function))


def keep(function: Function) -> Function:
    """Compile a function at its first call, and keep the code in a file for later processes.

    Numba checks only the function's own source file for changes. So the name of the cached file
    contains a digest of all of ours.
    """
    function.__qualname__ += f"-{_state_of_sources()}"
    plain = cast("Function", njit(error_model="numpy", no_cfunc_wrapper=True)(function))
    try:
        stored = njit(error_model="numpy", no_cfunc_wrapper=True, cache=True)(function)
    except RuntimeError:  # there is no folder to write to
        return plain

    @wraps(function)
    def call(*arguments: Any) -> Any:
        try:
            return stored(*arguments)
        except OSError:  # the code could not be written, and has not run
            return plain(*arguments)

    return cast("Function", call)


@cache
def _state_of_sources() -> str:
    """Return a digest of the engine's sources and of the versions of NumPy and SciPy."""
    digest = hashlib.sha256(f"{np.__version__} {version('scipy')}".encode())
    for path in sorted(Path(__file__).resolve().parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Place(NamedTuple):
    """The place of a function's loop."""

    address: int
    data: int
    """The address of the data that NumPy passes to the loop."""


class _UFunc(ctypes.Structure):
    """The first members of ``PyUFuncObject``, after those of every Python object."""

    _fields_ = (
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
    )


def place_of(function: np.ufunc) -> Place:
    """Return where the float64 loop of a function of one argument is.

    Raises:
        ImportError: this Python, NumPy or SciPy keeps it elsewhere.
    """
    members = _UFunc.from_address(id(function) + object.__basicsize__)
    known = (members.nin, members.nout, members.nargs) == (1, 1, 2)
    at = function.types.index("d->d") if "d->d" in function.types else -1
    if not known or at < 0 or not members.functions[at]:
        raise ImportError(f"{function.__name__} is not where NumPy's C API says")
    return Place(members.functions[at], members.data[at] or 0)


class NumpyLoop(NamedTuple):
    """A function of NumPy's or SciPy's, with room for its arguments and values."""

    address: int
    data: int
    given: Floats
    """``(n,)`` its arguments."""
    found: Floats
    """``(n,)`` its values, once it is called."""
    arrays: NDArray[np.intp]
    """``(2,)`` the addresses of these two. Some loops advance them."""
    steps: NDArray[np.intp]
    """``(2,)`` bytes from one number to the next."""
    length: NDArray[np.intp]
    """``(1,)`` how many arguments it is applied to."""


def numpy_loop(place: Place, room: int = 1) -> NumpyLoop:
    """Return the function whose loop is at a place."""
    given, found = np.zeros(room), np.zeros(room)
    return NumpyLoop(
        *place,
        given=given,
        found=found,
        arrays=np.zeros(2, dtype=np.intp),
        steps=np.array([given.itemsize, found.itemsize], dtype=np.intp),
        length=np.ones(1, dtype=np.intp),
    )


@intrinsic  # type: ignore[untyped-decorator] # Numba has no types
def _call(typing: Any, address: Any, arrays: Any, length: Any, steps: Any, data: Any) -> Any:
    """Call the loop at ``address``. All arguments are addresses."""
    del typing, address, arrays, length, steps, data

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        loop = ir.FunctionType(ir.VoidType(), [pointer] * 4)
        function = builder.inttoptr(values[0], loop.as_pointer())
        places = [builder.inttoptr(value, pointer) for value in values[1:]]
        builder.call(function, places)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 5), generate


@inline
def apply(loop: NumpyLoop, count: int) -> None:
    """Write the values for the first ``count`` arguments that are given."""
    loop.length[0] = count
    loop.arrays[0], loop.arrays[1] = loop.given.ctypes.data, loop.found.ctypes.data
    arrays, length, steps = loop.arrays.ctypes, loop.length.ctypes, loop.steps.ctypes
    _call(loop.address, arrays.data, length.data, steps.data, loop.data)


@inline
def value(loop: NumpyLoop, at: float) -> float:
    """Return the value at one number."""
    loop.given[0] = at
    apply(loop, 1)
    return float(loop.found[0])
