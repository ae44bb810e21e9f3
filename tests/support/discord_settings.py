"""The site's settings for a worker that talks to the stand-in for Discord."""

import os

from league.settings import *  # noqa: F403 - all but one of them

DISCORD_API = os.environ["TESTS_DISCORD_API"]
