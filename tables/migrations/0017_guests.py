"""Guests, exclusion lists and their matches, seats, absences, the waiting list, requests to change place.

What the database refuses of them:

- an entry of an exclusion list, its end and every history row: any change (GEN-11, REC-06)
- a match, a wait, a request: any change once decided or ended, and then of its decision alone
- a seat or an absence: any change but its end, written once
"""

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

MATCH = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_match_decided() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        decision constant text[] := ARRAY['state', 'decided_at', 'decided_by_id', 'decided_with_id', 'reason',
            'evidence'];
    BEGIN
        IF OLD.state = 'open' AND NEW.state IN ('cleared', 'confirmed')
           AND to_jsonb(OLD) - decision = to_jsonb(NEW) - decision THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'match % is %: it is decided once (REC-07)', OLD.id, OLD.state USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_match_decided BEFORE UPDATE ON tables_exclusionmatch
        FOR EACH ROW EXECUTE FUNCTION sabot_match_decided();
    """,
    """
    DROP TRIGGER sabot_match_decided ON tables_exclusionmatch;
    DROP FUNCTION sabot_match_decided();
    """,
)

WAITING = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_wait_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'called_at', 'ended_at'];
    BEGIN
        IF ((OLD.state = 'waiting' AND NEW.state IN ('called', 'seated', 'left'))
            OR (OLD.state = 'called' AND NEW.state IN ('seated', 'left', 'expired')
                AND NEW.called_at = OLD.called_at))
           AND to_jsonb(OLD) - moving = to_jsonb(NEW) - moving THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'wait % is %: it does not become %', OLD.id, OLD.state, NEW.state
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_wait_moves BEFORE UPDATE ON tables_waitingentry
        FOR EACH ROW EXECUTE FUNCTION sabot_wait_moves();
    """,
    """
    DROP TRIGGER sabot_wait_moves ON tables_waitingentry;
    DROP FUNCTION sabot_wait_moves();
    """,
)

REQUEST = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_request_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        ending constant text[] := ARRAY['state', 'ended_at'];
    BEGIN
        IF OLD.state = 'open' AND NEW.state IN ('honoured', 'withdrawn')
           AND to_jsonb(OLD) - ending = to_jsonb(NEW) - ending THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'request % is %: it ends once', OLD.id, OLD.state USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_request_ends BEFORE UPDATE ON tables_changerequest
        FOR EACH ROW EXECUTE FUNCTION sabot_request_ends();
    """,
    """
    DROP TRIGGER sabot_request_ends ON tables_changerequest;
    DROP FUNCTION sabot_request_ends();
    """,
)


def ends_once(table):
    """The trigger of a turn at a post (0002_guards): only the end of `during` is written, once."""
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER sabot_turn_ends_once BEFORE UPDATE ON {table}
            FOR EACH ROW EXECUTE FUNCTION sabot_turn_ends_once();
        """,
        f"DROP TRIGGER sabot_turn_ends_once ON {table};",
    )



