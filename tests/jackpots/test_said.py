"""What a refusal about a pool tells a newcomer: the state it is in, and what to do first."""

from __future__ import annotations

import pytest

from casino.kernel.errors import Conflict
from casino.models import Casino
from jackpots import betting, pools, scheme
from jackpots.holding import require_running
from jackpots.models import Pool
from tests.jackpots.builders import PARAMS

State = Pool.State


@pytest.mark.rule("PP-32")
@pytest.mark.parametrize(
    ("state", "wanted", "said"),
    [
        ("running", (State.DRAFT, State.STOPPED, State.SUSPENDED), "está en marcha: suspéndalo antes"),
        ("running", (State.STOPPED, State.SUSPENDED), "está en marcha: suspéndalo antes"),
        ("retired", (State.DRAFT, State.STOPPED, State.SUSPENDED), "está retirado: ya no cambia"),
        ("suspended", (State.RUNNING,), "está suspendido: póngalo en marcha antes"),
        ("draft", (State.RUNNING,), "está en preparación: todavía no se puso en marcha"),
        ("stopped", (State.DRAFT,), "está detenido por falla: no se desiste de un pozo que estuvo en marcha"),
    ],
)
def test_a_step_out_of_turn_names_the_state_and_what_comes_first(
    state: str, wanted: tuple[str, ...], said: str
) -> None:
    with pytest.raises(Conflict) as found:
        pools.require_state(Pool(name="Sajama", state=state), *wanted)
    assert found.value.say("es").startswith(f"Sajama {said}")
    assert (found.value.code, found.value.rule) == ("pool_state", "PP-32")


@pytest.mark.rule("PP-32")
def test_a_bet_on_a_retired_pool_is_told_to_unlink_the_table() -> None:
    with pytest.raises(Conflict) as found:
        require_running(Pool(name="Sajama", state="retired"))
    assert "está retirado" in found.value.say("es") and "desconecte la mesa" in found.value.say("es")


@pytest.mark.rule("PP-12", "PP-13")
def test_limits_are_told_in_credits_or_in_the_chips_of_a_slot() -> None:
    """1 to 4 credits of 5,00."""
    terms = scheme.read(PARAMS)
    said = {
        form: betting._limits(terms, Pool(name="S", form=form, casino=Casino(exponent=2))).es
        for form in ("credits", "chips")
    }
    assert "de 1 a 4 créditos (5,00 a 20,00)" in said["credits"]
    assert "de 5,00 a 20,00 en fichas, de 5,00 en 5,00" in said["chips"] and "créditos" not in said["chips"]
