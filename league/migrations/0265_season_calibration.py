"""Corrected forecasts of seasons, all of which are measured again for them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0260_webhooks'),
    ]

    operations = [
        migrations.AddField(
            model_name='seasonaccuracy',
            name='calibration',
            field=models.JSONField(null=True),
        ),
        migrations.RunSQL("UPDATE league_seasonaccuracy SET seen = ''", migrations.RunSQL.noop),
    ]
