"""The Plan de Apuestas and the pay tables of a game as filings: drafted from its figures, asked for before
they are in force (GEN-05, REC-09).

An approval is for figures, not for a version: it holds for every version that says exactly the same. Where
the house asks for one (`audits.filing_demands`), a version without it is not published, and a table whose
rules lost theirs is not opened; a session that is open goes on under the versions it has.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from audits import filing_demands, filings
from audits import policies as filing_policies
from audits.by import By
from audits.filing_kinds import about_house
from audits.models import Filing
from audits.trail import Subject
from casino.kernel.canonical import canonical
from casino.kernel.commands import command
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.words import Text
from casino.models import Casino
from tables import confirming
from tables.games import registry
from tables.games.base import Game
from tables.pages import rule_words

RULE = "GEN-05"
BETTING_PLAN = filings.register_kind(
    "betting_plan",
    Text("Plan de Apuestas del juego", "betting plan of the game"),
    rule=RULE,
    approval=True,
    facts=("game", "digest"),
    by_house=True,
)
PAY_TABLES = filings.register_kind(
    "pay_tables",
    Text("tablas de pagos del juego", "pay tables of the game"),
    rule=RULE,
    approval=True,
    facts=("game", "digest"),
    by_house=True,
)
KINDS = (BETTING_PLAN, PAY_TABLES)
OF_THE_MODALITY = frozenset({"game", "dealer"})
"""What the modality decides, and its name says already; it is in the digest all the same."""


# ---- what is asked for -----------------------------------------------------------------------------------


def digest_of(kind: str, game: Game, params: Mapping[str, Any]) -> str:
    """The SHA-256 of what a filing is for: all figures of the rules, or those of its pay tables."""
    said = dict(params) if kind == BETTING_PLAN else _paid(game, params)
    return hashlib.sha256(canonical({"game": game.code, "says": said})).hexdigest()


def _paid(game: Game, params: Mapping[str, Any]) -> dict[str, Any]:
    """What each pay table in use pays, by its id."""
    return {figure.id: {v.name: v.version for v in figure.values} for figure in _tables(game, params)}


def _tables(game: Game, params: Mapping[str, Any]) -> tuple[confirming.Figure, ...]:
    return confirming.pay_tables(game, params)


def asked(casino: Casino) -> set[str]:
    """Which of these filings the house asks for."""
    return filing_demands.demanded(casino, *KINDS)


def kinds_of(game: Game, params: Mapping[str, Any]) -> list[str]:
    """The kinds of filing these rules can have: no pay tables, none of them."""
    return [kind for kind in KINDS if kind != PAY_TABLES or _tables(game, params)]


def needed(casino: Casino, game: Game, params: Mapping[str, Any]) -> list[str]:
    """The kinds the house asks for before these rules are in force."""
    wanted = asked(casino)
    return [kind for kind in kinds_of(game, params) if kind in wanted] if wanted else []


def approved(casino: Casino, kind: str, game: Game, params: Mapping[str, Any], day: dt.date) -> Filing | None:
    """The approval of a kind that is for exactly these figures and valid on a day."""
    digest = digest_of(kind, game, params)
    there = filings.valid(casino, kind, about_house(casino), day)
    return next((one for one in there if _is_of(one, game, digest)), None)


def latest(casino: Casino, kind: str, game: Game, params: Mapping[str, Any]) -> Filing | None:
    """The newest filing for exactly these figures, whatever came of it."""
    digest = digest_of(kind, game, params)
    rows = Filing.objects.filter(casino=casino, kind=kind, facts__game=game.code, facts__digest=digest)
    return rows.order_by("-pk").first()


def _is_of(filing: Filing, game: Game, digest: str) -> bool:
    return bool(filing.facts.get("game") == game.code and filing.facts.get("digest") == digest)


def require(casino: Casino, game: Game, params: Mapping[str, Any], day: dt.date) -> None:
    """Refuse rules whose figures lack an approval the house asks for. Raises `RuleViolation` GEN-05
    (`not_approved`), which names the filing that is missing, or what became of the last one."""
    for kind in needed(casino, game, params):
        if approved(casino, kind, game, params, day) is None:
            raise _lacking(casino, kind, game, params, day)


def _lacking(casino: Casino, kind: str, game: Game, params: Mapping[str, Any], day: dt.date) -> RuleViolation:
    name, found = filings.kinds()[kind].name, latest(casino, kind, game, params)
    if found is None:
        then = Text(
            "redacte el trámite desde las reglas del juego, preséntelo y anote la respuesta",
            "draft the filing on the page of the game's rules, present it and note the answer",
        )
    else:
        state = _STATES.get(Filing.State(found.state), Text("no rige", "is not valid"))
        then = Text(
            f"{found.label} {state.es} el {day:%d/%m/%Y}", f"{found.label} {state.en} on {day:%Y-%m-%d}"
        )
        if found.state != Filing.State.APPROVED:
            then = Text(f"{found.label} {state.es}", f"{found.label} {state.en}")
    return RuleViolation(
        RULE,
        Text(
            f"{game.name.es}: falta «{name.es}» aprobado por la AJ para estas cifras; {then.es}",
            f"{game.name.en}: “{name.en}” approved by the AJ for these figures is missing; {then.en}",
        ),
        {"filing": kind, "filing_id": None if found is None else found.pk},
        code="not_approved",
    )


_STATES = {
    Filing.State.DRAFT: Text("está en borrador: preséntelo", "is a draft: present it"),
    Filing.State.PRESENTED: Text("se presentó: espere la respuesta", "was presented: await its answer"),
    Filing.State.APPROVED: Text("no rige", "is not valid"),
    Filing.State.REFUSED: Text("fue rechazado: pídalo de nuevo", "was refused: ask for it again"),
    Filing.State.WITHDRAWN: Text("fue retirado: redacte otro", "was withdrawn: draft another"),
    Filing.State.REVOKED: Text("fue revocado por la AJ", "was revoked by the AJ"),
}


# ---- drafting --------------------------------------------------------------------------------------------


@command(filing_policies.DRAFT_FILING)
def draft(*, kind: str, game: str, params: Mapping[str, Any], by: By, text: str = "") -> Filing:
    """Draft the filing of a kind for a game's figures, with them in its text and their digest.

    Raises `NotFound` for a game the house does not deal, what the game refuses, `Refused` (`unknown_filing`,
    `no_pay_tables`, `bad_text`).
    """
    engine = registry.game(game)
    stated = engine.read_rules(dict(params)).to_json()
    if kind not in KINDS:
        raise Refused(
            Text("esa clase de trámite no es de un juego", "that kind of filing is not a game's"),
            code="unknown_filing",
            field="kind",
        )
    if kind == PAY_TABLES and not _tables(engine, stated):
        raise Refused(
            Text("este juego no tiene tablas de pagos", "this game has no pay tables"),
            code="no_pay_tables",
            rule=RULE,
            field="kind",
        )
    digest = digest_of(kind, engine, stated)
    said = dict(stated) if kind == BETTING_PLAN else _paid(engine, stated)
    words = "\n".join(_words(kind, engine, stated, digest))
    return filings.drafted(
        kind=kind,
        subject=_about(by.casino, engine),
        text=f"{words}\n\n{filings.added(text)}".strip(),
        by=by,
        facts={"game": engine.code, "digest": digest, "says": said},
    )


def _about(casino: Casino, game: Game) -> Subject:
    """The house, called by its game: a game is none of its rows."""
    house = about_house(casino)
    return Subject(house.type, house.id, game.name.es[:120])


def _words(kind: str, game: Game, params: Mapping[str, Any], digest: str) -> Iterator[str]:
    """What the AJ is asked, in Spanish, figure by figure."""
    if kind == BETTING_PLAN:
        yield f"Se pide aprobar el Plan de Apuestas de {game.name.es} con estas reglas:"
        yield from (f"- {line}" for line in _figures(params))
    else:
        yield f"Se pide aprobar las tablas de pagos de {game.name.es}:"
        for figure in _tables(game, params):
            rows = ", ".join(f"{_called(v.name)} {v.version}" for v in figure.values)
            yield f"- {figure.words.es}: {rows or 'según el reglamento'}"
    yield f"Huella SHA-256 de estas cifras: {digest}."


def _figures(params: Mapping[str, Any]) -> Iterator[str]:
    for name, value in params.items():
        if name in OF_THE_MODALITY:
            continue
        label = (rule_words.PARAMS.get(name) or rule_words.readable(name)).es
        if isinstance(value, Mapping):
            rows = ", ".join(f"{_called(row)} {_said(row, one)}" for row, one in value.items())
            yield f"{label}: {rows or '—'}"
        else:
            yield f"{label}: {_said(name, value)}"


def _called(row: str) -> str:
    return (rule_words.ROWS.get(row) or rule_words.readable(row)).es


def _said(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "sí" if value else "no"
    if value is None:
        return "—"
    if isinstance(value, int) and name.endswith("_basis_points"):
        return f"{value // 100},{value % 100:02d}"
    if isinstance(value, list | tuple):
        return ", ".join(_said(name, one) for one in value) or "—"
    chosen = rule_words.CHOICES.get(name, {})
    words = chosen.get(str(value)) or rule_words.VALUES.get(str(value)) if isinstance(value, str) else None
    return words.es if words else str(value)
