"""Output into a pipe whose reader has seen enough, as ``head`` does."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def closed_pipes_tolerated() -> Iterator[None]:
    """End quietly if the reader has closed the pipe, and discard the rest of the buffer."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
