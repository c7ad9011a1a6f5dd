"""Drop boxes and their counts, the difference at an opening, and a session counted only out of its boxes.

- a box goes from the table to the count room and is settled at what a count found (FLOOR-11)
- a session is counted when no box of it waits, and its drop is what its boxes held (FLOOR-12)
- it is reconciled by two (REC-08)
"""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

BOX_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_box_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        state text[] := ARRAY['state'];
        removed text[] := state || ARRAY['removed_at', 'removed_by_id', 'removed_with_id', 'seal'];
        received text[] := state || ARRAY['received_at', 'received_by_id', 'seal_found'];
        differs text[] := state || ARRAY['incident_id'];
        settled text[] := state || ARRAY['settled_at', 'amount', 'how'];
        writes text[];
    BEGIN
        writes := CASE
            WHEN OLD.state = 'on_table' AND NEW.state = 'removed' THEN removed
            WHEN OLD.state = 'removed' AND NEW.state = 'received' THEN received
            WHEN OLD.state = 'received' AND NEW.state = 'counted_once' THEN state
            WHEN OLD.state = 'counted_once' AND NEW.state = 'differs' THEN differs
            WHEN OLD.state IN ('counted_once', 'differs') AND NEW.state = 'settled' THEN settled
        END;
        IF writes IS NULL OR to_jsonb(OLD) - writes <> to_jsonb(NEW) - writes THEN
            RAISE EXCEPTION 'box % is %: it does not become % (FLOOR-11)', OLD.id, OLD.state, NEW.state
                USING ERRCODE = '23001';
        END IF;
        IF NEW.state = 'settled' AND (
               NOT EXISTS (SELECT FROM tables_boxcount WHERE box_id = NEW.id AND total = NEW.amount)
               OR (SELECT count(*) FROM tables_boxcount WHERE box_id = NEW.id) < 2
               OR (NEW.how = 'equal') <> (OLD.state = 'counted_once')) THEN
            RAISE EXCEPTION 'box % is settled at what two counts found (FLOOR-11)', OLD.id
                USING ERRCODE = '23514', CONSTRAINT = 'box_settled_by_its_counts';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_box_moves BEFORE UPDATE ON tables_dropbox
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_box_moves();
    """,
    """
    DROP TRIGGER sabot_box_moves ON tables_dropbox;
    DROP FUNCTION sabot_box_moves();
    """,
)

# Openings of before: what they showed beyond the closing before them is on their event.
DIFFERENCES_OF_BEFORE = migrations.RunSQL(
    """
    INSERT INTO tables_openingdifference (casino_id, session_id, previous_id, chips, total)
    SELECT s.casino_id, s.id, c.id, e.chips, s.opening - c.total
    FROM (
        SELECT casino_id, subject_id,
               convert_from(body, 'UTF8')::jsonb -> 'data' -> 'difference_from_closing' AS chips
        FROM audits_event WHERE action = 'tables.session.opened'
    ) e
    JOIN tables_tablesession s ON s.id = e.subject_id AND s.casino_id = e.casino_id
    CROSS JOIN LATERAL (
        SELECT n.id, n.total FROM tables_chipcount n JOIN tables_tablesession b ON b.id = n.session_id
        WHERE b.table_id = s.table_id AND b.id <> s.id AND n.moment = 'closing' AND n.counted_at <= s.opened_at
        ORDER BY n.counted_at DESC, n.id DESC LIMIT 1
    ) c
    WHERE jsonb_typeof(e.chips) = 'object' AND e.chips <> '{}'::jsonb ORDER BY s.id;
    """,
    migrations.RunSQL.noop,
)

SESSION = """
    CREATE OR REPLACE FUNCTION sabot_session_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        counted text[] := ARRAY['state', 'drop', 'result', 'unexplained', 'deduction'];
        reconciled text[] := ARRAY['state', 'reconciled_at', 'reconciled_by_id', 'reconciled_with_id'];
        live text[] := ARRAY['opening', 'open', 'paused', 'closing'];
    BEGIN
        IF OLD.state = ANY (live) AND (NEW.state = OLD.state
               OR (OLD.state = 'opening' AND NEW.state IN ('open', 'closed'))
               OR (OLD.state IN ('open', 'paused') AND NEW.state IN ('open', 'paused', 'closing', 'closed'))
               OR (OLD.state = 'closing' AND NEW.state IN ('open', 'closed')))
           AND (NEW.casino_id, NEW.table_id, NEW.day_id, NEW.number, NEW.game, NEW.detail, NEW.seats,
                NEW.opened_at, NEW.opened_by_id, NEW.opening)
             = (OLD.casino_id, OLD.table_id, OLD.day_id, OLD.number, OLD.game, OLD.detail, OLD.seats,
                OLD.opened_at, OLD.opened_by_id, OLD.opening)
           AND NEW.last_round >= OLD.last_round
           AND (NEW.drop, NEW.result, NEW.deduction, NEW.reconciled_at) IS NOT DISTINCT FROM (NULL, NULL, NULL, NULL)
           AND NEW.fills >= OLD.fills AND NEW.credits >= OLD.credits THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'closed' AND NEW.state = 'counted' AND OLD.drop IS NULL
           AND to_jsonb(OLD) - counted = to_jsonb(NEW) - counted
           AND NEW.result = NEW.closing + NEW.credits + NEW.drop - NEW.opening - NEW.fills
               + coalesce((SELECT sum(amount) FROM tables_dropbox
                           WHERE session_id = NEW.id AND kind = 'deduction'), 0)
           AND NEW.drop = coalesce((SELECT sum(amount) FROM tables_dropbox
                                    WHERE session_id = NEW.id AND kind = 'drop'), 0)
           AND NOT EXISTS (SELECT FROM tables_dropbox WHERE session_id = NEW.id AND state <> 'settled') THEN
            RETURN NEW;
        END IF;
        IF OLD.state = 'counted' AND NEW.state = 'reconciled' AND NEW.reconciled_at IS NOT NULL
           AND NEW.reconciled_by_id <> NEW.reconciled_with_id
           AND to_jsonb(OLD) - reconciled = to_jsonb(NEW) - reconciled THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'session % is %: it is corrected by a new record (REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0012_slips'),
    ]

    operations = [
        migrations.AddField(
            model_name='tablesession',
            name='deduction',
            field=models.BigIntegerField(help_text='FLOOR-14: the higher of what the deduction boxes held and what rounds recorded; null without', null=True, verbose_name='deducción asentada'),
        ),
        migrations.CreateModel(
            name='BoxCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nth', models.PositiveSmallIntegerField(verbose_name='recuento')),
                ('contents', models.JSONField()),
                ('documents', models.JSONField(help_text='vouchers and papers: kind, number, amount in smallest units')),
                ('rates', models.JSONField()),
                ('total', models.BigIntegerField()),
                ('salt', models.CharField(max_length=64)),
                ('commitment', models.CharField(help_text='SHA-256 of salt and what was found, in hex', max_length=64)),
                ('counted_at', models.DateTimeField()),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'recuento de caja',
                'ordering': ['box_id', 'nth'],
            },
        ),
        migrations.CreateModel(
            name='DropBox',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=20, verbose_name='número de la caja')),
                ('kind', models.CharField(choices=[('drop', 'caja de efectivo'), ('deduction', 'caja de deducciones')], default='drop', max_length=10, verbose_name='clase')),
                ('state', models.CharField(choices=[('on_table', 'en la mesa'), ('removed', 'retirada'), ('received', 'en la sala de recuento'), ('counted_once', 'contada una vez'), ('differs', 'los recuentos difieren'), ('settled', 'contada')], default='on_table', max_length=12)),
                ('put_on_at', models.DateTimeField(help_text='null: registered when taken off', null=True, verbose_name='puesta')),
                ('removed_at', models.DateTimeField(null=True, verbose_name='retirada')),
                ('seal', models.CharField(blank=True, default='', max_length=40, verbose_name='precinto')),
                ('received_at', models.DateTimeField(null=True, verbose_name='recibida')),
                ('seal_found', models.CharField(blank=True, default='', max_length=40, verbose_name='precinto leído')),
                ('settled_at', models.DateTimeField(null=True)),
                ('amount', models.BigIntegerField(null=True, verbose_name='importe')),
                ('how', models.CharField(blank=True, choices=[('equal', 'dos recuentos iguales'), ('third', 'un tercer recuento igual a uno de los dos'), ('resolved', 'decisión de dos personas')], default='', max_length=10)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('incident', models.ForeignKey(help_text='why its two counts differ', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.incident')),
                ('put_on_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('received_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('removed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('removed_with', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='boxes', to='tables.tablesession')),
            ],
            options={
                'verbose_name': 'caja',
                'ordering': ['session_id', 'id'],
            },
        ),
        migrations.CreateModel(
            name='BoxCounter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('records', models.BooleanField(default=False)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('count', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team', to='tables.boxcount')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('box', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.dropbox')),
            ],
            options={
                'verbose_name': 'quien contó una caja',
            },
        ),
        migrations.AddField(
            model_name='boxcount',
            name='box',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='tables.dropbox'),
        ),
        migrations.CreateModel(
            name='OpeningDifference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chips', models.JSONField(help_text='denomination in smallest units -> chips more (+) or fewer (-)')),
                ('total', models.BigIntegerField(help_text='in smallest units, signed')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('previous', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.chipcount')),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='opening_difference', to='tables.tablesession')),
            ],
            options={
                'verbose_name': 'diferencia de apertura',
            },
        ),
        migrations.CreateModel(
            name='CountRate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('currency', models.CharField(max_length=3, verbose_name='moneda')),
                ('rate', models.BigIntegerField(verbose_name='tipo de cambio')),
                ('since', models.DateTimeField(verbose_name='desde')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
            ],
            options={
                'verbose_name': 'tipo de cambio del recuento',
                'ordering': ['currency', '-since', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('rate__gt', 0)), name='count_rate_is_positive')],
            },
        ),
        migrations.AddIndex(
            model_name='dropbox',
            index=models.Index(fields=['casino', 'state'], name='tables_drop_casino__74a77c_idx'),
        ),
        migrations.AddConstraint(
            model_name='dropbox',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'settled'), _negated=True), fields=('casino', 'number'), name='one_use_of_a_box_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='dropbox',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'on_table')), fields=('session', 'kind'), name='one_box_of_a_kind_on_the_table'),
        ),
        migrations.AddConstraint(
            model_name='dropbox',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('removed_at', None), ('state', 'on_table')), models.Q(('removed_at__isnull', False), ('removed_by__isnull', False), ('removed_with__isnull', False), models.Q(('removed_by', models.F('removed_with')), _negated=True), models.Q(('seal', ''), _negated=True)), _connector='OR'), name='box_removed_by_two'),
        ),
        migrations.AddConstraint(
            model_name='dropbox',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount__gte', 0), ('settled_at__isnull', False), ('state', 'settled'), models.Q(('how', ''), _negated=True)), models.Q(models.Q(('state', 'settled'), _negated=True), ('amount', None), ('how', ''), ('settled_at', None)), _connector='OR'), name='settled_box_has_its_amount'),
        ),
        migrations.AddConstraint(
            model_name='boxcounter',
            constraint=models.UniqueConstraint(fields=('box', 'person'), name='one_team_per_person_and_box'),
        ),
        migrations.AddConstraint(
            model_name='boxcount',
            constraint=models.UniqueConstraint(fields=('box', 'nth'), name='one_count_of_a_box_per_turn'),
        ),
        migrations.AddConstraint(
            model_name='boxcount',
            constraint=models.CheckConstraint(condition=models.Q(('nth__range', (1, 3))), name='box_counted_at_most_thrice'),
        ),
        NoDelete("tables_dropbox"),
        BOX_MOVES,
        AppendOnly("tables_boxcount"),
        AppendOnly("tables_boxcounter"),
        AppendOnly("tables_countrate"),
        DIFFERENCES_OF_BEFORE,
        AppendOnly("tables_openingdifference"),
        migrations.RunSQL(SESSION, migrations.RunSQL.noop),
    ]
