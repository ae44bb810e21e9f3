"""Wins that continue a one-sided record count less."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0041_merged_players'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='one_sided',
            field=models.FloatField(editable=False, null=True),
        ),
    ]
