"""The cage: receipts, transfers, counts of its drawers, funds, tips and orphans.

What is written is never changed: receipts, counts, fund moves and tips are append-only. A transfer, a distribution
of tips and an orphan leave their first state once, and nothing else of them changes but who ended it.
"""

import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

KEPT = ("cageoperation", "cagecount", "fundmove", "tipentry", "historicalcagesettings")
OPEN_ONCE = ("cagetransfer", "tipdistribution", "orphan")

# Told its first state and the columns that may be written while a row is in it: see the triggers below.
LEAVES_ONCE = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_leaves_once() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        written text[] := TG_ARGV[1]::text[];
    BEGIN
        IF OLD.state = TG_ARGV[0] AND to_jsonb(OLD) - written = to_jsonb(NEW) - written THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION '% %: % is final, and what it says stays (REC-07)', TG_TABLE_NAME, OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_leaves_once BEFORE UPDATE ON tables_cagetransfer FOR EACH ROW
        EXECUTE FUNCTION sabot_leaves_once('requested', '{state,ipj,closed_by_id,closed_at,reason}');
    CREATE TRIGGER sabot_leaves_once BEFORE UPDATE ON tables_tipdistribution FOR EACH ROW
        EXECUTE FUNCTION sabot_leaves_once('draft',
            '{state,total,points,lines,drafted_by_id,drafted_at,approved_by_id,approved_with_id,approved_at}');
    CREATE TRIGGER sabot_leaves_once BEFORE UPDATE ON tables_orphan FOR EACH ROW
        EXECUTE FUNCTION sabot_leaves_once('kept',
            '{state,claimant,document,closed_by_id,closed_with_id,closed_at,reason}');
    """,
    """
    DROP TRIGGER sabot_leaves_once ON tables_orphan;
    DROP TRIGGER sabot_leaves_once ON tables_tipdistribution;
    DROP TRIGGER sabot_leaves_once ON tables_cagetransfer;
    DROP FUNCTION sabot_leaves_once();
    """,
)


class Migration(migrations.Migration):
    dependencies = [
        ("audits", "0006_notices_that_wait"),
        ("casino", "0004_sessions_ended"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tables", "0013_drop_boxes"),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalCageSettings',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('ipj_on_top', models.BooleanField(default=True, help_text='False: taken out of the price, borne by the house', verbose_name='IPJ además del precio')),
                ('orphan_days', models.PositiveSmallIntegerField(default=90, verbose_name='días de custodia')),
                ('tip_points', models.JSONField(default=dict, help_text='post -> points an hour', verbose_name='puntos por puesto')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical ajustes de caja',
                'verbose_name_plural': 'historical ajustes de cajas',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='CageCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moment', models.CharField(choices=[('opening', 'apertura de turno'), ('check', 'control'), ('closing', 'cierre de turno')], max_length=10, verbose_name='momento')),
                ('chips', models.JSONField(help_text='denomination -> number of chips')),
                ('chips_total', models.BigIntegerField(verbose_name='fichas')),
                ('chips_difference', models.BigIntegerField(verbose_name='diferencia de fichas')),
                ('chips_off', models.JSONField(default=dict, help_text='denomination -> chips more or fewer, if kept')),
                ('cash', models.JSONField(help_text='note or coin -> how many')),
                ('cash_total', models.BigIntegerField(verbose_name='efectivo')),
                ('cash_difference', models.BigIntegerField(verbose_name='diferencia de efectivo')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cage_counts', to='casino.casino')),
                ('counted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='contó')),
                ('counted_with', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='con')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.gamingday', verbose_name='día de juego')),
                ('desk', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='tables.cagedesk', verbose_name='ventanilla')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('incident', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.incident')),
            ],
            options={
                'verbose_name': 'arqueo de caja',
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['desk', '-at', '-id'], name='tables_cage_desk_id_cb6de2_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('counted_by', models.F('counted_with')), _negated=True), name='desk_counted_by_two')],
            },
        ),
        migrations.CreateModel(
            name='CageOperation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('sale', 'venta de fichas'), ('redemption', 'canje por efectivo'), ('exchange', 'cambio de fichas')], max_length=12, verbose_name='clase')),
                ('series', models.CharField(max_length=1)),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('chips_out', models.JSONField(help_text='given to the customer: denomination -> number of chips')),
                ('chips_in', models.JSONField(help_text='taken from the customer: denomination -> number of chips')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('tax', models.BigIntegerField(default=0, verbose_name='IPJ')),
                ('on_top', models.BooleanField(default=True, verbose_name='IPJ además del precio')),
                ('means', models.CharField(choices=[('cash', 'efectivo'), ('card', 'tarjeta'), ('transfer', 'transferencia')], default='cash', max_length=10, verbose_name='medio de pago')),
                ('tendered', models.BigIntegerField(help_text='cash handed over, where it was said', null=True, verbose_name='recibido')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='aprobó')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cage_operations', to='casino.casino')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.gamingday', verbose_name='día de juego')),
                ('desk', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='operations', to='tables.cagedesk', verbose_name='ventanilla')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='cajero')),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='tables.cageoperation', verbose_name='anula')),
            ],
            options={
                'verbose_name': 'operación de caja',
                'verbose_name_plural': 'operaciones de caja',
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['casino', 'day'], name='tables_cage_casino__e14c49_idx'), models.Index(fields=['desk', '-at'], name='tables_cage_desk_id_4a8d9c_idx')],
                'constraints': [models.UniqueConstraint(fields=('casino', 'series', 'year', 'number'), name='one_receipt_per_number'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), ('tax__gte', 0)), name='receipt_has_value'), models.CheckConstraint(condition=models.Q(('kind', 'sale'), ('tax', 0), _connector='OR'), name='only_sales_are_taxed'), models.CheckConstraint(condition=models.Q(models.Q(('approved_by', None), ('reverses', None)), models.Q(('approved_by__isnull', False), ('reverses__isnull', False), ('series', 'A'), models.Q(('approved_by', models.F('made_by')), _negated=True), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='receipt_voided_by_two')],
            },
        ),
        migrations.CreateModel(
            name='CageSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ipj_on_top', models.BooleanField(default=True, help_text='False: taken out of the price, borne by the house', verbose_name='IPJ además del precio')),
                ('orphan_days', models.PositiveSmallIntegerField(default=90, verbose_name='días de custodia')),
                ('tip_points', models.JSONField(default=dict, help_text='post -> points an hour', verbose_name='puntos por puesto')),
                ('casino', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='cage_settings', to='casino.casino')),
            ],
            options={
                'verbose_name': 'ajustes de caja',
                'constraints': [models.CheckConstraint(condition=models.Q(('orphan_days__gt', 0)), name='orphans_wait_some_days')],
            },
        ),
        migrations.CreateModel(
            name='CageTransfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('direction', models.CharField(choices=[('to_cage', 'de bóveda a caja'), ('to_vault', 'de caja a bóveda')], max_length=10, verbose_name='sentido')),
                ('state', models.CharField(choices=[('requested', 'pedido'), ('accepted', 'aceptado'), ('cancelled', 'anulado')], default='requested', max_length=10, verbose_name='estado')),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('chips', models.JSONField(help_text='denomination -> number of chips')),
                ('chips_total', models.BigIntegerField(verbose_name='fichas')),
                ('cash', models.JSONField(help_text='note or coin -> how many')),
                ('cash_total', models.BigIntegerField(verbose_name='efectivo')),
                ('ipj', models.BigIntegerField(default=0, help_text='withheld tax that went along', verbose_name='del cual IPJ')),
                ('requested_at', models.DateTimeField(verbose_name='pedido')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='aceptado o anulado')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cage_transfers', to='casino.casino')),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='aceptó o anuló')),
                ('desk', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='tables.cagedesk', verbose_name='ventanilla')),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='pidió')),
            ],
            options={
                'verbose_name': 'traspaso',
                'ordering': ['-requested_at', '-id'],
                'indexes': [models.Index(fields=['casino', 'state'], name='tables_cage_casino__e538aa_idx')],
                'constraints': [models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_transfer_per_number'), models.CheckConstraint(condition=models.Q(('cash_total__gte', 0), ('chips_total__gte', 0), ('ipj__gte', 0), models.Q(('chips_total__gt', 0), ('cash_total__gt', 0), _connector='OR')), name='transfer_moves_something'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('state', 'requested')), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('state', 'accepted'), models.Q(('closed_by', models.F('requested_by')), _negated=True)), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('state', 'cancelled'), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='transfer_signed_by_two')],
            },
        ),
        migrations.CreateModel(
            name='FundMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('capital', 'capital aportado'), ('withdrawal', 'capital retirado'), ('drop', 'caja de mesa a bóveda'), ('ipj', 'IPJ pagado al fisco')], max_length=12, verbose_name='clase')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('document', models.CharField(max_length=120, verbose_name='documento')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fund_moves', to='casino.casino')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.gamingday', verbose_name='día de juego')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('session', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='drop_carried', to='tables.tablesession')),
                ('signed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='firma')),
                ('signed_with', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='y firma')),
            ],
            options={
                'verbose_name': 'movimiento de fondos',
                'ordering': ['-at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0), models.Q(('signed_by', models.F('signed_with')), _negated=True)), name='funds_moved_by_two'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'drop'), ('session__isnull', False)), models.Q(models.Q(('kind', 'drop'), _negated=True), ('session', None)), _connector='OR'), name='drop_names_its_session')],
            },
        ),
        migrations.CreateModel(
            name='Orphan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('kind', models.CharField(choices=[('stake', 'apuesta abandonada'), ('chips', 'fichas encontradas')], max_length=10, verbose_name='clase')),
                ('state', models.CharField(choices=[('kept', 'en custodia'), ('returned', 'devuelta'), ('passed', 'pasada a la casa')], default='kept', max_length=10, verbose_name='estado')),
                ('place', models.CharField(max_length=120, verbose_name='lugar')),
                ('chips', models.JSONField(help_text='denomination -> number of chips')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('found_at', models.DateTimeField(verbose_name='hallado')),
                ('keep_until', models.DateField(verbose_name='custodia hasta')),
                ('claimant', models.CharField(blank=True, max_length=120, verbose_name='se devolvió a')),
                ('document', models.CharField(blank=True, max_length=40, verbose_name='documento')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='salió de custodia')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='orphans', to='casino.casino')),
                ('closed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='firma')),
                ('closed_with', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='y firma')),
                ('entered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='registró')),
                ('found_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staff', verbose_name='encontró')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orphans', to='tables.tablesession')),
                ('witness', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.staff', verbose_name='testigo')),
            ],
            options={
                'verbose_name': 'ficha sin dueño',
                'verbose_name_plural': 'fichas sin dueño',
                'ordering': ['-found_at', '-id'],
                'indexes': [models.Index(fields=['casino', 'state'], name='tables_orph_casino__7c6462_idx')],
                'constraints': [models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_orphan_per_number'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), models.Q(('found_by', models.F('witness')), _negated=True)), name='orphan_found_by_two'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('closed_with', None), ('state', 'kept')), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('closed_with__isnull', False), models.Q(('closed_by', models.F('closed_with')), _negated=True), models.Q(models.Q(('state', 'returned'), models.Q(('claimant', ''), _negated=True), models.Q(('document', ''), _negated=True)), models.Q(('claimant', ''), ('document', ''), ('state', 'passed'), models.Q(('reason', ''), _negated=True)), _connector='OR')), _connector='OR'), name='orphan_given_up_by_two')],
            },
        ),
        migrations.CreateModel(
            name='TipDistribution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('draft', 'borrador'), ('approved', 'aprobado')], default='draft', max_length=10, verbose_name='estado')),
                ('total', models.BigIntegerField(verbose_name='total')),
                ('points', models.JSONField(help_text='post -> points an hour, as they were')),
                ('lines', models.JSONField(default=list)),
                ('drafted_at', models.DateTimeField(verbose_name='preparado')),
                ('approved_at', models.DateTimeField(null=True, verbose_name='aprobado')),
                ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='aprobó')),
                ('approved_with', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tip_distributions', to='casino.casino')),
                ('day', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='tip_distribution', to='casino.gamingday')),
                ('drafted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='preparó')),
            ],
            options={
                'verbose_name': 'reparto de propinas',
                'ordering': ['-day__date'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('approved_at', None), ('approved_by', None), ('approved_with', None), ('state', 'draft')), models.Q(('approved_by__isnull', False), ('approved_with__isnull', False), ('state', 'approved'), ('approved_at__isnull', False), models.Q(('approved_by', models.F('approved_with')), _negated=True)), _connector='OR'), name='tips_approved_by_two')],
            },
        ),
        migrations.CreateModel(
            name='TipEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chips', models.JSONField(help_text='denomination -> number of chips')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tip_entries', to='casino.casino')),
                ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tips', to='casino.gamingday')),
                ('entered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='registró')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tips', to='tables.tablesession')),
            ],
            options={
                'verbose_name': 'propina',
                'ordering': ['-at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='tip_has_value')],
            },
        ),
        NoDelete("tables_cagesettings"),
        *(AppendOnly(f"tables_{name}") for name in KEPT),
        *(NoDelete(f"tables_{name}") for name in OPEN_ONCE),
        LEAVES_ONCE,
    ]
