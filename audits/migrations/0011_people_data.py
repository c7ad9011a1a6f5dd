"""People's data: refusals, who looked at whom, periods, holds, pseudonyms; and what the database refuses of them."""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete, PSEUDONYM_FUNCTIONS



# A value told as a commitment is erased once, for a pseudonym of the thing its event is about, and nothing else of
# it changes (REC-12).
VALUE_ERASED = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_value_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.pseudonym_id IS NULL AND NEW.value = '' AND length(NEW.salt) = 0
           AND (OLD.id, OLD.casino_id, OLD.event_id, OLD.path) = (NEW.id, NEW.casino_id, NEW.event_id, NEW.path)
           AND EXISTS (SELECT 1 FROM audits_pseudonym p JOIN audits_event e ON e.id = OLD.event_id
               WHERE p.id = NEW.pseudonym_id AND (p.casino_id, p.kind, p.subject_id)
                   = (OLD.casino_id, e.subject_type, e.subject_id)) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'personal value %: it is only ever erased, by a pseudonym (REC-06, REC-12)', OLD.id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_value_erased BEFORE UPDATE ON audits_personalvalue
        FOR EACH ROW EXECUTE FUNCTION sabot_value_erased();
    """,
    "DROP TRIGGER sabot_value_erased ON audits_personalvalue; DROP FUNCTION sabot_value_erased();",
)

# Nobody becomes a pseudonym who is held, nor outside what the order says.
PSEUDONYM_IN = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_pseudonym_in() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT 1 FROM audits_legalhold h LEFT JOIN audits_legalholdend n ON n.hold_id = h.id
                   WHERE n.id IS NULL AND (h.casino_id, h.kind, h.subject_id)
                       = (NEW.casino_id, NEW.kind, NEW.subject_id)) THEN
            RAISE EXCEPTION '% % is under a legal hold (REC-12)', NEW.kind, NEW.subject_id USING ERRCODE = '23514';
        END IF;
        IF NOT EXISTS (SELECT 1 FROM audits_erasureorder o
                       WHERE (o.id, o.casino_id, o.kind) = (NEW.order_id, NEW.casino_id, NEW.kind)) THEN
            RAISE EXCEPTION 'order % is of another kind or house', NEW.order_id USING ERRCODE = '23514';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_pseudonym_in BEFORE INSERT ON audits_pseudonym
        FOR EACH ROW EXECUTE FUNCTION sabot_pseudonym_in();
    """,
    "DROP TRIGGER sabot_pseudonym_in ON audits_pseudonym; DROP FUNCTION sabot_pseudonym_in();",
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0010_row_digests'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='ErasureOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20, verbose_name='clase')),
                ('before', models.DateField(verbose_name='sin uso desde antes de')),
                ('years', models.PositiveSmallIntegerField(verbose_name='años')),
                ('due', models.PositiveIntegerField(verbose_name='personas')),
                ('at', models.DateTimeField(verbose_name='instante')),
                ('reason', models.CharField(max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='erasure_orders', to='casino.casino')),
                ('ordered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='ordenó')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='firmó también')),
            ],
            options={
                'verbose_name': 'orden de seudonimizar',
                'verbose_name_plural': 'órdenes de seudonimizar',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='LegalHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20, verbose_name='clase')),
                ('subject_id', models.BigIntegerField()),
                ('label', models.CharField(max_length=120, verbose_name='sobre')),
                ('document', models.CharField(max_length=120, verbose_name='documento')),
                ('reason', models.CharField(max_length=500, verbose_name='motivo')),
                ('put_at', models.DateTimeField(verbose_name='desde')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='legal_holds', to='casino.casino')),
                ('put_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='puesta por')),
            ],
            options={
                'verbose_name': 'retención legal',
                'verbose_name_plural': 'retenciones legales',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='LegalHoldEnd',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='levantada')),
                ('reason', models.CharField(max_length=500, verbose_name='motivo')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('hold', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ended', to='audits.legalhold')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'fin de retención legal',
            },
        ),
        migrations.CreateModel(
            name='PersonLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='instante')),
                ('minute', models.DateTimeField()),
                ('kind', models.CharField(max_length=20, verbose_name='clase')),
                ('subject_id', models.BigIntegerField(null=True)),
                ('label', models.CharField(blank=True, max_length=120, verbose_name='a quién')),
                ('shown', models.PositiveIntegerField(null=True, verbose_name='personas')),
                ('place', models.CharField(max_length=80, verbose_name='dónde')),
                ('request', models.UUIDField()),
                ('actor', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='quién')),
                ('casino', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='person_looks', to='casino.casino')),
            ],
            options={
                'verbose_name': 'acceso a datos',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Pseudonym',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('subject_id', models.BigIntegerField()),
                ('code', models.CharField(max_length=20)),
                ('at', models.DateTimeField()),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pseudonyms', to='audits.erasureorder')),
            ],
            options={
                'verbose_name': 'seudónimo',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='PersonalValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(help_text="the key in the event's data", max_length=40)),
                ('salt', models.BinaryField(max_length=32)),
                ('value', models.CharField(max_length=500)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='personal', to='audits.event')),
                ('pseudonym', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='values', to='audits.pseudonym')),
            ],
            options={
                'verbose_name': 'dato personal',
            },
        ),
        migrations.CreateModel(
            name='Refusal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='instante')),
                ('minute', models.DateTimeField(help_text='`at` without its seconds; of a job the hour')),
                ('nth', models.PositiveSmallIntegerField(help_text='which of that minute; the last one stands for all after it')),
                ('rule', models.CharField(max_length=12, verbose_name='regla')),
                ('code', models.CharField(max_length=60, verbose_name='código')),
                ('field', models.CharField(blank=True, max_length=60, verbose_name='campo')),
                ('place', models.CharField(max_length=80, verbose_name='dónde')),
                ('method', models.CharField(blank=True, max_length=8)),
                ('about', models.CharField(blank=True, max_length=120, verbose_name='sobre')),
                ('actor', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='quién')),
                ('casino', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='refusals', to='casino.casino')),
            ],
            options={
                'verbose_name': 'rechazo',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='RetentionPeriod',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20, verbose_name='clase')),
                ('years', models.PositiveSmallIntegerField(verbose_name='años')),
                ('set_at', models.DateTimeField(verbose_name='fijado')),
                ('reason', models.CharField(max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='retention_periods', to='casino.casino')),
                ('set_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='fijado por')),
            ],
            options={
                'verbose_name': 'plazo de conservación',
                'ordering': ['-id'],
            },
        ),
        migrations.AddConstraint(
            model_name='erasureorder',
            constraint=models.CheckConstraint(condition=models.Q(('ordered_by', models.F('second')), _negated=True), name='erasure_ordered_by_two'),
        ),
        migrations.AddConstraint(
            model_name='erasureorder',
            constraint=models.CheckConstraint(condition=models.Q(('years__gte', 10)), name='erasure_not_too_early'),
        ),
        migrations.AddIndex(
            model_name='legalhold',
            index=models.Index(fields=['casino', 'kind', 'subject_id'], name='hold_by_subject'),
        ),
        migrations.AddConstraint(
            model_name='legalhold',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('document', ''), _negated=True), models.Q(('reason', ''), _negated=True)), name='hold_says_why'),
        ),
        migrations.AddConstraint(
            model_name='legalholdend',
            constraint=models.CheckConstraint(condition=models.Q(('by', models.F('second')), _negated=True), name='hold_lifted_by_two'),
        ),
        migrations.AddIndex(
            model_name='personlook',
            index=models.Index(fields=['casino', 'at'], name='look_by_time'),
        ),
        migrations.AddIndex(
            model_name='personlook',
            index=models.Index(fields=['casino', 'kind', 'subject_id'], name='look_by_subject'),
        ),
        migrations.AddConstraint(
            model_name='personlook',
            constraint=models.UniqueConstraint(fields=('casino', 'actor', 'kind', 'subject_id', 'place', 'minute'), name='one_look_a_minute', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='pseudonym',
            constraint=models.UniqueConstraint(fields=('casino', 'kind', 'subject_id'), name='one_pseudonym_per_subject'),
        ),
        migrations.AddConstraint(
            model_name='pseudonym',
            constraint=models.UniqueConstraint(fields=('casino', 'code'), name='one_subject_per_pseudonym'),
        ),
        migrations.AddConstraint(
            model_name='personalvalue',
            constraint=models.UniqueConstraint(fields=('event', 'path'), name='one_value_per_path'),
        ),
        migrations.AddConstraint(
            model_name='personalvalue',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('pseudonym', None), models.Q(('value', ''), _negated=True)), models.Q(('pseudonym__isnull', False), ('value', '')), _connector='OR'), name='personal_value_or_pseudonym'),
        ),
        migrations.AddIndex(
            model_name='refusal',
            index=models.Index(fields=['casino', 'rule', 'at'], name='refusal_by_rule'),
        ),
        migrations.AddConstraint(
            model_name='refusal',
            constraint=models.UniqueConstraint(fields=('casino', 'actor', 'rule', 'code', 'minute', 'nth'), name='refusals_a_minute'),
        ),
        migrations.AddConstraint(
            model_name='refusal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('rule', ''), _negated=True), ('nth__gte', 1), ('nth__lte', 10)), name='refusal_of_a_rule'),
        ),
        migrations.AddConstraint(
            model_name='retentionperiod',
            constraint=models.CheckConstraint(condition=models.Q(('years__gte', 10)), name='retention_not_too_short'),
        ),
        AppendOnly('audits_personlook'),
        AppendOnly('audits_retentionperiod'),
        AppendOnly('audits_legalhold'),
        AppendOnly('audits_legalholdend'),
        AppendOnly('audits_erasureorder'),
        AppendOnly('audits_pseudonym'),
        AppendOnly('audits_refusal'),
        NoDelete('audits_personalvalue'),
        VALUE_ERASED,
        PSEUDONYM_IN,
        PSEUDONYM_FUNCTIONS,
    ]
