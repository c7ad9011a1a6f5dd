"""Money, rounds and reports altered by who holds the very key: the chains do not bear them out, or
the rules of the games do not. The chains themselves: test_tampered.py.
"""

from __future__ import annotations

import pytest

from tests.regulator.tampering import insider, replaced

pytestmark = pytest.mark.rule("REC-06")

MONEY = "ledger/transfers.jsonl"
ROUNDS = "rounds/rounds.jsonl"
REPORT = "reports/001-tables-day"


# ---- money


def test_a_posting_altered(bundle):
    def alter(rows):
        line = rows[0]["lines"][0]
        line[1 if line[1] else 2] += 100

    code, said = insider(bundle.change_rows(MONEY, alter), "--no-rounds")
    assert code == 1
    assert f"{MONEY}:1: el asiento no suma cero" in said
    assert "no es la suma de sus apuntes" in said


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ledger/accounts.jsonl", "la cuenta está dos veces"),
        ("rounds/versions.jsonl", "la versión está dos veces"),
    ],
)
def test_a_line_told_twice(bundle, name, words):
    code, said = insider(bundle.change_rows(name, lambda rows: [*rows, rows[0]]), "--no-rounds")
    assert code == 1
    assert f"FALLA: {name}" in said and words in said


def test_the_versions_that_rounds_name_left_out(bundle):
    code, said = insider(bundle.change("rounds/versions.jsonl", lambda _: b""), "--no-rounds")
    assert code == 1
    assert "rounds/versions.jsonl, rules" in said and "falta, y hay pases que la nombran" in said


def test_totals_of_more_digits_than_python_adds_with_are_exact(bundle):
    """Thirty nines and a cent: Python's own 28 digits would round the cent away, and any total would do."""
    name = f"{REPORT}.rows.jsonl"
    large, total = "9" * 30 + ".01", "9" * 30 + ".02"
    column = {"heading": "x", "key": "x", "kind": "money"}

    def rows_of(total):
        head, *_ = bundle.rows(name)
        cells = [{"cells": [cell], "events": [], "unsealed": 0} for cell in (large, "0.01")]
        return [
            {**head, "preamble": []},
            {"before": [], "columns": [column]},
            *cells,
            {"sums": ["x"], "totals": [total]},
        ]

    def said_of(total):
        bundle.files[f"{REPORT}.csv"] = "\r\n".join(["x", large, "0.01", total, ""]).encode()
        return insider(bundle.change_rows(name, lambda _: rows_of(total)), "--no-rounds")[1]

    assert "no es la suma de sus filas" not in said_of(total)
    for near in (large, "9" * 30 + ".03", "9" * 30 + ".00"):
        assert f"no es la suma de sus filas: {total}" in said_of(near)


def of_a_round(rows):
    return next(row for row in rows if row["kind"] == "round")


def test_a_round_posted_otherwise_in_both_columns(bundle):
    """It sums to zero and accounts are made to agree: the rules give another amount."""

    def alter(rows):
        for line in of_a_round(rows)["lines"][:2]:
            line[1 if line[1] else 2] += 100

    bundle.change_rows(MONEY, alter)
    accounts = {}
    for row in bundle.rows(MONEY):
        for account, debit, credit, _ in row["lines"]:
            sums = accounts.setdefault(account, [0, 0])
            sums[0] += debit
            sums[1] += credit
    rows = [{"account": name, "debit": d, "credit": c} for name, (d, c) in sorted(accounts.items())]
    bundle.change_rows("ledger/accounts.jsonl", lambda _: rows)
    code, said = insider(bundle, moved=bundle.manifest["totals"]["moved"] + 100)
    assert code == 1
    assert "los apuntes no son los que dan las reglas" in said


def test_a_transfer_left_out(bundle):
    code, said = insider(bundle.change_rows(MONEY, lambda rows: rows.remove(of_a_round(rows))))
    assert code == 1
    assert "los apuntes no son los que dan las reglas" in said
    assert "total «transfers»" in said


