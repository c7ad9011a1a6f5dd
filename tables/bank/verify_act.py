"""Checks the act of an auction of the bank, with nothing of Sabot's: `python verify_act.py acta.json`.

It needs Python 3.11 and the act alone. Everything is worked out here again from the rules as they are
written in docs/bank.md, and on purpose shares no line with the code that held the auction: it must be able
to disagree with it. Says what it checked; exit code 0 if all of it holds, 1 with the first fault if not.

What it cannot see: whether the events named are on the trail of the house with that hash. `verify_trail`
does that, or a look at each event's page.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

FORMAT = "sabot.auction-act/1"
SIGNED = ("format", "casino", "session", "auction", "places", "bids", "draw", "award", "outcome")

Act = dict[str, Any]
Said = tuple[str, str]


class Fault(Exception):
    """What does not hold, in Spanish and English."""

    def __init__(self, es: str, en: str) -> None:
        super().__init__(f"{es} / {en}")
        self.es, self.en = es, en


def need(holds: bool, es: str, en: str) -> None:
    if not holds:
        raise Fault(es, en)


# ---- reading -----------------------------------------------------------------------------------------


def read(text: str) -> Act:
    """The act in a file: JSON without fractions and without a key twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        need(len(set(keys)) == len(keys), f"una clave está dos veces: {keys}", f"a key is twice: {keys}")
        return dict(pairs)

    def whole(text: str) -> Any:
        raise Fault(f"hay un número con decimales: {text}", f"there is a number with decimals: {text}")

    try:
        act = json.loads(text, object_pairs_hook=once, parse_float=whole, parse_constant=whole)
    except ValueError as error:
        raise Fault(f"no es JSON: {error}", f"it is no JSON: {error}") from error
    need(isinstance(act, dict), "no es un acta", "it is no act")
    return dict(act)


def instant(text: str) -> dt.datetime:
    return dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=dt.UTC)


