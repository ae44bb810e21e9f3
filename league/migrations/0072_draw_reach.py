"""Random challenges reach as far as others, so there is no setting for it."""

from django.db import migrations

FORGET_SETTING = """
    UPDATE {table} SET {rules} = {rules} #- '{{challenges,draw_reach}}'
    WHERE {rules} #> '{{challenges,draw_reach}}' IS NOT NULL
"""
SETTINGS = {
    'league_season': 'rules',
    'league_arena': 'season_rules',
    'league_historicalarena': 'season_rules',
}


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0071_match_events'),
    ]

    operations = [
        migrations.RunSQL(FORGET_SETTING.format(table=table, rules=rules), migrations.RunSQL.noop)
        for table, rules in SETTINGS.items()
    ]
