"""Who may do what: by role, and nobody unless declared."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from casino.kernel import permissions
from casino.kernel.errors import NotAllowed
from casino.kernel.permissions import ROLE_NAMES, Role, acts, declare, may, require
from casino.kernel.words import Text

WORDS = Text("probar", "try")


@dataclass(frozen=True)
class Person:
    roles: frozenset[Role]


@pytest.fixture(autouse=True)
def _own_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permissions, "_acts", {})


def test_an_act_is_for_the_roles_it_names() -> None:
    declare("kernel.try", [Role.PIT_BOSS, Role.SUPERVISOR], WORDS)
    for role in Role:
        assert may(Person(frozenset({role})), "kernel.try") is (role in (Role.PIT_BOSS, Role.SUPERVISOR))
    assert may(Person(frozenset({Role.CAGE, Role.PIT_BOSS})), "kernel.try")
    assert not may(Person(frozenset()), "kernel.try")
    assert not may(None, "kernel.try")


def test_an_act_nobody_declared_is_for_nobody() -> None:
    everyone = Person(frozenset(Role))
    assert not may(everyone, "kernel.undeclared")
    with pytest.raises(NotAllowed):
        require(everyone, "kernel.undeclared")


def test_require_says_who_may() -> None:
    declare("kernel.try", [Role.PIT_BOSS, Role.SYSTEM], WORDS)
    require(Person(frozenset({Role.PIT_BOSS})), "kernel.try")
    with pytest.raises(NotAllowed) as refusal:
        require(Person(frozenset({Role.CROUPIER})), "kernel.try")
    assert refusal.value.detail == {"act": "kernel.try"}
    assert "Jefe de sala" in refusal.value.message.es and "Pit boss" in refusal.value.message.en
    assert "Sistema" not in refusal.value.message.es
    with pytest.raises(NotAllowed):
        require(None, "kernel.try")


def test_an_act_is_declared_one_way() -> None:
    assert declare("kernel.try", [Role.CAGE], WORDS) == "kernel.try"
    declare("kernel.try", [Role.CAGE], WORDS)
    with pytest.raises(ValueError, match="twice"):
        declare("kernel.try", [Role.CAGE, Role.PIT_BOSS], WORDS)
    assert acts() == {"kernel.try": frozenset({Role.CAGE})}


def test_every_role_has_a_name() -> None:
    assert set(ROLE_NAMES) == set(Role)
