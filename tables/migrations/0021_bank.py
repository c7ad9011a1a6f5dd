"""The bank in a player's hands: each time with it, what went in, how it passed on, its auctions."""


import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

# A bank goes on, never back, but for the very hand that lost it being voided (BANK-04, REC-07); what it was
# awarded for and to whom stays.
BANK_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_bank_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'associate_id', 'opening', 'amount', 'aside', 'deals', 'held_at', 'ended_at',
            'ending', 'left_with'];
        step constant text := OLD.state || '>' || NEW.state;
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND NEW.aside >= OLD.aside AND (OLD.associate_id IS NULL OR OLD.associate_id = NEW.associate_id)
           AND (OLD.held_at IS NULL OR (OLD.held_at, OLD.opening) = (NEW.held_at, NEW.opening))
           AND (step IN ('awarded>held', 'awarded>ended', 'held>held', 'held>ended')
                OR (step = 'ended>held' AND OLD.ending IN ('lost', 'exhausted') AND NEW.deals = OLD.deals - 1)) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'bank %: it goes on, never back (BANK-14, REC-07)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_bank_moves BEFORE UPDATE ON tables_bank
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_bank_moves();
    """,
    """
    DROP TRIGGER sabot_bank_moves ON tables_bank;
    DROP FUNCTION sabot_bank_moves();
    """,
)

# An offer goes through its steps once and ends once (BANK-25).
PASSAGE_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_passage_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['step', 'result', 'ended_at', 'to_id'];
        steps constant text[] := ARRAY['rotation', 'retake', 'auction', 'over'];
    BEGIN
        IF to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND array_position(steps, NEW.step) > array_position(steps, OLD.step) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'passage %: an offer of the bank goes on, never back (BANK-25)', OLD.id USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_passage_moves BEFORE UPDATE ON tables_bankpassage
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_passage_moves();
    """,
    """
    DROP TRIGGER sabot_passage_moves ON tables_bankpassage;
    DROP FUNCTION sabot_passage_moves();
    """,
)

