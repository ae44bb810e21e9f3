-- Searching players by the start of any word of their name, and names that nearly match.

CREATE FUNCTION league_name_starts(name text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT DISTINCT substr(name, n) FROM generate_series(1, length(name)) AS n
    WHERE n = 1 OR (
        strpos(E' -_.,:;\'"/|()[]', substr(name, n - 1, 1)) > 0
        AND strpos(E' -_.,:;\'"/|()[]', substr(name, n, 1)) = 0
    )
$$;

CREATE FUNCTION league_add_name_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_namestart (start, player_id)
    SELECT s.start, n.id FROM added AS n CROSS JOIN LATERAL league_name_starts(n.search_name)
        AS s(start);
    RETURN NULL;
END $$;

CREATE FUNCTION league_change_name_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_namestart AS k USING league_name_starts(OLD.search_name) AS s(start)
    WHERE k.start = s.start AND k.player_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO league_namestart (start, player_id)
        SELECT start, NEW.id FROM league_name_starts(NEW.search_name) AS s(start);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER add_name_starts AFTER INSERT ON league_player REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION league_add_name_starts();
CREATE TRIGGER change_name_starts AFTER UPDATE OF search_name ON league_player
    FOR EACH ROW WHEN (OLD.search_name <> NEW.search_name)
    EXECUTE FUNCTION league_change_name_starts();
CREATE TRIGGER remove_name_starts AFTER DELETE ON league_player
    FOR EACH ROW EXECUTE FUNCTION league_change_name_starts();

CREATE FUNCTION league_trigrams(name text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT COST 500 PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT substr(name, n, 3)), '{}')
    FROM generate_series(1, length(name) - 2) AS n
$$;
CREATE INDEX league_player_trigrams ON league_player USING gin (league_trigrams(search_name))
    WITH (fastupdate = off);

-- A player who has been merged into another gets no new rows. The arguments name the columns. The
-- second statement sees what was committed while the first waited for the locks.
CREATE FUNCTION league_refuse_merged_players() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    players text := (SELECT string_agg(format('SELECT %I FROM added', name), ' UNION ')
        FROM unnest(TG_ARGV) AS name);
    merged bigint;
BEGIN
    EXECUTE format('SELECT FROM league_player WHERE id IN (%s) ORDER BY id FOR KEY SHARE', players);
    EXECUTE format('SELECT id FROM league_player
        WHERE merged_into_id IS NOT NULL AND id IN (%s) LIMIT 1', players) INTO merged;
    IF merged IS NOT NULL THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    name text;
    columns text;
BEGIN
    FOR name, columns IN VALUES
        ('arrangement', 'proposer_id, opponent_id'),
        ('challenge', 'challenger_id, challenged_id'),
        ('dishonoraward', 'player_id'),
        ('participant', 'player_id'),
        ('rosterinvitation', 'player_id'),
        ('rostermember', 'player_id'),
        ('teammember', 'player_id'),
        ('ticketmember', 'player_id')
    LOOP
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION league_refuse_merged_players(%s)',
            'league_' || name || '_is_current', 'league_' || name, columns);
    END LOOP;
END $$;
