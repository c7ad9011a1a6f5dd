"""What a pool asks of the AJ before it runs (PP-04, PP-06, PP-19, PP-23, PP-24, PP-26, PP-32)."""

from __future__ import annotations

from audits.filings import register_kind, register_subject
from audits.trail import Subject
from casino.kernel.words import Text
from casino.models import Casino
from jackpots.models import Complementary, Pool, PoolVersion

SCHEME = register_kind(
    "pool_scheme",
    Text("comisión y algoritmos del pozo", "commission and algorithms of the pool"),
    rule="PP-23",
    approval=True,
    facts=("digest", "dropped"),
)
EQUIPMENT = register_kind(
    "pool_equipment",
    Text("homologación del equipo", "homologation of the equipment"),
    rule="PP-04",
    approval=True,
)
TABLES = register_kind(
    "pool_tables", Text("configuración de mesas del pozo", "tables of the pool"), rule="PP-06", approval=False
)
TRANSFER = register_kind(
    "pool_transfer",
    Text("traslado del saldo de un pozo", "transfer of a pool's balance"),
    rule="PP-32",
    approval=True,
    facts=("to", "fund", "amount", "destination"),
)
COMPLEMENTARY = register_kind(
    "complementary_prize", Text("premio complementario", "complementary prize"), rule="PP-24", approval=False
)
PROMOTION = register_kind(
    "promotional_credits", Text("créditos promocionales", "promotional credits"), rule="PP-26", approval=True
)


def about_pool(pool: Pool) -> Subject:
    return Subject("pool", pool.pk, pool.name)


def about_version(version: PoolVersion) -> Subject:
    return Subject("pool_version", version.pk, f"{version.pool.name} · {version.number}")


def about_draw(draw: Complementary) -> Subject:
    return Subject("complementary", draw.pk, f"{draw.pool.name} · {draw.name}")


# ---- found by id ---------------------------------------------------------------------------------------


def _pool(casino: Casino, pk: int) -> Subject | None:
    found = Pool.objects.filter(casino=casino, pk=pk).first()
    return None if found is None else about_pool(found)


def _version(casino: Casino, pk: int) -> Subject | None:
    found = PoolVersion.objects.filter(casino=casino, pk=pk).select_related("pool").first()
    return None if found is None else about_version(found)


def _draw(casino: Casino, pk: int) -> Subject | None:
    found = Complementary.objects.filter(casino=casino, pk=pk).select_related("pool").first()
    return None if found is None else about_draw(found)


register_subject("pool", _pool)
register_subject("pool_version", _version)
register_subject("complementary", _draw)
