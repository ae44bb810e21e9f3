"""Other rules of a season: how good its forecasts were, and what it would be under others."""
