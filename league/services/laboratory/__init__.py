"""The rating laboratory: which system would have forecast an arena's matches best.

``histories`` reads the matches, ``asking`` starts a comparison, and ``working`` judges one of its
systems as a job of its own, so that several workers share them. ``comparisons`` reads what they
found, and ``outcomes`` are the ways on: try a system on the season, or use it in the next one.
"""
