"""How well seasons were predicted, measured and kept."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0057_forecasts'),
    ]

    operations = [
        migrations.CreateModel(
            name='SeasonAccuracy',
            fields=[
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='accuracy', serialize=False, to='league.season')),
                ('matches', models.PositiveIntegerField(default=0, verbose_name='matches')),
                ('loss', models.FloatField(default=0)),
                ('even_loss', models.FloatField(default=0)),
                ('decided', models.PositiveIntegerField(default=0, verbose_name='decided matches')),
                ('favourites', models.FloatField(default=0)),
                ('even_favourites', models.FloatField(default=0)),
                ('seen', models.CharField(default='', max_length=60)),
                ('measured_at', models.DateTimeField(null=True)),
                ('asked_at', models.DateTimeField(null=True)),
                ('gains', models.JSONField(null=True)),
                ('gains_at', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'accuracy of forecasts',
                'verbose_name_plural': 'accuracies of forecasts',
            },
        ),
    ]
