"""Players guess coming matches, and are compared with the forecast of the rating system."""
