"""What one request of offline rating or matching may hold, declared once.

The largest requests take less than two seconds of a processor, whatever the rating system or the
rules (``tests/league/rating/test_api_offline.py``).
"""

from typing import Final

LONGEST_NAME: Final = 100
"""Characters of a name or an id."""

MATCHES: Final = 200
SEATS: Final = 5_000
"""Places of players in all matches of a request."""
SEATS_OF_MATCH: Final = 100
PLAYERS: Final = 2_000
"""Players of the matches and of the saved ratings, together."""
MEMORY: Final = 200
"""Numbers that a system keeps of one player, besides the rating itself."""
MEMORY_OF_ALL: Final = 20_000
"""The same of all saved players. Elo-MMR solves an equation with all of a player's numbers."""
CHANGES: Final = 1_000
"""Changes in an answer."""

TICKETS: Final = 200
WAITING: Final = 200
"""Players of all tickets of a request."""
TEAM: Final = 10
"""Players of a team."""
MODES: Final = 20
"""Game modes of a ticket."""
