-- Ratings are partitioned by season. A partition appears when its season opens and goes with it.
-- It can be filled before anybody sees it, and dropped at once.

ALTER TABLE league_rating RENAME TO league_rating_of_all;
CREATE TABLE league_rating (
    LIKE league_rating_of_all INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY
) PARTITION BY LIST (season_id);
DROP TABLE league_rating_of_all;
ALTER TABLE league_rating
    ADD CONSTRAINT league_rating_pkey PRIMARY KEY (id, season_id),
    ADD CONSTRAINT one_rating_a_season UNIQUE (player_id, season_id),
    ADD CONSTRAINT league_rating_season_id_fk FOREIGN KEY (season_id)
        REFERENCES league_season (id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT league_rating_player_id_fk FOREIGN KEY (player_id)
        REFERENCES league_player (id) DEFERRABLE INITIALLY DEFERRED;
ALTER SEQUENCE league_rating_id_seq1 RENAME TO league_rating_id_seq;

-- A fifth of each page is left free, so that a new version of a row finds room beside the old one
-- and no index has to be touched. Linking an empty partition blocks no reader of the others.
CREATE FUNCTION league_open_rating_partition(season bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    partition text := 'league_rating_' || season;
BEGIN
    IF to_regclass(partition) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE league_rating INCLUDING ALL EXCLUDING IDENTITY)
        WITH (fillfactor = 80)', partition);
    EXECUTE format('ALTER TABLE league_rating ATTACH PARTITION %I FOR VALUES IN (%s)',
        partition, season);
END $$;

-- The same in two steps, for a season whose ratings are written in between.
CREATE FUNCTION league_make_rating_partition(season bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (
        LIKE league_rating INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
        CONSTRAINT of_season CHECK (season_id = %s)
    ) WITH (fillfactor = 80)', 'league_rating_' || season, season);
END $$;

CREATE FUNCTION league_link_rating_partition(season bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    partition text := 'league_rating_' || season;
BEGIN
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id, season_id),
        ADD UNIQUE (player_id, season_id)', partition);
    EXECUTE format('ALTER TABLE league_rating ATTACH PARTITION %I FOR VALUES IN (%s)',
        partition, season);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT of_season', partition);
END $$;

CREATE FUNCTION league_season_has_a_partition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        PERFORM league_open_rating_partition(NEW.id);
    ELSE
        EXECUTE format('DROP TABLE IF EXISTS %I', 'league_rating_' || OLD.id);
    END IF;
    RETURN NULL;
EXCEPTION WHEN object_in_use THEN
    -- Rows that this transaction wrote wait for their checks: it goes when migrations run next.
    RETURN NULL;
END $$;

CREATE TRIGGER opened_season_has_a_partition AFTER INSERT OR UPDATE OF opened_at ON league_season
    FOR EACH ROW WHEN (NEW.opened_at IS NOT NULL)
    EXECUTE FUNCTION league_season_has_a_partition();
CREATE TRIGGER partition_goes_with_its_season AFTER DELETE ON league_season
    FOR EACH ROW EXECUTE FUNCTION league_season_has_a_partition();
