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
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

FORMAT = "sabot.auction-act/1"
AT_ONCE = 3
PLAIN = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)
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
    auction = act["auction"]
    need(auction["form"] in ("outcry", "sealed"), "forma desconocida", "unknown form")
    figures(auction)
    label = str(auction["label"])
    return f"acta de {label}", f"act of {label}"


def figures(auction: Act) -> None:
    """What bids are judged by can be what a house publishes."""
    amounts = {name: auction[name]["units"] for name in ("minimum", "increment", "most", "chip")}
    whole = all(is_whole(amount) and amount > 0 for amount in amounts.values())
    need(whole and amounts["most"] >= amounts["minimum"], "importes imposibles", "impossible amounts")
    spans = [auction[name] for name in ("window_seconds", "extension_seconds", "at_once_seconds")]
    need(all(is_whole(span) and span >= 0 for span in spans), "plazos imposibles", "impossible times")
    once = auction["at_once_seconds"] <= AT_ONCE
    need(once, f"a la vez es hasta {AT_ONCE} s", f"at once is within {AT_ONCE} s")
    lasts = instant(auction["first_close"]) > instant(auction["opened_at"])
    need(lasts, "cerraba antes de abrirse", "it closed before it opened")


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def amounts(act: Act) -> Said:
    exponent, number = act["casino"]["exponent"], 0
    need(is_whole(exponent) and 0 <= exponent <= 4, "moneda desconocida", "unknown currency")
    for where, amount in money_in(act, ""):
        number += 1
        value, units = amount.get("value"), amount.get("units")
        plain = set(amount) == {"value", "units"} and is_whole(units) and isinstance(value, str)
        value, units = str(value), int(units) if plain and isinstance(units, int) else 0
        need(plain and bool(PLAIN.fullmatch(value)), f"{where}: no es un importe", f"{where}: no amount")
        decimals = len(value.partition(".")[2])
        fits = decimals == exponent and Decimal(value) == Decimal(units).scaleb(-exponent)
        need(fits, f"el importe de {where} no es uno solo", f"the amount at {where} is not one")
    return f"{number} importes, escritos y en unidades", f"{number} amounts, written and in units"


