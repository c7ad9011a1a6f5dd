"""The embedded servers lose nothing that was acknowledged, and leave nobody behind.

Each test kills something for real, in a home of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis

from casino.embedded.home import Home
from casino.embedded.postgres import Postgres
from casino.embedded.process import EmbeddedError, occupants
from casino.embedded.run import CHECKOUT, _demand_free
from casino.embedded.servers import servers
from casino.embedded.valkey import Valkey

ENVIRON = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT)}


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder the servers' user can enter, as a checkout is; pytest's own folders are ours alone."""
    folder = Path(tempfile.mkdtemp(prefix="sabot-test-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def place() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def cluster() -> Iterator[Path]:
    """A cluster at rest, to copy: making one takes longer than most tests here."""
    with open_folder() as folder:
        home = Home(folder / "home")
        server = Postgres(home)
        server.start()
        server.stop()
        yield home.state / "pg18"


@pytest.fixture
def home(place: Path, cluster: Path) -> Home:
    home = Home(place / "home")
    shutil.copytree(cluster, home.state / "pg18", symlinks=True)
    home.run_as.own(home.state / "pg18")
    return home


@pytest.fixture
def postgres(home: Home) -> Iterator[Postgres]:
    server = Postgres(home)
    server.start()
    yield server
    server.stop()


def rows(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("SELECT n FROM kept ORDER BY n").fetchall()]


def keep(url: str, *numbers: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int PRIMARY KEY)")
        for n in numbers:
            connection.execute("INSERT INTO kept VALUES (%s)", [n])


def wait_until_empty(folder: Path, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while occupants(folder):
        assert time.monotonic() < deadline, f"{occupants(folder)} still in {folder}"
        time.sleep(0.05)


def test_rows_survive_the_death_of_the_postmaster(home: Home, postgres: Postgres) -> None:
    keep(postgres.url, 1, 2, 3)
    assert postgres.daemon.pid is not None
    os.kill(postgres.daemon.pid, signal.SIGKILL)
    # At once and unreaped: the next start is not fooled by the zombie nor by postmaster.pid.
    assert (home.state / "pg18" / "postmaster.pid").exists()
    again = Postgres(home)
    again.start()
    try:
        assert rows(again.url) == [1, 2, 3]
    finally:
        again.stop()
    wait_until_empty(home.state)


def test_rows_survive_a_stop_and_the_cluster_is_kept(home: Home, postgres: Postgres) -> None:
    keep(postgres.url, 7)
    postgres.stop()
    wait_until_empty(home.state)
    postgres.start()
    assert rows(postgres.url) == [7]


def test_the_application_is_no_superuser_and_commits_reach_the_disk(postgres: Postgres) -> None:
    with psycopg.connect(postgres.url) as connection:
        superuser, createdb = connection.execute(
            "SELECT usesuper, usecreatedb FROM pg_user WHERE usename = current_user"
        ).fetchone() or (None, None)
        assert (superuser, createdb) == (False, True)
        for setting, value in {"fsync": "on", "synchronous_commit": "on", "data_checksums": "on"}.items():
            assert connection.execute(f"SHOW {setting}").fetchone() == (value,)


def test_another_process_under_the_old_pid_does_not_block_the_start(home: Home, postgres: Postgres) -> None:
    keep(postgres.url, 1)
    postgres.stop()
    (home.state / "pg18" / "postmaster.pid").write_text(f"{os.getpid()}\n{home.state}/pg18\n1\n5432\n\n\n")
    postgres.start()
    assert rows(postgres.url) == [1]


def test_a_cluster_half_made_is_made_again(place: Path) -> None:
    home = Home(place / "home")
    draft = home.server_folder("pg18.new")
    (draft / "PG_VERSION").write_text("18\n")
    server = Postgres(home)
    server.start()
    try:
        keep(server.url, 1)
    finally:
        server.stop()


def test_tasks_survive_the_death_of_the_broker(home: Home) -> None:
    broker = Valkey(home)
    broker.start()
    path = broker.url.removeprefix("redis+socket://")
    with redis.Redis(unix_socket_path=path) as client:
        client.lpush("celery", "task")
    assert broker.daemon.pid is not None
    os.kill(broker.daemon.pid, signal.SIGKILL)
    again = Valkey(home)
    again.start()
    try:
        with redis.Redis(unix_socket_path=path) as client:
            assert client.lrange("celery", 0, -1) == [b"task"]
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    finally:
        again.stop()
    wait_until_empty(home.state)


def start_runner(home: Path, command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "casino.embedded", "exec", "--home", str(home), "--", "sh", "-c", command],
        env=ENVIRON,
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_killed_runner_leaves_nobody_and_the_next_one_starts(place: Path) -> None:
    """Its path has a space and is too long for a socket."""
    long = place / "casa de juego" / ("x" * 90)
    first = start_runner(long, 'echo "$DATABASE_URL $CELERY_BROKER_URL"; exec sleep 60')
    assert first.stdout is not None
    database, _, broker = first.stdout.readline().strip().partition(" ")
    assert broker.startswith("redis+socket:///tmp/")
    keep(database, 1, 2)
    first.kill()
    first.wait()
    second = start_runner(long, 'echo "$DATABASE_URL"; exec sleep 60')
    assert second.stdout is not None
    assert second.stdout.readline().strip() == database
    # Ours is what sleeps there now, not what the first one left.
    home = Home(long)
    sockets = home.sockets()
    assert sockets.parent == Path("/tmp")
    assert sockets.stat().st_mode & 0o777 == 0o700
    assert json.loads(home.servers_file.read_text())["runner"] == str(second.pid)
    assert rows(database) == [1, 2]
    second.terminate()
    assert second.wait(30) == 128 + signal.SIGTERM
    wait_until_empty(home.state)
    sockets.rmdir()


def test_a_place_the_servers_cannot_enter(tmp_path: Path) -> None:
    """A checkout under /root: root's servers step down to a user who cannot go there."""
    closed = tmp_path / "root"
    closed.mkdir(mode=0o700)
    home = Home(closed / "home")
    with servers(home, ENVIRON) as variables:
        keep(variables["DATABASE_URL"], 1)
    wait_until_empty(home.state)
    state = home.state
    assert state.is_relative_to("/var/lib/sabot") == (os.geteuid() == 0)
    shutil.rmtree(state)


def test_a_second_runner_uses_the_servers_of_the_first(home: Home) -> None:
    with servers(home, ENVIRON) as first:
        other = Home(home.path)
        with servers(other, ENVIRON) as second:
            assert second["DATABASE_URL"] == first["DATABASE_URL"]
            assert second["SECRET_KEY"] == first["SECRET_KEY"]
        keep(first["DATABASE_URL"], 1)  # still up: only who started stops
        with pytest.raises(EmbeddedError, match="already running"), servers(other, ENVIRON, share=False):
            pass
    wait_until_empty(home.state)


def test_servers_that_are_named_are_not_started(place: Path) -> None:
    home = Home(place / "home")
    named = {**ENVIRON, "DATABASE_URL": "postgres://db/x", "CELERY_BROKER_URL": "amqp://broker//"}
    with servers(home, named) as variables:
        assert variables["DATABASE_URL"] == "postgres://db/x"
        assert variables["CELERY_BROKER_URL"] == "amqp://broker//"
        assert variables["SABOT_ENV"] == "development"
        assert not (home.path / "state").exists()


def test_the_exit_code_of_a_command_is_passed_on(tmp_path: Path) -> None:
    named = {**ENVIRON, "DATABASE_URL": "postgres://db/x", "CELERY_BROKER_URL": "amqp://broker//"}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "casino.embedded",
            "exec",
            "--home",
            str(tmp_path),
            "--",
            "sh",
            "-c",
            "exit 7",
        ],
        env=named,
        cwd=CHECKOUT,
        check=False,
    )
    assert done.returncode == 7


def test_a_taken_port_is_said_clearly() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(EmbeddedError, match=f"cannot listen on 127.0.0.1:{port}.*PORT={port + 1}"):
            _demand_free("127.0.0.1", port, seconds=0)


def test_the_keys_of_the_seals_are_in_a_folder_of_ours_alone(place: Path) -> None:
    home = Home(place / "home")
    assert home.keys().stat().st_mode & 0o777 == 0o700
    named = {**ENVIRON, "DATABASE_URL": "postgres://x/y", "CELERY_BROKER_URL": "redis://x"}
    with servers(home, named) as variables:
        assert variables["SABOT_KEYS"] == str(place / "home" / "keys")
    with servers(home, {**named, "SABOT_KEYS": "/srv/keys"}) as variables:
        assert variables["SABOT_KEYS"] == "/srv/keys"
