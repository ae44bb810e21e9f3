"""Anchors: players with a fixed rating, against whom drift is measured."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0065_drawn_challenges'),
    ]

    operations = [
        migrations.CreateModel(
            name='Anchor',
            fields=[
                (
                    'id',
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name='ID'
                    ),
                ),
                (
                    'rating',
                    models.FloatField(
                        help_text='On the scale of the rating itself. Results never change it.',
                        validators=[
                            django.core.validators.MinValueValidator(-1000000),
                            django.core.validators.MaxValueValidator(1000000),
                        ],
                        verbose_name='fixed rating',
                    ),
                ),
                (
                    'arena',
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name='anchors',
                        to='league.arena',
                        verbose_name='arena',
                    ),
                ),
                (
                    'player',
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name='anchored',
                        to='league.player',
                        verbose_name='player',
                    ),
                ),
            ],
            options={
                'verbose_name': 'anchor',
                'verbose_name_plural': 'anchors',
                'ordering': ['pk'],
                'constraints': [
                    models.UniqueConstraint(
                        fields=('arena', 'player'),
                        name='anchor_once_an_arena',
                        violation_error_message='This player is already an anchor here.',
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name='season',
            name='anchors',
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                db_default=models.Value('{}'),
                default=list,
                editable=False,
                size=None,
            ),
        ),
    ]
