"""The Node of Playwright's package, which also runs TypeScript."""

from pathlib import Path

import playwright

NODE = Path(playwright.__file__).parent / "driver" / "node"
