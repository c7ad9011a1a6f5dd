"""Acts let go at once, each in a thread with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connection

from casino.kernel.errors import SabotError


def race(*acts: Callable[[], Any]) -> list[Any]:
    """Run each act in a thread of its own, all let go at once; what each returned or refused."""
    gate, answers = threading.Barrier(len(acts)), [None] * len(acts)

    def run(place: int, act: Callable[[], Any]) -> None:
        try:
            gate.wait(timeout=10)
            answers[place] = act()
        except SabotError as refusal:
            answers[place] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return answers
