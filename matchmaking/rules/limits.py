"""Limits of many rules."""

from __future__ import annotations

MOST = 1e9
"""The largest number in a rule: far beyond any use, and too small to overflow a sum of products."""

DAY = 86400.0
