"""How people call what a pool keeps by code: funds, figures of a scheme, where a proof found a difference.

Plain words of plain codes: a refusal of `jackpots.scheme`, the trail, an incident and a page say the same.
"""

from __future__ import annotations

import re
import unicodedata

from casino.kernel.money import readable
from casino.kernel.money import words as money_words
from casino.kernel.words import Text, same
from tables.games.house_poker.kinds import CATEGORY_WORDS

FUNDS = {
    "main": Text("principal", "main"),
    "reserve": Text("reserva", "reserve"),
    "commission": Text("comisión", "commission"),
    "residue": Text("residuo", "residue"),
    "pending": Text("premios sin pagar", "unpaid prizes"),
}
DEPARTMENTS = {
    "floor": Text("sala", "floor"),
    "cage": Text("caja", "cage"),
    "compliance": Text("cumplimiento", "compliance"),
    "administration": Text("administración", "administration"),
}
_FIELDS = {
    "commission_bp": Text("la comisión", "the commission"),
    "credit": Text("el valor de un crédito", "the value of a credit"),
    "least": Text("la apuesta mínima, en créditos", "the least bet, in credits"),
    "most": Text("la apuesta máxima, en créditos", "the largest bet, in credits"),
    "round_limit": Text("el tope de los premios fijos de un pase", "the limit of a round's fixed prizes"),
    "policy": Text("lo que rige si ganan varios", "what holds if several win"),
    "reserves": Text("las reservas", "the reserves"),
    "levels": Text("los niveles", "the levels"),
    "prizes": Text("los premios", "the prizes"),
}
_BOXES = {
    "code": Text("el nombre de {of}", "the name of {of}"),
    "share_bp": Text("la parte de {of}", "the share of {of}"),
    "base": Text("la base de {of}", "the base of {of}"),
    "cap": Text("el tope de {of}", "the cap of {of}"),
    "kind": Text("la clase del premio de {of}", "the kind of the prize for {of}"),
    "value": Text("cuánto gana {of}", "what {of} wins"),
    "level": Text("el nivel que paga {of}", "the level that pays {of}"),
}


def fund(code: str) -> Text:
    """What a fund is called; one of the operator's own by its code."""
    return FUNDS.get(code, same(code.replace("_", " ")))


def fund_code(name: str) -> str:
    """The code of a fund that somebody called by name: the house's own words, or a code made of theirs."""
    said = " ".join(name.lower().split())
    known = next((code for code, words in FUNDS.items() if said in (words.es, words.en)), "")
    plain = unicodedata.normalize("NFD", said).encode("ascii", "ignore").decode()
    return known or re.sub(r"[ -]+", "_", plain)


def percent(basis_points: int) -> Text:
    """Basis points as a percentage, without decimals that say nothing: `10 %`, `12,5 %`."""
    said = [readable(basis_points, language, 2) for language in ("es", "en")]
    if basis_points % 100 == 0:
        said = [readable(basis_points // 100, language, 0) for language in ("es", "en")]
    return Text(f"{said[0]}\N{NO-BREAK SPACE}%", f"{said[1]}%")


def field(path: str) -> Text:
    """A figure of a scheme by its path: `levels.main.base` is the base of the main level."""
    what, _, rest = path.partition(".")
    code, _, box = rest.partition(".")
    if box in _BOXES:
        return _BOXES[box].fill(of=CATEGORY_WORDS.get(code, same(code)) if what == "prizes" else fund(code))
    if code in _BOXES:
        of = Text("un premio", "a prize") if what == "prizes" else Text("un fondo", "a fund")
        return _BOXES[code].fill(of=of)
    return _FIELDS.get(path, same(path))


def count(number: int) -> Text:
    return Text(readable(number, "es", 0), readable(number, "en", 0))


def listed(several: list[Text]) -> Text:
    return Text(", ".join(one.es for one in several), ", ".join(one.en for one in several))


# ---- where and what a proof found (`jackpots.comparing`) --------------------------------------------

COUNTS = frozenset({"bets", "bet"})
"""Differences that are not told in money."""
_IN_ENGLISH = {"pase": "round", "posición": "position", "(movimientos)": "(moves)"}
_ROUND = re.compile(r"(?P<where>.*), (?:pool:)?(?P<fund>[a-z0-9_]+)(?: (?P<bets>#\d.*))?")
_READING = re.compile(r"(?P<fund>[a-z0-9_]+) #(?P<number>\d+)")


def account(place: str) -> Text:
    """A fund of a pool, or its base."""
    code, _, part = place.partition(":")
    if part == "base" or code == "base":
        return Text("base de {of}", "base of {of}").fill(of=fund("main" if code == "base" else code))
    return fund(code)


def place(code: str, where: str) -> Text:
    """Where a difference is, as people say it."""
    if code == "collected" and where.isdigit():
        return Text(f"versión {where}", f"version {where}")
    if code == "bets":
        last = Text("el orden de la última", "the order of the last")
        return last if where == "last" else Text("cuántas", "how many")
    if (found := _READING.fullmatch(where)) is not None:
        of, number = fund(found["fund"]), found["number"]
        return Text(f"{of.es}, lectura {number}", f"{of.en}, reading {number}")
    if code == "round" and (found := _ROUND.fullmatch(where)) is not None:
        of, bets = account(found["fund"]), found["bets"]
        spanish, english = f"{found['where']}, {of.es}", f"{_english(found['where'])}, {of.en}"
        beside = Text(f" (apuestas {bets})", f" (bets {bets})") if bets else same("")
        return Text(spanish + beside.es, english + beside.en)
    if re.fullmatch(r"[a-z0-9_]+(:base)?", where):
        return account(where)
    return Text(where, _english(where))


def figure(code: str, value: str, exponent: int) -> Text:
    """What had to be there, or is: money unless it counts something."""
    if code == "bet":
        return _bet(value.split(" "), exponent)
    if code in COUNTS or not re.fullmatch(r"-?\d+", value):
        return same(value)
    return money_words(int(value), exponent)


def _bet(told: list[str], exponent: int) -> Text:
    """A bet as it is compared: amount, place in the pool's order, total with it, parameters, day, state."""
    if told == ["-"]:
        return Text("ninguna", "none")
    if len(told) != 6 or not (told[0].isdigit() and told[2].isdigit()):
        return same(" ".join(told))
    amount, total = money_words(int(told[0]), exponent), money_words(int(told[2]), exponent)
    state = {"void": Text("anulada", "void"), "counted": Text("contada", "counted")}
    of = state.get(told[5], same(told[5]))
    return Text(
        f"{amount.es}, {told[1]}.ª del pozo, total {total.es}, parámetros {told[3]}, {told[4]}, {of.es}",
        f"{amount.en}, no. {told[1]} of the pool, total {total.en}, parameters {told[3]}, {told[4]}, {of.en}",
    )


def _english(where: str) -> str:
    for spanish, english in _IN_ENGLISH.items():
        where = where.replace(spanish, english)
    return where
