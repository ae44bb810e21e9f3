"""How much one account may send in an arena."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0044_addresses'),
    ]

    operations = [
        migrations.AddField(
            model_name='arena',
            name='limits',
            field=models.JSONField(blank=True, default=dict, verbose_name='limits'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='limits',
            field=models.JSONField(blank=True, default=dict, verbose_name='limits'),
        ),
    ]
