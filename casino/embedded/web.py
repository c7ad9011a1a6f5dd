"""gunicorn's side of `make run`: say where the house is once its door is open."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

# Long paths do not fit in a socket's name, and nobody steers a development server through it.
control_socket_disable = True
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else tempfile.gettempdir()  # noqa: S108


def when_ready(server: Any) -> None:
    """Called by gunicorn when it listens."""
    lines = ["", f"  Sabot: {os.environ.get('SABOT_ADDRESS', '')}"]
    logins = Path(os.environ.get("SABOT_LOGINS", "/nonexistent"))
    if logins.is_file():
        lines += [f"  {line}" for line in logins.read_text(encoding="utf-8").splitlines()]
    print("\n".join([*lines, "  Ctrl-C: salir / stop", ""]), flush=True)
