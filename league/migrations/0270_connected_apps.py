"""Connected apps, and the keys that sign ID tokens."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('allauth_idp_oidc', '0003_client_allow_uri_wildcards'),
        ('league', '0265_season_calibration'),
    ]

    operations = [
        migrations.CreateModel(
            name='SigningKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pem', models.TextField()),
                ('made_at', models.DateTimeField()),
                ('signs_from', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['signs_from', 'id'],
            },
        ),
        migrations.CreateModel(
            name='ConnectedApp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None, verbose_name='allows')),
                ('made_at', models.DateTimeField(verbose_name='connected')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('client', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connections', to='allauth_idp_oidc.client', verbose_name='app')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connected_apps', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'connected app',
                'verbose_name_plural': 'connected apps',
                'ordering': ['made_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SpentGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('spent_at', models.DateTimeField(db_index=True)),
                ('app', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='spent_grants', to='league.connectedapp')),
            ],
        ),
        migrations.CreateModel(
            name='App',
            fields=[],
            options={
                'verbose_name': 'app',
                'verbose_name_plural': 'apps',
                'ordering': ['name', 'id'],
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('allauth_idp_oidc.client',),
        ),
        migrations.AddConstraint(
            model_name='connectedapp',
            constraint=models.UniqueConstraint(fields=('user', 'client'), name='app_connected_once'),
        ),
    ]
