"""Replay a season with an edit of its history: see the difference, and write it.

An edit (``edits``) says what changes: results, voids, added matches, two players as one, other
rules, or the way back from any of them. ``diff`` rates the season with it and returns what differs,
which is what a preview shows. ``apply`` writes a diff. The outcome equals, to the last bit, a
history that has always been like this.
"""
