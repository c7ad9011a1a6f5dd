"""The commands of docs/api.md run as they stand against the demonstration casino."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audits.verify import ledger_faults, trail_faults
from shoes.models import Deck
from tables.demo.make import make
from tables.models import Round, TableSession

ROOT = Path(__file__).resolve().parents[2]


def commands() -> str:
    blocks = re.findall(r"```bash\n(.*?)```", (ROOT / "docs/api.md").read_text(encoding="utf-8"), re.DOTALL)
    return "\n".join(["set -euo pipefail", *blocks])


@pytest.mark.django_db(transaction=True)
def test_the_guide_runs_as_written(live_server: Any, tmp_path: Path) -> None:
    make()
    stand_in = tmp_path / "curl"
    stand_in.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT}/tests/api/curl.py" "$@"\n')
    stand_in.chmod(0o755)
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "API": f"{live_server.url}/api/v1"}
    ran = subprocess.run(
        ["bash", "-c", commands()], env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "Idempotent-Replay: true" in ran.stdout
    assert '"code":"card_not_due"' in ran.stdout
    assert '"code":"seal_mismatch"' in ran.stdout
    decks = Deck.objects.filter(batch="W-7").order_by("serial")
    assert [(deck.serial, deck.state) for deck in decks] == [("W-001", "passed"), ("W-002", "withdrawn")]
    session = TableSession.objects.filter(table__name="PB-06").latest("opened_at")
    # 400 x 25,00 + 300 x 100,00 = 40.000,00 opened, one round won by the player: 50,00 lost, all explained.
    assert (session.opening, session.closing, session.result, session.unexplained) == (
        4_000_000,
        3_995_000,
        -5_000,
        0,
    )
    assert Round.objects.filter(session=session).count() == 1
    assert not list(trail_faults(session.casino))
    assert not list(ledger_faults(session.casino))
