"""Who stands where, at any size: a projection of the ratings, and what is read from it.

A row for each ranked player (:class:`league.models.Standing`) is kept in an index in the order of
the board, and a histogram counts how many stand in each stretch of at most ``FULL`` of them
(:class:`league.models.StandingHistogram`). Its running sum tells the stretch that any rank or page
lies in, and within the stretch the index is walked: so every question costs the same at any depth.

``rules`` says what earns which place, ``histogram`` counts, ``folding`` keeps both fresh from the
ratings that changed, ``rebuilding`` makes them anew, and ``board`` answers.
"""
