"""Decks move: their moves, the store, its acts, counts and levels, devices, what is noticed about shoes."""

import django.contrib.postgres.fields
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0005_incidents'),
        ('casino', '0004_sessions_ended'),
        ('shoes', '0002_guards'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DeckMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('received', 'recibida'), ('issued', 'entregada'), ('passed', 'inspeccionada, apta'), ('joined', 'entró al sabot'), ('played', 'entró en juego'), ('renewed', 'pasó a barajarse otra vez'), ('removed', 'salió del sabot'), ('ended', 'terminó su sabot'), ('counted', 'contada al cierre'), ('given_back', 'devuelta sin usar'), ('sealed', 'precintada otra vez'), ('quarantined', 'puesta en cuarentena'), ('held', 'retenida por investigación'), ('released', 'liberada de la investigación'), ('withdrawn', 'retirada'), ('cancelled', 'anulada'), ('destroyed', 'destruida')], max_length=12, verbose_name='movimiento')),
                ('was', models.CharField(blank=True, help_text='the state before; empty at its receipt', max_length=10)),
                ('state', models.CharField(choices=[('store', 'en depósito'), ('issued', 'entregada, por inspeccionar'), ('passed', 'apta'), ('in_shoe', 'en un sabot'), ('returned', 'de vuelta, por contar'), ('quarantine', 'en cuarentena'), ('held', 'retenida por investigación'), ('withdrawn', 'retirada'), ('cancelled', 'anulada'), ('destroyed', 'destruida')], max_length=10, verbose_name='estado')),
                ('place', models.CharField(blank=True, max_length=20, verbose_name='lugar')),
                ('seal', models.CharField(blank=True, max_length=40, verbose_name='precinto')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'movimiento de baraja',
                'ordering': ['deck', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='DestructionAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('method', models.CharField(max_length=120, verbose_name='modo de destrucción')),
                ('site', models.CharField(max_length=120, verbose_name='lugar')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'acta de destrucción',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=20, verbose_name='número')),
                ('kind', models.CharField(choices=[('shoe', 'sabot'), ('shuffler', 'barajadora'), ('machine_shoe', 'barajadora que hace de sabot')], max_length=12, verbose_name='clase')),
                ('maker', models.CharField(blank=True, max_length=60, verbose_name='fabricante')),
                ('serial', models.CharField(blank=True, max_length=40, verbose_name='número de serie')),
                ('active', models.BooleanField(default=True, verbose_name='en servicio')),
            ],
            options={
                'verbose_name': 'sabot o barajadora',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='DiscardReview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_label', models.CharField(max_length=20, verbose_name='mesa')),
                ('round_label', models.CharField(max_length=60, verbose_name='pase')),
                ('asked_by', models.CharField(max_length=120, verbose_name='lo pidió')),
                ('why', models.CharField(max_length=500, verbose_name='motivo')),
                ('opened_at', models.DateTimeField(verbose_name='abierto')),
                ('expected', models.PositiveSmallIntegerField(verbose_name='cartas según el conteo')),
                ('found', models.TextField(blank=True, verbose_name='qué se encontró')),
                ('cards_counted', models.PositiveSmallIntegerField(null=True, verbose_name='cartas que volvieron')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='cerrado')),
            ],
            options={
                'verbose_name': 'revisión del descartador',
                'ordering': ['-opened_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='HistoricalDevice',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('number', models.CharField(max_length=20, verbose_name='número')),
                ('kind', models.CharField(choices=[('shoe', 'sabot'), ('shuffler', 'barajadora'), ('machine_shoe', 'barajadora que hace de sabot')], max_length=12, verbose_name='clase')),
                ('maker', models.CharField(blank=True, max_length=60, verbose_name='fabricante')),
                ('serial', models.CharField(blank=True, max_length=40, verbose_name='número de serie')),
                ('active', models.BooleanField(default=True, verbose_name='en servicio')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': 'historical sabot o barajadora',
                'verbose_name_plural': 'historical sabot o barajadoras',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalStockLevel',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('deck_type', models.CharField(max_length=20, verbose_name='tipo de baraja')),
                ('back_colour', models.CharField(max_length=30, verbose_name='color del reverso')),
                ('least', models.PositiveIntegerField(verbose_name='mínimo')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'verbose_name': 'historical nivel mínimo',
                'verbose_name_plural': 'historical nivel mínimos',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='ShoeAlert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('detector', models.CharField(max_length=30, verbose_name='detector')),
                ('p', models.FloatField()),
                ('facts', models.JSONField(default=dict)),
                ('words_es', models.TextField()),
                ('words_en', models.TextField()),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'aviso sobre un sabot',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ShoeOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('grams', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('cards', models.PositiveSmallIntegerField(default=0, help_text='how many cards of it were read')),
            ],
            options={
                'verbose_name': 'orden de un sabot',
            },
        ),
        migrations.CreateModel(
            name='StockCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lines', models.JSONField()),
                ('differs', models.BooleanField(verbose_name='con diferencia')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
            ],
            options={
                'verbose_name': 'recuento del depósito',
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='StockLevel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deck_type', models.CharField(max_length=20, verbose_name='tipo de baraja')),
                ('back_colour', models.CharField(max_length=30, verbose_name='color del reverso')),
                ('least', models.PositiveIntegerField(verbose_name='mínimo')),
            ],
            options={
                'verbose_name': 'nivel mínimo',
                'ordering': ['deck_type', 'back_colour'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='deckinspection',
            name='inspection_passed_without_fault',
        ),
        migrations.AddField(
            model_name='deck',
            name='homologation',
            field=models.CharField(blank=True, max_length=60, verbose_name='homologación AJ'),
        ),
        migrations.AddField(
            model_name='deck',
            name='incident',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decks', to='audits.incident', verbose_name='incidente'),
        ),
        migrations.AddField(
            model_name='deck',
            name='move_count',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='deck',
            name='place',
            field=models.CharField(blank=True, max_length=20, verbose_name='lugar'),
        ),
        migrations.AddField(
            model_name='deck',
            name='seal',
            field=models.CharField(blank=True, max_length=40, verbose_name='precinto'),
        ),
        migrations.AddField(
            model_name='deckinspection',
            name='damaged',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=3), default=list, size=None, verbose_name='dañadas'),
        ),
        migrations.AddField(
            model_name='deckinspection',
            name='foreign',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=3), default=list, size=None, verbose_name='ajenas'),
        ),
        migrations.AddField(
            model_name='deckinspection',
            name='moment',
            field=models.CharField(choices=[('opening', 'antes de jugar'), ('closing', 'al cierre')], default='opening', max_length=10, verbose_name='momento'),
        ),
        migrations.AddField(
            model_name='deckinspection',
            name='shoe',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='inspections', to='shoes.shoe'),
        ),
        migrations.AddField(
            model_name='deckinspection',
            name='suit_order',
            field=models.CharField(blank=True, max_length=8, verbose_name='orden de los palos'),
        ),
        migrations.AddField(
            model_name='shoe',
            name='counted_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='contado al cierre'),
        ),
        migrations.AddField(
            model_name='shoe',
            name='method',
            field=models.CharField(blank=True, help_text='see shoes.procedures', max_length=20, verbose_name='método'),
        ),
        migrations.AddField(
            model_name='shoe',
            name='played_table',
            field=models.CharField(blank=True, max_length=20, verbose_name='mesa en que se jugó'),
        ),
        migrations.AddField(
            model_name='shoe',
            name='renews',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='renewed_by', to='shoes.shoe', verbose_name='sigue a'),
        ),
        migrations.AlterField(
            model_name='deck',
            name='state',
            field=models.CharField(choices=[('store', 'en depósito'), ('issued', 'entregada, por inspeccionar'), ('passed', 'apta'), ('in_shoe', 'en un sabot'), ('returned', 'de vuelta, por contar'), ('quarantine', 'en cuarentena'), ('held', 'retenida por investigación'), ('withdrawn', 'retirada'), ('cancelled', 'anulada'), ('destroyed', 'destruida')], default='store', max_length=10, verbose_name='estado'),
        ),
        migrations.AddConstraint(
            model_name='deck',
            constraint=models.UniqueConstraint(condition=models.Q(('seal', ''), _negated=True), fields=('casino', 'seal'), name='one_deck_per_seal'),
        ),
        migrations.AddConstraint(
            model_name='deck',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'issued'), _negated=True), models.Q(('place', ''), _negated=True), _connector='OR'), name='deck_issued_somewhere'),
        ),
        migrations.AddConstraint(
            model_name='deckinspection',
            constraint=models.CheckConstraint(condition=models.Q(('passed', False), models.Q(('backs_checked', True), ('by_suit_shown', True), ('damaged', []), ('extra', []), ('foreign', []), ('marked', []), ('missing', [])), _connector='OR'), name='inspection_passed_without_fault'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='por'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='casino',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='deck',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='shoes.deck'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='incident',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.incident'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='second',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='con'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='shoe',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='shoes.shoe'),
        ),
        migrations.AddField(
            model_name='destructionact',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='destructionact',
            name='executed_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='destruyó'),
        ),
        migrations.AddField(
            model_name='destructionact',
            name='first_witness',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='testigo'),
        ),
        migrations.AddField(
            model_name='destructionact',
            name='second_witness',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='testigo'),
        ),
        migrations.AddField(
            model_name='deckmove',
            name='act',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='moves', to='shoes.destructionact'),
        ),
        migrations.AddField(
            model_name='device',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='devices', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='discardreview',
            name='authorised_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='autorizó'),
        ),
        migrations.AddField(
            model_name='discardreview',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='discardreview',
            name='closed_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor'),
        ),
        migrations.AddField(
            model_name='discardreview',
            name='incident',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='audits.incident'),
        ),
        migrations.AddField(
            model_name='discardreview',
            name='opened_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='abrió'),
        ),
        migrations.AddField(
            model_name='discardreview',
            name='shoe',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to='shoes.shoe'),
        ),
        migrations.AddField(
            model_name='historicaldevice',
            name='casino',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='historicaldevice',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='historicalstocklevel',
            name='casino',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='historicalstocklevel',
            name='history_user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='shoealert',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='shoealert',
            name='incident',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='audits.incident'),
        ),
        migrations.AddField(
            model_name='shoealert',
            name='shoe',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='shoes.shoe'),
        ),
        migrations.AddField(
            model_name='shoeorder',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='shoeorder',
            name='shoe',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='order', to='shoes.shoe'),
        ),
        migrations.AddField(
            model_name='stockcount',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddField(
            model_name='stockcount',
            name='counted_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='contó'),
        ),
        migrations.AddField(
            model_name='stockcount',
            name='counted_with',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='con'),
        ),
        migrations.AddField(
            model_name='stockcount',
            name='incident',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.incident'),
        ),
        migrations.AddField(
            model_name='stocklevel',
            name='casino',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino'),
        ),
        migrations.AddConstraint(
            model_name='destructionact',
            constraint=models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_act_per_number'),
        ),
        migrations.AddConstraint(
            model_name='destructionact',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('executed_by', models.F('first_witness')), _negated=True), models.Q(('executed_by', models.F('second_witness')), _negated=True), models.Q(('first_witness', models.F('second_witness')), _negated=True)), name='act_signed_by_three'),
        ),
        migrations.AddIndex(
            model_name='deckmove',
            index=models.Index(fields=['casino', 'at'], name='move_by_time'),
        ),
        migrations.AddIndex(
            model_name='deckmove',
            index=models.Index(fields=['event'], name='move_by_event'),
        ),
        migrations.AddConstraint(
            model_name='deckmove',
            constraint=models.UniqueConstraint(fields=('deck', 'seq'), name='one_move_per_seq'),
        ),
        migrations.AddConstraint(
            model_name='device',
            constraint=models.UniqueConstraint(fields=('casino', 'number'), name='one_device_per_number'),
        ),
        migrations.AddConstraint(
            model_name='discardreview',
            constraint=models.CheckConstraint(condition=models.Q(('authorised_by', models.F('opened_by')), _negated=True), name='review_authorised_by_another'),
        ),
        migrations.AddConstraint(
            model_name='discardreview',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('shoe',), name='one_open_review_per_shoe'),
        ),
        migrations.AddConstraint(
            model_name='discardreview',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cards_counted', None), ('closed_at', None), ('closed_by', None)), models.Q(('cards_counted__isnull', False), ('closed_at__isnull', False), ('closed_by__isnull', False), models.Q(('found', ''), _negated=True)), _connector='OR'), name='review_closed_with_findings'),
        ),
        migrations.AddConstraint(
            model_name='shoealert',
            constraint=models.UniqueConstraint(fields=('shoe', 'detector'), name='one_alert_per_detector'),
        ),
        migrations.AddConstraint(
            model_name='stockcount',
            constraint=models.CheckConstraint(condition=models.Q(('counted_by', models.F('counted_with')), _negated=True), name='stock_counted_by_two'),
        ),
        migrations.AddConstraint(
            model_name='stockcount',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('differs', False), ('incident', None)), models.Q(('differs', True), ('incident__isnull', False)), _connector='OR'), name='stock_difference_is_an_incident'),
        ),
        migrations.AddConstraint(
            model_name='stocklevel',
            constraint=models.UniqueConstraint(fields=('casino', 'deck_type', 'back_colour'), name='one_level_per_kind'),
        ),
    ]
