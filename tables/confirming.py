"""What of a version of rules the book leaves to the operator, and who confirmed it (GEN-05).

The AJ text that survives lacks many figures; the book fills them in and marks them `confirm`. A
version that uses any is published only with the name of whoever confirmed them against the Plan de
Apuestas and their reason. The book is read here and never by an engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from casino import tracing
from casino.kernel import rulebook, texts
from casino.kernel.errors import Refused, RuleViolation
from casino.kernel.rulebook import PayTable
from casino.kernel.words import Text
from tables.games.base import Game

MOST_NAME = 150
MOST_REASON = 500

OFFICIAL = "official"

_BESIDES = frozenset(
    {"id", "game", "bet", "source", "confirm", "default", "live", "order", "rows", "notes", "house_edge"}
)
"""Keys of a pay table that are not figures of its own (`commission_percent` and its like are)."""


@dataclass(frozen=True, slots=True)
class Value:
    """A figure: its name, what the book says, and what the version says (the book's where it is silent)."""

    name: str
    book: str
    version: str

    @property
    def differs(self) -> bool:
        return self.book != self.version


@dataclass(frozen=True, slots=True)
class Figure:
    """A rule or pay table the book marks for confirmation, with its figures. `rule`: its id, if it is one.

    `live` is false for what the book says must not be operated live: a provisional pay table (PH-13), a
    game that is none of the Classifier's (GEN-01).
    """

    id: str
    words: Text
    values: tuple[Value, ...]
    rule: str = ""
    live: bool = True

    def as_data(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "words": self.words.as_dict(),
            "live": self.live,
            "values": {value.name: value.version for value in self.values},
        }


def unconfirmed(game: Game, params: Mapping[str, Any]) -> tuple[Figure, ...]:
    """What a version of these params rests on that the book marks for confirmation.

    That the game is none of the Classifier's, if so (GEN-01: not for money). Pay tables in use, and
    rules with figures: those that name the game, and general ones whose figure is among the params. A
    rule Sabot does not apply yet (`casino/rulebook/waiting.toml`) has none in use; a pool's figures are
    confirmed with the pool's own parameters (PP-20, PP-30).
    """
    entry = rulebook.games().get(game.code)
    tables = [table for table in tables_in_use(game, params) if table.confirm]
    of_game = rulebook.rules_of(game.code) if entry else ()
    rules = [rule for rule in of_game if rule.confirm and rule.params and not rule.id.startswith("PP-")]
    return (
        *_unofficial(entry),
        *(_of_table(table, params) for table in tables),
        *(
            Figure(rule.id, rule.title, tuple(_of_rule(rule.params, params)), rule=rule.id)
            for rule in rules
            if rule.id not in tracing.waiting() and (rule.games != ("*",) or set(rule.params) & set(params))
        ),
    )


def _unofficial(entry: rulebook.GameEntry | None) -> Iterator[Figure]:
    if entry and entry.aj_status != OFFICIAL:
        status = Value("aj_status", OFFICIAL, entry.aj_status)
        yield Figure("GEN-01", rulebook.rule("GEN-01").title, (status,), rule="GEN-01", live=False)


def refuse_unconfirmed(
    game: Game, params: Mapping[str, Any], confirmed_by: str, confirmation: str
) -> tuple[str, str, tuple[Figure, ...]]:
    """Name and reason as they are kept, and what they confirm. Raises `RuleViolation` (GEN-05)."""
    name = texts.line(
        confirmed_by, "confirmed_by", MOST_NAME, code="bad_confirmation", rule="GEN-05", least=0
    )
    why = texts.line(
        confirmation, "confirmation", MOST_REASON, code="bad_confirmation", rule="GEN-05", least=0
    )
    figures = unconfirmed(game, params)
    if bool(name) != bool(why):
        raise Refused(
            Text(
                "una confirmación lleva el nombre de quien confirma y su motivo",
                "a confirmation has the name of who confirms and their reason",
            ),
            code="half_confirmed",
            rule="GEN-05",
            field="confirmation" if name else "confirmed_by",
        )
    if figures and not name:
        raise _unconfirmed(figures)
    return name, why, figures


def _unconfirmed(figures: tuple[Figure, ...]) -> RuleViolation:
    listed = ", ".join(figure.id for figure in figures)
    barred = ", ".join(figure.id for figure in figures if not figure.live)
    warned = Text(
        f" Además, {barred} no debe operarse en vivo según el reglamento." if barred else "",
        f" Besides, the book says that {barred} must not be operated live." if barred else "",
    )
    return RuleViolation(
        "GEN-05",
        Text(
            "estas cifras no constan en el texto de la AJ: diga quién las confirma contra el Plan de Apuestas"
            f" y por qué: {listed}.{warned.es}",
            "these figures are not in the AJ text: say who confirms them against the betting plan,"
            f" and why: {listed}.{warned.en}",
        ),
        code="unconfirmed_figures",
        field="confirmed_by",
        detail={"figures": [figure.as_data() for figure in figures]},
    )


# ---- which pay tables a version uses --------------------------------------------------------------


def tables_in_use(game: Game, params: Mapping[str, Any]) -> tuple[PayTable, ...]:
    """One pay table a bet: the one the params spell out, else the one they name, else the default.

    The bet of a pool is none of the game's own (PP): it is in use where the game has a spot for it.
    """
    entry = rulebook.games().get(game.code)
    by_bet: dict[str, list[PayTable]] = {}
    for table_id in entry.paytables if entry else ():
        table = rulebook.paytables()[table_id]
        if table.bet != "progressive" or table.bet in game.spots:
            by_bet.setdefault(table.bet, []).append(table)
    return tuple(_chosen(bet, tables, params) for bet, tables in by_bet.items())


def _chosen(bet: str, tables: list[PayTable], params: Mapping[str, Any]) -> PayTable:
    spelt = _rows(bet, params)
    named = {value for value in params.values() if isinstance(value, str)}
    for table in tables:
        ratios = {row["hand"]: row["pays"] for row in table.rows if ":" in row["pays"]}
        if spelt and ratios == {hand: spelt.get(hand) for hand in ratios}:
            return table
    for table in tables:
        if len(tables) > 1 and {table.id, table.id.rpartition(".")[2]} & named:
            return table
    return next((table for table in tables if table.default), tables[0])


def _rows(bet: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """The version's own rows for a bet: the mapping named after it (`perfect_pairs_pays`), or just `pays`."""
    for name in (bet, f"{bet}_pays", "pays"):
        if isinstance(params.get(name), Mapping):
            found: Mapping[str, Any] = params[name]
            return found
    return {}


def pay_tables(game: Game, params: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The pay tables a version uses, with what it pays, whether or not they are to be confirmed."""
    return tuple(_of_table(table, params) for table in tables_in_use(game, params))


# ---- a book's figure and the version's ------------------------------------------------------------


def _of_table(table: PayTable, params: Mapping[str, Any]) -> Figure:
    ratios = {row["hand"]: row["pays"] for row in table.rows if row["pays"] not in ("lose", "push")}
    said = _paid(table, ratios, params)
    values = [Value(hand, pays, said.get(hand, pays)) for hand, pays in ratios.items()]
    extras = {name: value for name, value in table.data.items() if name not in _BESIDES}
    return Figure(
        table.id,
        Text(f"tabla de pagos {table.id}", f"pay table {table.id}"),
        (*values, *_of_rule(extras, params)),
        live=table.live,
    )


def _paid(table: PayTable, ratios: Mapping[str, str], params: Mapping[str, Any]) -> dict[str, str]:
    """What the version pays for each row: its own rows, or params that say it, such as `banca_six_pays`."""
    own = {hand: pays for hand, pays in _rows(table.bet, params).items() if isinstance(pays, str)}
    flat = {
        name: value for name, value in params.items() if name.endswith("_pays") and isinstance(value, str)
    }
    if len(ratios) == 1 and f"{table.bet}_pays" in flat:
        own.setdefault(next(iter(ratios)), flat[f"{table.bet}_pays"])
    named: set[str] = set()
    for hand in ratios:
        words = set(hand.split("_"))
        fitting = [name for name in flat if set(name.split("_")[:-1]) <= words]
        if fitting:
            closest = max(fitting, key=lambda name: len(name.split("_")))
            named.add(closest)
            own.setdefault(hand, flat[closest])
    for hand, pays in ratios.items():
        # A rule has the same ratio under one name that no row bears: `win_pays`, `even_chance_pays`.
        same = {name for name in flat if name not in named and pays in _ratios_of(table, name)}
        if len(same) == 1:
            own.setdefault(hand, flat[same.pop()])
    return own


def _ratios_of(table: PayTable, name: str) -> set[Any]:
    """What the rules of a pay table's games say under a name."""
    rules = (rule for rule in rulebook.rules().values() if set(rule.games) & set(table.games))
    return {rule.params[name] for rule in rules if name in rule.params}


def _of_rule(figures: Mapping[str, Any], params: Mapping[str, Any]) -> Iterator[Value]:
    for name, value in figures.items():
        book = _said(value)
        # A commission the book does not take is none, whatever the rate stated for the other variant.
        found = _version_of(name, params) if value else None
        # `down` is what the book calls `down_to_smallest_chip`.
        same = found is None or book.startswith(f"{found}_")
        yield Value(name, book, book if same else str(found))


def _version_of(name: str, params: Mapping[str, Any]) -> str | None:
    """The version's value of a book's figure: by name, without `_default`, or in basis points."""
    wanted = name.removesuffix("_default")
    if wanted.endswith("_percent"):
        points = wanted.removesuffix("_percent") + "_basis_points"
        for key, value in params.items():
            if (points == key or points.endswith(f"_{key}")) and type(value) is int:
                return f"{value / 100:g}"
    value = params.get(name, params.get(wanted))
    return None if value is None else _said(value)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(_said(one) for one in value)
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_said(one)}" for key, one in value.items())
    return str(value)
