"""Where a bank comes from: who refused it on the way, and whose it was before (BANK-12, BANK-15)."""

from __future__ import annotations

from dataclasses import dataclass

from casino.kernel.words import Text
from tables.models import Bank


@dataclass(frozen=True, slots=True)
class Origin:
    """`refused`: banks awarded and not taken, the latest first; `root`: the last bank that was played."""

    refused: tuple[Bank, ...]
    root: Bank | None

    @property
    def seat(self) -> int:
        """The seat it passes on from."""
        return (self.root or self.refused[-1]).holder.seat


def origin(left: Bank) -> Origin:
    """Follow a bank that was left back to the last one that dealt."""
    refused: list[Bank] = []
    bank: Bank | None = left
    while bank is not None and bank.ending == Bank.Ending.REFUSED:
        refused.append(bank)
        bank = bank.previous
    return Origin(tuple(refused), bank)


@dataclass(frozen=True, slots=True)
class Out:
    """Why a player may not bid."""

    rule: str
    why: Text


def excluded(found: Origin, barred: frozenset[int] = frozenset()) -> dict[int, Out]:
    """Who may not bid for a bank, by seat taking: who refused it (BANK-15), who passed it and the associate
    (BANK-12), who lost it (BANK-10: held it when it came to auction), who is barred for the shoe (BANK-28).

    Once somebody refused it, whoever lost it before bids again: BANK-15 leaves out the banker before only
    if that one had passed.
    """
    out = {taking: Out("BANK-28", _BARRED) for taking in barred}
    if found.root is not None:
        passed = found.root.ending == Bank.Ending.PASSED
        if passed:
            out[found.root.holder_id] = Out("BANK-12", _PASSED)
            if found.root.associate_id:
                out[found.root.associate_id] = Out("BANK-12", _ASSOCIATE)
        elif not found.refused:
            out.update(dict.fromkeys(found.root.members, Out("BANK-10", _HELD)))
    for bank in found.refused:
        out.update(dict.fromkeys(bank.members, Out("BANK-15", _REFUSED)))
    return out


def not_obliged(found: Origin, barred: frozenset[int] = frozenset()) -> dict[int, str]:
    """Who need not take it at the minimum when nobody bids (BANK-13), by seat taking, and why: who left it
    (`passed`), whoever refused it on the way (`refused`), who may not bank in this shoe (`barred`). An
    associate of who passed it is obliged like anybody: BANK-12 keeps them from bidding alone."""
    out = dict.fromkeys(barred, "barred")
    if found.root is not None:
        out[found.root.holder_id] = "passed"
    for bank in found.refused:
        out.update(dict.fromkeys(bank.members, "refused"))
    return out


_BARRED = Text("pasó el banco en este sabot", "passed the bank in this shoe")
_PASSED = Text("pasó este banco", "passed this bank")
_HELD = Text("tenía el banco cuando se perdió", "held the bank when it was lost")
_ASSOCIATE = Text("era asociado de quien pasó este banco", "was the associate of who passed this bank")
_REFUSED = Text("lo adquirió y no lo tomó", "acquired it and did not take it")
