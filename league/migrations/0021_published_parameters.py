"""Arenas that were set up under earlier defaults keep them."""

from django.db import migrations

EARLIER = """
    UPDATE league_arena SET rating_parameters = earlier.parameters || rating_parameters
    FROM (VALUES
        ('codeforces', '{"weight": 1.0}'::jsonb),
        ('fermi', '{"max_gain": 1.0}'),
        ('glicko', '{"deviation_growth": 35.0}'),
        ('glicko-2', '{"deviation_period": "3d", "deviation_max_periods": 20}'),
        ('topcoder', '{"weight_noob": 0.6, "weight_limit": 0.18}'),
        ('trueskill', '{"drift": 35.0}')
    ) AS earlier (system, parameters)
    WHERE rating_system = earlier.system;
"""
"""The values that an arena has itself count. Seasons and the versions of their rules have all
parameters, and ``league.models.earlier`` completes those of the first releases."""


class Migration(migrations.Migration):
    dependencies = [("league", "0020_laurel_1")]

    operations = [migrations.RunSQL(EARLIER, migrations.RunSQL.noop)]
