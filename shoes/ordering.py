"""The steps of a procedure in their order: which may come next, who may sign it, what sends it back, and
what is said of one that may not be.

Pure. What the procedures of the games are is `shoes.procedures`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.permissions import ROLE_NAMES, Role
from casino.kernel.words import Text
from shoes.backs import BackRule
from shoes.steps import Kind, Pack

REMOVE = "remove"
"""What is stored among the steps when decks leave the pack: the preparation starts again after it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what the person is told to do, the rules behind it, the shoe's state once done.

    `state` is the shoe's state from this step on. A step that `repeats` may be done again as long as
    no later one was. `signers`: the roles that may sign it, none for whoever may prepare. `not_by`: steps
    whose signers may not sign this one. `new_cards_only`: cards that were played at this table and are
    shuffled again do not need it.
    """

    code: str
    words: Text
    rules: tuple[str, ...]
    action: str
    state: str
    kind: Kind = field(default_factory=Kind)
    repeats: bool = False
    signers: tuple[Role, ...] = ()
    not_by: tuple[str, ...] = ()
    new_cards_only: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """A way to prepare a game's cards, where there is more than one; its code is empty for the usual one."""

    code: str
    words: Text
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Procedure:
    """What a game's shoe needs: its decks and its steps, in order."""

    deck_type: str
    decks_default: int
    decks_allowed: tuple[int, ...]
    decks_rule: str
    backs: BackRule
    steps: tuple[Step, ...]
    removal: Step
    """Decks that leave the pack before play, and the rules that make the preparation start again."""
    methods: tuple[Method, ...]
    method: str = ""
    stop_rule: str = "CARD-38"
    """What ends the shoe once its stop card is seen, or its cards run out."""
    deals_covered: bool = False
    """Whether cards may leave the shoe that nobody sees."""
    shuffles_after_each_round: str = ""
    """The rule that has the dealer shuffle after each round, before the next; none where none does."""
    holder_rule: str = ""
    holder_most: int = 0
    """The most cards the discard holder may gather, and the rule that says so; 0 where none does."""

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

    def since_restart(self, done: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[str, ...]:
        """The codes of the steps that still count, of all (code, stored data) in their order.

        Decks taken out start the preparation again; a step whose answer sends back undoes what was done
        from the step it sends back to.
        """
        kinds = {step.code: step.kind for step in self.steps}
        counting: list[str] = []
        for code, data in done:
            if code == REMOVE:
                counting.clear()
                continue
            counting.append(code)
            back = kinds[code].back_to(data) if code in kinds else ""
            if back in counting:
                del counting[counting.index(back) :]
        return tuple(counting)

    def next_steps(self, pack: Pack, done: Sequence[str], *, renewed: bool = False) -> tuple[Step, ...]:
        """What may be done now, what is expected first; empty when the shoe is ready.

        `done` are the codes that count (`since_restart()`); `renewed` says that the same decks are shuffled
        again at the table (`is_renewed()`).
        """
        if not done:
            return self.steps[:1]
        at = next(i for i, step in enumerate(self.steps) if step.code == done[-1])
        last = self.steps[at]
        if not last.kind.enough(pack, _run_length(done)):
            return (last,)
        coming = (step for step in self.steps[at + 1 :] if not (renewed and step.new_cards_only))
        following = tuple(itertools.islice(coming, 1))
        return (*following, last) if last.repeats and following else following

    def admit(
        self, pack: Pack, done: Sequence[str], code: str, data: Mapping[str, Any], *, renewed: bool = False
    ) -> tuple[Step, dict[str, Any]]:
        """The step and its data as they will be stored; `done` and `renewed` as `next_steps()` takes them.

        Raises `Conflict` (code `step_out_of_order`, naming the expected step and its rule) and
        whatever the step's kind refuses.
        """
        allowed = self.next_steps(pack, done, renewed=renewed)
        step = next((step for step in allowed if step.code == code), None)
        if step is None:
            raise _out_of_order(allowed, code)
        return step, _read(step, pack, data)

    def admit_removal(self, pack: Pack, data: Mapping[str, Any]) -> tuple[Step, dict[str, Any]]:
        """Decks that leave the pack, as they will be stored; whether they are in it is for the caller."""
        return self.removal, _read(self.removal, pack, data)


def is_renewed(done: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
    """Whether the cards were played at this table and are shuffled again: until a deck is taken out, for
    what comes in its place is new."""
    return any(data.get("renewed") for _, data in done[_restarted_at([code for code, _ in done]) :])


def require_signer(
    step: Step, signer_id: int, roles: Collection[Role], done: Sequence[tuple[str, int]]
) -> None:
    """Whether a person may sign a step, given who signed each step before it, as (code, signer).

    Raises `RuleViolation` GEN-10 (`own_shuffle`, `not_qualified`).
    """
    counting = done[_restarted_at([code for code, _ in done]) :]
    if any(code in step.not_by and signer == signer_id for code, signer in counting):
        raise RuleViolation(
            "GEN-10",
            Text(
                "quien lavó o barajó no comprueba su propio barajado; que firme otro jefe",
                "who washed or shuffled does not check their own shuffle; another chief signs",
            ),
            {"step": step.code},
            code="own_shuffle",
            field="step",
        )
    if step.signers and not set(step.signers) & set(roles):
        raise RuleViolation(
            "GEN-10",
            Text("este paso lo firma {who}", "this step is signed by {who}").fill(who=_any_of(step.signers)),
            {"step": step.code, "roles": [role.value for role in step.signers]},
            code="not_qualified",
            field="step",
        )


def _restarted_at(codes: Sequence[str]) -> int:
    """Where the preparation last began, among all steps."""
    return max((at + 1 for at, code in enumerate(codes) if code == REMOVE), default=0)


def _any_of(roles: Sequence[Role]) -> Text:
    names = [ROLE_NAMES[role] for role in roles]
    return Text(" o ".join(name.es.lower() for name in names), " or ".join(name.en.lower() for name in names))


def _read(step: Step, pack: Pack, data: Mapping[str, Any]) -> dict[str, Any]:
    unknown = set(data) - {asked.name for asked in step.kind.fields}
    if unknown:
        names = ", ".join(sorted(str(name)[:20] for name in unknown)[:5])
        raise Refused(
            Text(f"este paso no lleva {names}", f"this step takes no {names}"),
            code="bad_step_data",
            field=sorted(map(str, unknown))[0][:20],
        )
    return step.kind.read(pack, data)


def _out_of_order(allowed: tuple[Step, ...], code: str) -> Conflict:
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
