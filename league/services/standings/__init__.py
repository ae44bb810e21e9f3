"""The standings: a projection of the ratings that answers at any size.

A row for each ranked player (:class:`league.models.Standing`) is indexed in the order of the
leaderboard, and a histogram (:class:`league.models.StandingHistogram`) counts the players in
buckets of at most ``FULL``. The running sum of the counts gives the bucket of any rank or page,
and a short index walk gives the row in it, so every read costs the same at any depth.

``rules`` computes standings, ``updating`` and ``rebuilding`` write them, ``histogram`` counts, and
``board`` reads.
"""
