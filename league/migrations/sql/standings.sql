-- Standings are folded from notes of the ratings that changed, and go with their season.

CREATE SEQUENCE league_standing_version;

CREATE FUNCTION league_note_rating_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_standingchange (season_id, player_id)
    SELECT season_id, player_id FROM changed WHERE TG_OP <> 'INSERT' OR games > 0;
    RETURN NULL;
END $$;

CREATE TRIGGER note_inserted_ratings AFTER INSERT ON league_rating
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION league_note_rating_changes();
CREATE TRIGGER note_updated_ratings AFTER UPDATE ON league_rating
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION league_note_rating_changes();
CREATE TRIGGER note_deleted_ratings AFTER DELETE ON league_rating
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION league_note_rating_changes();

-- Activity counts until the end of the season, so it is read again if that moves.
CREATE FUNCTION league_season_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_standingchange (season_id, player_id)
    SELECT season_id, player_id FROM league_standing WHERE season_id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER season_goes_on AFTER UPDATE OF ends_at ON league_season
    FOR EACH ROW WHEN (OLD.ends_at IS NOT NULL
        AND (NEW.ends_at IS NULL OR NEW.ends_at > OLD.ends_at))
    EXECUTE FUNCTION league_season_goes_on();

CREATE FUNCTION league_standings_go_with_their_season() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_standing WHERE season_id = OLD.id;
    DELETE FROM league_standinghistogram WHERE season_id = OLD.id;
    DELETE FROM league_standingchange WHERE season_id = OLD.id;
    DELETE FROM league_standingday WHERE season_id = OLD.id;
    DELETE FROM league_standingdayranks WHERE season_id = OLD.id;
    DELETE FROM league_standingcuts WHERE season_id = OLD.id;
    DELETE FROM league_standingconnections WHERE season_id = OLD.id;
    DELETE FROM league_divisionchange WHERE season_id = OLD.id;
    RETURN NULL;
END $$;

CREATE TRIGGER standings_go_with_their_season AFTER DELETE ON league_season
    FOR EACH ROW EXECUTE FUNCTION league_standings_go_with_their_season();

-- Rows that change often find room beside their old version, and are cleaned up soon.
ALTER TABLE league_standing SET (fillfactor = 85);
ALTER TABLE league_standingchange
    SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
