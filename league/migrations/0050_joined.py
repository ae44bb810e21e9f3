"""Wins over players without a rank are limited for those connected to the league, ranked or not."""

from django.db import migrations, models

# Until the connections of a season are computed, which is soon, those who are ranked are limited.
COMPUTE_SOON = """
    UPDATE league_standingconnections SET changed = changed + 1
    WHERE season_id IN (SELECT id FROM league_season WHERE archived_at IS NULL)
"""

# What matches return is no longer a setting: the changes of ratings tell it.
FORGET_SETTING = """
    UPDATE {table} SET {rules} = {rules} #- '{{fair_play,restored_unranked}}'
    WHERE {rules} #> '{{fair_play,restored_unranked}}' IS NOT NULL
"""
SETTINGS = {
    'league_season': 'rules',
    'league_arena': 'season_rules',
    'league_historicalarena': 'season_rules',
}


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0049_match_lists'),
    ]

    operations = [
        migrations.AddField(
            model_name='rating',
            name='joined',
            field=models.BooleanField(db_default=False, editable=False),
        ),
        migrations.AddField(
            model_name='rating',
            name='proven',
            field=models.BooleanField(db_default=False, editable=False),
        ),
        migrations.RunSQL(COMPUTE_SOON, migrations.RunSQL.noop),
        *(
            migrations.RunSQL(
                FORGET_SETTING.format(table=table, rules=rules), migrations.RunSQL.noop
            )
            for table, rules in SETTINGS.items()
        ),
    ]
