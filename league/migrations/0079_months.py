"""The start from which a season's months are counted, so that the end of a month does not drift."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0075_checked_staff'),
    ]

    operations = [
        migrations.AddField(
            model_name='season',
            name='months_from',
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
