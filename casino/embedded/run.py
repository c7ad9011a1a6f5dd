"""`make run`: the whole house on one machine, until Ctrl-C.

Web, worker and beat run under honcho; the servers underneath are stopped after them. None of them
outlives this process, however it ends.
"""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from honcho.manager import Manager
from honcho.process import Popen, Process

from casino.embedded.home import Home
from casino.embedded.process import EmbeddedError, die_with_parent
from casino.embedded.servers import servers

CHECKOUT = Path(__file__).resolve().parents[2]


class Stopped(Exception):
    """Somebody asked us to stop before everything was up."""


def run_command(home: Home, environ: Mapping[str, str], command: Sequence[str]) -> int:
    """Run one command with the servers up; returns its exit code."""
    signal.signal(signal.SIGTERM, _stop)
    with servers(home, environ) as variables:
        try:
            child = subprocess.Popen(command, env=variables, preexec_fn=_tether)
        except OSError as error:
            raise EmbeddedError(f"cannot run {command[0]}: {error.strerror}") from error
        # Ctrl-C reaches the child by itself and it decides what to do; a TERM is passed on.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        code = child.wait()
        signal.signal(signal.SIGTERM, lambda *_: None)
    return 128 - code if code < 0 else code


def run_house(home: Home, environ: Mapping[str, str]) -> int:
    """Run the whole house; returns 0 when it was asked to stop, or the code of what failed."""
    host = environ.get("HOST") or "127.0.0.1"
    port = _port(environ)
    signal.signal(signal.SIGTERM, _stop)
    with servers(home, environ, share=False) as variables:
        _demand_free(host, port)
        variables |= {
            "SABOT_ADDRESS": f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}",  # noqa: S104
            "SABOT_LOGINS": str(home.path / "logins.txt"),
            "PYTHONUNBUFFERED": "1",
            # On a developer's machine root is who it is; Celery need not say so at length.
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        }
        prepared = subprocess.run(
            [sys.executable, "-m", "casino.embedded.prepare"], env=variables, cwd=CHECKOUT, check=False
        )
        if prepared.returncode != 0:
            return prepared.returncode
        code = _supervise(_processes(home, host, port), variables)
        for sig in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sig, lambda *_: None)
    print("Sabot stopped.")
    return 0 if code in (130, 143) else code


def _processes(home: Home, host: str, port: int) -> dict[str, list[str]]:
    celery = ["celery", "--quiet", "--app", "casino.celery"]
    schedule = home.folder("beat") / "schedule"
    return {
        "web": [
            *("gunicorn", "casino.wsgi", "--bind", f"{host}:{port}", "--workers", "2"),
            *("--config", "python:casino.embedded.web", "--graceful-timeout", "4"),
        ],
        "worker": [*celery, "worker", "--concurrency", "2", "--hostname", "w1@sabot", "--loglevel", "INFO"],
        "beat": [*celery, "beat", "--schedule", str(schedule), "--pidfile=", "--loglevel", "WARNING"],
    }


def _supervise(processes: Mapping[str, Sequence[str]], variables: Mapping[str, str]) -> int:
    manager = TetheredManager()
    for name, command in processes.items():
        manager.add_process(name, f"exec {shlex.join(command)}", env=dict(variables), cwd=str(CHECKOUT))
    manager.loop()
    return int(manager.returncode or 0)


def _stop(*_: Any) -> None:
    raise Stopped


def _tether() -> None:
    """In a child: stop when the parent is gone, and listen to signals again."""
    die_with_parent(signal.SIGTERM)
    for sig in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sig, signal.SIG_DFL)


class _TetheredPopen(Popen):
    def __init__(self, cmd: str, **options: Any) -> None:
        super().__init__(cmd, preexec_fn=_tether, **options)


class _TetheredProcess(Process):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._child_ctor = _TetheredPopen

    def run(self, events: Any = None, ignore_signals: bool = False) -> None:
        # Ignored before the child exists: a Ctrl-C in between would leave the child alone.
        for sig in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sig, signal.SIG_IGN)
        die_with_parent(signal.SIGKILL)
        super().run(events, ignore_signals)


class TetheredManager(Manager):
    """honcho's manager, whose processes also go when it is killed."""

    def __init__(self) -> None:
        super().__init__()
        self._process_ctor = _TetheredProcess

    def terminate(self) -> None:
        # honcho cannot stop what has not told its pid yet: ask again in a moment.
        if self._all_started():
            super().terminate()
        else:
            threading.Timer(0.2, self.terminate).start()


def _port(environ: Mapping[str, str]) -> int:
    text = environ.get("PORT") or "8000"
    if not text.isdigit() or not 0 < int(text) < 65_536:
        raise EmbeddedError(f"PORT is {text!r}: set it to a number from 1 to 65535")
    return int(text)


def _demand_free(host: str, port: int, *, seconds: float = 3.0) -> None:
    """Raise unless we can listen there; what a killed runner left gets a moment to go."""
    deadline = time.monotonic() + seconds
    while error := _cannot_listen(host, port):
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"cannot listen on {host}:{port} ({os.strerror(error.errno or 0)}): stop what uses the port,"
                f" or choose another, as in PORT={port + 1 if port < 65_535 else 8_000} make run"
            ) from error
        time.sleep(0.1)


def _cannot_listen(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None
