"""What names a player in rows that never change may become their pseudonym, once one is on record (REC-12)."""

from django.db import migrations

from audits.guards import AppendOnlyButPseudonyms

_MATCH = """
    CREATE OR REPLACE FUNCTION sabot_match_decided() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        decision constant text[] := ARRAY['state', 'decided_at', 'decided_by_id', 'decided_with_id', 'reason',
            'evidence'];
    BEGIN
        IF OLD.state = 'open' AND NEW.state IN ('cleared', 'confirmed')
           AND to_jsonb(OLD) - decision = to_jsonb(NEW) - decision THEN
            RETURN NEW;
        END IF;%s
        RAISE EXCEPTION 'match %% is %%: it is decided once (REC-07)', OLD.id, OLD.state USING ERRCODE = '23001';
    END $$;
"""
_LEAVES = """
    CREATE OR REPLACE FUNCTION sabot_leaves_once() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        written text[] := TG_ARGV[1]::text[];
    BEGIN
        IF OLD.state = TG_ARGV[0] AND to_jsonb(OLD) - written = to_jsonb(NEW) - written THEN
            RETURN NEW;
        END IF;%s
        RAISE EXCEPTION '%% %%: %% is final, and what it says stays (REC-07)', TG_TABLE_NAME, OLD.id, OLD.state
            USING ERRCODE = '23001';
    END $$;
"""
_ELSE = """
        IF %ssabot_is_pseudonym(to_jsonb(OLD), to_jsonb(NEW), '%s', '%s', ARRAY[%s]) THEN
            RETURN NEW;
        END IF;"""
OF_MATCH = _ELSE % ("", "guest", "guest_id", "'identity'")
OF_ORPHAN = _ELSE % ("TG_TABLE_NAME = 'tables_orphan' AND ", "orphan", "id", "'claimant', 'document'")


class Migration(migrations.Migration):
    dependencies = [
        ("audits", "0011_people_data"),
        ("tables", "0023_progressive_chips"),
    ]

    operations = [
        AppendOnlyButPseudonyms("tables_historicalguest", "guest", "id", ["name", "number", "birth_date", "note"]),
        AppendOnlyButPseudonyms("tables_exclusion", "exclusion", "id", ["name", "number", "birth_date"]),
        AppendOnlyButPseudonyms("tables_cageoperation", "receipt", "id", ["customer", "document"]),
        migrations.RunSQL(_MATCH % OF_MATCH, _MATCH % ""),
        migrations.RunSQL(_LEAVES % OF_ORPHAN, _LEAVES % ""),
    ]