def test_a_void_that_does_not_give_back_what_was_moved(bundle):
    def alter(rows):
        back = next(row for row in rows if row["kind"] == "round_void")
        for line in back["lines"][:2]:
            line[1 if line[1] else 2] += 100

    code, said = insider(bundle.change_rows(MONEY, alter), "--no-rounds")
    assert code == 1
    assert "la anulación no devuelve lo que movió el pase" in said


# ---- rounds


def test_a_rounds_log_altered(bundle):
    def alter(rows):
        rows[0]["log"][0]["amount"] += 100

    code, said = insider(bundle.change_rows(ROUNDS, alter))
    assert code == 1
    assert f"{ROUNDS}:1" in said and "log no es lo que dice su suceso" in said


def test_a_rounds_settlement_altered(bundle):
    def alter(rows):
        rows[0]["settlement"]["announcement"]["es"] = "otra cosa"

    code, said = insider(bundle.change_rows(ROUNDS, alter))
    assert code == 1
    assert "liquidado de nuevo da otra cosa: announcement" in said


@pytest.mark.parametrize(
    ("name", "value"),
    [("winner", "x"), ("state", "void"), ("label", "Otra · 1"), ("session", 999_999), ("number", 99)],
)
def test_what_else_is_told_of_a_round(bundle, name, value):
    def alter(rows):
        rows[0][name] = value

    code, said = insider(bundle.change_rows(ROUNDS, alter), "--no-rounds")
    assert code == 1
    assert f"FALLA: {ROUNDS}:1" in said


def test_a_bet_paid_otherwise(bundle):
    def alter(rows):
        rows[0]["bets"][0]["returned"] += 100

    code, said = insider(bundle.change_rows(ROUNDS, alter), "--no-rounds")
    assert code == 1
    assert "las apuestas no son las de su suceso" in said


def test_a_round_left_out(bundle):
    code, said = insider(bundle.change_rows(ROUNDS, lambda rows: rows[1:]), "--no-rounds")
    assert code == 1
    assert "falta el pase de este suceso" in said


def test_a_void_round_shown_as_good(bundle):
    def alter(rows):
        next(row for row in rows if row["void"])["void"] = None

    code, said = insider(bundle.change_rows(ROUNDS, alter), "--no-rounds")
    assert code == 1
    assert "anula un pase que se da por bueno" in said


def test_rules_that_were_not_published(bundle):
    def alter(rows):
        rules = next(row for row in rows if row["kind"] == "rules")
        key = next(key for key, value in sorted(rules["params"].items()) if isinstance(value, int))
        rules["params"][key] += 1

    code, said = insider(bundle.change_rows("rounds/versions.jsonl", alter), "--no-rounds")
    assert code == 1
    assert "no es lo que publicó su suceso" in said


# ---- reports


def test_a_cell_of_the_csv_altered(bundle):
    text = bundle.files[f"{REPORT}.csv"].decode()
    assert "2026-11-20" in text
    code, said = insider(bundle.change(f"{REPORT}.csv", replaced(",100.00", ",900.00")), "--no-rounds")
    assert code == 1
    assert "el CSV no dice lo mismo que esta fila" in said


def test_a_row_added_to_the_csv(bundle):
    code, said = insider(bundle.change(f"{REPORT}.csv", lambda data: data + b"x,y\r\n"), "--no-rounds")
    assert code == 1
    assert "tiene filas de más" in said


def test_a_total_that_is_no_sum(bundle):
    """In both the rows and the CSV, so that they still agree with each other."""
    name = f"{REPORT}.rows.jsonl"

    def alter(rows):
        columns = row = None
        for each in rows:
            columns = each.get("columns", columns)
            row = each if "cells" in each else row
            for key in each.get("sums", ()):
                at = [column["key"] for column in columns].index(key)
                row["cells"][at] = "77777"
                return

    code, said = insider(bundle.change_rows(name, alter), "--no-rounds")
    assert code == 1
    assert "no es la suma de sus filas" in said


def test_a_total_of_the_manifest_altered(bundle):
    code, said = insider(bundle, "--no-rounds", moved=1)
    assert code == 1
    assert "total «moved»: dice 1" in said
