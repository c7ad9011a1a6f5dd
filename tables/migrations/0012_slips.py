"""Cage desks, chip sets, where chips are, and the slips they go to a table or leave it by.

What can never be changed: an entry, a move or a count of chips, and what a slip says. Sessions of before
get the moves that their counts tell of.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

# A slip: what was asked for stays; it goes requested -> issued -> verified, or is voided before that (FLOOR-08).
SLIP = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_slip_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        issued text[] := ARRAY['state', 'issued_by_id', 'issued_at', 'runner'];
        verified text[] := ARRAY['state', 'verified_by_id', 'verified_at', 'dealer_id'];
        void text[] := ARRAY['state', 'voided_by_id', 'voided_with_id', 'voided_at', 'void_reason'];
        written text[];
    BEGIN
        written := CASE
            WHEN OLD.state = 'requested' AND NEW.state = 'issued' THEN issued
            WHEN OLD.state = 'issued' AND NEW.state = 'verified' THEN verified
            WHEN OLD.state IN ('requested', 'issued') AND NEW.state = 'void' THEN void END;
        IF to_jsonb(OLD) - written = to_jsonb(NEW) - written THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'slip % is %: it is corrected by another slip (FLOOR-08, REC-07)', OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_slip_changes BEFORE UPDATE ON tables_slip
        FOR EACH ROW EXECUTE FUNCTION sabot_slip_changes();
    """,
    """
    DROP TRIGGER sabot_slip_changes ON tables_slip;
    DROP FUNCTION sabot_slip_changes();
    """,
)