def money_in(value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        if {"value", "units"} & set(value):
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
    left = act["auction"]["left_by"]
    for place in act["places"]:
        passed = left["ending"] == "passed" and (place["seat"], place["player"]) == (
            left["seat"],
            left["player"],
        )
        out_by_it = not passed or bool(place["rule"])
        need(out_by_it, "quien lo pasó no puja (BANK-12)", "who passed it does not bid (BANK-12)")
    out = [place["seat"] for place in act["places"] if place["rule"]]
    return (
        f"{len(seats)} en la mesa, no pujan los asientos {out or '—'}",
        f"{len(seats)} at the table, seats {out or '—'} may not bid",
    )


class Run:
    """Bids as they came: the last, the best amount, those that hold it, and who has bid."""

    def __init__(self) -> None:
        self.number, self.last, self.best = 0, "", 0
        self.equal: list[Act] = []
        self.seats: set[int] = set()

    def take(self, bid: Act) -> None:
        self.number, self.last = bid["number"], bid["at"]
        self.seats.add(bid["seat"])
        units = bid["amount"]["units"]
        if units > self.best:
            self.best, self.equal = units, [bid]
        elif units == self.best:
            self.equal.append(bid)


def bids(act: Act) -> Said:
    """Each bid in its order, as the table stood when it came."""
    auction = act["auction"]
    closes, run = instant(auction["first_close"]), Run()
    for bid in act["bids"]:
        at = instant(bid["at"])
        in_order(auction, run, bid, closes)
        bidder(act, bid)
        in_bounds(auction, bid["amount"]["units"], f"puja {bid['number']}", f"bid {bid['number']}")
        if auction["form"] == "sealed":
            sealed(run, bid)
        else:
            outcry(auction, run, bid)
            if closes - at <= seconds(auction["window_seconds"]):
                closes = max(closes, at + seconds(auction["extension_seconds"]))
        n, same = bid["number"], instant(bid["closes_at"]) == closes
        need(same, f"puja {n}: el cierre que toca es {closes}", f"bid {n}: the close due is {closes}")
        run.take(bid)
    last = instant(auction["closes_at"]) == closes
    need(last, f"el cierre no es el que toca, {closes}", f"the close is not the one due, {closes}")
    ended = instant(auction["closed_at"]) >= closes
    need(ended, "se cerró antes de hora", "it was closed before its time")
    return f"{run.number} pujas en orden y en regla", f"{run.number} bids in order and by the rules"


def in_order(auction: Act, run: Run, bid: Act, closes: dt.datetime) -> None:
    n, at = bid["number"], instant(bid["at"])
    due = run.number + 1
    need(is_whole(n) and n == due, f"falta la puja {due}", f"bid {due} is missing")
    earliest = instant(run.last or auction["opened_at"])
    need(at >= earliest, f"puja {n}: anterior a la de antes", f"bid {n}: earlier than the one before")
    need(at < closes, f"puja {n}: llegó tarde (BANK-10)", f"bid {n}: came after the close (BANK-10)")


def bidder(act: Act, bid: Act) -> None:
    n, seat = bid["number"], bid["seat"]
    found = [place for place in act["places"] if place["seat"] == seat]
    there = len(found) == 1 and found[0]["player"] == bid["player"]
    need(there, f"puja {n}: quien puja no está en la mesa", f"bid {n}: the bidder is not at the table")
    rule = found[0]["rule"]
    need(not rule, f"puja {n}: asiento {seat} excluido ({rule})", f"bid {n}: seat {seat} was out ({rule})")


def in_bounds(auction: Act, units: int, es: str, en: str) -> None:
    """What an amount put up for the bank may be."""
    enough = units >= auction["minimum"]["units"]
    need(enough, f"{es}: menos que la inicial (BANK-11)", f"{en}: below the opening bid (BANK-11)")
    in_chips = units % auction["chip"]["units"] == 0
    need(in_chips, f"{es}: no se forma con fichas (GEN-07)", f"{en}: not made of chips (GEN-07)")
    within = units <= auction["most"]["units"]
    need(within, f"{es}: supera el máximo (GEN-04)", f"{en}: above the maximum (GEN-04)")


def outcry(auction: Act, run: Run, bid: Act) -> None:
    """Above the best by the increment; or equal to it, heard at the same time, by another player."""
    n, units = bid["number"], bid["amount"]["units"]
    aloud = bid["seal"] is None and bid["nonce"] is None
    need(aloud, f"puja {n}: sello a viva voz", f"bid {n}: sealed outcry")
    if bid["together"] is None:
        raised = not run.best or units >= run.best + auction["increment"]["units"]
        need(
            raised, f"puja {n}: no supera a la mejor (BANK-26)", f"bid {n}: does not beat the best (BANK-26)"
        )
        return
    fits = (
        bool(run.equal)
        and units == run.best
        and run.equal[0]["number"] == bid["together"]
        and run.equal[0]["together"] is None
        and bid["seat"] not in {one["seat"] for one in run.equal}
        and instant(bid["at"]) - instant(run.equal[0]["at"]) <= seconds(auction["at_once_seconds"])
    )
    need(fits, f"puja {n}: no es simultánea de la mejor", f"bid {n}: not at one time with the best")


def sealed(run: Run, bid: Act) -> None:
    """As committed when it was handed in; one envelope each."""
    n, units = bid["number"], bid["amount"]["units"]
    need(bid["together"] is None, f"puja {n}: simultánea en sobre", f"bid {n}: together in a sealed auction")
    opened = sha256(f"{bid['nonce']}:{units}".encode()) == bid["seal"]
    need(opened, f"puja {n}: el sobre no es el entregado", f"bid {n}: not what was handed in sealed")
    first = bid["seat"] not in run.seats
    need(first, f"puja {n}: segundo sobre de un jugador", f"bid {n}: a player's second envelope")


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
    equal = {bid["seat"]: bid for bid in reversed(act["bids"]) if bid["amount"]["units"] == best}
    first = sorted(equal.values(), key=lambda bid: bid["number"])
    tied = [bid["seat"] for bid in first]
    need(draw["tied"] == tied, f"van primeros los asientos {tied}", f"the leading seats are {tied}")
    if len(tied) < 2:
        none = draw["scores"] == {} and draw["drawn"] is None and draw["tied_digest"] is None
        need(none, "hay un sorteo sin empate", "there is a draw without a tie")
        return "sin empate: no hubo sorteo", "no tie: no draw was made"
    lines = "".join(f"{bid['seat']} {bid['amount']['units']} {bid['at']}\n" for bid in first)
    same = sha256(lines.encode()) == draw["tied_digest"]
    need(same, "la huella del empate no es la suya", "the digest of the tie is not its own")
    head = bytes.fromhex(draw["seed"]) + bytes.fromhex(draw["tied_digest"])
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
    right_hand(act, given)
    if given is None:
        return "desierta, y nadie debía tomar el banco", "nobody bid, and nobody had to take the bank"
    forced = (given["how"], given["rule"], given["bid"]) == ("forced", "BANK-13", None)
    need(forced, "sin pujas sólo cabe la derecha (BANK-13)", "without bids only the right hand (BANK-13)")
    asked = given["amount"]["units"] == act["auction"]["minimum"]["units"]
    need(asked, "se toma por el mínimo (BANK-13)", "it is taken at the minimum (BANK-13)")
    return f"desierta: la toma el asiento {given['seat']}", f"nobody bid: seat {given['seat']} takes it"


SKIPPED = ("left", "away", "passed", "refused", "barred", "came_later", "not_admitted")


def right_hand(act: Act, given: Act | None) -> None:
    """The nearest seat to the right of who passed it, of those not passed over for a reason (BANK-13)."""
    counted = act["auction"]["right_hand"]
    left = {(one["seat"], one["player"]) for one in counted["skipped"] if one["why"] == "left"}
    over = {one["seat"]: one["why"] for one in counted["skipped"] if one["why"] != "left"}
    # Who changed place meanwhile is counted from where they sat at the close.
    moved = {one["from"]: one["to"] for one in counted["moved"]}
    stayed = [place for place in act["places"] if (place["seat"], place["player"]) not in left]
    there = {moved.get(place["seat"], place["seat"]): place for place in stayed}
    need(len(there) == len(stayed), "dos en un asiento", "two on one seat")
    for seat, why in over.items():
        refused = seat in there and there[seat]["rule"] == "BANK-15"
        fits = {"refused": refused, "passed": seat not in there or not refused}.get(why, why in SKIPPED)
        need(fits, f"asiento {seat}: saltado sin motivo", f"seat {seat}: skipped for nothing")
    out = [
        seat for seat, place in there.items() if place["rule"] in ("BANK-15", "BANK-28") and seat not in over
    ]
    need(not out, f"asientos {out}: no están obligados", f"seats {out}: are not obliged")
    turn = 1 if counted["direction"] == "right" else -1
    start, seats = counted["from_seat"], counted["table_seats"]
    near = sorted(((turn * (start - seat) - 1) % seats, seat) for seat in there if seat not in over)
    due = (near[0][1], there[near[0][1]]["player"]) if near else None
    got = None if given is None else (given["seat"], given["player"])
    es = "a nadie" if due is None else f"al asiento {due[0]}, {due[1]}"
    en = "nobody's" if due is None else f"seat {due[0]}'s, {due[1]}"
    need(got == due, f"le toca {es} (BANK-13)", f"it is {en} (BANK-13)")


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
    told = "at" in came and "event" in came
    need(told, "el depósito no dice cuándo", "the deposit does not say when")
    in_bounds(act["auction"], came["amount"]["units"], "depósito", "deposit")
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
    ripe = not signed or act["outcome"]["kind"] != "awaited"
    need(ripe, "firmada antes del depósito", "signed before the deposit")
    for one in signed:
        own = one["digest"] == due
        name = one["name"]
        need(
            own,
            f"{name} firmó otra acta que ésta (GEN-10)",
            f"{name} signed another act than this one (GEN-10)",
        )
        late = (
            instant(one["at"]) >= closed and one["event"]["number"] > act["auction"]["closed_event"]["number"]
        )
        need(late, f"{name} firmó antes del cierre", f"{name} signed early")
        need(is_whole(one["actor"]), f"no consta quién es {name}", f"who {name} is is not told")
    people = {one["actor"] for one in signed}
    events = {one["event"]["number"] for one in signed}
    two = len(people) == len(events) == len(signed) != 1
    need(two, "firman dos personas distintas o más (GEN-10)", "two different people sign, or more (GEN-10)")
    names = ", ".join(one["name"] for one in signed) or "—"
    return f"huella del acta {due}; firmas: {names}", f"digest of the act {due}; signed by: {names}"


def unseen(act: Act) -> Said:
    """What no file can prove by itself, and where it is to be looked up."""
    numbers = ", ".join(str(one["event"]["number"]) for one in act["signatures"]) or "—"
    stream = act["session"]["stream"]
    return (
        f"el archivo solo no prueba quién firmó ni cuándo, ni lo que vino después: mírese en la auditoría,"
        f" cadena {stream}, sucesos {numbers}",
        f"the file alone does not prove who signed and when, nor what came later: look it up on the trail,"
        f" chain {stream}, events {numbers}",
    )


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
            say(f"bien / holds: {es} / {en}")
        say("ojo / note: {} / {}".format(*unseen(act)))
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        say(f"FALLA / FAULT: {error}")
        return 1
    except Fault as fault:
        say(f"FALLA / FAULT: {fault}")
        return 1
    say("El acta está bien. / The act holds.")
    return 0


def say(line: str) -> None:
    """One line, whatever a name holds: no text of an act can write a line of its own."""
    print("".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in line))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
