"""Where everybody stands: a projection of the ratings that is kept fresh from what changed."""

from django.db import migrations, models

# One row for each rating that a statement changed, however many it changed. Newcomers do not count
# before their first match. Whoever fills a partition by its own name is heard by no one here, and
# rebuilds the season's standings afterwards.
NOTE_CHANGES = """
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
"""

WITH_THEIR_SEASON = """
CREATE FUNCTION league_standings_go_with_their_season() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_standing WHERE season_id = OLD.id;
    DELETE FROM league_standinghistogram WHERE season_id = OLD.id;
    DELETE FROM league_standingchange WHERE season_id = OLD.id;
    RETURN NULL;
END $$;

CREATE TRIGGER standings_go_with_their_season AFTER DELETE ON league_season
FOR EACH ROW EXECUTE FUNCTION league_standings_go_with_their_season();
"""

# Time goes on for a season that ends later than was thought: what was to stay for ever is looked at
# again. One that ends earlier needs nothing, as whatever is due is worked out as of its end.
ENDS_LATER = """
CREATE FUNCTION league_season_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_standingchange (season_id, player_id)
    SELECT season_id, player_id FROM league_standing WHERE season_id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER season_goes_on AFTER UPDATE OF ends_at ON league_season
FOR EACH ROW WHEN (OLD.ends_at IS NOT NULL AND (NEW.ends_at IS NULL OR NEW.ends_at > OLD.ends_at))
EXECUTE FUNCTION league_season_goes_on();
"""

# Rows come and go: what is gone is cleared away before it slows anybody down.
CLEAR_OFTEN = """
ALTER TABLE league_standingchange SET
    (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
"""

# Everybody who is rated is put in order once.
ALL_THERE_IS = """
INSERT INTO league_standingchange (season_id, player_id)
SELECT season_id, player_id FROM league_rating WHERE games > 0;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0017_rating_partitions'),
    ]

    operations = [
        migrations.CreateModel(
            name='StandingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('season_id', models.BigIntegerField()),
                ('player_id', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='StandingHistogram',
            fields=[
                ('season_id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('version', models.BigIntegerField()),
                ('bounds_version', models.BigIntegerField()),
                ('total', models.IntegerField()),
                ('low_keys', models.BinaryField()),
                ('low_players', models.BinaryField()),
                ('counts', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('pk', models.CompositePrimaryKey('season_id', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('season_id', models.BigIntegerField()),
                ('player_id', models.BigIntegerField()),
                ('key', models.FloatField()),
                ('active', models.BooleanField()),
                ('decaying', models.FloatField()),
                ('due', models.BigIntegerField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('active', True)), fields=['season_id', 'key', 'player_id'], name='standing_order'), models.Index(condition=models.Q(('active', False)), fields=['season_id', 'key', 'player_id'], name='standing_inactive'), models.Index(condition=models.Q(('due__isnull', False)), fields=['season_id', 'due'], name='standing_due')],
            },
        ),
        migrations.RunSQL(
            "CREATE SEQUENCE league_standing_version", "DROP SEQUENCE league_standing_version"
        ),
        migrations.RunSQL(NOTE_CHANGES),
        migrations.RunSQL(WITH_THEIR_SEASON),
        migrations.RunSQL(ENDS_LATER),
        migrations.RunSQL(CLEAR_OFTEN),
        migrations.RunSQL(ALL_THERE_IS),
    ]