class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_notices_that_wait'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0016_rotation'),
    ]

    operations = [
        migrations.CreateModel(
            name='Exclusion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('self', 'autoexclusión'), ('authority', 'autoridad'), ('house', 'casa')], max_length=10, verbose_name='clase')),
                ('document_type', models.CharField(blank=True, choices=[('ci', 'cédula de identidad'), ('foreign', 'carnet de extranjero'), ('passport', 'pasaporte')], max_length=10, verbose_name='documento')),
                ('country', models.CharField(blank=True, max_length=2, verbose_name='país emisor')),
                ('number', models.CharField(blank=True, max_length=30, verbose_name='número de documento')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='nombre')),
                ('birth_date', models.DateField(null=True, verbose_name='fecha de nacimiento')),
                ('since', models.DateField(verbose_name='desde')),
                ('until', models.DateField(null=True, verbose_name='hasta')),
                ('source', models.CharField(max_length=120, verbose_name='documento de origen')),
                ('recorded_at', models.DateTimeField(verbose_name='registrada')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exclusions', to='casino.casino')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'exclusión',
                'verbose_name_plural': 'exclusiones',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ExclusionEnd',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='terminada')),
                ('reason', models.CharField(max_length=500, verbose_name='motivo')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('exclusion', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ended', to='tables.exclusion')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'fin de exclusión',
            },
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document_type', models.CharField(choices=[('ci', 'cédula de identidad'), ('foreign', 'carnet de extranjero'), ('passport', 'pasaporte')], max_length=10, verbose_name='documento')),
                ('country', models.CharField(default='BO', max_length=2, verbose_name='país emisor')),
                ('number', models.CharField(max_length=30, verbose_name='número de documento')),
                ('name', models.CharField(max_length=120, verbose_name='nombre')),
                ('birth_date', models.DateField(verbose_name='fecha de nacimiento')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='observación')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='guests', to='casino.casino')),
            ],
            options={
                'verbose_name': 'jugador',
                'verbose_name_plural': 'jugadores',
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='ExclusionMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('how', models.CharField(choices=[('document', 'mismo documento'), ('name_birth', 'mismo nombre y fecha de nacimiento'), ('similar', 'datos parecidos'), ('minor', 'menor de edad')], max_length=10, verbose_name='coincidencia')),
                ('score', models.PositiveSmallIntegerField(help_text='0 to 100', verbose_name='parecido')),
                ('where', models.CharField(choices=[('seat', 'al sentarse'), ('waiting', 'en la lista de espera'), ('auction', 'en la subasta del banco'), ('floor', 'ya en la sala')], max_length=10, verbose_name='dónde')),
                ('place', models.CharField(max_length=60, verbose_name='lugar')),
                ('identity', models.CharField(help_text='what of the guest was compared', max_length=200)),
                ('state', models.CharField(choices=[('blocked', 'impedido'), ('open', 'por resolver'), ('cleared', 'otra persona'), ('confirmed', 'es la persona')], max_length=10, verbose_name='estado')),
                ('found_at', models.DateTimeField(verbose_name='hallada')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='resuelta')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('evidence', models.CharField(blank=True, max_length=200, verbose_name='prueba vista')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exclusion_matches', to='casino.casino')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('decided_with', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('exclusion', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='tables.exclusion')),
                ('found_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('guest', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='tables.guest')),
            ],
            options={
                'verbose_name': 'coincidencia',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='GuestSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('identify', models.BooleanField(default=False, verbose_name='todos se identifican')),
                ('casino', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='guest_settings', to='casino.casino')),
            ],
            options={
                'verbose_name': 'admisión',
            },
        ),
        migrations.CreateModel(
            name='HistoricalGuest',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('document_type', models.CharField(choices=[('ci', 'cédula de identidad'), ('foreign', 'carnet de extranjero'), ('passport', 'pasaporte')], max_length=10, verbose_name='documento')),
                ('country', models.CharField(default='BO', max_length=2, verbose_name='país emisor')),
                ('number', models.CharField(max_length=30, verbose_name='número de documento')),
                ('name', models.CharField(max_length=120, verbose_name='nombre')),
                ('birth_date', models.DateField(verbose_name='fecha de nacimiento')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='observación')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical jugador',
                'verbose_name_plural': 'historical jugadores',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalGuestSettings',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name='ID')),
                ('identify', models.BooleanField(default=False, verbose_name='todos se identifican')),
                ('history_id', models.AutoField(primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.TextField(null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('casino', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='casino.casino')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical admisión',
                'verbose_name_plural': 'historical admisións',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='SeatTaking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='asiento')),
                ('alias', models.CharField(max_length=30, verbose_name='alias')),
                ('during', django.contrib.postgres.fields.ranges.DateTimeRangeField(verbose_name='tiempo')),
                ('after_round', models.PositiveIntegerField(verbose_name='después del pase')),
                ('mid_round', models.BooleanField(verbose_name='durante un pase')),
                ('mid_shoe', models.BooleanField(verbose_name='durante un sabot')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('guest', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='takings', to='tables.guest')),
                ('moved_from', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='moved_to', to='tables.seattaking')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='takings', to='tables.tablesession')),
                ('taken_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'asiento ocupado',
            },
        ),
        migrations.CreateModel(
            name='ChangeRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(null=True, verbose_name='asiento')),
                ('since', models.DateTimeField(verbose_name='desde')),
                ('state', models.CharField(choices=[('open', 'pendiente'), ('honoured', 'cumplido'), ('withdrawn', 'retirado')], default='open', max_length=10, verbose_name='estado')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='hasta')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='change_requests', to='tables.table')),
                ('taking', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='tables.seattaking')),
            ],
            options={
                'verbose_name': 'pedido de cambio',
                'ordering': ['since', 'id'],
            },
        ),
        migrations.CreateModel(
            name='AwayMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('during', django.contrib.postgres.fields.ranges.DateTimeRangeField(verbose_name='ausencia')),
                ('keeps_chips', models.BooleanField(verbose_name='dejó fichas')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('marked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('taking', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='away', to='tables.seattaking')),
            ],
            options={
                'verbose_name': 'ausencia',
            },
        ),
        migrations.CreateModel(
            name='WaitingEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=40, verbose_name='juego')),
                ('alias', models.CharField(max_length=30, verbose_name='alias')),
                ('party_size', models.PositiveSmallIntegerField(default=1, verbose_name='personas')),
                ('state', models.CharField(choices=[('waiting', 'espera'), ('called', 'llamado'), ('seated', 'sentado'), ('left', 'se retiró'), ('expired', 'no se presentó')], default='waiting', max_length=10, verbose_name='estado')),
                ('since', models.DateTimeField(verbose_name='desde')),
                ('called_at', models.DateTimeField(null=True, verbose_name='llamado')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='hasta')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waiting', to='casino.casino')),
                ('guest', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='waiting', to='tables.guest')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='waiting', to='tables.table')),
            ],
            options={
                'verbose_name': 'espera',
                'ordering': ['since', 'id'],
            },
        ),
        migrations.AddField(
            model_name='seattaking',
            name='entry',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='takings', to='tables.waitingentry'),
        ),
        migrations.AddIndex(
            model_name='exclusion',
            index=models.Index(fields=['casino', 'number'], name='exclusion_by_number'),
        ),
        migrations.AddConstraint(
            model_name='exclusion',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(models.Q(('number', ''), _negated=True), models.Q(('document_type', ''), _negated=True), models.Q(('country', ''), _negated=True)), models.Q(('birth_date__isnull', False), ('country', ''), ('document_type', ''), ('number', ''), models.Q(('name', ''), _negated=True)), _connector='OR'), name='exclusion_names_somebody'),
        ),
        migrations.AddConstraint(
            model_name='exclusion',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gte', models.F('since')), _connector='OR'), name='exclusion_ends_after_it_began'),
        ),
        migrations.AddConstraint(
            model_name='exclusionend',
            constraint=models.CheckConstraint(condition=models.Q(('by', models.F('second')), _negated=True), name='exclusion_ended_by_two'),
        ),
        migrations.AddConstraint(
            model_name='guest',
            constraint=models.UniqueConstraint(fields=('casino', 'document_type', 'country', 'number'), name='one_guest_per_document'),
        ),
        migrations.AddConstraint(
            model_name='exclusionmatch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('exclusion', None), ('how', 'minor')), models.Q(models.Q(('how', 'minor'), _negated=True), ('exclusion__isnull', False)), _connector='OR'), name='match_names_its_entry'),
        ),
        migrations.AddConstraint(
            model_name='exclusionmatch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('decided_with', None), ('state__in', ('blocked', 'open'))), models.Q(('decided_at__isnull', False), ('state__in', ('cleared', 'confirmed')), ('decided_by__isnull', False), ('decided_with__isnull', False), models.Q(('decided_by', models.F('decided_with')), _negated=True), models.Q(('reason', ''), _negated=True), models.Q(('evidence', ''), _negated=True)), _connector='OR'), name='match_decided_by_two'),
        ),
        migrations.AddConstraint(
            model_name='exclusionmatch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('how__in', ('document', 'minor')), ('state', 'blocked')), models.Q(models.Q(('state', 'blocked'), _negated=True), ('how__in', ('name_birth', 'similar'))), _connector='OR'), name='only_a_likely_match_is_decided'),
        ),
        migrations.AddConstraint(
            model_name='exclusionmatch',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('guest', 'exclusion', 'identity'), name='one_open_match_per_pair'),
        ),
        migrations.AddConstraint(
            model_name='changerequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('taking',), name='one_open_request_per_player'),
        ),
        migrations.AddConstraint(
            model_name='changerequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='request_ends_when_it_ended'),
        ),
        migrations.AddConstraint(
            model_name='awaymark',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(expressions=[(models.Func(models.F('taking_id'), models.F('taking_id'), models.Value('[]'), function='int8range'), '='), ('during', '&&')], name='one_absence_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='waitingentry',
            index=models.Index(fields=['casino', 'state'], name='waiting_by_state'),
        ),
        migrations.AddConstraint(
            model_name='waitingentry',
            constraint=models.UniqueConstraint(condition=models.Q(('guest__isnull', False), ('state__in', ('waiting', 'called'))), fields=('casino', 'guest', 'game'), name='one_wait_per_guest_and_game'),
        ),
        migrations.AddConstraint(
            model_name='waitingentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('state__in', ('waiting', 'called'))), models.Q(models.Q(('state__in', ('waiting', 'called')), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='waiting_ends_when_it_ended'),
        ),
        migrations.AddConstraint(
            model_name='waitingentry',
            constraint=models.CheckConstraint(condition=models.Q(('party_size__gte', 1)), name='waiting_party_is_somebody'),
        ),
        migrations.AddIndex(
            model_name='seattaking',
            index=models.Index(fields=['session', 'seat'], name='taking_by_seat'),
        ),
        migrations.AddConstraint(
            model_name='seattaking',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(expressions=[(models.Func(models.F('session_id'), models.F('session_id'), models.Value('[]'), function='int8range'), '='), (models.Func(models.F('seat'), models.F('seat'), models.Value('[]'), function='int8range'), '='), ('during', '&&')], name='one_person_per_seat'),
        ),
        migrations.AddConstraint(
            model_name='seattaking',
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(condition=models.Q(('guest__isnull', False)), expressions=[(models.Func(models.F('guest_id'), models.F('guest_id'), models.Value('[]'), function='int8range'), '='), ('during', '&&')], name='one_seat_per_guest'),
        ),
        migrations.AddConstraint(
            model_name='seattaking',
            constraint=models.CheckConstraint(condition=models.Q(('seat__gte', 1)), name='seat_has_a_number'),
        ),
        AppendOnly("tables_exclusion"),
        AppendOnly("tables_exclusionend"),
        AppendOnly("tables_historicalguest"),
        AppendOnly("tables_historicalguestsettings"),
        NoDelete("tables_guest"),
        NoDelete("tables_guestsettings"),
        NoDelete("tables_exclusionmatch"),
        NoDelete("tables_seattaking"),
        NoDelete("tables_awaymark"),
        NoDelete("tables_waitingentry"),
        NoDelete("tables_changerequest"),
        MATCH,
        WAITING,
        REQUEST,
        ends_once("tables_seattaking"),
        ends_once("tables_awaymark"),
    ]
