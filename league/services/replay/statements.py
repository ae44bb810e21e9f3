"""The SQL that replaces events, ratings and places in the order of rating, many at once."""

from league.services.rating.bulk import LEDGER_COLUMNS

STAGE = """
    CREATE TEMPORARY TABLE rated_again (
        event bigint, player bigint, games int,
        rating_before float8, rating_after float8, deviation_before float8, deviation_after float8,
        volatility_before float8, volatility_after float8, why jsonb,
        last_played_before timestamptz, ignored bool
    ) ON COMMIT DROP
"""
COPY_STAGED = f"COPY rated_again (event, player, {LEDGER_COLUMNS}) FROM STDIN"

SUPERSEDE = """
    UPDATE league_ratingevent AS e SET superseded_by_id = %s
    FROM rated_again AS a WHERE e.id = a.event AND e.superseded_by_id IS NULL
"""
SUPERSEDE_DROPPED = """
    UPDATE league_ratingevent SET superseded_by_id = %s WHERE id = ANY(%s::bigint[])
"""
WRITE_AGAIN = f"""
    INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, {LEDGER_COLUMNS})
    SELECT e.season_id, e.match_id, a.player, e.rated_at,
        {", ".join(f"a.{name}" for name in LEDGER_COLUMNS.split(", "))}
    FROM rated_again AS a JOIN league_ratingevent AS e ON e.id = a.event
    ORDER BY e.id
"""  # noqa: S608 - names of this file

RENUMBER = """
    UPDATE league_match AS m SET rated_order = u.place
    FROM unnest(%s::bigint[], %s::bigint[]) AS u(id, place) WHERE m.id = u.id
"""
COUNT_AGAIN = """
    UPDATE league_match AS m
    SET status = 'rated', rated_order = u.place, settlement = %s, settled_at = %s,
        forecast = coalesce(u.odds::float8[], m.forecast)
    FROM unnest(%s::bigint[], %s::bigint[], %s::text[]) AS u(id, place, odds) WHERE m.id = u.id
"""

UNPLAYED = """
    NOT EXISTS (
        SELECT FROM league_ratingevent AS e
        WHERE e.season_id = r.season_id AND e.player_id = r.player_id AND e.superseded_by_id IS NULL
    )
"""
# Players without a match have the rating that they entered with, or none.
RESET_UNPLAYED = (
    f"""
    DELETE FROM league_rating AS r
    WHERE r.season_id = %(season)s AND r.opening IS NULL AND {UNPLAYED}
    """,  # noqa: S608 - a literal of this file
    f"""
    UPDATE league_rating AS r
    SET rating = r.opening[1], deviation = r.opening[2], volatility = r.opening[3],
        memory = r.opening[4:], last_played_at = r.played_before, games = 0
    WHERE r.season_id = %(season)s AND r.opening IS NOT NULL AND {UNPLAYED} AND (
        r.rating, r.deviation, r.volatility, r.memory, r.last_played_at, r.games
    ) IS DISTINCT FROM (
        r.opening[1], r.opening[2], r.opening[3], r.opening[4:], r.played_before, 0
    )
    """,  # noqa: S608 - a literal of this file
)
