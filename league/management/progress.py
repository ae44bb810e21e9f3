"""A progress bar for services that report what they do."""

from __future__ import annotations

from typing import IO, NoReturn

from tqdm import tqdm


class Bars:
    """One bar after the other, one for each thing that is being done; none unless on a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream
        self.bar: tqdm[NoReturn] | None = None
        self.what = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self.what:
            self.close()
            self.what = what
            hidden = not getattr(self.stream, "isatty", bool)()
            self.bar = tqdm(total=total, desc=what, file=self.stream, disable=hidden)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
