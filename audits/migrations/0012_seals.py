"""The seal of the gaming day, the chains it covers, the keys it is signed with.

- `audits_seal`, `audits_sealleaf`: append-only. A seal is of a closed day, after the one before it and later
  than it, names its root, is of the key in use, and its columns are what its document says. A leaf is the head
  of a chain as it was: an event there is. Leaves go to the latest seal only.
- `audits_sealkey`: named after its public half; follows the one before it at the instant that one ends. Its end
  is written once, and nothing else ever.
"""

import django.db.models.deletion
from django.db import migrations, models

from audits.guards import AppendOnly, NoDelete

KEYS = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_seal_key_in() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE before record; said jsonb;
    BEGIN
        said := convert_from(NEW.document, 'UTF8')::jsonb;
        SELECT casino_id, key_id, until INTO before FROM audits_sealkey WHERE id = NEW.previous_id;
        IF octet_length(NEW.public_key) <> 32 OR octet_length(NEW.signature) <> 64
           OR NEW.key_id <> left(encode(sha256(NEW.public_key), 'hex'), 16)
           OR said ->> 'key_id' IS DISTINCT FROM NEW.key_id
           OR said ->> 'public_key' IS DISTINCT FROM encode(NEW.public_key, 'hex')
           OR said ->> 'previous_key_id' IS DISTINCT FROM coalesce(before.key_id, '')
           OR NEW.previous_id IS NOT NULL
              AND (before.casino_id, before.until) IS DISTINCT FROM (NEW.casino_id, NEW.since) THEN
            RAISE EXCEPTION 'seal key %: it is not what its document says, or does not follow the one before',
                NEW.key_id USING ERRCODE = '23514', CONSTRAINT = 'seal_key_follows';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_seal_key_in BEFORE INSERT ON audits_sealkey
        FOR EACH ROW EXECUTE FUNCTION sabot_seal_key_in();

    CREATE FUNCTION sabot_seal_key_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF OLD.until IS NOT NULL OR to_jsonb(OLD) - 'until' <> to_jsonb(NEW) - 'until' THEN
            RAISE EXCEPTION 'seal key %: only its end is written, once (REC-06)', OLD.key_id
                USING ERRCODE = '23001';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_seal_key_ends_once BEFORE UPDATE ON audits_sealkey
        FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION sabot_seal_key_ends_once();
    """,
    """
    DROP TRIGGER sabot_seal_key_ends_once ON audits_sealkey;
    DROP FUNCTION sabot_seal_key_ends_once();
    DROP TRIGGER sabot_seal_key_in ON audits_sealkey;
    DROP FUNCTION sabot_seal_key_in();
    """,
)

SEALS = migrations.RunSQL(
    """
    CREATE FUNCTION sabot_seal_in() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE day record; signer record; last record; said jsonb;
    BEGIN
        SELECT casino_id, date, state INTO day FROM casino_gamingday WHERE id = NEW.day_id;
        IF day.casino_id <> NEW.casino_id OR day.state <> 'closed' THEN
            RAISE EXCEPTION 'gaming day % is not closed: it has no seal yet (REC-08)', day.date
                USING ERRCODE = '23514', CONSTRAINT = 'seal_of_a_closed_day';
        END IF;
        SELECT s.id, s.root, s.sealed_at, d.date INTO last
            FROM audits_seal s JOIN casino_gamingday d ON d.id = s.day_id
            WHERE s.casino_id = NEW.casino_id ORDER BY d.date DESC LIMIT 1;
        IF NEW.previous_id IS DISTINCT FROM last.id OR last.date >= day.date OR last.sealed_at >= NEW.sealed_at
           OR NEW.previous_root <> coalesce(last.root, decode(repeat('00', 32), 'hex'))
           OR EXISTS (SELECT FROM casino_gamingday d WHERE d.casino_id = NEW.casino_id AND d.date < day.date
                      AND NOT EXISTS (SELECT FROM audits_seal s WHERE s.day_id = d.id)) THEN
            RAISE EXCEPTION 'the seal of % does not follow the one before it', day.date
                USING ERRCODE = '23514', CONSTRAINT = 'seal_follows';
        END IF;
        SELECT casino_id, key_id, since, until INTO signer FROM audits_sealkey WHERE id = NEW.key_id;
        said := convert_from(NEW.document, 'UTF8')::jsonb;
        IF signer.casino_id <> NEW.casino_id OR signer.until IS NOT NULL OR signer.since > NEW.sealed_at
           OR octet_length(NEW.root) <> 32 OR octet_length(NEW.signature) <> 64
           OR said ->> 'gaming_day' IS DISTINCT FROM to_char(day.date, 'YYYY-MM-DD')
           OR said ->> 'root' IS DISTINCT FROM encode(NEW.root, 'hex')
           OR said ->> 'previous_root' IS DISTINCT FROM encode(NEW.previous_root, 'hex')
           OR said ->> 'leaves' IS DISTINCT FROM NEW.leaves::text
           OR said ->> 'key_id' IS DISTINCT FROM signer.key_id THEN
            RAISE EXCEPTION 'the seal of % is not what its document says, or not of the key in use', day.date
                USING ERRCODE = '23514', CONSTRAINT = 'seal_is_what_it_says';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER sabot_seal_in BEFORE INSERT ON audits_seal
        FOR EACH ROW EXECUTE FUNCTION sabot_seal_in();

    CREATE FUNCTION sabot_leaves_are_heads() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE odd text;
    BEGIN
        SELECT l.name INTO odd FROM arrived l JOIN audits_seal s ON s.id = l.seal_id
            LEFT JOIN audits_stream st ON st.id = l.stream_id
            LEFT JOIN audits_event e ON e.stream_id = l.stream_id AND e.seq = l.seq
            WHERE (e.hash = l.hash AND st.name = l.name AND st.casino_id = s.casino_id
                   AND l.casino_id = s.casino_id) IS NOT TRUE
               OR EXISTS (SELECT FROM audits_seal later WHERE later.previous_id = s.id)
            LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'the leaf of % is no head of it, or comes after its seal', odd
                USING ERRCODE = '23514', CONSTRAINT = 'leaf_is_a_head';
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER sabot_leaves_are_heads AFTER INSERT ON audits_sealleaf
        REFERENCING NEW TABLE AS arrived FOR EACH STATEMENT EXECUTE FUNCTION sabot_leaves_are_heads();
    """,
    """
    DROP TRIGGER sabot_leaves_are_heads ON audits_sealleaf;
    DROP FUNCTION sabot_leaves_are_heads();
    DROP TRIGGER sabot_seal_in ON audits_seal;
    DROP FUNCTION sabot_seal_in();
    """,
)


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0011_people_data'),
        ('casino', '0004_sessions_ended'),
    ]

    operations = [
        migrations.CreateModel(
            name='SealKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_id', models.CharField(max_length=16, verbose_name='llave')),
                ('public_key', models.BinaryField(max_length=32)),
                ('since', models.DateTimeField(verbose_name='desde')),
                ('until', models.DateTimeField(null=True, verbose_name='hasta')),
                ('document', models.BinaryField()),
                ('signature', models.BinaryField(help_text='of the document, by the key itself', max_length=64)),
                ('introduced_by', models.BinaryField(help_text='signature of the document by the key before it', max_length=64, null=True)),
                ('lost', models.BooleanField(default=False, verbose_name='la anterior se perdió')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='motivo')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seal_keys', to='casino.casino')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor', verbose_name='hecha por')),
                ('previous', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='next', to='audits.sealkey')),
                ('seconded_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audits.actor')),
            ],
            options={
                'verbose_name': 'llave de sello',
                'ordering': ['since', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Seal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('root', models.BinaryField(max_length=32, verbose_name='raíz')),
                ('leaves', models.BigIntegerField(verbose_name='cadenas')),
                ('previous_root', models.BinaryField(help_text='of the seal before it, zeros at the first', max_length=32)),
                ('document', models.BinaryField(help_text='the canonical JSON that is signed')),
                ('signature', models.BinaryField(max_length=64)),
                ('sealed_at', models.DateTimeField(verbose_name='sellado')),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seals', to='casino.casino')),
                ('day', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='seal', to='casino.gamingday', verbose_name='día')),
                ('previous', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='next', to='audits.seal')),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seals', to='audits.sealkey', verbose_name='llave')),
            ],
            options={
                'verbose_name': 'sello del día',
                'verbose_name_plural': 'sellos de los días',
                'ordering': ['-day__date'],
            },
        ),
        migrations.CreateModel(
            name='SealLeaf',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('seq', models.BigIntegerField()),
                ('hash', models.BinaryField(max_length=32)),
                ('casino', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='casino.casino')),
                ('seal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moved', to='audits.seal')),
                ('stream', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sealed', to='audits.stream')),
            ],
            options={
                'verbose_name': 'cadena sellada',
            },
        ),
        migrations.AddConstraint(
            model_name='sealkey',
            constraint=models.UniqueConstraint(fields=('casino', 'key_id'), name='one_seal_key_per_id'),
        ),
        migrations.AddConstraint(
            model_name='sealkey',
            constraint=models.UniqueConstraint(condition=models.Q(('until', None)), fields=('casino',), name='one_seal_key_in_use'),
        ),
        migrations.AddConstraint(
            model_name='sealkey',
            constraint=models.UniqueConstraint(condition=models.Q(('previous', None)), fields=('casino',), name='one_first_seal_key'),
        ),
        migrations.AddConstraint(
            model_name='sealkey',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gte', models.F('since')), _connector='OR'), name='seal_key_ends_after_it_began'),
        ),
        migrations.AddConstraint(
            model_name='sealkey',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('introduced_by', None), ('lost', False), ('previous', None)), models.Q(('introduced_by__isnull', False), ('lost', False), ('previous__isnull', False)), models.Q(('introduced_by', None), ('lost', True), ('previous__isnull', False), ('seconded_by__isnull', False), models.Q(('seconded_by', models.F('made_by')), _negated=True), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='seal_key_introduced_or_answered_for'),
        ),
        migrations.AddConstraint(
            model_name='seal',
            constraint=models.UniqueConstraint(condition=models.Q(('previous', None)), fields=('casino',), name='one_first_seal'),
        ),
        migrations.AddConstraint(
            model_name='sealleaf',
            constraint=models.UniqueConstraint(fields=('stream', 'seal'), name='one_leaf_per_stream_and_seal'),
        ),
        NoDelete('audits_sealkey'),
        AppendOnly('audits_seal'),
        AppendOnly('audits_sealleaf'),
        KEYS,
        SEALS,
    ]
