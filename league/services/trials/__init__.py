"""Trials: a season replayed under other rules, before anybody decides about them.

``asking`` starts one, ``working`` carries it out as a job, ``reports`` compares what is with what
would be, and ``outcomes`` are the ways on: apply the rules, rate the season again, plan them for
the next season, or discard the trial.
"""
