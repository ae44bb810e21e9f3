"""Penalties for further reasons, which arenas declare."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models
from django.db.migrations.exceptions import IrreversibleError

BY_THEMSELVES = ['Abandon', 'QueueDodge', 'Banned']
RESERVED = {*(each.lower() for each in BY_THEMSELVES), 'another'}
LONGEST = 100
LARGEST = 1_000_000_000
NOTICES = [
    ('reported', 'a result to confirm'),
    ('disputed', 'a dispute about your result'),
    ('decided', 'a decision of staff about your match'),
    ('rated', 'a result that counts'),
    ('lapsed', 'a result that nobody confirmed'),
    ('undecided', 'an objection that was not decided in time'),
    ('withdrawn', 'an objection that was withdrawn'),
    ('dated', 'news about a date to play'),
    ('waiting', 'a date that waits for your answer'),
    ('called_off', 'a date that was called off'),
    ('messaged', 'a message about a date'),
    ('challenged', 'a challenge to you'),
    ('answered', 'an answer to your challenge'),
    ('invited', 'an invitation to a roster'),
    ('queued', 'your captain has queued you'),
    ('found', 'a match was found for you'),
    ('banned', 'a ban'),
    ('unbanned', 'a lifted ban'),
    ('penalised', 'a penalty'),
]


def named(penalties):
    """Return the stacks of reasons by the names that arenas can have for them."""
    stacks = {}
    for each in penalties:
        name = ' '.join(each['reason'].split())[:LONGEST]
        if name.lower() in RESERVED:
            name += ' (imported)'
        if name:
            stacks[name] = min(max(each['stacks'], stacks.get(name, 0)), LARGEST)
    return stacks


def move_reasons(apps, editor):
    """Give the league's imported reasons to every arena. Without an arena they stay."""
    Arena = apps.get_model('league', 'Arena')
    Discipline = apps.get_model('league', 'Discipline')
    PenaltyReason = apps.get_model('league', 'PenaltyReason')
    arenas = list(Arena.objects.values_list('pk', flat=True))
    for row in Discipline.objects.all() if arenas else ():
        penalties = row.rules.get('penalties', [])
        further = [each for each in penalties if each['reason'] not in BY_THEMSELVES]
        if not further:
            continue
        PenaltyReason.objects.bulk_create(
            PenaltyReason(arena_id=arena, name=name, stacks=stacks)
            for arena in arenas
            for name, stacks in named(further).items()
        )
        row.rules['penalties'] = [each for each in penalties if each not in further]
        row.save(update_fields=['rules'])


def move_back(apps, editor):
    """Return the reasons to the league, each with the most stacks that an arena gives for it.

    Earlier releases have no room for penalties that were given for them, and none is ever deleted.
    """
    DishonorAward = apps.get_model('league', 'DishonorAward')
    if DishonorAward.objects.exclude(offence__in=BY_THEMSELVES).exists():
        raise IrreversibleError(
            'Players were penalised for reasons that arenas declare. To go back, restore a backup.'
        )
    Discipline = apps.get_model('league', 'Discipline')
    PenaltyReason = apps.get_model('league', 'PenaltyReason')
    row = Discipline.objects.first()
    stacks = {}
    for each in PenaltyReason.objects.order_by('pk'):
        stacks[each.name] = max(each.stacks, stacks.get(each.name, 0))
    if row is None or not stacks or 'penalties' not in row.rules:
        return
    further = [{'reason': name, 'stacks': count} for name, count in stacks.items()]
    row.rules['penalties'] = [*row.rules['penalties'], *further]
    row.save(update_fields=['rules'])


