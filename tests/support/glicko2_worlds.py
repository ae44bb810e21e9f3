"""Glicko-2 parameters for tests."""

UNLIMITED = {
    "rating_min": -100_000,
    "rating_max": 100_000,
    "rating_max_change": 100_000,
    "deviation_min": 1,
    "deviation_max": 10_000,
    "volatility_min": 0.0001,
    "volatility_max": 1,
}
