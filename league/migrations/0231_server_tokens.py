"""Tokens of game servers, which write only in some arenas and can be signed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0230_access_tokens'),
    ]

    operations = [
        migrations.AddField(
            model_name='accesstoken',
            name='arenas',
            field=models.ManyToManyField(blank=True, to='league.arena', verbose_name='arenas'),
        ),
        migrations.AddField(
            model_name='accesstoken',
            name='is_bound',
            field=models.BooleanField(db_default=False, default=False, verbose_name='only in some arenas'),
        ),
        migrations.AddField(
            model_name='accesstoken',
            name='signs',
            field=models.BooleanField(db_default=False, default=False, help_text="Whether each request that writes must be signed with the token's second secret, so that nobody can change it on the way or send it again.", verbose_name='signed requests only'),
        ),
        migrations.CreateModel(
            name='UsedNonce',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nonce', models.CharField(max_length=64)),
                ('used_at', models.DateTimeField(db_index=True)),
                ('token', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nonces', to='league.accesstoken')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('token', 'nonce'), name='nonce_used_once')],
            },
        ),
    ]
