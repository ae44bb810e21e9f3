"""The Node of Playwright's package, which also runs TypeScript."""

from __future__ import annotations

from pathlib import Path

import playwright

NODE = Path(playwright.__file__).parent / "driver" / "node"
