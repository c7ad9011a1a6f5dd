"""Who may do what: acts and the roles that may do them, default deny.

An act is a dotted name (`tables.session.open`). Each room declares its acts once, in its
`policies.py`; write functions demand them, `casino/access.py` ties every URL and method to one,
querysets are narrowed by them. There is no second way.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from casino.kernel.errors import NotAllowed
from casino.kernel.words import Text


class Role(StrEnum):
    CROUPIER = "croupier"
    SUPERVISOR = "supervisor"
    PIT_BOSS = "pit_boss"
    CAGE = "cage"
    COMPLIANCE = "compliance"
    INSPECTOR = "inspector"
    ADMINISTRATOR = "administrator"
    DEVICE = "device"
    SYSTEM = "system"  # a named job of ours; never a login


ROLE_NAMES: dict[Role, Text] = {
    Role.CROUPIER: Text("Croupier", "Dealer"),
    Role.SUPERVISOR: Text("Jefe de mesa", "Table supervisor"),
    Role.PIT_BOSS: Text("Jefe de sala", "Pit boss"),
    Role.CAGE: Text("Caja", "Cage"),
    Role.COMPLIANCE: Text("Cumplimiento", "Compliance"),
    Role.INSPECTOR: Text("Inspector AJ", "AJ inspector"),
    Role.ADMINISTRATOR: Text("Administración", "Administrator"),
    Role.DEVICE: Text("Dispositivo", "Device"),
    Role.SYSTEM: Text("Sistema", "System"),
}


DEPARTMENTS: dict[str, tuple[Role, ...]] = {
    "floor": (Role.CROUPIER, Role.SUPERVISOR, Role.PIT_BOSS),
    "cage": (Role.CAGE,),
    "compliance": (Role.COMPLIANCE,),
    "administration": (Role.ADMINISTRATOR,),
}
"""Which department a role works in; the regulator's inspectors, devices and jobs are of none."""


class HasRoles(Protocol):
    @property
    def roles(self) -> frozenset[Role]: ...


_acts: dict[str, tuple[frozenset[Role], Text]] = {}


def declare(act: str, roles: Iterable[Role], words: Text) -> str:
    """Register an act with the roles that may do it and what it is called; returns its name."""
    allowed = frozenset(roles)
    known = _acts.get(act)
    if known is not None and known[0] != allowed:
        raise ValueError(f"act {act} declared twice with different roles")
    _acts[act] = (allowed, words)
    return act


def acts() -> dict[str, frozenset[Role]]:
    """Every declared act and its roles."""
    return {name: roles for name, (roles, _) in _acts.items()}


def words(act: str) -> Text:
    """What a declared act is called."""
    return _acts[act][1]


def departments(who: HasRoles) -> frozenset[str]:
    """The departments somebody works in."""
    return frozenset(name for name, roles in DEPARTMENTS.items() if not who.roles.isdisjoint(roles))


def may(who: HasRoles | None, act: str) -> bool:
    """Whether any role of `who` allows the act. An act nobody declared allows nobody."""
    if who is None or act not in _acts:
        return False
    return not _acts[act][0].isdisjoint(who.roles)


def require(who: HasRoles | None, act: str) -> None:
    """Raise `NotAllowed` unless `who` may do the act."""
    if may(who, act):
        return
    if act not in _acts:
        raise NotAllowed(Text(f"acto no declarado: {act}", f"undeclared act: {act}"))
    roles, words = _acts[act]
    raise NotAllowed(
        Text(
            f"su función no permite {words.es}; puede hacerlo: "
            + ", ".join(sorted(ROLE_NAMES[r].es for r in roles if r is not Role.SYSTEM)),
            f"your role may not {words.en}; who may: "
            + ", ".join(sorted(ROLE_NAMES[r].en for r in roles if r is not Role.SYSTEM)),
        ),
        detail={"act": act},
    )
