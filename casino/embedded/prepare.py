"""What `make run` does before it opens: migrations, and a demonstration casino in an empty database."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path

import django
from django.core.management import call_command, get_commands


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=1 if _is_new() else 0)
    if "demo" not in get_commands():
        return
    call_command("demo", "--if-empty")
    said = io.StringIO()
    call_command("demo", "--logins", stdout=said)
    if file := os.environ.get("SABOT_LOGINS"):
        Path(file).write_text(said.getvalue(), encoding="utf-8")


def _is_new() -> bool:
    from django.db import connection

    return not connection.introspection.table_names()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
