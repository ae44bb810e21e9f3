"""API tokens with names, scopes, ends and their last use, and those from before as such."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# What each of them could do is what all scopes together allow.
COPY = """
INSERT INTO league_accesstoken (user_id, name, scopes, start, digest, made_at, expires_at)
SELECT user_id, 'Earlier token', ARRAY['read', 'report', 'queue', 'account', 'server', 'staff'],
    token_key, digest, created, expiry
FROM knox_authtoken ORDER BY created
ON CONFLICT DO NOTHING;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knox', '0009_extend_authtoken_field'),
        ('league', '0202_pools_and_seats'),
    ]

    operations = [
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'Read what you can read'), ('report', 'Report and answer results, challenges and dates'), ('queue', 'Wait in queues and answer ready checks'), ('account', 'Change rosters, answer invitations, mark notices, revoke tokens'), ('server', 'Run matches as a game server, if you may add matches'), ('staff', 'Do your work as staff, if you are staff')], max_length=10), size=None, verbose_name='allows')),
                ('start', models.CharField(max_length=15, verbose_name='begins with')),
                ('digest', models.CharField(max_length=128, unique=True)),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='expires')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'API token',
                'verbose_name_plural': 'API tokens',
                'ordering': ['made_at', 'id'],
            },
        ),
        migrations.RunSQL(COPY, migrations.RunSQL.noop),
    ]
