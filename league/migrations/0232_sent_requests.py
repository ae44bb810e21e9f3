"""Requests of programs with an Idempotency-Key, and their responses."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0231_server_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='SentRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('digest', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('media_type', models.CharField(default='', max_length=60)),
                ('body', models.TextField(default='')),
                ('at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sent_requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='request_sent_once')],
            },
        ),
    ]
