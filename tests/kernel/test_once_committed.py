"""Work put off until a write has committed: on its own, and never at the write's cost."""

from __future__ import annotations

import pytest
from django.db import connection

from casino.kernel import locking
from casino.kernel.commands import once_committed, one_transaction
from casino.kernel.locking import Rank


@pytest.mark.django_db(transaction=True)
def test_it_runs_after_the_commit_in_no_command_and_holding_no_lock() -> None:
    seen: list[str] = []

    def later() -> None:
        assert not connection.in_atomic_block
        locking.taking(Rank.CASINO)  # out of order, were the locks of the write still held
        with one_transaction():  # durable, so refused inside another
            seen.append("done")

    with one_transaction():
        locking.taking(Rank.STREAM)
        once_committed(later)
        assert seen == []
    assert seen == ["done"]


@pytest.mark.django_db(transaction=True)
def test_what_fails_in_it_is_logged_and_the_write_stands(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise ValueError("out of order")

    with one_transaction():
        once_committed(broken)
    assert "out of order" in caplog.text
    with one_transaction():  # nothing of it is left behind
        locking.taking(Rank.CASINO)


@pytest.mark.django_db(transaction=True)
def test_a_write_that_is_rolled_back_has_nothing_done_after_it() -> None:
    seen: list[str] = []
    with pytest.raises(RuntimeError), one_transaction():
        once_committed(lambda: seen.append("done"))
        raise RuntimeError
    assert seen == []
