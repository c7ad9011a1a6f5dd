"""The other side of the scale: pgbench writing the same rows in one transaction, statement by statement.

Its script is made from a round that the write function recorded: same tables, same triggers and
constraints, same locks, documents of the same size, one insert for all bets and one for all postings.
It is the easier work: its documents are constants, which the server reads once.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from audits.models import Account, Posting, Stream
from casino.bench import database
from tables.models import Round, TableSession
from tables.settling import BET_COLUMNS

_RATE = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)
_COUNT = re.compile(r"^number of transactions actually processed: (\d+)", re.MULTILINE)


def run(script: Path, sessions: Sequence[TableSession], seconds: float) -> tuple[float, int]:
    """Transactions a second, and how many, of one pgbench process a session, all at once."""
    until = ["-T", str(round(seconds))] if seconds >= 1 else ["-t", "50"]
    if shutil.which("pgbench") is None:
        raise RuntimeError("pgbench is not on the PATH; `make bench` brings the one of its own server")
    environ = database.pgbench_place()
    running = [
        subprocess.Popen(  # noqa: S603
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
    own = Account.objects.filter(casino=session.casino, code__endswith=f":{session.pk}")
    accounts = dict(own.values_list("code", "id"))
    values = {
        "session": session.pk,
        "shoe": session.shoe_id,
        "stream": Stream.objects.get(casino=session.casino, name=session.stream).pk,
        **{name: accounts[f"{name}:{session.pk}"] for name in ("tray", "players", "kitty")},
    }
    return [argument for name, value in values.items() for argument in ("-D", f"{name}={value}")]


def script(settled: Round) -> str:
    """The transaction, with the values of one settled round."""
    event, shoe = settled.event, settled.shoe
    assert event is not None
    assert shoe is not None
    lines = Posting.objects.filter(transfer__event=event).select_related("account").order_by("pk")
    return _SCRIPT.format(
        **{
            field: _literal(getattr(settled, field))
            for field in ("rules_id", "limits_id", "winner", "staked", "returned", "commission", "dealer_id")
        },
        casino=settled.casino_id,
        actor=event.actor_id,
        seen=_document(shoe.seen),
        action=_literal(event.action),
        label=_literal(event.subject_label),
        rules=_literal("{" + ",".join(event.rules) + "}"),
        body=f"'\\x{bytes(event.body).hex()}'::bytea",
        log=_document(settled.log),
        settlement=_document(settled.settlement),
        bet_columns=", ".join(f'"{name}"' for name in BET_COLUMNS),
        bets=_rows([["round", *(getattr(bet, name) for name in BET_COLUMNS)] for bet in settled.bets.all()]),
        lines=len(lines),
        postings=_rows(
            [
                ["transfer", line.account.code.split(":")[0], line.debit, line.credit, line.memo]
                for line in lines
            ],
            variables=2,
        ),
    )


_SCRIPT = """
BEGIN;
SELECT last_round + 1 AS number FROM tables_tablesession WHERE id = :session FOR NO KEY UPDATE \\gset
SELECT remaining FROM shoes_shoe WHERE id = :shoe FOR NO KEY UPDATE \\gset
UPDATE shoes_shoe SET seen = {seen}, remaining = :remaining, dealt = 0, count_complete = true,
    stop_reached = false WHERE id = :shoe;
SELECT head_seq AS head FROM audits_stream WHERE id = :stream FOR NO KEY UPDATE \\gset
INSERT INTO audits_event (casino_id, stream_id, seq, occurred, recorded, actor_id, action, subject_type,
        subject_id, subject_label, rules, request, body, previous_hash, hash)
    SELECT {casino}, id, :head + 1, now(), clock_timestamp(), {actor}, {action}, 'round', :number, {label},
        {rules}, gen_random_uuid(), {body}, head_hash, sha256(head_hash || {body})
    FROM audits_stream WHERE id = :stream RETURNING id AS event \\gset
INSERT INTO tables_round (casino_id, session_id, number, state, rules_id, limits_id, detail, shoe_id,
        dealer_id, log, settlement, winner, staked, returned, commission, opened_at, settled_at, recorded_at,
        logged_by_id, event_id, source_key, source_digest)
    VALUES ({casino}, :session, :number, 'settled', {rules_id}, {limits_id}, 'full', :shoe, {dealer_id},
        {log}, {settlement}, {winner}, {staked}, {returned}, {commission}, now(), now(), now(), {actor},
        :event, '', '') RETURNING id AS round \\gset
INSERT INTO tables_bet (casino_id, round_id, {bet_columns})
    SELECT {casino}, * FROM (VALUES {bets}) bet;
INSERT INTO audits_transfer (casino_id, event_id, kind, day, occurred, lines)
    VALUES ({casino}, :event, 'round', current_date, now(), {lines}) RETURNING id AS transfer \\gset
INSERT INTO audits_posting (casino_id, transfer_id, account_id, debit, credit, memo)
    SELECT {casino}, * FROM (VALUES {postings}) line;
UPDATE tables_tablesession SET last_round = :number, rounds_settled = rounds_settled + 1,
    staked = staked + {staked}, returned = returned + {returned}, commission = commission + {commission}
    WHERE id = :session;
COMMIT;
"""


def _rows(rows: Sequence[Sequence[Any]], variables: int = 1) -> str:
    """Rows of VALUES; the first `variables` of each are numbers that pgbench holds by that name."""
    return ", ".join(
        "(" + ", ".join([*(f":{v}::bigint" for v in row[:variables]), *map(_literal, row[variables:])]) + ")"
        for row in rows
    )


def _document(value: Any) -> str:
    return f"{_literal(json.dumps(value, ensure_ascii=False))}::jsonb"


def _literal(value: int | str) -> str:
    """As SQL, without a colon: pgbench takes what follows one for a variable, within quotes too."""
    if isinstance(value, int):
        return str(value)
    quoted = value.replace("'", "''").replace("\\", "\\\\").replace(":", "\\003a")
    return f"U&'{quoted}'" if ":" in value or "\\" in value else f"'{quoted}'"