def seconds(number: int) -> dt.timedelta:
    return dt.timedelta(seconds=number)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """RFC 8785: no blanks, keys in order, UTF-8. All keys of an act are ASCII, all its numbers whole."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def signed_digest(act: Act) -> str:
    """What a signature is over."""
    return sha256(canonical({part: act[part] for part in SIGNED}))


# ---- the checks, in the order they are made -------------------------------------------------------------


def form(act: Act) -> Said:
    need(act["format"] == FORMAT, f"formato desconocido: {act['format']}", f"unknown format: {act['format']}")
    lacking = [part for part in (*SIGNED, "signatures", "digest") if part not in act]
    need(not lacking, f"faltan partes: {lacking}", f"parts are missing: {lacking}")
    need(act["auction"]["form"] in ("outcry", "sealed"), "forma desconocida", "unknown form")
    label = act["auction"]["label"]
    return f"acta de {label}", f"act of {label}"


def amounts(act: Act) -> Said:
    exponent, number = int(act["casino"]["exponent"]), 0
    for where, amount in money_in(act, ""):
        number += 1
        fits = Decimal(amount["value"]) == Decimal(amount["units"]).scaleb(-exponent)
        need(fits, f"el importe de {where} no es uno solo", f"the amount at {where} is not one")
    return f"{number} importes, escritos y en unidades", f"{number} amounts, written and in units"


def money_in(value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        if set(value) == {"value", "units"}:
            yield where, value
        for key, inner in value.items():
            yield from money_in(inner, f"{where}.{key}".lstrip("."))
    elif isinstance(value, list):
        for n, inner in enumerate(value, 1):
            yield from money_in(inner, f"{where}[{n}]")


def seed(act: Act) -> Said:
    draw = act["draw"]
    same = sha256(bytes.fromhex(draw["seed"])) == draw["seed_hash"]
    need(same, "la semilla no es la anunciada (BANK-26)", "the seed is not the one announced (BANK-26)")
    return "la semilla es la de la huella publicada al abrir", "the seed is that of the hash published first"


def places(act: Act) -> Said:
    seats = [place["seat"] for place in act["places"]]
    need(len(set(seats)) == len(seats), "un asiento está dos veces", "a seat is twice")
    for place in act["places"]:
        n, said = place["seat"], bool(place["rule"]) == bool(place["why"])
        need(said, f"asiento {n}: excluido sin regla o motivo", f"seat {n}: out without rule or reason")
    out = [place["seat"] for place in act["places"] if place["rule"]]
    return (
        f"{len(seats)} en la mesa, no pujan los asientos {out or '—'}",
        f"{len(seats)} at the table, seats {out or '—'} may not bid",
    )


def bids(act: Act) -> Said:
    """Each bid in its order, as the table stood when it came."""
    auction = act["auction"]
    closes = instant(auction["first_close"])
    before: list[dict[str, Any]] = []
    for bid in act["bids"]:
        at = instant(bid["at"])
        in_order(auction, before, bid, closes)
        bidder(act, bid)
        in_bounds(auction, bid)
        if auction["form"] == "sealed":
            sealed(auction, before, bid)
        else:
            outcry(auction, before, bid)
            if closes - at <= seconds(auction["window_seconds"]):
                closes = max(closes, at + seconds(auction["extension_seconds"]))
        n, same = bid["number"], instant(bid["closes_at"]) == closes
        need(same, f"puja {n}: el cierre que toca es {closes}", f"bid {n}: the close due is {closes}")
        before.append(bid)
    last = instant(auction["closes_at"]) == closes
    need(last, f"el cierre no es el que toca, {closes}", f"the close is not the one due, {closes}")
    ended = instant(auction["closed_at"]) >= closes
    need(ended, "se cerró antes de hora", "it was closed before its time")
    return f"{len(before)} pujas en orden y en regla", f"{len(before)} bids in order and by the rules"


def in_order(auction: Act, before: list[Act], bid: Act, closes: dt.datetime) -> None:
    n, at = bid["number"], instant(bid["at"])
    need(n == len(before) + 1, f"falta la puja {len(before) + 1}", f"bid {len(before) + 1} is missing")
    earliest = instant(before[-1]["at"] if before else auction["opened_at"])
    need(at >= earliest, f"puja {n}: anterior a la de antes", f"bid {n}: earlier than the one before")
    need(at < closes, f"puja {n}: llegó tarde (BANK-10)", f"bid {n}: came after the close (BANK-10)")


def bidder(act: Act, bid: Act) -> None:
    n, seat = bid["number"], bid["seat"]
    found = [place for place in act["places"] if place["seat"] == seat]
    there = len(found) == 1 and found[0]["player"] == bid["player"]
    need(there, f"puja {n}: quien puja no está en la mesa", f"bid {n}: the bidder is not at the table")
    rule = found[0]["rule"]
    need(not rule, f"puja {n}: asiento {seat} excluido ({rule})", f"bid {n}: seat {seat} was out ({rule})")


def in_bounds(auction: Act, bid: Act) -> None:
    n, units = bid["number"], bid["amount"]["units"]
    enough = units >= auction["minimum"]["units"]
    need(enough, f"puja {n}: menos que la inicial (BANK-11)", f"bid {n}: below the opening bid (BANK-11)")
    in_chips = units % auction["chip"]["units"] == 0
    need(in_chips, f"puja {n}: no se forma con fichas (GEN-07)", f"bid {n}: not made of chips (GEN-07)")
    within = units <= auction["most"]["units"]
    need(within, f"puja {n}: supera el máximo (GEN-04)", f"bid {n}: above the maximum (GEN-04)")


def outcry(auction: Act, before: list[Act], bid: Act) -> None:
    """Above the best by the increment; or equal to it, heard at the same time, by another player."""
    n, units = bid["number"], bid["amount"]["units"]
    need(
        bid["seal"] is None and bid["nonce"] is None, f"puja {n}: sello a viva voz", f"bid {n}: sealed outcry"
    )
    best = max((one["amount"]["units"] for one in before), default=0)
    if bid["together"] is None:
        raised = not best or units >= best + auction["increment"]["units"]
        need(
            raised, f"puja {n}: no supera a la mejor (BANK-26)", f"bid {n}: does not beat the best (BANK-26)"
        )
        return
    equal = [one for one in before if one["amount"]["units"] == best]
    fits = (
        bool(equal)
        and units == best
        and equal[0]["number"] == bid["together"]
        and equal[0]["together"] is None
        and bid["seat"] not in {one["seat"] for one in equal}
        and instant(bid["at"]) - instant(equal[0]["at"]) <= seconds(auction["at_once_seconds"])
    )
    need(fits, f"puja {n}: no es simultánea de la mejor", f"bid {n}: not at one time with the best")


def sealed(auction: Act, before: list[Act], bid: Act) -> None:
    """As committed when it was handed in; above what the same player handed in before."""
    n, units = bid["number"], bid["amount"]["units"]
    need(bid["together"] is None, f"puja {n}: simultánea en sobre", f"bid {n}: together in a sealed auction")
    opened = sha256(f"{bid['nonce']}:{units}".encode()) == bid["seal"]
    need(opened, f"puja {n}: el sobre no es el entregado", f"bid {n}: not what was handed in sealed")
    own = max((one["amount"]["units"] for one in before if one["seat"] == bid["seat"]), default=0)
    raised = not own or units >= own + auction["increment"]["units"]
    need(raised, f"puja {n}: no supera a la suya anterior", f"bid {n}: does not beat that player's last")


def digest(act: Act) -> Said:
    lines = "".join(
        f"{bid['number']} {bid['seat']} {bid['amount']['units']} {bid['at']}\n" for bid in act["bids"]
    )
    same = sha256(lines.encode()) == act["draw"]["bids_digest"]
    need(
        same, "la huella de las pujas no es la de estas pujas", "the digest of the bids is not of these bids"
    )
    return "la huella de las pujas es la de estas pujas", "the digest of the bids is of these bids"


def lots(act: Act) -> Said:
    """Who leads, and the draw between those who tie: the lowest hash."""
    draw = act["draw"]
    best = max((bid["amount"]["units"] for bid in act["bids"]), default=0)
    tied = list(dict.fromkeys(bid["seat"] for bid in act["bids"] if bid["amount"]["units"] == best))
    need(draw["tied"] == tied, f"van primeros los asientos {tied}", f"the leading seats are {tied}")
    if len(tied) < 2:
        none = draw["scores"] == {} and draw["drawn"] is None
        need(none, "hay un sorteo sin empate", "there is a draw without a tie")
        return "sin empate: no hubo sorteo", "no tie: no draw was made"
    head = bytes.fromhex(draw["seed"]) + bytes.fromhex(draw["bids_digest"])
    label = act["auction"]["label"]
    scores = {str(seat): sha256(head + f":{label}:{seat}".encode()) for seat in tied}
    need(draw["scores"] == scores, "el sorteo da otros valores", "the draw gives other figures")
    lowest = min(tied, key=lambda seat: scores[str(seat)])
    need(draw["drawn"] == lowest, f"el sorteo da el asiento {lowest}", f"the draw gives seat {lowest}")
    return f"sorteo entre {tied}: asiento {lowest}", f"draw between {tied}: seat {lowest}"


def award(act: Act) -> Said:
    given, state = act["award"], act["auction"]["state"]
    if not act["bids"]:
        return unbid(act, given, state)
    need(state == "awarded" and bool(given), "hay pujas y no se adjudicó", "there are bids and no award")
    best = max(bid["amount"]["units"] for bid in act["bids"])
    seat = act["draw"]["drawn"] or act["draw"]["tied"][0]
    won = next(bid for bid in act["bids"] if bid["seat"] == seat and bid["amount"]["units"] == best)
    due = ("auction", "BANK-10", won["number"], seat, won["player"], best)
    told = (*(given[key] for key in ("how", "rule", "bid", "seat", "player")), given["amount"]["units"])
    need(told == due, f"es del asiento {seat} (BANK-10)", f"it is seat {seat}'s (BANK-10)")
    value = won["amount"]["value"]
    return f"adjudicada al asiento {seat} por {value}", f"awarded to seat {seat} for {value}"


def unbid(act: Act, given: Act | None, state: str) -> Said:
    need(state == "deserted", "sin pujas y no quedó desierta", "no bid, and not deserted")
    if given is None:
        return "desierta, y nadie debía tomar el banco", "nobody bid, and nobody had to take the bank"
    forced = (given["how"], given["rule"], given["bid"]) == ("forced", "BANK-13", None)
    need(forced, "sin pujas sólo cabe la derecha (BANK-13)", "without bids only the right hand (BANK-13)")
    held = [p for p in act["places"] if p["seat"] == given["seat"] and p["player"] == given["player"]]
    free = all(place["rule"] != "BANK-10" for place in held)
    need(free, "no se obliga a quien lo tenía (BANK-13)", "who held it is not obliged (BANK-13)")
    return f"desierta: la toma el asiento {given['seat']}", f"nobody bid: seat {given['seat']} takes it"


def outcome(act: Act) -> Said:
    came, given, closed = act["outcome"], act["award"], instant(act["auction"]["closed_at"])
    kind = came["kind"]
    known = kind in ("deposited", "refused", "returned", "awaited", "nobody")
    need(known, f"resultado desconocido: {kind}", f"unknown outcome: {kind}")
    need(
        (kind == "nobody") == (given is None),
        "el resultado no es el de la adjudicación",
        "outcome and award differ",
    )
    if "at" in came:
        later = instant(came["at"]) >= closed
        need(later, f"{kind}: antes de adjudicarse", f"{kind}: before the award")
    if kind != "deposited" or given is None:
        return f"resultado: {kind}", f"outcome: {kind}"
    enough = came["amount"]["units"] >= given["amount"]["units"]
    need(enough, "se depositó menos de lo ofrecido (BANK-14)", "less was deposited than offered (BANK-14)")
    same = (came["seat"], came["player"]) == (given["seat"], given["player"])
    need(same, "depositó otro que el adjudicatario", "another deposited than was awarded")
    value = came["amount"]["value"]
    return f"depositó {value}, lo ofrecido o más", f"{value} deposited, what was offered or more"


def trail(act: Act) -> Said:
    """The events named are of one stream and in the order of what they tell."""
    named = [
        act["auction"]["opened_event"],
        *(bid["event"] for bid in act["bids"]),
        act["auction"]["closed_event"],
    ]
    named += [act["outcome"]["event"]] if "event" in act["outcome"] else []
    numbers = [event["number"] for event in named]
    in_turn = numbers == sorted(set(numbers))
    need(in_turn, "los sucesos de la auditoría no van en orden", "the events of the trail are out of order")
    named += [one["event"] for one in act["signatures"]]
    for event in named:
        fits = event["stream"] == act["session"]["stream"] and len(bytes.fromhex(event["hash"])) == 32
        need(fits, f"suceso {event['number']}: otra cadena", f"event {event['number']}: another chain")
    return f"{len(named)} sucesos de la auditoría, en orden", f"{len(named)} events of the trail, in order"


def signatures(act: Act) -> Said:
    due, closed = signed_digest(act), instant(act["auction"]["closed_at"])
    need(act["digest"] == due, "la huella del acta no es la suya", "the digest of the act is not its own")
    signed = act["signatures"]
    for one in signed:
        need(
            one["digest"] == due,
            f"{one['name']} firmó otra acta que ésta (GEN-10)",
            f"{one['name']} signed another act than this one (GEN-10)",
        )
        need(
            instant(one["at"]) >= closed,
            f"{one['name']} firmó antes del cierre",
            f"{one['name']} signed early",
        )
    people = {one["actor"] for one in signed}
    need(
        len(people) == len(signed) and len(signed) != 1,
        "firman dos personas distintas o más (GEN-10)",
        "two different people sign, or more (GEN-10)",
    )
    names = ", ".join(one["name"] for one in signed) or "—"
    return f"huella del acta {due}; firmas: {names}", f"digest of the act {due}; signed by: {names}"


CHECKS: tuple[Callable[[Act], Said], ...] = (
    form,
    amounts,
    seed,
    places,
    bids,
    digest,
    lots,
    award,
    outcome,
    trail,
    signatures,
)


def verify(act: Act) -> Iterator[Said]:
    """What was checked, one after the other. Raises `Fault` at the first thing that does not hold."""
    for check in CHECKS:
        try:
            yield check(act)
        except Fault:
            raise
        except (ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError) as error:
            said = f"{type(error).__name__}: {error}"
            raise Fault(
                f"{check.__name__}: falta algo o no se entiende ({said})",
                f"{check.__name__}: something is missing or cannot be read ({said})",
            ) from error


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("uso / usage: python verify_act.py acta.json", file=sys.stderr)
        return 1
    try:
        with open(arguments[0], encoding="utf-8") as file:
            act = read(file.read())
        for es, en in verify(act):
            print(f"bien / holds: {es} / {en}")
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        print(f"FALLA / FAULT: {error}")
        return 1
    except Fault as fault:
        print(f"FALLA / FAULT: {fault}")
        return 1
    print("El acta está bien. / The act holds.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
