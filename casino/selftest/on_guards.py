"""The guards of the database themselves: dropped, switched off, rewritten, stepped around."""

from __future__ import annotations

from casino.selftest.catching import Night
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, ask, sql


@fault(
    "guards.trigger_dropped", "un trigger quitado", "a trigger dropped",
    hand=OWNER, caught=Night("verify_trail", "guard_missing", "audits_posting", says="sabot_append_only"),
)  # fmt: skip
def trigger_dropped() -> None:
    sql("DROP TRIGGER sabot_append_only ON audits_posting")


@fault(
    "guards.trigger_off", "un trigger desactivado", "a trigger switched off",
    hand=OWNER, caught=Night("verify_trail", "guard_missing", "tables_round", says="sabot_round_changes"),
)  # fmt: skip
def trigger_off() -> None:
    sql("ALTER TABLE tables_round DISABLE TRIGGER sabot_round_changes")


@fault(
    "guards.constraint_dropped", "una restricción quitada", "a constraint dropped",
    hand=OWNER, caught=Night("verify_trail", "guard_missing", "shoes_shoe", says="shoe_conserves_cards"),
)  # fmt: skip
def constraint_dropped() -> None:
    sql("ALTER TABLE shoes_shoe DROP CONSTRAINT shoe_conserves_cards")


@fault(
    "guards.constraint_loosened", "una restricción aflojada", "a constraint loosened",
    hand=OWNER, caught=Night("verify_trail", "guard_changed", "shoes_shoe", says="shoe_conserves_cards"),
)  # fmt: skip
def constraint_loosened() -> None:
    sql("ALTER TABLE shoes_shoe DROP CONSTRAINT shoe_conserves_cards")
    sql(
        "ALTER TABLE shoes_shoe ADD CONSTRAINT shoe_conserves_cards"
        " CHECK (total >= dealt + burned + discarded + remaining)"
    )


@fault(
    "guards.exclusion_dropped",
    "el índice de «una persona, un puesto» quitado",
    "the index of one person, one post dropped",
    hand=OWNER, caught=Night("verify_trail", "guard_missing", "tables_assignment", says="one_post_at_a_time"),
)  # fmt: skip
def exclusion_dropped() -> None:
    sql("ALTER TABLE tables_assignment DROP CONSTRAINT one_post_at_a_time")


@fault(
    "guards.function_rewritten", "la función de un trigger vaciada", "the function of a trigger emptied",
    hand=OWNER, caught=Night("verify_trail", "guard_changed", "sabot_refuse_change"),
)  # fmt: skip
def function_rewritten() -> None:
    sql(
        "CREATE OR REPLACE FUNCTION sabot_refuse_change() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RETURN coalesce(NEW, OLD); END $$"
    )


@fault(
    "guards.rule_added", "una regla que traga lo que se escribe", "a rule that swallows what is written",
    hand=OWNER, caught=Night("verify_trail", "guard_added", "jackpots_bet", says="RULE"),
)  # fmt: skip
def rule_added() -> None:
    sql("CREATE RULE callar AS ON INSERT TO jackpots_bet DO INSTEAD NOTHING")


@fault(
    "guards.rows_hidden", "filas ocultas por seguridad de filas", "rows hidden by row security",
    hand=OWNER, caught=Night("verify_trail", "guard_added", "audits_event", says="ROW LEVEL SECURITY"),
)  # fmt: skip
def rows_hidden() -> None:
    sql("ALTER TABLE audits_event ENABLE ROW LEVEL SECURITY")


@fault(
    "guards.trigger_added",
    "un trigger ajeno que cambia importes",
    "a stranger's trigger that changes amounts",
    hand=OWNER, caught=Night("verify_trail", "guard_added", "tables_bet", says="redondear"),
)  # fmt: skip
def trigger_added() -> None:
    sql(
        "CREATE FUNCTION redondear() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN NEW.returned := NEW.returned / 100 * 100; RETURN NEW; END $$"
    )
    sql("CREATE TRIGGER redondear BEFORE INSERT ON tables_bet FOR EACH ROW EXECUTE FUNCTION redondear()")
    assert ask("SELECT count(*) FROM pg_trigger WHERE tgname = 'redondear'") == 1