# Sessions of before: the float came from the vault, the count went back, the rest is with the public.
MOVES_OF_BEFORE = migrations.RunSQL(
    """
    WITH counted AS (
        SELECT c.casino_id, c.session_id, c.moment, e.id AS event_id,
               line.key::bigint AS denomination, line.value::int AS number
        FROM tables_chipcount c
        JOIN audits_stream st ON st.casino_id = c.casino_id AND st.name = 'session:' || c.session_id
        JOIN audits_event e ON e.stream_id = st.id
            AND e.action = 'tables.session.' || CASE c.moment WHEN 'opening' THEN 'opened' ELSE 'closed' END
        CROSS JOIN LATERAL jsonb_each_text(c.chips) line
        WHERE c.moment IN ('opening', 'closing')
    ), ended AS (
        SELECT DISTINCT casino_id, session_id, event_id FROM counted WHERE moment = 'closing'
    ), net AS (
        SELECT e.casino_id, e.session_id, e.event_id, c.denomination,
               sum(CASE c.moment WHEN 'opening' THEN c.number ELSE -c.number END) AS number
        FROM ended e JOIN counted c USING (casino_id, session_id) GROUP BY 1, 2, 3, 4
    )
    INSERT INTO tables_chipmove (casino_id, event_id, kind, denomination, number, source, target)
    SELECT casino_id, event_id, 'opening', denomination, number, 'vault', 'tray:' || session_id
    FROM counted WHERE moment = 'opening' AND number > 0
    UNION ALL
    SELECT casino_id, event_id, 'closing', denomination, number, 'tray:' || session_id, 'vault'
    FROM counted WHERE moment = 'closing' AND number > 0
    UNION ALL
    SELECT casino_id, event_id, 'public', denomination, abs(number),
           CASE WHEN number > 0 THEN 'tray:' || session_id ELSE 'public' END,
           CASE WHEN number > 0 THEN 'public' ELSE 'tray:' || session_id END
    FROM net WHERE number <> 0;

    INSERT INTO tables_chipstock (casino_id, place, denomination, number)
    SELECT casino_id, place, denomination, sum(number) FROM (
        SELECT casino_id, source AS place, denomination, -number AS number FROM tables_chipmove
        UNION ALL SELECT casino_id, target, denomination, number FROM tables_chipmove
    ) gone GROUP BY 1, 2, 3;
    """,
    migrations.RunSQL.noop,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0011_limits_plans'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CageDesk',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='número')),
                ('name', models.CharField(max_length=60, verbose_name='nombre')),
                ('active', models.BooleanField(default=True, verbose_name='en servicio')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='desks', to='casino.casino')),
            ],
            options={
                'verbose_name': 'ventanilla de caja',
                'verbose_name_plural': 'ventanillas de caja',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='ChipEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('received', 'recibidas'), ('withdrawn', 'retiradas'), ('destroyed', 'destruidas')], max_length=10, verbose_name='acto')),
                ('chips', models.JSONField(help_text='denomination in smallest units -> number of chips')),
                ('total', models.BigIntegerField(verbose_name='valor')),
                ('supplier', models.CharField(max_length=120, verbose_name='proveedor o destino')),
                ('document', models.CharField(max_length=120, verbose_name='documento')),
                ('serials', models.TextField(blank=True, verbose_name='números de serie')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('signed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='firma')),
                ('signed_with', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='y firma')),
            ],
            options={
                'verbose_name': 'ingreso o baja de fichas',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ChipMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20, verbose_name='por')),
                ('denomination', models.BigIntegerField(verbose_name='denominación')),
                ('number', models.PositiveIntegerField(verbose_name='fichas')),
                ('source', models.CharField(max_length=40, verbose_name='de')),
                ('target', models.CharField(max_length=40, verbose_name='a')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
            ],
            options={
                'verbose_name': 'movimiento de fichas',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ChipSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='nombre')),
                ('kind', models.CharField(choices=[('chip', 'fichas'), ('plaque', 'placas')], default='chip', max_length=10, verbose_name='clase')),
                ('marks', models.CharField(blank=True, max_length=200, verbose_name='color y marcas')),
                ('denominations', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None, verbose_name='denominaciones')),
                ('active', models.BooleanField(default=True, verbose_name='en uso')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chip_sets', to='casino.casino')),
            ],
            options={
                'verbose_name': 'juego de fichas',
                'verbose_name_plural': 'juegos de fichas',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='ChipStock',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.CharField(max_length=40)),
                ('denomination', models.BigIntegerField()),
                ('number', models.BigIntegerField(default=0)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
            ],
            options={
                'verbose_name': 'existencia de fichas',
            },
        ),
        migrations.CreateModel(
            name='ChipStockCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.CharField(max_length=40, verbose_name='lugar')),
                ('lines', models.JSONField()),
                ('difference', models.BigIntegerField(verbose_name='diferencia')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('counted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='contó')),
                ('counted_with', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='con')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('incident', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.incident')),
            ],
            options={
                'verbose_name': 'recuento de fichas',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='HistoricalCageDesk',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='número')),
                ('name', models.CharField(max_length=60, verbose_name='nombre')),
                ('active', models.BooleanField(default=True, verbose_name='en servicio')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical ventanilla de caja',
                'verbose_name_plural': 'historical ventanillas de caja',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalChipSet',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='nombre')),
                ('kind', models.CharField(choices=[('chip', 'fichas'), ('plaque', 'placas')], default='chip', max_length=10, verbose_name='clase')),
                ('marks', models.CharField(blank=True, max_length=200, verbose_name='color y marcas')),
                ('denominations', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None, verbose_name='denominaciones')),
                ('active', models.BooleanField(default=True, verbose_name='en uso')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical juego de fichas',
                'verbose_name_plural': 'historical juegos de fichas',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='Slip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('fill', 'reposición'), ('credit', 'retiro')], max_length=10, verbose_name='clase')),
                ('state', models.CharField(choices=[('requested', 'pedido'), ('issued', 'emitido'), ('verified', 'verificado'), ('void', 'anulado')], default='requested', max_length=10, verbose_name='estado')),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('chips', models.JSONField(help_text='denomination in smallest units -> number of chips')),
                ('total', models.BigIntegerField(verbose_name='total')),
                ('requested_at', models.DateTimeField(verbose_name='pedido')),
                ('issued_at', models.DateTimeField(null=True, verbose_name='emitido')),
                ('runner', models.CharField(blank=True, max_length=120, verbose_name='portador')),
                ('verified_at', models.DateTimeField(null=True, verbose_name='verificado')),
                ('voided_at', models.DateTimeField(null=True, verbose_name='anulado')),
                ('void_reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='casino.casino')),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staff', verbose_name='croupier')),
                ('desk', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='tables.cagedesk', verbose_name='ventanilla')),
                ('issued_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='caja')),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='pidió')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='tables.tablesession')),
                ('verified_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='verificó')),
                ('voided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='anuló')),
                ('voided_with', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'comprobante',
                'ordering': ['-requested_at', '-id'],
            },
        ),
        migrations.AddConstraint(
            model_name='cagedesk',
            constraint=models.UniqueConstraint(fields=('casino', 'number'), name='one_desk_per_number'),
        ),
        migrations.AddConstraint(
            model_name='chipentry',
            constraint=models.CheckConstraint(condition=models.Q(('signed_by', models.F('signed_with')), _negated=True), name='chips_entered_by_two'),
        ),
        migrations.AddConstraint(
            model_name='chipentry',
            constraint=models.CheckConstraint(condition=models.Q(('total__gt', 0)), name='chip_entry_has_value'),
        ),
        migrations.AddIndex(
            model_name='chipmove',
            index=models.Index(fields=['casino', 'source'], name='tables_chip_casino__d6ae58_idx'),
        ),
        migrations.AddIndex(
            model_name='chipmove',
            index=models.Index(fields=['casino', 'target'], name='tables_chip_casino__0a0454_idx'),
        ),
        migrations.AddConstraint(
            model_name='chipmove',
            constraint=models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='chips_move_somewhere'),
        ),
        migrations.AddConstraint(
            model_name='chipmove',
            constraint=models.CheckConstraint(condition=models.Q(('denomination__gt', 0), ('number__gt', 0)), name='chips_move_in_number'),
        ),
        migrations.AddConstraint(
            model_name='chipset',
            constraint=models.UniqueConstraint(fields=('casino', 'name'), name='one_chip_set_per_name'),
        ),
        migrations.AddConstraint(
            model_name='chipstock',
            constraint=models.UniqueConstraint(fields=('casino', 'place', 'denomination'), name='one_stock_per_place'),
        ),
        migrations.AddConstraint(
            model_name='chipstockcount',
            constraint=models.CheckConstraint(condition=models.Q(('counted_by', models.F('counted_with')), _negated=True), name='chips_counted_by_two'),
        ),
        migrations.AddIndex(
            model_name='slip',
            index=models.Index(fields=['session', 'state'], name='tables_slip_session_cdbd40_idx'),
        ),
        migrations.AddIndex(
            model_name='slip',
            index=models.Index(fields=['casino', 'state'], name='tables_slip_casino__14d63b_idx'),
        ),
        migrations.AddConstraint(
            model_name='slip',
            constraint=models.UniqueConstraint(fields=('casino', 'kind', 'year', 'number'), name='one_slip_per_number'),
        ),
        migrations.AddConstraint(
            model_name='slip',
            constraint=models.CheckConstraint(condition=models.Q(('total__gt', 0)), name='slip_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='slip',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('issued_by', None), models.Q(('issued_by', models.F('requested_by')), _negated=True), _connector='OR'), models.Q(('verified_by', None), models.Q(models.Q(('verified_by', models.F('requested_by')), _negated=True), models.Q(('verified_by', models.F('issued_by')), _negated=True)), _connector='OR'), models.Q(('voided_by', None), models.Q(('voided_by', models.F('voided_with')), _negated=True), _connector='OR')), name='slip_signed_by_different_people'),
        ),
        migrations.AddConstraint(
            model_name='slip',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('state__in', ('issued', 'verified')), _negated=True), models.Q(('issued_by__isnull', False), models.Q(('runner', ''), _negated=True)), _connector='OR'), models.Q(models.Q(('dealer__isnull', False), ('state', 'verified'), ('verified_by__isnull', False)), models.Q(models.Q(('state', 'verified'), _negated=True), ('verified_by', None)), _connector='OR'), models.Q(models.Q(('state', 'void'), ('voided_by__isnull', False), ('voided_with__isnull', False), models.Q(('void_reason', ''), _negated=True)), models.Q(models.Q(('state', 'void'), _negated=True), ('voided_by', None)), _connector='OR')), name='slip_has_what_its_state_says'),
        ),
        NoDelete('tables_cagedesk'),
        NoDelete('tables_chipset'),
        NoDelete('tables_chipstock'),
        NoDelete('tables_slip'),
        SLIP,
        *(
            AppendOnly(f'tables_{name}')
            for name in ('chipentry', 'chipmove', 'chipstockcount', 'historicalcagedesk', 'historicalchipset')
        ),
        MOVES_OF_BEFORE,
    ]
