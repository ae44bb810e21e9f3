-- Notices wait for Discord, too, if their reader wants them there.

CREATE FUNCTION league_note_discord_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_discordmessage (notice_id, state, attempts, next_attempt_at, error)
    SELECT fresh.id, 'waiting', 0,
        clock_timestamp() + CASE WHEN fresh.kind IN ('found', 'queued')
            THEN interval '0' ELSE interval '1 minute' END,
        ''
    FROM fresh JOIN league_discordpreference AS wanted ON wanted.player_id = fresh.player_id
    WHERE wanted.is_on AND fresh.kind = ANY(wanted.kinds);
    RETURN NULL;
END $$;

CREATE TRIGGER note_discord_messages AFTER INSERT ON league_notice REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION league_note_discord_messages();
