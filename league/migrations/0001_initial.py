"""Accounts. Other apps refer to them, and the league to other apps."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.utils.timezone
from django.core.management import CommandError
from django.db import migrations, models


def refuse_other_encodings(apps, schema_editor):
    """Debian's server stores bytes as they come if no language was set when it was installed.

    Searches would then tell Ä from ä, and nothing would keep broken text out.
    """
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT current_database(), current_setting('server_encoding')")
        name, encoding = cursor.fetchone()
    if encoding != "UTF8":
        raise CommandError(
            f"The database {name} stores text as {encoding}, and Laurel needs UTF8. It is empty: "
            f"drop it, and create it again with createdb --encoding UTF8 --template template0 "
            f"--owner ROLE {name}."
        )


class Migration(migrations.Migration):

    initial = True

    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.RunPython(refuse_other_encodings, migrations.RunPython.noop),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('theme', models.CharField(blank=True, choices=[('', 'as the system'), ('light', 'light'), ('dark', 'dark')], db_default='', default='', max_length=5, verbose_name='theme')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'permissions': [('give_role', 'Can give roles to accounts'), ('impersonate', 'Can see the site as a player')],
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
    ]
