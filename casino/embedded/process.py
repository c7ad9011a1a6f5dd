"""Processes that belong to us: started as the right user, never left behind, found again when they were.

A child gets a signal from the kernel when its parent dies (Linux), so that `kill -9` of the runner
does not leave servers behind. What is still there at the next start is recognised by its working
folder, which both servers change to, and is asked to stop.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DAEMON_USER = "sabot-db"
_PR_SET_PDEATHSIG = 1


class EmbeddedError(Exception):
    """Something keeps the embedded servers from starting; the message says what to do."""


def die_with_parent(sig: signal.Signals) -> None:
    """Ask the kernel to send this process `sig` when its parent dies. Call in the child."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(sig))


@dataclass(frozen=True, slots=True)
class RunAs:
    """The system user a server runs as; `None` means whoever we are."""

    uid: int | None = None
    gid: int | None = None

    @property
    def who(self) -> dict[str, Any]:
        """Arguments for `subprocess` that become this user."""
        return {} if self.uid is None else {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> Path:
        """Give the path, and all inside it, to this user."""
        if self.uid is None or path.lstat().st_uid == self.uid:
            return path
        os.chown(path, self.uid, self.gid or 0, follow_symlinks=False)
        if path.is_dir() and not path.is_symlink():
            for inner in path.iterdir():
                self.own(inner)
        return path

    def can(self, test: str, path: Path) -> bool:
        """Whether this user passes `test -x PATH` (or -w): asks the system, not the mode bits."""
        if self.uid is None:
            return True
        done = subprocess.run(["test", test, str(path)], cwd="/", check=False, **self.who)
        return bool(done.returncode == 0)


def daemon_user(owner_of: Path) -> RunAs:
    """Who runs the servers. PostgreSQL refuses root, so root steps down to the owner of the checkout
    or, if that is root too, to a system user made for it (`nobody` where none can be made).
    """
    if os.geteuid() != 0:
        return RunAs()
    with contextlib.suppress(KeyError):
        owner = pwd.getpwuid(owner_of.stat().st_uid)
        if owner.pw_uid != 0:
            return RunAs(owner.pw_uid, owner.pw_gid)
    for make in (True, False):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(DAEMON_USER if make else "nobody")
            return RunAs(entry.pw_uid, entry.pw_gid)
        if make and _make_user():
            entry = pwd.getpwnam(DAEMON_USER)
            return RunAs(entry.pw_uid, entry.pw_gid)
    raise EmbeddedError("root cannot run PostgreSQL and there is no other user: run as an ordinary user")


def _make_user() -> bool:
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", DAEMON_USER]
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def occupants(folder: Path) -> list[int]:
    """Living processes whose working folder is `folder` or lies in it. Zombies do not count: the
    kernel shows no working folder for them. Empty where there is no /proc.
    """
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            here = os.readlink(entry / "cwd")
            if here == str(folder) or here.startswith(f"{folder}/"):
                found.append(int(entry.name))
    return found


def evict(folder: Path, sig: signal.Signals, *, seconds: float = 60.0) -> None:
    """Stop what an earlier, killed runner left in `folder`; raises when it does not go."""
    deadline = time.monotonic() + seconds
    asked: set[int] = set()
    while left := occupants(folder):
        for pid in set(left) - asked:
            asked.add(pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, sig)
        if time.monotonic() > deadline:
            raise EmbeddedError(f"processes {left} still use {folder}: stop them and start again")
        time.sleep(0.05)


class Daemon:
    """One server process: start until ready, stop until gone."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        run_as: RunAs,
        log: Path,
        stop_signal: signal.Signals,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self._command = list(command)
        self._run_as = run_as
        self._log = log
        self._stop_signal = stop_signal
        self._environ = dict(environ or {})
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self, ready: Callable[[], bool], *, seconds: float = 120.0) -> None:
        """Start and wait until `ready()`; recovery after a crash may take its time. Its own session
        keeps Ctrl-C from reaching it before those who use it have gone.
        """
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={"PATH": os.defpath, "LC_ALL": "C", **self._environ},
                preexec_fn=lambda: die_with_parent(self._stop_signal),
                **self._run_as.who,
            )
        deadline = time.monotonic() + seconds
        while not ready():
            if self._process.poll() is not None:
                raise EmbeddedError(f"{self.name} did not start:\n{self._last_words()}")
            if time.monotonic() > deadline:
                self.stop()
                raise EmbeddedError(f"{self.name} is not ready after {seconds:.0f} s: see {self._log}")
            time.sleep(0.02)

    def stop(self, *, seconds: float = 60.0) -> None:
        """Ask it to stop and reap it; kill it only when it does not go."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(self._stop_signal)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            return "\n".join(self._log.read_text(errors="replace").splitlines()[-8:])
        return f"see {self._log}"
