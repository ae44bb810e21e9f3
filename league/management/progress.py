"""Progress bars for services that report their steps."""

from __future__ import annotations

from typing import IO, NoReturn

from tqdm import tqdm


class Bars:
    """One progress bar after another, one per step. Shown only on a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream
        self.bar: tqdm[NoReturn] | None = None
        self.step = ""

    def __call__(self, step: str, done: int, total: int) -> None:
        if step != self.step:
            self.close()
            self.step = step
            hidden = not getattr(self.stream, "isatty", bool)()
            self.bar = tqdm(total=total, desc=step, file=self.stream, disable=hidden)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None
