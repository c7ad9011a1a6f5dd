"""The other side of the scale: pgbench writing the same rows in one transaction, statement by statement.

Its script is made from a round that the write function recorded: same tables, same triggers and
constraints, same locks, documents of the same size, one insert for all bets and one for all postings.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from audits.models import Account, Event, Posting, Stream
from casino.bench import database
from tables.models import Bet, Round, TableSession
from tables.settling import BET_COLUMNS

_RATE = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)
_COUNT = re.compile(r"^number of transactions actually processed: (\d+)", re.MULTILINE)


def run(script: Path, sessions: Sequence[TableSession], seconds: float) -> tuple[float, int]:
    """Transactions a second, and how many, of one pgbench process a session, all at once."""
    until = ["-T", str(round(seconds))] if seconds >= 1 else ["-t", "50"]
    environ = database.pgbench_place()
    running = [
        subprocess.Popen(
            ["pgbench", "-n", "-M", "prepared", "-c", "1", *until, *_given(session), "-f", str(script)],  # noqa: S607
            env=environ,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for session in sessions
    ]
    total, recorded = 0.0, 0
    for process in running:
        said, complaint = process.communicate()
        rate, count = _RATE.search(said), _COUNT.search(said)
        if process.returncode != 0 or rate is None or count is None:
            raise RuntimeError(f"pgbench did not finish: {complaint.strip()[-500:]}")
        total += float(rate[1])
        recorded += int(count[1])
    return total, recorded


def _given(session: TableSession) -> list[str]:
    """What differs from client to client, as pgbench's variables."""
    accounts = dict(
        Account.objects.filter(casino=session.casino, code__endswith=f":{session.pk}").values_list("code", "id")
    )
    values = {
        "session": session.pk,
        "shoe": session.shoe_id,
        "stream": Stream.objects.get(casino=session.casino, name=session.stream).pk,
        **{name: accounts[f"{name}:{session.pk}"] for name in ("tray", "players", "kitty")},
    }
    return [argument for name, value in values.items() for argument in ("-D", f"{name}={value}")]


def script(settled: Round) -> str:
    """The transaction, with the values of one settled round."""
    event = Event.objects.get(pk=settled.event_id)
    shoe = settled.shoe
    assert shoe is not None
    return ";\n".join(
        [
            "BEGIN",
            "SELECT last_round + 1 AS number FROM tables_tablesession WHERE id = :session FOR NO KEY UPDATE \\gset"
            "\nSELECT remaining FROM shoes_shoe WHERE id = :shoe FOR NO KEY UPDATE \\gset"
            f"\nUPDATE shoes_shoe SET seen = {_document(shoe.seen)}, dealt = 0, discarded = discarded + 0,"
            " remaining = :remaining, count_complete = true, stop_reached = false WHERE id = :shoe",
            "SELECT head_seq AS head FROM audits_stream WHERE id = :stream FOR NO KEY UPDATE \\gset\n"
            + _event(event)
            + " \\gset\n"
            + _round(settled)
            + " \\gset\n"
            + _bets(settled),
            *_ledger(event),
            f"UPDATE tables_tablesession SET last_round = :number, rounds_settled = rounds_settled + 1,"
            f" staked = staked + {settled.staked}, returned = returned + {settled.returned},"
            f" commission = commission + {settled.commission} WHERE id = :session",
            "COMMIT;\n",
        ]
    )


def _event(event: Event) -> str:
    body = f"'\\x{bytes(event.body).hex()}'::bytea"
    rules = f"'{{{','.join(event.rules)}}}'"
    return (
        "INSERT INTO audits_event (casino_id, stream_id, seq, occurred, recorded, actor_id, action, subject_type,"
        " subject_id, subject_label, rules, request, body, previous_hash, hash)"
        f" SELECT casino_id, id, :head + 1, now(), clock_timestamp(), {event.actor_id}, '{event.action}',"
        f" 'round', {event.subject_id}, '{event.subject_label}', {rules}, gen_random_uuid(), {body}, head_hash,"
        f" sha256(head_hash || {body}) FROM audits_stream WHERE id = :stream RETURNING id AS event"
    )


def _round(settled: Round) -> str:
    return (
        "INSERT INTO tables_round (casino_id, session_id, number, state, rules_id, limits_id, detail, shoe_id,"
        " dealer_id, log, settlement, winner, staked, returned, commission, opened_at, settled_at, recorded_at,"
        " logged_by_id, event_id, source_key, source_digest)"
        f" VALUES ({settled.casino_id}, :session, :number, 'settled', {settled.rules_id}, {settled.limits_id},"
        f" 'full', :shoe, {settled.dealer_id}, {_document(settled.log)}, {_document(settled.settlement)},"
        f" '{settled.winner}', {settled.staked}, {settled.returned}, {settled.commission}, now(), now(), now(),"
        f" {settled.logged_by_id}, :event, '', '') RETURNING id AS round"
    )


def _bets(settled: Round) -> str:
    rows = [
        f"({settled.casino_id}, :round, {', '.join(_literal(getattr(bet, name)) for name in BET_COLUMNS)})"
        for bet in Bet.objects.filter(round=settled)
    ]
    columns = ", ".join(f'"{name}"' for name in BET_COLUMNS)
    return f"INSERT INTO tables_bet (casino_id, round_id, {columns}) VALUES {', '.join(rows)}"


def _ledger(event: Event) -> list[str]:
    lines = list(Posting.objects.filter(transfer__event=event).select_related("account").order_by("pk"))
    rows = [
        f"({line.casino_id}, :transfer, :{line.account.code.split(':')[0]}, {line.debit}, {line.credit},"
        f" '{line.memo}')"
        for line in lines
    ]
    return [
        "INSERT INTO audits_transfer (casino_id, event_id, kind, day, occurred, lines)"
        f" VALUES ({event.casino_id}, :event, 'round', current_date, now(), {len(lines)})"
        " RETURNING id AS transfer \\gset\n"
        "INSERT INTO audits_posting (casino_id, transfer_id, account_id, debit, credit, memo)"
        f" VALUES {', '.join(rows)}"
    ]


def _document(value: Any) -> str:
    return f"{_literal(json.dumps(value, ensure_ascii=False))}::jsonb"


def _literal(value: int | str) -> str:
    """As SQL, without a colon: pgbench takes what follows one for a variable, within quotes too."""
    if isinstance(value, int):
        return str(value)
    quoted = value.replace("'", "''").replace("\\", "\\\\").replace(":", "\\003a")
    return f"U&'{quoted}'" if ":" in value or "\\" in value else f"'{quoted}'"
