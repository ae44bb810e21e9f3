-- Nobody waits in a queue and plays at the same time. Unique indexes keep them from doing one of
-- these twice.

CREATE SEQUENCE league_ticket_place;

CREATE FUNCTION league_waits_or_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM league_player WHERE id = NEW.player_id FOR NO KEY UPDATE;
    IF TG_TABLE_NAME <> 'league_ticketmember' AND EXISTS (
        SELECT FROM league_ticketmember WHERE player_id = NEW.player_id AND open
    ) OR TG_TABLE_NAME <> 'league_participant' AND EXISTS (
        SELECT FROM league_participant WHERE player_id = NEW.player_id AND live
    ) OR EXISTS (
        SELECT FROM league_fillin AS f JOIN league_match AS m ON m.id = f.match_id
        WHERE f.player_id = NEW.player_id AND f.left_at IS NULL AND m.status = 'live'
            AND (TG_TABLE_NAME <> 'league_fillin' OR f.id <> NEW.id)
    ) THEN
        RAISE EXCEPTION 'player % would wait in a queue and play at the same time', NEW.player_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'player_waits_or_plays';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER league_ticketmember_waits_or_plays BEFORE INSERT OR UPDATE OF open
    ON league_ticketmember
    FOR EACH ROW WHEN (NEW.open) EXECUTE FUNCTION league_waits_or_plays();
CREATE TRIGGER league_participant_waits_or_plays BEFORE INSERT OR UPDATE OF live
    ON league_participant
    FOR EACH ROW WHEN (NEW.live) EXECUTE FUNCTION league_waits_or_plays();
CREATE TRIGGER league_fillin_waits_or_plays BEFORE INSERT OR UPDATE OF left_at ON league_fillin
    FOR EACH ROW WHEN (NEW.left_at IS NULL) EXECUTE FUNCTION league_waits_or_plays();
