"""Hands as Poker Hand History text (the open PHH format: TOML), written. `phh_read.py` reads it.

PHH knows four of our games: NT no-limit and FT fixed-limit Texas, PO pot-limit Omaha, F7S fixed-limit
Seven Card Stud. Players are counted from the left of the button, in stud from the dealer's left. Amounts
are in the currency. Cards turned over later are written where they were dealt.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from casino.kernel import money
from casino.kernel.errors import Conflict, Refused
from casino.kernel.words import Text
from tables.games.base import Detail
from tables.games.ring.play import PLAYER
from tables.games.ring.settle import settle
from tables.games.ring.state import Draft, State
from tables.games.ring.variants import VARIANTS

PLAYED: Final[Mapping[str, tuple[str, str]]] = {
    code: (game, structure) for game, variant in VARIANTS.items() for structure, code in variant.phh.items()
}
"""PHH variant -> (our game, betting structure)."""

ABOUT: Final = (
    "author",
    "event",
    "venue",
    "city",
    "country",
    "time",
    "time_zone",
    "day",
    "month",
    "year",
    "hand",
    "table",
    "currency",
)
"""What a caller may add about a hand, by PHH's own names."""


def dump(state: State, about: Mapping[str, str | int] | None = None) -> str:
    """The PHH text of a complete hand logged with its bets. Raises `Conflict` when it is not complete,
    `Refused` (code `phh_unsupported`) for a game or a level of detail PHH has no place for.
    """
    code = state.rules.variant.phh.get(state.rules.structure)
    if code is None or state.terms.detail is not Detail.FULL:
        raise Refused(
            Text(
                "PHH sólo conoce Texas sin límite y de límite fijo, Omaha de pozo y Seven Card Stud de"
                " límite fijo, con apuestas anotadas",
                "PHH knows only no-limit and fixed-limit Texas, pot-limit Omaha and fixed-limit Seven Card"
                " Stud, with bets logged",
            ),
            code="phh_unsupported",
        )
    if state.defective or state.dead:
        raise Refused(
            Text(
                "PHH no conoce manos con baraja defectuosa, ni pozos que empiezan con lo perdido en una",
                "PHH knows no hands of a defective deck, nor pots that begin with what was lost in one",
            ),
            code="phh_unsupported",
        )
    if not state.complete:
        raise Conflict(Text("la mano no está completa", "the hand is not complete"), code="round_incomplete")
    lines = [f"{key} = {_toml(value)}" for key, value in _fields(state, code)]
    lines += [f"{key} = {_toml(value)}" for key, value in (about or {}).items() if key in ABOUT]
    return "\n".join(lines) + "\n"


class _Number(str):
    """An amount in the currency, already in digits."""


def _toml(value: object) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        if value and isinstance(value[0], str) and not isinstance(value[0], _Number):
            return "[\n" + "".join(f"  {_toml(one)},\n" for one in value) + "]"
        return "[" + ", ".join(map(_toml, value)) + "]"
    # A JSON string is a TOML one, but for the delete sign.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _fields(state: State, code: str) -> Iterator[tuple[str, object]]:
    stakes, order = state.stakes, state.order

    def say(units: int) -> _Number:
        return _Number(_digits(units, state.terms.exponent))

    chips = dict(state.chips)
    yield "variant", code
    yield "ante_trimming_status", True
    yield "antes", [say(stakes.ante)] * len(order)
    if state.rules.variant.has_button:
        blinds = [stakes.small_blind, stakes.big_blind] + [0] * (len(order) - 2)
        yield "blinds_or_straddles", [say(blind) for blind in blinds]
    else:
        yield "bring_in", say(stakes.bring_in)
    if state.rules.structure == "fixed_limit":
        yield "small_bet", say(stakes.small_bet)
        yield "big_bet", say(stakes.big_bet)
    else:
        yield "min_bet", say(stakes.big_blind)
    yield "starting_stacks", [say(chips[seat]) for seat in order]
    yield "actions", _actions(state)
    yield "seats", list(order)
    yield "seat_count", state.terms.seats
    yield "finishing_stacks", [say(amount) for amount in _finishing(state)]
    yield "_sabot_exponent", state.terms.exponent
    yield "_sabot_chip", state.terms.chip


def _finishing(state: State) -> list[int]:
    left = dict(state.chips)
    for payout in settle(state).payouts:
        left[payout.seat] += payout.won
    return [left[seat] for seat in state.order]


def _digits(units: int, exponent: int) -> str:
    text = money.plain(units, exponent)
    whole, _, cents = text.partition(".")
    return text if cents.strip("0") else whole


def _actions(state: State) -> list[str]:
    """The log as PHH actions. PHH turns hands over as soon as no bet can follow, before the last cards."""
    final = Draft(state)
    name = {seat: f"p{place}" for place, seat in enumerate(state.order, start=1)}
    draft = Draft(State(state.rules, state.terms, state.stakes))
    told: list[str] = []
    waiting: dict[int, list[str]] = {}
    board: list[str] = []
    revealed: dict[int, int] = {}
    for position, entry in enumerate(state.log, start=1):
        if position in state.undone or entry["e"] not in PLAYER.acts:
            continue
        street = draft.street
        PLAYER.acts[entry["e"]](draft, entry)
        if entry["e"] == "card":
            if entry["to"] == "seat":
                seat = entry["seat"]
                waiting.setdefault(seat, []).append(final.own[seat][len(draft.own[seat]) - 1])
            elif entry["to"] == "board":
                board.append(entry["card"])
            if not draft.pending or draft.street != street:
                told += [f"d dh {name[seat]} {''.join(cards)}" for seat, cards in waiting.items()]
                told += [f"d db {''.join(board)}"] if board else []
                waiting, board = {}, []
        elif entry["e"] == "choice" and entry["do"] == "muck":
            told.append(f"{name[entry['seat']]} sm")
        elif entry["e"] == "choice":
            told.append(_decision(name[entry["seat"]], entry, draft, state.terms.exponent))
            # Who was left with nobody to bet against still checks in PHH.
            told += [f"{name[seat]} cc" for seat in draft.spared]
        draft.spared = []
        over = draft.phase in ("showdown", "done") and len(draft.live) > 1
        if over or (draft.phase == "dealing" and draft.runs_out and not waiting and not board):
            told += _reveal(final, draft, revealed, name)
    return told


def _decision(player: str, entry: Mapping[str, Any], draft: Draft, exponent: int) -> str:
    do, seat = entry["do"], entry["seat"]
    if do == "fold":
        return f"{player} f"
    if do == "bring_in":
        return f"{player} pb"
    if do in ("bet", "raise") or (
        do == "allin" and draft.aggressor == seat and draft.level == entry["amount"]
    ):
        return f"{player} cbr {_digits(entry['amount'], exponent)}"
    return f"{player} cc"


def _reveal(final: Draft, draft: Draft, revealed: dict[int, int], name: Mapping[int, str]) -> list[str]:
    """Every hand that is turned over, once, and again when a closed card came since."""
    told = []
    for seat in draft.live:
        closed = len(draft.closed_cards(seat))
        if seat in final.shown and revealed.get(seat) != closed:
            told.append(f"{name[seat]} sm {''.join(final.own[seat][: len(draft.own[seat])])}")
            revealed[seat] = closed
    return told
