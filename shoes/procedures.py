"""How each game's shoe is prepared, as data, and which step comes next.

Pure. A game is added here, not in code: a `Procedure` is the decks it takes and its steps in order;
each step is a kind from `shoes.steps` with the rule's numbers. The numbers are those of
`casino/rulebook/cards.toml`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from casino.kernel.errors import Conflict, Refused, RuleViolation
from casino.kernel.words import Text
from shoes import actions
from shoes.steps import AddDecks, BurnByValue, Cut, Kind, Load, Pack, Shuffle, Times


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

    def check_decks(self, decks: int | None) -> int:
        """The number of decks to prepare. Raises `RuleViolation` (code `decks_not_allowed`)."""
        wanted = self.decks_default if decks is None else decks
        if wanted not in self.decks_allowed:
            allowed = [str(number) for number in self.decks_allowed]
            raise RuleViolation(
                self.decks_rule,
                Text(
                    f"este juego usa {' u '.join(allowed)} barajas, no {wanted}",
                    f"this game uses {' or '.join(allowed)} decks, not {wanted}",
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


def _punto_banca(seats: int) -> Procedure:
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6, 8),
        decks_rule="CARD-06",
        same_back_design=True,
        steps=(
            Step(
                "decks",
                Text("reunir las barajas inspeccionadas", "gather the inspected decks"),
                ("CARD-06", "CARD-04"),
                actions.DECKS_ADDED,
                "assembling",
                AddDecks(rule="CARD-06"),
            ),
            Step(
                "show",
                Text("presentar las barajas cara arriba y por palos", "show the decks face up and by suit"),
                ("CARD-14",),
                actions.PACK_SHOWN,
                "assembling",
            ),
            Step(
                "wash",
                Text("lavar las cartas (chemin)", "wash the cards (chemin)"),
                ("CARD-22",),
                actions.PACK_WASHED,
                "assembling",
                Times(at_least=1),
                repeats=True,
            ),
            Step(
                "shuffle",
                Text("barajar, doble o triple", "shuffle, double or triple"),
                ("CARD-22",),
                actions.PACK_SHUFFLED,
                "shuffled",
                Shuffle(rule="CARD-22", at_least=1),
                repeats=True,
            ),
            Step(
                "cut",
                Text("ofrecer el corte y cortar", "offer the cut and cut"),
                ("CARD-23", "CARD-25", "CARD-22"),
                actions.PACK_CUT,
                "cut",
                Cut(seats=seats, min_from_end=52),
            ),
            Step(
                "turn",
                Text(
                    "poner la carta de corte sobre el grupo cortado y pasar atrás la parte delantera",
                    "put the cut card on the cut group and move the front part to the back",
                ),
                ("CARD-28",),
                actions.PACK_TURNED,
                "cut",
            ),
            Step(
                "load",
                Text(
                    "poner la carta de detención sobre las 6 últimas y cargar el sabot",
                    "put the stop card over the last 6 and load the shoe",
                ),
                ("CARD-29",),
                actions.SHOE_LOADED,
                "loaded",
                Load(stop_from_end=6, rule="CARD-29"),
            ),
            Step(
                "burn",
                Text(
                    "descubrir la primera carta y quemar tantas como su valor",
                    "turn the first card and burn as many as its value",
                ),
                ("CARD-37",),
                actions.SHOE_BURNED,
                "ready",
                BurnByValue(rule="CARD-37"),
            ),
        ),
    )


PROCEDURES: dict[str, Procedure] = {
    "baccarat.punto_banca": _punto_banca(seats=14),
    "baccarat.midi": _punto_banca(seats=9),
    "baccarat.mini": _punto_banca(seats=7),
}


def procedure_of(game: str) -> Procedure:
    """The procedure of a game. Raises `Refused` (code `no_procedure`)."""
    try:
        return PROCEDURES[game]
    except KeyError:
        raise Refused(
            Text("no hay preparación de sabot para ese juego", "there is no shoe preparation for that game"),
            code="no_procedure",
            field="game",
        ) from None


def games_with_procedure() -> Iterable[str]:
    return PROCEDURES.keys()