class Migration(migrations.Migration):

    allows = {
        'changing-column-type': 'A longer limit of a text needs neither a new table nor a new index.',
    }

    dependencies = [
        ('league', '0068_ignored'),
    ]

    operations = [
        migrations.CreateModel(
            name='PenaltyReason',
            fields=[
                (
                    'id',
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name='ID'
                    ),
                ),
                (
                    'name',
                    models.CharField(
                        help_text='Players read it, such as “Insults”.',
                        max_length=100,
                        verbose_name='reason',
                    ),
                ),
                (
                    'stacks',
                    models.PositiveIntegerField(
                        help_text='The stacks of dishonor that one penalty gives.',
                        validators=[django.core.validators.MaxValueValidator(1000000000)],
                        verbose_name='stacks',
                    ),
                ),
                (
                    'arena',
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name='penalty_reasons',
                        to='league.arena',
                        verbose_name='arena',
                    ),
                ),
            ],
            options={
                'verbose_name': 'reason for penalties',
                'verbose_name_plural': 'reasons for penalties',
                'ordering': ['pk'],
                'constraints': [
                    models.UniqueConstraint(
                        fields=('arena', 'name'),
                        name='penalty_reason_once_an_arena',
                        violation_error_message='This arena already has this reason.',
                    )
                ],
            },
        ),
        migrations.RemoveConstraint(
            model_name='dishonoraward', name='only_bans_are_given_by_staff'
        ),
        migrations.AlterField(
            model_name='dishonoraward',
            name='offence',
            field=models.CharField(
                choices=[
                    ('Abandon', 'leaving a match before its end'),
                    ('QueueDodge', 'not accepting a match'),
                    ('Banned', 'banned by staff'),
                ],
                max_length=100,
                verbose_name='offence',
            ),
        ),
        migrations.AlterField(
            model_name='dishonoraward',
            name='action',
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name='award',
                to='league.staffaction',
                verbose_name='decision',
            ),
        ),
        AddConstraintNotValid(
            model_name='dishonoraward',
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ('offence', 'Banned'),
                    models.Q(
                        ('action', None),
                        ('ends_at', None),
                        ('offence__in', ['Abandon', 'QueueDodge']),
                    ),
                    models.Q(
                        models.Q(
                            ('offence__in', ['Banned', 'Abandon', 'QueueDodge']), _negated=True
                        ),
                        ('action__isnull', False),
                        ('ends_at', None),
                    ),
                    _connector='OR',
                ),
                name='further_penalties_are_given_by_somebody',
            ),
        ),
        migrations.RemoveConstraint(
            model_name='staffaction', name='staff_action_about_a_match'
        ),
        migrations.AlterField(
            model_name='staffaction',
            name='kind',
            field=models.CharField(
                choices=[
                    ('upheld', 'upheld a reported result'),
                    ('corrected', 'corrected a reported result'),
                    ('voided', 'voided a match'),
                    ('entered', 'entered a result'),
                    ('amnesty', 'granted an amnesty'),
                    ('challenge', 'called off a challenge'),
                    ('ban', 'banned a player'),
                    ('unban', 'lifted a ban'),
                    ('renamed', 'renamed a player'),
                    ('claim', 'decided a claim'),
                    ('rejected', 'rejected an objection'),
                    ('merged', 'merged two players'),
                    ('penalised', 'penalised a player'),
                ],
                max_length=20,
                verbose_name='action',
            ),
        ),
        AddConstraintNotValid(
            model_name='staffaction',
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        'kind__in',
                        [
                            'amnesty',
                            'challenge',
                            'ban',
                            'unban',
                            'renamed',
                            'claim',
                            'merged',
                            'penalised',
                        ],
                    ),
                    ('match__isnull', False),
                    _connector='OR',
                ),
                name='staff_action_about_a_match',
            ),
        ),
        migrations.AlterField(
            model_name='flag',
            name='kind',
            field=models.CharField(
                choices=[
                    ('one_sided', 'one-sided pair'),
                    ('one_opponent', 'points from one opponent'),
                    ('unranked', 'wins against unranked players'),
                    ('dodging', 'avoided matches'),
                    ('one_address', 'confirmed from one address'),
                    ('conduct', 'reported by a captain'),
                ],
                max_length=20,
                verbose_name='kind',
            ),
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(choices=NOTICES, max_length=12),
                blank=True,
                default=list,
                size=None,
                verbose_name='no mail about',
            ),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=NOTICES, max_length=12, verbose_name='kind'),
        ),
        migrations.RunPython(move_reasons, move_back),
    ]
