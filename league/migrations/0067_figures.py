"""Free figures of matches, such as hits or laps."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0066_anchors'),
    ]

    operations = [
        migrations.AddField(
            model_name=model,
            name='figures',
            field=models.JSONField(
                blank=True,
                db_default=models.Value([], models.JSONField()),
                default=list,
                help_text='Columns such as hits, shots or laps: shown and summed, never rated.',
                verbose_name='match figures',
            ),
        )
        for model in ('arena', 'historicalarena')
    ] + [
        migrations.CreateModel(
            name='PlayerFigures',
            fields=[
                (
                    'id',
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name='ID'
                    ),
                ),
                ('values', models.JSONField()),
                ('at', models.DateTimeField()),
                (
                    'by',
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name='+',
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    'match',
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='figures',
                        to='league.match',
                    ),
                ),
                (
                    'player',
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='figures',
                        to='league.player',
                    ),
                ),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(
                        fields=('player', 'match'), name='figures_once_a_match'
                    )
                ],
            },
        ),
    ]
