"""Pictures, countries and links of players."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0191_deleted_accounts"),
    ]

    operations = [
        migrations.CreateModel(
            name='PlayerPicture',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stored_picture', serialize=False, to='league.player', verbose_name='player')),
                ('digest', models.CharField(max_length=32)),
                ('webp', models.BinaryField(verbose_name='WebP file')),
                ('at', models.DateTimeField(verbose_name='when')),
            ],
            options={
                'verbose_name': 'picture of a player',
                'verbose_name_plural': 'pictures of players',
            },
        ),
        migrations.CreateModel(
            name='Profile',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='profile', serialize=False, to='league.player', verbose_name='player')),
                ('picture', models.CharField(blank=True, default='', editable=False, max_length=32)),
                ('country', models.CharField(blank=True, default='', max_length=2, verbose_name='country')),
                ('links', django.contrib.postgres.fields.ArrayField(base_field=models.URLField(max_length=200), blank=True, default=list, size=None, verbose_name='links')),
            ],
            options={
                'verbose_name': 'profile',
                'verbose_name_plural': 'profiles',
            },
        ),
    ]
