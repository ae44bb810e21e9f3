"""Forecasts of matches to come, and opponents for them."""
