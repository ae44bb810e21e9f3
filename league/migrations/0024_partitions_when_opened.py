"""A season's ratings get their partition when the season opens, filled before anybody sees it.

Rows that are written before indexes and foreign keys are there need not be looked up one by one:
indexes are built and keys are checked all at once.
"""

from django.db import migrations

# A quarter of a page to spare, so that a new version of a row finds room beside the old one and
# no index has to be touched. The bound as a check spares linking a look at every row.
PARTITION = """
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
"""

WITH_ITS_SEASON = """
DROP TRIGGER season_has_a_partition ON league_season;

CREATE TRIGGER opened_season_has_a_partition AFTER INSERT OR UPDATE OF opened_at ON league_season
FOR EACH ROW WHEN (NEW.opened_at IS NOT NULL) EXECUTE FUNCTION league_season_has_a_partition();

CREATE TRIGGER partition_goes_with_its_season AFTER DELETE ON league_season
FOR EACH ROW EXECUTE FUNCTION league_season_has_a_partition();

CREATE OR REPLACE FUNCTION league_season_has_a_partition() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""

# Those who are only planned have empty ones so far.
DROP_EMPTY = """
DO $$
DECLARE
    season bigint;
BEGIN
    FOR season IN SELECT id FROM league_season WHERE opened_at IS NULL LOOP
        EXECUTE format('DROP TABLE IF EXISTS %I', 'league_rating_' || season);
    END LOOP;
END $$;
"""

# The same of the standings: a fold moves a place to a row on the same page.
ROOM = "ALTER TABLE league_standing SET (fillfactor = 85)"


class Migration(migrations.Migration):
    dependencies = [("league", "0023_challenges")]

    operations = [
        migrations.RunSQL(PARTITION),
        migrations.RunSQL(WITH_ITS_SEASON),
        migrations.RunSQL(DROP_EMPTY),
        migrations.RunSQL(ROOM),
    ]
