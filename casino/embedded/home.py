"""The folder the embedded servers live in, and who may live there.

    .sabot/  lock  servers.json  secret  keys/  log/  beat/
             state/  pg18/ (the major version is part of the name)  valkey/  sockets/  programs/

When root runs us from a folder its servers cannot enter (a checkout under /root), `state` is a link to
a folder under /var/lib/sabot.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
from pathlib import Path

from casino import env
from casino.embedded.process import EmbeddedError, RunAs, daemon_user

# Socket paths end where the kernel says: 107 bytes, of which PostgreSQL's own name takes 14.
_LONGEST_SOCKET_FOLDER = 90


class Home:
    """One home: its folders, its lock, its development key. `throwaway`: what its servers keep need not
    survive the machine, as of a home for tests.
    """

    def __init__(self, path: Path, *, throwaway: bool = False) -> None:
        self.path = path.resolve()
        self.throwaway = throwaway
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        except PermissionError as error:
            raise EmbeddedError(
                f"{self.path} belongs to another user: start as that user, or choose a folder with --home"
            ) from error
        self.run_as: RunAs = daemon_user(self.path.parent)
        self.servers_file = self.path / "servers.json"

    def take(self) -> bool:
        """Become the one who starts and stops the servers here; false when another process is."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        fcntl.flock(self._lock, fcntl.LOCK_UN)

    def secret(self) -> str:
        """The development SECRET_KEY, made once; production refuses it by its prefix."""
        file = self.path / "secret"
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(env.DEVELOPMENT_KEY_PREFIX + secrets.token_urlsafe(50))
        return file.read_text().strip()

    def keys(self) -> Path:
        """The folder of the seal keys: ours alone, and not the servers'."""
        made = self.path / "keys"
        made.mkdir(mode=0o700, exist_ok=True)
        return made

    def folder(self, name: str) -> Path:
        """A folder for our own files."""
        made = self.path / name
        made.mkdir(exist_ok=True)
        return made

    @property
    def state(self) -> Path:
        """Where the servers keep their files: a folder their user can enter and write."""
        state = self.path / "state"
        if not state.is_symlink():
            state.mkdir(exist_ok=True)
            self.run_as.own(state)
            if self.run_as.can("-w", state):
                return state
            state.rmdir()
            elsewhere = Path("/var/lib/sabot") / _short_name(self.path)
            elsewhere.mkdir(parents=True, exist_ok=True)
            state.symlink_to(elsewhere)
        self.run_as.own(state.resolve())
        return state.resolve()

    def server_folder(self, name: str) -> Path:
        """A folder of the servers' user alone."""
        made = self.state / name
        made.mkdir(mode=0o700, exist_ok=True)
        return self.run_as.own(made)

    def sockets(self) -> Path:
        """Where the sockets are: open to the servers' user and root alone. A path that is long, or
        that would need quoting in a URL, gives way to a short one under /tmp.
        """
        near = self.state / "sockets"
        if len(os.fsencode(near)) <= _LONGEST_SOCKET_FOLDER and re.fullmatch(r"[A-Za-z0-9/._-]+", str(near)):
            return self.server_folder("sockets")
        owner = os.geteuid() if self.run_as.uid is None else self.run_as.uid
        short = Path("/tmp") / f"sabot-{owner}-{_short_name(self.path)}"  # noqa: S108 - owner checked below
        short.mkdir(mode=0o700, exist_ok=True)
        found = short.lstat()
        if short.is_symlink() or found.st_uid not in {owner, os.geteuid()} or found.st_mode & 0o077:
            raise EmbeddedError(f"{short} is not ours alone: remove it and start again")
        return self.run_as.own(short)

    def program(self, path: Path, *, root: Path, with_folders: tuple[str, ...] = ()) -> Path:
        """A program of a wheel in a place the servers' user may run it: where it is, or a copy of
        the wheel's folders `with_folders` under `root`, which keep their places relative to it.
        """
        if self.run_as.can("-x", path) and all(self.run_as.can("-r", root / f) for f in with_folders):
            return path
        programs = self.state / "programs"
        programs.mkdir(mode=0o755, exist_ok=True)
        for folder in with_folders:
            if (root / folder).exists():
                shutil.copytree(root / folder, programs / folder, dirs_exist_ok=True, symlinks=True)
        self.run_as.own(programs)
        return programs / path.relative_to(root)


def _short_name(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]
