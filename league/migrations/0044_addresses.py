"""Reports and answers remember, for some weeks and as a keyed hash, which address they came from."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0042_one_sided'),
    ]

    operations = [
        migrations.AddField(
            model_name='confirmation',
            name='sent_from',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='counterreport',
            name='sent_from',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='confirmed_from',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='match',
            name='reported_from',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='flag',
            name='kind',
            field=models.CharField(choices=[('one_sided', 'one-sided pair'), ('one_opponent', 'points from one opponent'), ('unranked', 'wins against unranked players'), ('dodging', 'avoided matches'), ('one_address', 'confirmed from one address')], max_length=20, verbose_name='kind'),
        ),
        migrations.AddIndex(
            model_name='confirmation',
            index=models.Index(condition=models.Q(('sent_from__isnull', False)), fields=['at'], name='confirmation_with_address'),
        ),
        migrations.AddIndex(
            model_name='counterreport',
            index=models.Index(condition=models.Q(('sent_from__isnull', False)), fields=['at'], name='counter_report_with_address'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('reported_from__isnull', False)), fields=['reported_at'], name='match_with_address'),
        ),
    ]
