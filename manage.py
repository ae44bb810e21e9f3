#!/usr/bin/env python
"""Django's command line: ``manage.py help`` lists what the league can do."""

import os
import sys

from django.core.management import execute_from_command_line

NEED_NO_SERVERS = {"matchmake", "replay", "reproduce", "simulate_queue", "systems"}

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    if len(sys.argv) > 1 and sys.argv[1] in NEED_NO_SERVERS:
        os.environ["LAUREL_OFFLINE"] = "1"
    execute_from_command_line(sys.argv)
