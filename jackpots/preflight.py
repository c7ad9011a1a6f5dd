"""What a pool says before one of its tables opens: it warns, the table plays its base game all the same."""

from __future__ import annotations

from collections.abc import Iterator

from casino.kernel.words import Text
from jackpots import members
from jackpots.holding import pool_of
from jackpots.models import Pool
from tables.preflight import Check, Opening, amber, green

CODE, TITLE = "pools", Text("Pozos", "Pools")


def the_pool(opening: Opening) -> Iterator[Check]:
    """Amber where the table's pool does not run, or its tables were not reported (PP-06)."""
    pool = pool_of(opening.table, opening.instant)
    if pool is None:
        some = Pool.objects.filter(casino=opening.table.casino_id).exists()
        none = Text("no hay pozos configurados", "no pools configured")
        out = Text("la mesa no alimenta ningún pozo", "the table feeds no pool")
        yield green(CODE, TITLE, out if some else none)
        return
    fine = True
    if pool.state != Pool.State.RUNNING:
        fine = False
        words = Text(
            f"{pool.name} no está en marcha: la mesa abre sin apuesta progresiva",
            f"{pool.name} does not run: the table opens without the progressive bet",
        )
        yield amber(CODE, TITLE, words, "PP-06")
    if members.unreported(pool):
        fine = False
        words = Text(
            f"la configuración de mesas de {pool.name} no se informó a la AJ: presente el trámite",
            f"which tables feed {pool.name} was not reported to the AJ: present the filing",
        )
        yield amber(f"{CODE}_reported", TITLE, words, "PP-06")
    if fine:
        words = Text(
            f"{pool.name} está en marcha y sus mesas informadas",
            f"{pool.name} runs and its tables are reported",
        )
        yield green(CODE, TITLE, words, "PP-06")


the_pool.pools = True  # type: ignore[attr-defined]
