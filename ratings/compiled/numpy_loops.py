"""The functions of NumPy and SciPy for compiled code.

Two implementations of ``exp`` may differ in the last bit, and NumPy's depends on the processor. So
compiled code calls the very loop that NumPy calls, at the address in the ``PyUFuncObject`` that
NumPy's C API documents. SciPy's functions are such objects, too.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.types import Floats

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function into those that call it."""
    return cast("Function", njit(error_model="numpy")(function))


def kept(function: Function) -> Function:
    """Compile a function at its first call, and keep the code in a file for later processes.

    Its arguments must be plain tuples and arrays. The file names their types, and could not be read
    once a type of ours has another name.
    """
    try:
        return cast("Function", njit(error_model="numpy", cache=True)(function))
    except RuntimeError:  # there is no folder that it may write to
        return compiled(function)


class NumpyLoop(NamedTuple):
    """A function of NumPy's or SciPy's, with room for its arguments and values."""

    address: int
    data: int
    """The address of what the loop itself needs to know."""
    given: Floats
    """``(n,)`` its arguments."""
    found: Floats
    """``(n,)`` its values, once it is called."""
    arrays: NDArray[np.intp]
    """``(2,)`` where these two are. Some loops change it as they go on."""
    steps: NDArray[np.intp]
    """``(2,)`` bytes from one number to the next."""
    length: NDArray[np.intp]
    """``(1,)`` to how many arguments it is applied."""


def numpy_loop(function: np.ufunc, room: int = 1) -> NumpyLoop:
    """Return a function of one float64, such as ``np.exp``."""
    given, found = np.zeros(room), np.zeros(room)
    address, data = _addresses(function)
    return NumpyLoop(
        address=address,
        data=data,
        given=given,
        found=found,
        arrays=np.zeros(2, dtype=np.intp),
        steps=np.array([given.itemsize, found.itemsize], dtype=np.intp),
        length=np.ones(1, dtype=np.intp),
    )


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


def _addresses(function: np.ufunc) -> tuple[int, int]:
    """Return where the loop for float64 is, and its data."""
    members = _UFunc.from_address(id(function) + object.__basicsize__)
    if (members.nin, members.nout, members.nargs) != (1, 1, 2):
        raise RuntimeError("This Python or NumPy lays out its functions in a way unknown to Laurel")
    at = function.types.index("d->d")
    if not members.functions[at]:
        raise RuntimeError(f"This NumPy has no plain loop for {function.__name__}")
    return members.functions[at], members.data[at] or 0


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


@compiled
def apply(loop: NumpyLoop, count: int) -> None:
    """Write the values for the first ``count`` arguments that are given."""
    loop.length[0] = count
    loop.arrays[0], loop.arrays[1] = loop.given.ctypes.data, loop.found.ctypes.data
    arrays, length, steps = loop.arrays.ctypes, loop.length.ctypes, loop.steps.ctypes
    _call(loop.address, arrays.data, length.data, steps.data, loop.data)


@compiled
def value(loop: NumpyLoop, at: float) -> float:
    """Return the value at one number."""
    loop.given[0] = at
    apply(loop, 1)
    return float(loop.found[0])
