"""Other rules: what a season would be under other rating systems or settings, before anybody
decides about them.

``candidates`` says what can be tried, ``asking`` starts a trial of some of them, and ``working``
carries it out as a job: ``replaying`` rates the season under each and ranks its players, and
``reports`` compares what is with what would be. ``outcomes`` applies a candidate's rules, rates the
season again, plans them for the next season, or discards the trial.
"""
