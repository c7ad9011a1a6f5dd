"""What a refusal looks like: ours with its code and rule, the database's to whoever rewrites a row."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from casino.kernel.errors import SabotError


def refused(code: str, rule: str = "") -> Any:
    """Expect a refusal with this code and, if given, this rule."""

    def fits(error: SabotError) -> bool:
        return error.code == code and (not rule or error.rule == rule)

    return pytest.raises(SabotError, check=fits)


def rewriting_is_refused(statement: str) -> None:
    """The statement fails by a trigger of ours, whoever sends it."""
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statement)
