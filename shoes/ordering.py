"""The steps of a procedure in their order: which may come next, and what is said of one that may not.

Pure. What the procedures of the games are is `shoes.procedures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes.steps import Kind, Pack


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what the person is told to do, the rules behind it, the shoe's state once done.

    `state` is the shoe's state from this step on. A step that `repeats` may be done again as long as
    no later one was.
    """

    code: str
    words: Text
    rules: tuple[str, ...]
    action: str
    state: str
    kind: Kind = field(default_factory=Kind)
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Procedure:
    """What a game's shoe needs: its decks and its steps, in order."""

    deck_type: str
    decks_default: int
    decks_allowed: tuple[int, ...]
    decks_rule: str
    same_back_design: bool
    steps: tuple[Step, ...]
    stop_rule: str = "CARD-38"
    """What ends the shoe once its stop card is seen, or its cards run out."""
    deals_covered: bool = False
    """Whether cards may leave the shoe that nobody sees."""

    def check_decks(self, decks: int | None) -> int:
        """The number of decks to prepare. Raises `RuleViolation` (code `decks_not_allowed`)."""
        wanted = self.decks_default if decks is None else decks
        if wanted not in self.decks_allowed:
            allowed = [str(number) for number in self.decks_allowed]
            one = allowed == ["1"]
            raise RuleViolation(
                self.decks_rule,
                Text(
                    f"este juego usa {' u '.join(allowed)} {'baraja' if one else 'barajas'}, no {wanted}",
                    f"this game uses {' or '.join(allowed)} {'deck' if one else 'decks'}, not {wanted}",
                ),
                {"allowed": list(self.decks_allowed)},
                code="decks_not_allowed",
                field="decks_wanted",
            )
        return wanted

    def next_steps(self, pack: Pack, done: Sequence[str]) -> tuple[Step, ...]:
        """What may be done now, what is expected first; empty when the shoe is ready."""
        if not done:
            return self.steps[:1]
        at = self._index(done[-1])
        last = self.steps[at]
        if not last.kind.enough(pack, _run_length(done)):
            return (last,)
        following = self.steps[at + 1 : at + 2]
        return (*following, last) if last.repeats and following else following

    def admit(
        self, pack: Pack, done: Sequence[str], code: str, data: Mapping[str, Any]
    ) -> tuple[Step, dict[str, Any]]:
        """The step and its data as they will be stored.

        Raises `Conflict` (code `step_out_of_order`, naming the expected step and its rule) and
        whatever the step's kind refuses.
        """
        allowed = self.next_steps(pack, done)
        step = next((step for step in allowed if step.code == code), None)
        if step is None:
            raise self._out_of_order(allowed, code)
        unknown = set(data) - {asked.name for asked in step.kind.fields}
        if unknown:
            names = ", ".join(sorted(str(name)[:20] for name in unknown)[:5])
            raise Refused(
                Text(f"este paso no lleva {names}", f"this step takes no {names}"),
                code="bad_step_data",
                field=sorted(map(str, unknown))[0][:20],
            )
        return step, step.kind.read(pack, data)

    def _index(self, code: str) -> int:
        return next(i for i, step in enumerate(self.steps) if step.code == code)

    def _out_of_order(self, allowed: tuple[Step, ...], code: str) -> Conflict:
        if not allowed:
            return Conflict(
                Text("el sabot ya está preparado", "the shoe is already prepared"),
                code="step_out_of_order",
                detail={"expected": "", "given": code[:20]},
            )
        expected = allowed[0]
        return Conflict(
            Text(
                f"todavía no corresponde ese paso; ahora toca: {expected.words.es}",
                f"it is not yet time for that step; now comes: {expected.words.en}",
            ),
            code="step_out_of_order",
            rule=expected.rules[0],
            field="step",
            detail={"expected": expected.code, "given": code[:20]},
        )


def _run_length(done: Sequence[str]) -> int:
    """How many times the last step was done in a row."""
    times = 0
    for code in reversed(done):
        if code != done[-1]:
            break
        times += 1
    return times
