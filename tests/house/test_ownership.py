"""A write function is given rows of its own house only: another house's do not exist for it."""

from __future__ import annotations

import importlib
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.models import Model

from audits.by import By, by_system, by_user
from casino.kernel import permissions
from casino.kernel.errors import NotFound
from casino.kernel.permissions import Role
from casino.models import Casino
from tests.builders import House, a_house
from tests.house.test_writes import commands


def rows_of(function: Callable[..., Any]) -> Iterator[tuple[str, type[Model], bool]]:
    """The parameters of a command that take a row, or a sequence of them: name, model, whether many."""
    for name, hint in typing.get_type_hints(function.__wrapped__).items():  # type: ignore[attr-defined]
        if name == "return":
            continue
        for part in (hint, *typing.get_args(hint)):
            if isinstance(part, type) and issubclass(part, Model):
                origin = typing.get_origin(hint)
                yield name, part, isinstance(origin, type) and issubclass(origin, typing.Sequence)


def taking_rows() -> list[Any]:
    found = []
    for path, _ in commands():
        module, _, name = path.rpartition(".")
        function = getattr(importlib.import_module(module), name)
        found += [pytest.param(function, *row, id=f"{path}-{row[0]}") for row in rows_of(function)]
    return found


def allowed(house: House, act: str) -> By:
    roles = permissions.acts()[act]
    role = next((role for role in house.users if role in roles), None)
    return by_user(house.users[role], reason="x") if role else by_system(house.casino, "x", reason="x")


@pytest.fixture
def house(db: None) -> House:
    return a_house()


@pytest.fixture
def elsewhere(db: None) -> Casino:
    return Casino.objects.create(code="otra", name="Otra casa", denominations=[100])


def test_the_commands_that_take_rows_are_found() -> None:
    names = {parameter.id for parameter in taking_rows()}
    assert len(names) > 35
    assert {"tables.rounds.void-round", "tables.rounds.void-approved_by"} <= names
    assert {"tables.settings.set_table-pit", "tables.openings.open_session-payers"} <= names


@pytest.mark.parametrize(("function", "name", "model", "many"), taking_rows())
def test_a_row_of_another_house_does_not_exist(
    house: House, elsewhere: Casino, function: Callable[..., Any], name: str, model: type[Model], many: bool
) -> None:
    assert Role.SYSTEM not in house.users
    foreign = model(casino=elsewhere)
    by = allowed(house, function.act)  # type: ignore[attr-defined]
    with pytest.raises(NotFound):
        function(**{name: [foreign] if many else foreign}, by=by)
