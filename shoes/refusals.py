"""Why a shoe may not go into play: not prepared yet, its table taken, its box full. Words only, and what
PostgreSQL refuses of them."""

from __future__ import annotations

from casino.kernel.commands import explain_constraint
from casino.kernel.errors import Conflict
from casino.kernel.words import Text
from shoes.models import Shoe
from shoes.ordering import Step

State = Shoe.State


def not_ready(shoe: Shoe, step: Step | None) -> Conflict:
    """What to answer about a shoe that waits for `step`, or for none."""
    if step is None:
        return Conflict(
            Text(
                f"el sabot {shoe.label} está {_state(shoe, 'es')}; elija uno listo",
                f"shoe {shoe.label} is {_state(shoe, 'en')}; choose a ready one",
            ),
            code="shoe_not_ready",
            field="shoe",
        )
    return Conflict(
        Text(
            f"el sabot {shoe.label} no está listo; falta {step.words.es}",
            f"shoe {shoe.label} is not ready; still to do: {step.words.en}",
        ),
        code="shoe_not_ready",
        rule=step.rules[0],
        field="shoe",
        detail={"expected": step.code},
    )


def _state(shoe: Shoe, language: str) -> str:
    words = {
        State.IN_PLAY: {"es": f"en juego en {shoe.table_label}", "en": f"in play at {shoe.table_label}"},
        State.ENDED: {"es": "terminado", "en": "ended"},
    }
    return words[State(shoe.state)][language]


def require_free_table(shoe: Shoe, table_label: str) -> None:
    """Raise `Conflict` (`table_has_shoe`) where another shoe is in play."""
    other = Shoe.objects.filter(casino=shoe.casino_id, state=State.IN_PLAY, table_label=table_label).first()
    if other is not None:
        raise _table_has_shoe(other.label)


def _table_has_shoe(label: str = "") -> Conflict:
    return Conflict(
        Text(
            f"la mesa ya tiene el sabot {label} en juego; termínelo primero".replace("  ", " "),
            f"the table already has shoe {label} in play; end it first".replace("  ", " "),
        ),
        code="table_has_shoe",
        field="shoe",
    )


explain_constraint("one_shoe_in_play_per_table", _table_has_shoe)
explain_constraint(
    "one_pack_per_device",
    lambda: Conflict(
        Text(
            "ese sabot físico ya contiene otras cartas; use otro o termine el anterior",
            "that physical shoe already holds other cards; use another or end the previous one",
        ),
        code="device_in_use",
        rule="CARD-46",
        field="device",
    ),
)
