"""Answered requests from Discord."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0270_connected_apps'),
    ]

    operations = [
        migrations.CreateModel(
            name='DiscordInteraction',
            fields=[
                ('number', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('at', models.DateTimeField(db_index=True)),
            ],
            options={
                'default_permissions': (),
            },
        ),
    ]
