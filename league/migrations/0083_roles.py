"""Roles, organisers of single arenas, and separate permissions for what staff do to results."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('league', '0080_drafts'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='staffaction',
            options={'ordering': ['-id'], 'permissions': [('decide_match', 'Can decide disputed results'), ('enter_result', 'Can enter results'), ('correct_match', 'Can correct rated results'), ('void_match', 'Can void rated results')], 'verbose_name': 'staff action', 'verbose_name_plural': 'staff actions'},
        ),
        migrations.AlterModelOptions(
            name='user',
            options={'permissions': [('give_role', 'Can give roles to accounts'), ('impersonate', 'Can see the site as a player')], 'verbose_name': 'user', 'verbose_name_plural': 'users'},
        ),
        migrations.AlterModelOptions(
            name='penaltyreason',
            options={'ordering': ['pk'], 'permissions': [('penalise_player', 'Can penalise players')], 'verbose_name': 'reason for penalties', 'verbose_name_plural': 'reasons for penalties'},
        ),
        migrations.CreateModel(
            name='Role',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=20, unique=True)),
                ('given', models.JSONField(default=list)),
                ('group', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='role', to='auth.group')),
            ],
            options={'default_permissions': ()},
        ),
        migrations.CreateModel(
            name='ArenaOrganiser',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='organised', to=settings.AUTH_USER_MODEL)),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='organisers', to='league.arena')),
            ],
            options={
                'default_permissions': (),
                'verbose_name': 'arena organiser',
                'verbose_name_plural': 'arena organisers',
                'constraints': [models.UniqueConstraint(fields=('account', 'arena'), name='organiser_of_arena_once')],
            },
        ),
    ]
