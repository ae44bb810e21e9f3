"""Add the readings of the published rules to the dishonor rules."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0054_ranks_and_levels'),
    ]

    operations = [
        migrations.AddField(
            model_name='discipline',
            name='decay',
            field=models.CharField(choices=[('sequential', 'One after another, each after its full duration'), ('parallel', 'All stacks of an award together')], db_default='sequential', default='sequential', help_text='Whether stacks of dishonor expire one after another or together.', max_length=20, verbose_name='expiry of stacks'),
        ),
        migrations.AddField(
            model_name='discipline',
            name='rounding',
            field=models.CharField(choices=[('half_up', 'To the longer one'), ('half_even', 'To the even multiple')], db_default='half_up', default='half_up', help_text='How to round a timeout half-way between two multiples.', max_length=20, verbose_name='rounding of timeouts'),
        ),
        migrations.AddField(
            model_name='historicaldiscipline',
            name='decay',
            field=models.CharField(choices=[('sequential', 'One after another, each after its full duration'), ('parallel', 'All stacks of an award together')], db_default='sequential', default='sequential', help_text='Whether stacks of dishonor expire one after another or together.', max_length=20, verbose_name='expiry of stacks'),
        ),
        migrations.AddField(
            model_name='historicaldiscipline',
            name='rounding',
            field=models.CharField(choices=[('half_up', 'To the longer one'), ('half_even', 'To the even multiple')], db_default='half_up', default='half_up', help_text='How to round a timeout half-way between two multiples.', max_length=20, verbose_name='rounding of timeouts'),
        ),
    ]
