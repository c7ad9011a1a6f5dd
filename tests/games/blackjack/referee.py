"""A second opinion on Black Jack and Challenge 21: what goes back to each bet, worked out from the log alone.

It shares nothing with the engines but the log's words and the rules' figures, and knows no order of play:
it gathers the cards, the bets and the decisions and compares them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Place = tuple[int, int]
DEALERS = {
    "second": "dealer2",
    "third": "dealer3",
    "insurance_second": "dealer2",
    "insurance_third": "dealer3",
}


def total(cards: Iterable[str]) -> int:
    worth = [11 if c[0] == "A" else 10 if c[0] in "TJQK" else int(c[0]) for c in cards]
    points, aces = sum(worth), worth.count(11)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points


def natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


def with_prize(stake: int, pays: str, chip: int) -> int:
    gain, unit = map(int, pays.split(":"))
    return stake + stake * gain // (unit * chip) * chip


def up(units: int, chip: int) -> int:
    return -(-units // chip) * chip


@dataclass
class Table:
    """What lies on the table when the round is over."""

    dealers: dict[str, list[str]] = field(default_factory=dict)
    hands: dict[Place, list[str]] = field(default_factory=dict)
    stakes: dict[tuple[int, int, str], int] = field(default_factory=dict)
    dealt: dict[Place, list[str]] = field(default_factory=dict)
    said: dict[Place, set[str]] = field(default_factory=dict)
    split: set[Place] = field(default_factory=set)
    added: set[Place] = field(default_factory=set)

    def read(self, log: Iterable[dict[str, Any]]) -> None:
        for event in log:
            kind = event["e"]
            if kind == "bet":
                spot = (event["seat"], event.get("hand", 0), event["spot"])
                self.stakes[spot] = self.stakes.get(spot, 0) + event["amount"]
            elif kind == "card" and event["to"] == "seat":
                self.hands.setdefault((event["seat"], event["hand"]), []).append(event["card"])
            elif kind == "card":
                self.dealers.setdefault(event["to"], []).append(event["card"])
            elif kind == "show":
                self.dealers["dealer"][1] = event["cards"][0]
            elif kind == "choice":
                self.decide((event["seat"], event["hand"]), event)

    def decide(self, place: Place, event: dict[str, Any]) -> None:
        seat, do = place[0], event["do"]
        self.said.setdefault(place, set()).add(do)
        if do == "insurance":
            self.stakes[(*place, event.get("spot", "insurance"))] = event["amount"]
        mains = {s: amount for (*at, s), amount in self.stakes.items() if tuple(at) == place and is_main(s)}
        if do == "double":
            self.stakes |= {(*place, spot): 2 * amount for spot, amount in mains.items()}
        if do == "split":
            new = (seat, 1 + max(number for at, number in self.hands if at == seat))
            self.dealt.setdefault(place, list(self.hands[place]))
            self.hands[new] = [self.hands[place].pop()]
            self.split |= {place, new}
            self.added.add(new)
            self.stakes |= {(*new, spot): amount for spot, amount in mains.items()}


def is_main(spot: str) -> bool:
    return spot in ("main", "first", "second", "third")


def returned(state: Any) -> dict[tuple[int, int, str], int]:
    """What goes back to every bet of a complete round at detail `full`."""
    table = Table()
    table.read([e for at, e in enumerate(state.log, 1) if at not in state.undone])
    found = {}
    for (seat, hand, spot), stake in table.stakes.items():
        found[seat, hand, spot] = _goes_back(state, table, (seat, hand), spot, stake)
    return found


def _goes_back(state: Any, table: Table, place: Place, spot: str, stake: int) -> int:
    rules, chip = state.rules, state.terms.chip
    if spot == "perfect_pairs":
        return _pair(rules, (table.dealt.get(place) or table.hands[place])[:2], stake, chip)
    name = DEALERS.get(spot, "dealer")
    dealer = list(table.dealers.get(name, []))
    if name != "dealer" and rules.dealer_base_card == "shared":
        dealer = [table.dealers["dealer"][0], *dealer]
    if spot.startswith("insurance"):
        return with_prize(stake, rules.insurance_pays, chip) if natural(dealer) else 0
    cards, said = table.hands[place], table.said.get(place, set())
    if "surrender" in said:
        return stake - min(stake, up(-(-stake * rules.surrender_loss_percent // 100), chip))
    if total(cards) > 21:
        return 0
    if natural(cards) and place not in table.split:
        return _black_jack(rules, dealer, "even_money" in said, stake, chip)
    if getattr(rules, "charlie_cards", 0) and len(cards) >= 7:
        return with_prize(stake, rules.win_pays, chip)
    if natural(dealer):
        return _against_black_jack(state, table, place, stake)
    if total(dealer) == total(cards):
        return stake
    beaten = total(dealer) > 21 or total(cards) > total(dealer)
    return with_prize(stake, rules.win_pays, chip) if beaten else 0


def _black_jack(rules: Any, dealer: list[str], even: bool, stake: int, chip: int) -> int:
    ace, ten = dealer[0][0] == "A", dealer[0][0] in "TJQK"
    if ace and even:
        return with_prize(stake, rules.even_money_pays, chip)
    waits = ace or (ten and rules.immediate_pay == "not_ace_ten_court")
    return stake if waits and natural(dealer) else with_prize(stake, rules.blackjack_pays, chip)


def _against_black_jack(state: Any, table: Table, place: Place, stake: int) -> int:
    rules = state.rules
    if getattr(rules, "split_21_pushes", False) and place in table.split and natural(table.hands[place]):
        return stake
    original = getattr(rules, "dealer_blackjack_takes", "all") == "original"
    if not original and not getattr(state, "peeked", False):
        return 0
    doubled = "double" in table.said.get(place, set())
    return stake if place in table.added else stake // 2 if doubled else 0


def _pair(rules: Any, cards: list[str], stake: int, chip: int) -> int:
    (rank, suit), (other, second) = cards
    if rank != other:
        return 0
    red = {"h", "d"}
    row = "perfect" if suit == second else "colour" if (suit in red) == (second in red) else "mixed"
    return with_prize(stake, rules.perfect_pairs_pays[f"{row}_pair"], chip)
