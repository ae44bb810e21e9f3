-- Reports, and the order in which matches are rated.

CREATE SEQUENCE league_match_rated_order;

ALTER TABLE league_participant ADD CONSTRAINT participant_on_a_side_of_its_match
    FOREIGN KEY (match_id, side_id) REFERENCES league_side (match_id, id)
    DEFERRABLE INITIALLY DEFERRED;

-- Pictures are compressed already.
ALTER TABLE league_evidencecontent ALTER COLUMN webp SET STORAGE EXTERNAL;

-- What a captain reported before, and what others report about the same line-up.
CREATE FUNCTION league_earlier_reports(arena bigint, players uuid, result uuid, reporter bigint, played timestamptz, now timestamptz, has_token boolean, pairing_window interval, repeat_window interval, just_now interval, limit_window interval) RETURNS TABLE(repeated bigint, rivals bigint[], open_reports bigint, recent_reports bigint, recent_since timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    -- Reports by one player, and reports of one line-up, are filed one after the other. The
    -- statements below see what was committed while this waited.
    PERFORM pg_advisory_xact_lock(hashtextextended('reports by a player', reporter));
    PERFORM pg_advisory_xact_lock(hashtextextended('reports of ' || players::text, arena));
    IF NOT has_token THEN
        SELECT e.match INTO repeated FROM (
            SELECT m.id AS match, m.reported_at AS reported_at, m.played_at AS played_at
            FROM league_match AS m
            WHERE m.reported_by_id = reporter AND m.reported_at > now - repeat_window
                AND m.arena_id = arena AND m.result_digest = result AND m.status <> 'void'
            UNION ALL
            SELECT c.match_id, c.at, c.played_at
            FROM league_counterreport AS c JOIN league_match AS m ON m.id = c.match_id
            WHERE c.reporter_id = reporter AND c.at > now - repeat_window
                AND m.arena_id = arena AND c.result_digest = result AND m.status <> 'void'
        ) AS e
        WHERE e.played_at = played
            OR (e.played_at >= e.reported_at - just_now AND played >= now - just_now)
        ORDER BY e.match LIMIT 1;
    END IF;
    -- The open reports of this line-up by other captains.
    SELECT coalesce(array_agg(m.id ORDER BY abs(extract(epoch FROM m.played_at - played)), m.id),
        '{}') INTO rivals
    FROM league_match AS m JOIN league_season AS s ON s.id = m.season_id
    WHERE m.arena_id = arena AND m.lineup = players AND m.status = 'reported'
        AND m.played_at > played - pairing_window AND m.played_at < played + pairing_window
        AND m.reported_by_id <> reporter AND s.archived_at IS NULL;
    SELECT count(*) INTO open_reports FROM league_match AS m
    WHERE m.reported_by_id = reporter AND m.status = 'reported';
    SELECT count(*), min(m.reported_at) INTO recent_reports, recent_since FROM league_match AS m
    WHERE m.reported_by_id = reporter
        AND m.reported_at > now - limit_window AND m.reported_at < now + limit_window;
    RETURN NEXT;
END $$;

CREATE FUNCTION league_meetings(arena bigint, opponents bigint[], since timestamptz, latest bigint, settled boolean) RETURNS json LANGUAGE plpgsql AS $$
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
