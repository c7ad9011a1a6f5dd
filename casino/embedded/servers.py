"""The servers of one home, for as long as somebody needs them.

Whoever comes first starts them and stops them when done; whoever comes meanwhile uses them. A server
that the environment already names (`DATABASE_URL`, `CELERY_BROKER_URL`) is not started at all.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from casino import env
from casino.embedded.home import Home
from casino.embedded.postgres import Postgres
from casino.embedded.process import EmbeddedError
from casino.embedded.valkey import Valkey

_KINDS: dict[str, type[Postgres] | type[Valkey]] = {"DATABASE_URL": Postgres, "CELERY_BROKER_URL": Valkey}
_PATIENCE_SECONDS = 60.0


@contextmanager
def servers(home: Home, environ: Mapping[str, str], *, share: bool = True) -> Iterator[dict[str, str]]:
    """The environment for a program that needs the servers; they run while the context is open.

    With `share` false it is a fault that another runner holds this home. Raises `EmbeddedError`.
    """
    variables = dict(environ)
    variables.setdefault("SABOT_ENV", env.DEVELOPMENT)
    if variables["SABOT_ENV"] == env.DEVELOPMENT:
        variables.setdefault("SECRET_KEY", home.secret())
        if not variables.get("SABOT_KEYS"):
            variables["SABOT_KEYS"] = str(home.keys())
    needed = [name for name in _KINDS if not variables.get(name)]
    with ExitStack() as stack:
        if home.take():
            stack.callback(home.release)
            running = _start(home, needed, stack)
        elif share:
            running = _join(home, needed)
        else:
            raise EmbeddedError(f"Sabot is already running from {home.path}: stop it first, or use --home")
        variables |= {name: running[name] for name in needed}
        # `python`, `celery`, `pgbench` are those of this environment, activated or not.
        folders = [
            str(Path(sys.executable).parent),
            running.get("programs"),
            variables.get("PATH", os.defpath),
        ]
        variables["PATH"] = os.pathsep.join(folder for folder in folders if folder)
        yield variables


def _start(home: Home, needed: list[str], stack: ExitStack) -> dict[str, str]:
    home.servers_file.unlink(missing_ok=True)
    running = {"runner": str(os.getpid())}
    for name in needed:
        server = _KINDS[name](home)
        stack.callback(server.stop)
        server.start()
        running[name] = server.url
        if isinstance(server, Postgres):
            running["programs"] = str(server.programs)
    draft = home.servers_file.with_suffix(".new")
    draft.write_text(json.dumps(running))
    draft.rename(home.servers_file)
    stack.callback(home.servers_file.unlink, missing_ok=True)
    return running


def _join(home: Home, needed: list[str]) -> dict[str, str]:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            running: dict[str, str] = json.loads(home.servers_file.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(0.1)
            continue
        if missing := [name for name in needed if name not in running]:
            raise EmbeddedError(
                f"process {running['runner']} runs {home.path} with its own {' and '.join(missing)}: "
                "set the same variables here, or use --home"
            )
        return running
    raise EmbeddedError(
        f"another process holds {home.path} but its servers do not come up: see its log folder"
    )
