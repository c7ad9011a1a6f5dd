"""What somebody who owns the server could change in the night of `test_proofs`, and where it is found."""
# ruff: noqa: E501  (statements read better whole)

from __future__ import annotations

A_ROUND = "UPDATE tables_round SET {0} WHERE id = {{first}}"


CLOSED = "UPDATE tables_tablesession SET {0} WHERE id = {{closed}}"


SHOE = "UPDATE shoes_shoe SET {0} WHERE id = {{shoe}}"


LAST_ROUND_GONE = (
    # The whole of the last round of an open table: its row, its event, its money, the head and the totals.
    "DELETE FROM audits_event WHERE subject_type = 'round' AND subject_id = {opened} AND action = 'tables.round.opened'",
    "UPDATE audits_stream SET head_seq = head_seq - 1, head_hash = (SELECT hash FROM audits_event e"
    " WHERE e.stream_id = audits_stream.id ORDER BY seq DESC LIMIT 1) WHERE name = 'session:{playing}'",
)


UNNOTICED: dict[str, tuple[tuple[str, ...], str, str]] = {
    # name: (statements, where it is found, what is named)
    "last event cut, head rolled back": (LAST_ROUND_GONE, "round:{opened}", "opened"),
    "last event and its round cut": (
        (*LAST_ROUND_GONE, "DELETE FROM tables_round WHERE id = {opened}"), "S-", "dealt"
    ),
    "a session's stream deleted": (
        (
            "DELETE FROM audits_event WHERE stream_id = (SELECT id FROM audits_stream WHERE name = 'session:{closed}')",
            "DELETE FROM audits_stream WHERE name = 'session:{closed}'",
        ),
        "session:{closed}",
        "opened",
    ),
    "a shoe's stream deleted": (
        (
            "DELETE FROM audits_event WHERE stream_id = (SELECT id FROM audits_stream WHERE name = 'shoe:{shoe}')",
            "DELETE FROM audits_stream WHERE name = 'shoe:{shoe}'",
        ),
        "shoe:{shoe}",
        "started",
    ),
    "a settled round deleted, counters lowered": (
        (
            "DELETE FROM tables_bet WHERE round_id = {first}",
            "UPDATE tables_tablesession SET rounds_settled = rounds_settled - 1,"
            " staked = staked - (SELECT staked FROM tables_round WHERE id = {first}),"
            " returned = returned - (SELECT returned FROM tables_round WHERE id = {first}) WHERE id = {closed}",
            "DELETE FROM tables_round WHERE id = {first}",
        ),
        "round:{first}",
        "row",
    ),
    "settled to void without an event": ((A_ROUND.format("state = 'void'"),), "round:{first}", "void_event"),
    "void to settled": (("UPDATE tables_round SET state = 'settled' WHERE id = {twice}",), "round:{twice}", "state"),
    "void event unnamed": (
        ("UPDATE tables_round SET void_event_id = NULL WHERE id = {misdeal}",), "round:{misdeal}", "void_event"
    ),
    "a misdeal's log": (
        ("UPDATE tables_round SET log = log - 1 WHERE id = {misdeal}",), "round:{misdeal}", "void_log"
    ),
    "event_id null": ((A_ROUND.format("event_id = NULL"),), "round:{first}", "event"),
    "another dealer": ((A_ROUND.format("dealer_id = {someone}"),), "round:{first}", "dealer"),
    "another dealer of the round in progress": (
        ("UPDATE tables_round SET dealer_id = (SELECT dealer_id FROM tables_round WHERE id = {first})"
         " WHERE id = {opened}",),
        "round:{opened}",
        "dealer",
    ),
    "another logger": ((A_ROUND.format("logged_by_id = {cage}"),), "round:{first}", "logged_by"),
    "opened_at": ((A_ROUND.format("opened_at = opened_at - interval '1 second'"),), "round:{first}", "opened_at"),
    "settled_at": ((A_ROUND.format("settled_at = settled_at + interval '1 second'"),), "round:{first}", "settled_at"),
    "opened_at of a round in steps": (
        ("UPDATE tables_round SET opened_at = settled_at WHERE id = {stepped}",), "round:{stepped}", "opened_at"
    ),
    "the log": ((A_ROUND.format("log = jsonb_set(log, '{{3,card}}', '\"8d\"')"),), "round:{first}", "log"),
    "the log in progress": (
        ("UPDATE tables_round SET log = jsonb_set(log, '{{0,card}}', '\"8d\"') WHERE id = {opened}",),
        "round:{opened}",
        "opened_log",
    ),
    "its rules": (
        ("INSERT INTO tables_gamerules (casino_id, game, version, params, effective_from, betting_plan, reason,"
         " published_by_id) SELECT casino_id, game, 9, params, effective_from, betting_plan, reason, published_by_id"
         " FROM tables_gamerules WHERE id = (SELECT rules_id FROM tables_round WHERE id = {first})",
         A_ROUND.format("rules_id = (SELECT id FROM tables_gamerules WHERE version = 9 AND casino_id = {casino})")),
        "round:{first}",
        "rules",
    ),
    "its limits": (
        (A_ROUND.format("limits_id = (SELECT limits_id FROM tables_round WHERE id = {opened})"),),
        "round:{first}",
        "limits",
    ),
    "its shoe": ((A_ROUND.format("shoe_id = {in_play}"),), "round:{first}", "shoe"),
    "its detail": ((A_ROUND.format("detail = 'cards'"),), "round:{first}", "detail"),
    "its winner": ((A_ROUND.format("winner = 'banca'"),), "round:{first}", "winner"),
    "its announcement": (
        (A_ROUND.format("settlement = jsonb_set(settlement, '{{announcement,es}}', '\"otra\"')"),),
        "round:{first}",
        "announcement",
    ),
    "its bets, totals and counters": (
        (
            "UPDATE tables_bet SET stake = stake + 100, returned = returned + 100 WHERE round_id = {first}",
            A_ROUND.format("staked = staked + 200, returned = returned + 200"),
            CLOSED.format("staked = staked + 200, returned = returned + 200"),
        ),
        "round:{first}",
        "bets",
    ),
    "opening": ((CLOSED.format("opening = opening + 100"),), "session:{closed}", "opening"),
    "closing and result": (
        (CLOSED.format("closing = closing - 100, result = result - 100"),), "session:{closed}", "closing"
    ),
    "drop": ((CLOSED.format('"drop" = "drop" + 100, result = result + 100'),), "session:{closed}", "drop"),
    "result": ((CLOSED.format("result = result + 1"),), "session:{closed}", "result"),
    "unexplained": ((CLOSED.format("unexplained = 0"),), "session:{closed}", "unexplained"),
    "opened_at of a session": (
        (CLOSED.format("opened_at = opened_at - interval '1 hour'"),), "session:{closed}", "opened_at"
    ),
    "closed_by": ((CLOSED.format("closed_by_id = {cage}"),), "session:{closed}", "closed_by"),
    "its table": (
        (CLOSED.format("table_id = {spare}"),),
        "session:{closed}",
        "label",
    ),
    "last_round": ((CLOSED.format("last_round = last_round + 1"),), "session:{closed}", "last_round"),
    "a session reopened": (
        (CLOSED.format("state = 'open', closed_at = NULL, closed_by_id = NULL"),), "session:{closed}", "state"
    ),
    "the shoe at the table": (
        ("UPDATE tables_tablesession SET shoe_id = {shoe} WHERE id = {playing}",), "session:{playing}", "shoe"
    ),
    "chips counted": (
        ("UPDATE tables_chipcount SET chips = '{{\"100\": 1}}' WHERE session_id = {closed} AND moment = 'opening'",),
        "session:{closed} (opening)",
        "chips",
    ),
    "who counted": (
        ("UPDATE tables_chipcount SET counted_by_id = {someone} WHERE session_id = {closed} AND moment = 'closing'",),
        "session:{closed} (closing)",
        "counted_by",
    ),
    "a count deleted": (
        ("DELETE FROM tables_chipcount WHERE session_id = {closed} AND moment = 'closing'",),
        "session:{closed} (closing)",
        "row",
    ),
    "limits": (
        ("UPDATE tables_betlimits SET spots = jsonb_set(spots, '{{punto,1}}', '900000')"
         " WHERE id = (SELECT limits_id FROM tables_round WHERE id = {first})",),
        "limits:",
        "spots",
    ),
    "limits in force from": (
        ("UPDATE tables_betlimits SET effective_from = effective_from - interval '1 day'"
         " WHERE id = (SELECT limits_id FROM tables_round WHERE id = {first})",),
        "limits:",
        "effective_from",
    ),
    "rules": (
        ("UPDATE tables_gamerules SET params = params || '{{\"forged\": 1}}' WHERE casino_id = {casino}",),
        "rules:",
        "params",
    ),
    "who confirmed the rules": (
        ("UPDATE tables_gamerules SET confirmed_by = 'otra persona' WHERE casino_id = {casino}",),
        "rules:",
        "confirmed",
    ),
    "rules as if they were forced": (
        ("UPDATE tables_gamerules SET forced = 'porque sí' WHERE casino_id = {casino}",),
        "rules:",
        "forced",
    ),
    "two cards exchanged in a shoe's count": (
        ("UPDATE shoes_shoe SET seen = (seen - '9d') || '{{\"8d\": 1}}' WHERE id = {in_play}",), "S-", "seen"
    ),
    "a shoe's discards": ((SHOE.format("discarded = discarded - 4, remaining = remaining + 4"),), "S-", "discarded"),
    "a stop card unseen": (
        ("UPDATE shoes_shoe SET stop_at = 0 WHERE id = {in_play}",), "S-", "stop_at"
    ),
    "a stop card seen": (
        ("UPDATE shoes_shoe SET stop_marked = true, stop_reached = true WHERE id = {in_play}",),
        "shoe:{in_play}",
        "stop_marked",
    ),
    "a step of preparation": (
        ("UPDATE shoes_shoestep SET signed_by_id = {cage} WHERE shoe_id = {shoe} AND seq = 2",),
        "shoe:{shoe}, 2",
        "signed_by",
    ),
    "an inspection": (
        ("UPDATE shoes_deckinspection SET witness_id = {cage} WHERE id ="
         " (SELECT max(id) FROM shoes_deckinspection WHERE casino_id = {casino})",),
        "deck:",
        "witness",
    ),
    "another croupier on the turn": (
        ("UPDATE tables_assignment SET staff_id = {idle} WHERE session_id = {closed} AND post = 'dealer'"
         " AND upper(during) < (SELECT closed_at FROM tables_tablesession WHERE id = {closed})",),
        "session:{closed} (dealer",
        "event",
    ),
    "the end of a turn": (
        ("UPDATE tables_assignment SET during = tstzrange(lower(during), upper(during) - interval '1 minute')"
         " WHERE session_id = {closed} AND post = 'supervisor'",),
        "session:{closed} (supervisor",
        "end",
    ),
    "a licence": (
        ("UPDATE tables_staff SET licence_expires = licence_expires + 1 WHERE id = {someone}",),
        "staff:{someone}",
        "set",
    ),
    "whose login a person's is": (
        ("UPDATE tables_staff SET user_id = coalesce(user_id, 0) + 1 WHERE id = {someone}",),
        "staff:{someone}",
        "login",
    ),
    "a pit's name": (
        ("UPDATE tables_pit SET name = name || '2' WHERE casino_id = {casino}",),
        "pit:",
        "name",
    ),
    "a pit's weight": (
        ("UPDATE tables_pit SET weight = weight + 50 WHERE casino_id = {casino}",),
        "pit:",
        "set",
    ),
    "a pit nobody made": (
        ("INSERT INTO tables_pit (casino_id, name, position, weight) VALUES ({casino}, 'VIP', 9, 100)",),
        "pit:",
        "event",
    ),
    "a table's detail": (
        ("UPDATE tables_table SET detail = 'result' WHERE id ="
         " (SELECT table_id FROM tables_tablesession WHERE id = {closed})",),
        "table:",
        "set",
    ),
    "opening doubled in the books": (
        ("UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id ="
         " (SELECT t.id FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id"
         " JOIN audits_account a ON a.id = p.account_id WHERE t.kind = 'opening' AND a.code = 'tray:{closed}')",),
        "session:{closed} (opening tray:{closed})",
        "debit",
    ),
    "drop doubled in the books": (
        ("UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id IN"
         " (SELECT t.id FROM audits_transfer t WHERE t.kind = 'drop' AND t.casino_id = {casino})",),
        "session:{closed} (drop drop:{closed})",
        "debit",
    ),
    "closing halved in the books": (
        ("UPDATE audits_posting SET debit = debit / 2, credit = credit / 2 WHERE transfer_id IN"
         " (SELECT t.id FROM audits_transfer t WHERE t.kind = 'closing' AND t.casino_id = {casino})",),
        "session:{closed} (closing vault)",
        "debit",
    ),
    "a transfer's day": (
        ("UPDATE audits_transfer SET day = day + 1 WHERE event_id ="
         " (SELECT event_id FROM tables_round WHERE id = {first})",),
        "transfer ",
        "day",
    ),
    "two rounds' money exchanged": (
        ("UPDATE audits_transfer SET event_id = CASE WHEN event_id = (SELECT event_id FROM tables_round WHERE"
         " id = {first}) THEN (SELECT event_id FROM tables_round WHERE id = {other}) ELSE (SELECT event_id"
         " FROM tables_round WHERE id = {first}) END WHERE event_id IN"
         " (SELECT event_id FROM tables_round WHERE id IN ({first}, {other}))",),
        "round:{first}",
        "house",
    ),
    "another account": (
        ("UPDATE audits_account SET code = 'tray:0' WHERE code = 'tray:{closed}'",),
        "session:{closed} (opening tray:{closed})",
        "debit",
    ),
}  # fmt: skip
