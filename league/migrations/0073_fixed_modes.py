"""Tell modes that were named before a match from those of its result, which can be disputed."""

from django.db import migrations, models

KNOWN_BEFORE = """
    UPDATE league_match AS m SET mode_fixed = true
    WHERE m.status IN ('live', 'reported', 'disputed') AND m.mode <> '' AND (
        m.status = 'live' OR EXISTS (SELECT FROM league_proposal AS p WHERE p.match_id = m.id)
    )
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0072_draw_reach'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='mode_fixed',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name='counterreport',
            name='mode',
            field=models.CharField(
                blank=True, db_default='', default='', max_length=40, verbose_name='game mode'
            ),
        ),
        migrations.AddField(
            model_name='correctionrequest',
            name='mode',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.RunSQL(KNOWN_BEFORE, migrations.RunSQL.noop),
    ]
