"""Find the earlier matches of some opponents within the statement that takes their turns.

A statement sees nothing that was committed while it waited, but a function that it calls does.
"""

from django.db import migrations

FIND_MEETINGS = """
CREATE FUNCTION league_meetings(
    arena bigint, opponents bigint[], since timestamptz, latest bigint, settled boolean
) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
    -- Matches that at least two of the opponents were in, oldest first, with the side of each.
    RETURN (
        WITH recent AS (
            SELECT one.match_id, one.player_id, one.side_id
            FROM unnest(opponents) AS u(player)
            CROSS JOIN LATERAL (
                SELECT p.match_id, p.player_id, p.side_id FROM league_participant AS p
                JOIN league_match AS g ON g.id = p.match_id
                WHERE p.player_id = u.player AND g.arena_id = arena AND g.kind = 'game'
                    AND g.status IN ('reported', 'disputed', 'rated')
                ORDER BY p.match_id DESC LIMIT latest
            ) AS one
        ), common AS (
            SELECT r.match_id, array_agg(r.player_id) AS players, array_agg(r.side_id) AS sides
            FROM recent AS r GROUP BY r.match_id HAVING count(*) > 1
        ), dated AS (
            SELECT c.*, CASE WHEN settled THEN m.settled_at ELSE m.reported_at END AS at
            FROM common AS c JOIN league_match AS m ON m.id = c.match_id
            WHERE NOT settled OR (m.status = 'rated' AND m.settlement <> 'import')
        )
        SELECT json_agg(json_build_array(
            (extract(epoch FROM d.at) * 1000000)::bigint, d.players, d.sides
        ) ORDER BY d.at, d.match_id)
        FROM dated AS d WHERE d.at > since
    );
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0055_readings_of_dishonor'),
    ]

    operations = [
        migrations.RunSQL(FIND_MEETINGS, "DROP FUNCTION league_meetings"),
    ]