# An open auction takes bids and closes later, never earlier; a closed one stays as it is. Its seed is the one
# whose hash was published (BANK-26).
AUCTION_MOVES = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_auction_moves() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        moving constant text[] := ARRAY['state', 'closes_at', 'closed_at', 'last_bid', 'seed', 'winner_id', 'bank_id'];
    BEGIN
        IF OLD.state = 'open'
           AND to_jsonb(OLD) - moving = to_jsonb(NEW) - moving
           AND NEW.closes_at >= OLD.closes_at
           AND (NEW.last_bid = OLD.last_bid OR (NEW.last_bid = OLD.last_bid + 1 AND NEW.state = 'open'))
           AND (NEW.seed = '' OR encode(sha256(decode(NEW.seed, 'hex')), 'hex') = OLD.seed_hash) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'auction %: what is closed stays, and its seed is the one announced (BANK-26)', OLD.id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_auction_moves BEFORE UPDATE ON tables_auction
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_auction_moves();
    """,
    """
    DROP TRIGGER sabot_auction_moves ON tables_auction;
    DROP FUNCTION sabot_auction_moves();
    """,
)

# A bid takes the next number of an auction that is open, before its close by its own instant (BANK-10, BANK-26).
BID_COUNTS = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_bid_counts() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        found tables_auction%ROWTYPE;
    BEGIN
        SELECT * INTO found FROM tables_auction WHERE id = NEW.auction_id;
        IF found.state = 'open' AND NEW.number = found.last_bid AND NEW.at < found.closes_at
           AND NEW.at >= found.opened_at AND NEW.amount BETWEEN found.minimum AND found.most
           AND NOT EXISTS (SELECT 1 FROM tables_bid WHERE auction_id = NEW.auction_id AND number >= NEW.number) THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'bid % of auction %: not the next one, or too late (BANK-10, BANK-26)', NEW.number, NEW.auction_id
            USING ERRCODE = '23001';
    END $$;
    CREATE TRIGGER sabot_bid_counts BEFORE INSERT ON tables_bid
        FOR EACH ROW EXECUTE FUNCTION sabot_bid_counts();
    """,
    """
    DROP TRIGGER sabot_bid_counts ON tables_bid;
    DROP FUNCTION sabot_bid_counts();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0007_rulings'),
        ('casino', '0004_sessions_ended'),
        ('tables', '0020_cage_people_bank_tips'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Auction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(verbose_name='año')),
                ('number', models.PositiveIntegerField(verbose_name='número')),
                ('form', models.CharField(choices=[('outcry', 'a viva voz'), ('sealed', 'a sobre cerrado')], max_length=10, verbose_name='forma')),
                ('state', models.CharField(choices=[('open', 'abierta'), ('awarded', 'adjudicada'), ('deserted', 'desierta'), ('called_off', 'sin efecto: la mesa cierra')], default='open', max_length=10, verbose_name='estado')),
                ('minimum', models.BigIntegerField(verbose_name='puja inicial')),
                ('increment', models.BigIntegerField(verbose_name='incremento')),
                ('most', models.BigIntegerField(verbose_name='máximo')),
                ('chip', models.BigIntegerField(verbose_name='ficha menor')),
                ('window_s', models.PositiveSmallIntegerField(verbose_name='ventana final, segundos')),
                ('extension_s', models.PositiveSmallIntegerField(verbose_name='prórroga, segundos')),
                ('opened_at', models.DateTimeField(verbose_name='abierta')),
                ('closes_at', models.DateTimeField(verbose_name='cierra')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='cerrada')),
                ('last_bid', models.PositiveIntegerField(default=0, verbose_name='pujas')),
                ('seed_hash', models.CharField(max_length=64, verbose_name='huella de la semilla')),
                ('seed', models.CharField(blank=True, max_length=64, verbose_name='semilla')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='auctions', to='casino.casino')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='auctions', to='tables.tablesession')),
            ],
            options={
                'verbose_name': 'subasta del banco',
                'verbose_name_plural': 'subastas del banco',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AuctionSecret',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.CharField(max_length=64)),
                ('auction', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='secret', to='tables.auction')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
            ],
            options={
                'verbose_name': 'semilla guardada',
            },
        ),
        migrations.CreateModel(
            name='Bank',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='número en la sesión')),
                ('state', models.CharField(choices=[('awarded', 'espera el depósito'), ('held', 'en juego'), ('ended', 'terminado')], max_length=10, verbose_name='estado')),
                ('how', models.CharField(choices=[('first', 'primer banco'), ('turn', 'por turno'), ('retake', 'retomado'), ('auction', 'por subasta'), ('forced', 'adjudicado a la derecha')], max_length=10, verbose_name='cómo se obtuvo')),
                ('required', models.BigIntegerField(help_text='smallest units: least first deposit', verbose_name='al menos')),
                ('opening', models.BigIntegerField(default=0, verbose_name='con cuánto empezó')),
                ('amount', models.BigIntegerField(default=0, verbose_name='en el banco')),
                ('aside', models.BigIntegerField(default=0, help_text='winnings taken out of play', verbose_name='apartado')),
                ('deals', models.PositiveIntegerField(default=0, verbose_name='pases repartidos')),
                ('begun_at', models.DateTimeField(verbose_name='adjudicado')),
                ('held_at', models.DateTimeField(null=True, verbose_name='depositado')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='terminado')),
                ('ending', models.CharField(blank=True, choices=[('lost', 'perdió la mano'), ('exhausted', 'perdió la mano y el banco se agotó'), ('passed', 'lo pasó'), ('refused', 'no lo tomó'), ('returned', 'devuelto: la mesa cierra')], max_length=10, verbose_name='cómo terminó')),
                ('left_with', models.BigIntegerField(null=True, verbose_name='se le devolvió')),
                ('associate', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seattaking', verbose_name='asociado')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='banks', to='casino.casino')),
                ('holder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='banks', to='tables.seattaking', verbose_name='banquero')),
                ('previous', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='next_banks', to='tables.bank')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='banks', to='tables.tablesession')),
            ],
            options={
                'verbose_name': 'banco',
                'verbose_name_plural': 'bancos',
                'ordering': ['session', 'number'],
            },
        ),
        migrations.AddField(
            model_name='auction',
            name='bank',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='auction', to='tables.bank'),
        ),
        migrations.CreateModel(
            name='BankDeposit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('bank', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to='tables.bank')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('taking', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seattaking')),
            ],
            options={
                'verbose_name': 'depósito en el banco',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='BankPassage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.CharField(choices=[('rotation', 'se ofrece por turno'), ('retake', 'se ofrece a quien lo dejó'), ('auction', 'se subasta'), ('over', 'resuelto')], default='rotation', max_length=10, verbose_name='paso')),
                ('least', models.BigIntegerField(help_text='smallest units, for whoever takes it by turn', verbose_name='al menos')),
                ('retake', models.BigIntegerField(help_text='smallest units (BANK-09)', verbose_name='para retomarlo')),
                ('begun_at', models.DateTimeField(verbose_name='desde')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='hasta')),
                ('result', models.CharField(blank=True, choices=[('taken', 'tomado por turno'), ('retaken', 'retomado'), ('auctioned', 'subastado'), ('forced', 'adjudicado a la derecha'), ('vacant', 'sin banquero'), ('undone', 'anulado con su pase')], max_length=10, verbose_name='resultado')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('left', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='passages', to='tables.bank', verbose_name='banco que pasa')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='passages', to='tables.tablesession')),
                ('to', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='came_by', to='tables.bank', verbose_name='pasó a')),
            ],
            options={
                'verbose_name': 'traspaso del banco',
                'verbose_name_plural': 'traspasos del banco',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='BankAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.CharField(choices=[('rotation', 'se ofrece por turno'), ('retake', 'se ofrece a quien lo dejó'), ('auction', 'se subasta'), ('over', 'resuelto')], max_length=10, verbose_name='paso')),
                ('answer', models.CharField(choices=[('take', 'lo toma'), ('joint', 'lo toma en asociación'), ('decline', 'no lo quiere'), ('absent', 'no está: pierde su lugar')], max_length=10, verbose_name='respuesta')),
                ('amount', models.BigIntegerField(null=True, verbose_name='por cuánto')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('associate', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seattaking')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('noted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('taking', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seattaking', verbose_name='jugador')),
                ('passage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='tables.bankpassage')),
            ],
            options={
                'verbose_name': 'respuesta a la oferta del banco',
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='auction',
            name='passage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='auctions', to='tables.bankpassage'),
        ),
        migrations.CreateModel(
            name='BankRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.BigIntegerField(verbose_name='había')),
                ('after', models.BigIntegerField(verbose_name='quedó')),
                ('deduction', models.BigIntegerField(verbose_name='deducción de la casa')),
                ('bank', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.bank')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='bank_round', to='tables.round')),
            ],
            options={
                'verbose_name': 'pase del banco',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Bid',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='orden')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='asiento')),
                ('amount', models.BigIntegerField(verbose_name='importe')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('seal', models.CharField(blank=True, max_length=64, verbose_name='sello')),
                ('nonce', models.CharField(blank=True, max_length=32)),
                ('auction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bids', to='tables.auction')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
                ('noted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
                ('taking', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seattaking', verbose_name='jugador')),
                ('together', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.bid')),
            ],
            options={
                'verbose_name': 'puja',
                'ordering': ['auction', 'number'],
            },
        ),
        migrations.AddField(
            model_name='auction',
            name='winner',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.bid', verbose_name='ganadora'),
        ),
        migrations.CreateModel(
            name='AuctionSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='asiento')),
                ('alias', models.CharField(max_length=60, verbose_name='jugador')),
                ('rule', models.CharField(blank=True, help_text='why out; blank may bid', max_length=12, verbose_name='regla')),
                ('why_es', models.CharField(blank=True, max_length=200)),
                ('why_en', models.CharField(blank=True, max_length=200)),
                ('auction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='places', to='tables.auction')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('taking', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.seattaking')),
            ],
            options={
                'verbose_name': 'puesto en la subasta',
                'ordering': ['seat'],
                'constraints': [models.UniqueConstraint(fields=('auction', 'taking'), name='one_place_per_auction')],
            },
        ),
        migrations.CreateModel(
            name='AuctionSignature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, verbose_name='huella del acta')),
                ('at', models.DateTimeField(verbose_name='cuándo')),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='firma')),
                ('auction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='tables.auction')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.event')),
            ],
            options={
                'verbose_name': 'firma de un acta de subasta',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('auction', 'actor'), name='one_signature_per_person_and_act')],
            },
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='one_bank_per_number'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'ended'), _negated=True), fields=('session',), name='one_bank_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount', 0), ('ended_at', None), ('ending', ''), ('held_at', None), ('opening', 0), ('state', 'awarded')), models.Q(('ended_at', None), ('ending', ''), ('held_at__isnull', False), ('opening__gt', 0), ('state', 'held')), models.Q(('amount', 0), ('ended_at__isnull', False), ('left_with__isnull', False), ('state', 'ended'), models.Q(('ending', ''), _negated=True)), _connector='OR'), name='bank_is_what_its_state_says'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gte', 0), ('aside__gte', 0), ('required__gt', 0)), name='bank_never_below_nothing'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.CheckConstraint(condition=models.Q(('opening', 0), ('opening__gte', models.F('required')), _connector='OR'), name='bank_covers_what_was_asked'),
        ),
        migrations.AddConstraint(
            model_name='bank',
            constraint=models.CheckConstraint(condition=models.Q(('associate', None), models.Q(('associate', models.F('holder')), _negated=True), _connector='OR'), name='bank_associate_is_another'),
        ),
        migrations.AddConstraint(
            model_name='bankdeposit',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='bank_deposit_has_value'),
        ),
        migrations.AddConstraint(
            model_name='bankpassage',
            constraint=models.UniqueConstraint(condition=models.Q(('step', 'over'), _negated=True), fields=('session',), name='one_passage_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='bankpassage',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', False), ('step', 'over'), models.Q(('result', ''), _negated=True)), models.Q(models.Q(('step', 'over'), _negated=True), ('ended_at', None), ('result', '')), _connector='OR'), name='passage_is_over_with_its_result'),
        ),
        migrations.AddConstraint(
            model_name='bankanswer',
            constraint=models.UniqueConstraint(fields=('passage', 'step', 'taking'), name='one_answer_per_offer'),
        ),
        migrations.AddConstraint(
            model_name='bankanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('amount__gt', 0), ('answer__in', ('take', 'joint'))), models.Q(('amount', None), ('answer__in', ('decline', 'absent')), ('associate', None)), _connector='OR'), name='bank_is_taken_for_an_amount'),
        ),
        migrations.AddConstraint(
            model_name='bankround',
            constraint=models.CheckConstraint(condition=models.Q(('after__gte', 0), ('before__gt', 0), ('deduction__gte', 0)), name='bank_pays_no_more_than_it_holds'),
        ),
        migrations.AddConstraint(
            model_name='bid',
            constraint=models.UniqueConstraint(fields=('auction', 'number'), name='one_bid_per_number'),
        ),
        migrations.AddConstraint(
            model_name='bid',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='bid_has_value'),
        ),
        migrations.AddConstraint(
            model_name='auction',
            constraint=models.UniqueConstraint(fields=('casino', 'year', 'number'), name='one_auction_per_number'),
        ),
        migrations.AddConstraint(
            model_name='auction',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('session',), name='one_auction_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='auction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('bank', None), ('closed_at', None), ('seed', ''), ('state', 'open'), ('winner', None)), models.Q(('bank__isnull', False), ('closed_at__isnull', False), ('state', 'awarded'), ('winner__isnull', False), models.Q(('seed', ''), _negated=True)), models.Q(('bank', None), ('closed_at__isnull', False), ('state__in', ('deserted', 'called_off')), ('winner', None), models.Q(('seed', ''), _negated=True)), _connector='OR'), name='auction_closed_with_its_seed'),
        ),
        migrations.AddConstraint(
            model_name='auction',
            constraint=models.CheckConstraint(condition=models.Q(('increment__gt', 0), ('minimum__gt', 0), ('most__gte', models.F('minimum'))), name='auction_has_its_figures'),
        ),
        AppendOnly('tables_bankdeposit'),
        AppendOnly('tables_bankround'),
        AppendOnly('tables_bankanswer'),
        AppendOnly('tables_auctionsecret'),
        AppendOnly('tables_auctionseat'),
        AppendOnly('tables_bid'),
        AppendOnly('tables_auctionsignature'),
        NoDelete('tables_bank'),
        NoDelete('tables_bankpassage'),
        NoDelete('tables_auction'),
        BANK_MOVES,
        PASSAGE_MOVES,
        AUCTION_MOVES,
        BID_COUNTS,
    ]
