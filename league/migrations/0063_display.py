"""What people see in place of an arena's ratings."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0062_contest_weight'),
    ]

    operations = [
        migrations.AddField(
            model_name=model,
            name='display',
            field=models.JSONField(
                blank=True,
                db_default=models.Value({}, models.JSONField()),
                default=dict,
                verbose_name='shown ratings',
            ),
        )
        for model in ('arena', 'historicalarena')
    ] + [
        migrations.AddField(
            model_name='season', name=name, field=models.FloatField(editable=False, null=True)
        )
        for name in ('shown_mean', 'shown_width')
    ]
