"""The AJ's inspector: codes, visits, draws, counts and what was read (REC-11)."""

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import django.db.models.expressions
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

# A code is used up and ended, never given anew; a visit closes; a draw is drawn once, from the seed announced.
MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_access_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'entries', 'attempts', 'last_entry_at', 'locked_at', 'revoked_at',
            'revoked_by_id'];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND NEW.entries BETWEEN OLD.entries AND OLD.entries + 1
           AND NEW.attempts BETWEEN OLD.attempts AND OLD.attempts + 1
           AND (NEW.locked_at IS NOT DISTINCT FROM OLD.locked_at OR step = 'given>locked')
           AND (NEW.last_entry_at IS NOT DISTINCT FROM OLD.last_entry_at OR NEW.entries > OLD.entries)
           AND (NEW.entries = OLD.entries OR step = 'given>given')
           AND step IN ('given>given', 'given>locked', 'given>revoked', 'locked>locked', 'locked>revoked') THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'inspector access %: it is used up or ended, never given anew (REC-11)', OLD.id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_access_moves BEFORE UPDATE ON audits_inspectoraccess
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_access_moves();

    CREATE FUNCTION sabot_inspection_closes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'remarks', 'closed_at', 'closed_by_id'];
    BEGIN
        IF OLD.state = 'open' AND NEW.state = 'closed' AND to_jsonb(OLD) - moving = to_jsonb(NEW) - moving THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'inspection %: it closes once and says what it said (REC-06)', OLD.id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_inspection_closes BEFORE UPDATE ON audits_inspection
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_inspection_closes();

    CREATE FUNCTION sabot_inspection_drawn() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'word', 'picks', 'drawn_at'];
    BEGIN
        IF encode(sha256(decode(NEW.seed, 'hex')), 'hex') = NEW.seed_hash
           AND (TG_OP = 'INSERT' AND NEW.state = 'announced'
                OR TG_OP = 'UPDATE' AND OLD.state = 'announced' AND NEW.state = 'drawn'
                   AND to_jsonb(OLD) - moving = to_jsonb(NEW) - moving) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'draw %: it is drawn once, from the seed that was announced (REC-11)', NEW.id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_inspection_drawn BEFORE INSERT OR UPDATE ON audits_inspectiondraw
        FOR EACH ROW EXECUTE FUNCTION sabot_inspection_drawn();
    """,
    """
    DROP TRIGGER sabot_inspection_drawn ON audits_inspectiondraw; DROP FUNCTION sabot_inspection_drawn();
    DROP TRIGGER sabot_inspection_closes ON audits_inspection; DROP FUNCTION sabot_inspection_closes();
    DROP TRIGGER sabot_access_moves ON audits_inspectoraccess; DROP FUNCTION sabot_access_moves();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0014_bundles'),
        ('casino', '0004_sessions_ended'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Inspection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('day', models.DateField(verbose_name='día de juego')),
                ('opened_at', models.DateTimeField(verbose_name='abierta')),
                ('state', models.CharField(choices=[('open', 'abierta'), ('closed', 'cerrada')], default='open', max_length=10, verbose_name='estado')),
                ('remarks', models.TextField(blank=True, verbose_name='observaciones')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='cerrada')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='inspections', to='casino.casino')),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('inspector', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='inspector')),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='abierta por')),
            ],
            options={
                'verbose_name': 'inspección',
                'verbose_name_plural': 'inspecciones',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='InspectionCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='conteo')),
                ('day', models.DateField(verbose_name='día de juego')),
                ('kind', models.CharField(max_length=40, verbose_name='clase')),
                ('unit', models.CharField(choices=[('chips', 'fichas'), ('cards', 'cartas'), ('money', 'importe')], max_length=10)),
                ('subject_type', models.CharField(max_length=20)),
                ('subject_id', models.BigIntegerField()),
                ('subject_label', models.CharField(max_length=120, verbose_name='sobre')),
                ('table', models.BigIntegerField(null=True)),
                ('table_label', models.CharField(blank=True, max_length=20, verbose_name='mesa')),
                ('pieces', models.JSONField(default=dict)),
                ('aside', models.BigIntegerField(null=True)),
                ('total', models.BigIntegerField(verbose_name='contado')),
                ('expected', models.BigIntegerField(verbose_name='esperado')),
                ('difference', models.BigIntegerField(verbose_name='diferencia')),
                ('facts', models.JSONField(default=dict)),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('counted_at', models.DateTimeField(verbose_name='contado')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('counted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('inspection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='audits.inspection')),
            ],
            options={
                'verbose_name': 'conteo de inspección',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='InspectionAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agrees', models.BooleanField(verbose_name='conforme')),
                ('words', models.TextField(blank=True, verbose_name='objeción')),
                ('signed_at', models.DateTimeField(verbose_name='firmado')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('signed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por la casa')),
                ('count', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='answer', to='audits.inspectioncount')),
            ],
            options={
                'verbose_name': 'firma de la casa',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='InspectionDraw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='sorteo')),
                ('day', models.DateField(verbose_name='día de juego')),
                ('open_only', models.BooleanField(default=True, verbose_name='sólo mesas abiertas')),
                ('wanted', models.PositiveSmallIntegerField(verbose_name='mesas')),
                ('candidates', models.JSONField()),
                ('digest', models.CharField(max_length=64)),
                ('seed', models.CharField(max_length=64)),
                ('seed_hash', models.CharField(max_length=64)),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('announced_at', models.DateTimeField(verbose_name='anunciado')),
                ('state', models.CharField(choices=[('announced', 'anunciado'), ('drawn', 'sorteado')], default='announced', max_length=10)),
                ('word', models.CharField(blank=True, max_length=80, verbose_name='palabra del inspector')),
                ('picks', models.JSONField(default=list)),
                ('drawn_at', models.DateTimeField(null=True, verbose_name='sorteado')),
                ('announced_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('inspection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='draws', to='audits.inspection')),
            ],
            options={
                'verbose_name': 'sorteo de mesas',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='InspectorAccess',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('credential', models.CharField(max_length=20, verbose_name='credencial de la AJ')),
                ('selector', models.CharField(max_length=4, unique=True)),
                ('secret', models.CharField(max_length=200)),
                ('valid_from', models.DateTimeField(verbose_name='desde')),
                ('valid_until', models.DateTimeField(verbose_name='hasta')),
                ('entries_allowed', models.PositiveSmallIntegerField(default=1, verbose_name='entradas')),
                ('entries', models.PositiveSmallIntegerField(default=0, verbose_name='usado')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='intentos fallidos')),
                ('state', models.CharField(choices=[('given', 'vigente'), ('locked', 'bloqueado'), ('revoked', 'revocado')], default='given', max_length=10, verbose_name='estado')),
                ('given_at', models.DateTimeField(verbose_name='dado')),
                ('last_entry_at', models.DateTimeField(null=True, verbose_name='última entrada')),
                ('locked_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='dado por')),
                ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accesses', to=settings.AUTH_USER_MODEL, verbose_name='inspector')),
            ],
            options={
                'verbose_name': 'acceso de inspector',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='InspectorLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('path', models.CharField(max_length=300)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
            ],
            options={
                'verbose_name': 'consulta de inspector',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AccessTerms',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('default_hours', models.PositiveSmallIntegerField(verbose_name='horas de un código')),
                ('longest_hours', models.PositiveSmallIntegerField(verbose_name='horas como máximo')),
                ('set_at', models.DateTimeField()),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('set_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'plazo de los códigos de inspector',
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('default_hours__gte', 1), ('longest_hours__gte', models.F('default_hours'))), name='code_lasts_within_its_limit')],
            },
        ),
        migrations.AddConstraint(
            model_name='inspection',
            constraint=models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_inspection_per_number'),
        ),
        migrations.AddConstraint(
            model_name='inspection',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('inspector',), name='one_open_inspection_per_inspector'),
        ),
        migrations.AddConstraint(
            model_name='inspection',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('remarks', ''), ('state', 'open')), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('state', 'closed')), _connector='OR'), name='inspection_is_what_its_state_says'),
        ),
        migrations.AddIndex(
            model_name='inspectioncount',
            index=models.Index(fields=['casino', 'table', 'day'], name='count_by_table'),
        ),
        migrations.AddConstraint(
            model_name='inspectioncount',
            constraint=models.UniqueConstraint(fields=('inspection', 'number'), name='one_count_per_number'),
        ),
        migrations.AddConstraint(
            model_name='inspectioncount',
            constraint=models.UniqueConstraint(condition=models.Q(('reason', '')), fields=('inspection', 'kind', 'subject_id'), name='one_count_per_thing_without_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='inspectioncount',
            constraint=models.CheckConstraint(condition=models.Q(('difference', django.db.models.expressions.CombinedExpression(models.F('total'), '-', models.F('expected'))), ('total__gte', 0)), name='count_differs_by_its_difference'),
        ),
        migrations.AddConstraint(
            model_name='inspectionanswer',
            constraint=models.CheckConstraint(condition=models.Q(('agrees', True), models.Q(('words', ''), _negated=True), _connector='OR'), name='objection_says_why'),
        ),
        migrations.AddConstraint(
            model_name='inspectiondraw',
            constraint=models.UniqueConstraint(fields=('inspection', 'number'), name='one_draw_per_number'),
        ),
        migrations.AddConstraint(
            model_name='inspectiondraw',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'announced')), fields=('inspection',), name='one_draw_announced_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='inspectiondraw',
            constraint=models.UniqueConstraint(condition=models.Q(('reason', '')), fields=('casino', 'day'), name='one_draw_per_day_without_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='inspectiondraw',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('drawn_at', None), ('state', 'announced'), ('word', '')), models.Q(models.Q(('word', ''), _negated=True), ('drawn_at__isnull', False), ('state', 'drawn')), _connector='OR'), name='draw_is_what_its_state_says'),
        ),
        migrations.AddConstraint(
            model_name='inspectoraccess',
            constraint=models.CheckConstraint(condition=models.Q(('valid_from__lt', models.F('valid_until'))), name='access_ends'),
        ),
        migrations.AddConstraint(
            model_name='inspectoraccess',
            constraint=models.CheckConstraint(condition=models.Q(('entries__lte', models.F('entries_allowed')), ('entries_allowed__gte', 1)), name='access_entered_no_more_than_allowed'),
        ),
        migrations.AddConstraint(
            model_name='inspectoraccess',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('revoked_at__isnull', False), ('revoked_by__isnull', False), ('state', 'revoked')), models.Q(models.Q(('state', 'revoked'), _negated=True), ('revoked_at', None), ('revoked_by', None)), _connector='OR'), name='access_is_what_its_state_says'),
        ),
        migrations.AddConstraint(
            model_name='inspectoraccess',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('state', 'revoked'), _negated=True), expressions=[(models.Func(models.F('user'), models.F('user'), models.Value('[]'), function='int8range'), '&&'), (models.Func('valid_from', 'valid_until', function='tstzrange', output_field=django.contrib.postgres.fields.ranges.DateTimeRangeField()), '&&')], name='one_access_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='inspectorlook',
            constraint=models.UniqueConstraint(fields=('actor', 'day', 'path'), name='one_look_per_day_and_address'),
        ),
        *(NoDelete(f'audits_{name}') for name in ('inspectoraccess', 'inspection', 'inspectiondraw')),
        *(
            AppendOnly(f'audits_{name}')
            for name in ('accessterms', 'inspectorlook', 'inspectioncount', 'inspectionanswer')
        ),
        MOVES,
    ]
