"""What comes next and why in a hand of siete y medio."""

from __future__ import annotations

from dataclasses import replace

from casino.kernel.money import words as money_words
from casino.kernel.words import Text
from tables.games.base import Detail, Event, Prompt
from tables.games.siete.betting import may_offer_now, most_bet, most_offer
from tables.games.siete.dealing import cannot_sell, cannot_split, seen
from tables.games.siete.points import TARGET, VALUES, halves, said
from tables.games.siete.rules import WINNERS
from tables.games.siete.settle import announcement
from tables.games.siete.state import Draft, Due, State
from tables.games.siete.turns import first_card
from tables.games.staking import least


def prompts(state: State) -> tuple[Prompt, ...]:
    """What may be done now, the most likely first; never empty."""
    draft = Draft(state)
    first, *others = _due(draft, state.due)
    passed = _just_passed(draft)
    return (replace(first, why=_TAKE_IT.fill(seat=passed, why=first.why)) if passed else first, *others)


def _just_passed(draft: Draft) -> int:
    """The seat whose last card, the last thing logged, took its hand past seven and a half; 0 if none."""
    for at in range(len(draft.log), 0, -1):
        entry = draft.log[at - 1]
        if at not in draft.undone and entry["e"] not in ("undo", "note"):
            break
    else:
        return 0
    seat: int = entry.get("seat", 0) if entry["e"] == "card" else 0
    if not seat or (draft.detail is Detail.FULL and seat not in draft.stakes):
        return 0
    return seat if halves(draft.hands[seat, entry.get("hand", 0)]) > TARGET else 0


_TAKE_IT = Text(
    "el asiento {seat} se pasó: muestra sus cartas y se retira su apuesta; {why}",
    "seat {seat} is bust: it shows its cards and its bet is taken; {why}",
)


def _due(draft: Draft, turn: Due) -> tuple[Prompt, ...]:
    if turn.kind == "settle":
        return (_settle(draft),)
    if turn.kind == "result":
        return (_RESULT,)
    if turn.kind == "bank":
        return (_bank(draft),)
    if turn.kind == "join":
        first = first_card(draft)
        start = (_card(draft, first),) if first else ()
        return (*start, *_join(draft), *_offers(draft))
    if turn.kind == "card":
        return (_card(draft, turn), *_offers(draft))
    if turn.kind == "bet":
        return (_bet(draft, turn.seat), *_offers(draft))
    if turn.kind == "sale" and not draft.hands:
        return (_sale(draft), *_join(draft), *_offers(draft))
    if turn.kind == "sale":
        return (_sale(draft),)
    return (_choice(draft, turn), *_offers(draft))


_RESULT = Prompt(
    "result",
    options=tuple(WINNERS),
    events=tuple({"e": "result", "winner": winner} for winner in WINNERS),
    text=Text("Anote el resultado anunciado", "Write down the announced result"),
    why=Text(
        "esta mesa registra sólo el resultado: la banca cobró todas, pagó todas o unas y otras",
        "this table logs the result only: the bank took all, paid all, or some of each",
    ),
    rule="SYM-06",
)


def _bank(draft: Draft) -> Prompt:
    seats = range(1, draft.terms.seats + 1)
    return Prompt(
        "deal",
        options=tuple(str(seat) for seat in seats),
        events=tuple({"e": "deal", "seat": seat} for seat in seats),
        text=Text("Anote quién tiene la banca y reparte", "Note who has the bank and deals"),
        why=Text(
            "la primera vez se sortea; después, según terminó la mano anterior",
            "the first time lots decide; afterwards, as the last hand left it",
        ),
        rule="SYM-02",
    )


def _join(draft: Draft) -> tuple[Prompt, ...]:
    full = draft.detail is Detail.FULL
    taken = draft.chips if full else [draft.banker, *draft.seated]
    out = [seat for seat in range(1, draft.terms.seats + 1) if seat not in taken]
    if not out:
        return ()
    if not full:
        events: tuple[Event, ...] = tuple({"e": "in", "seat": seat} for seat in out)
        text = Text("Anote qué asientos juegan", "Note which seats play")
        return (_join_prompt("in", out, events, text),)
    low = least(draft.terms, "main")
    # The banker first: without its points no card is dealt.
    out.sort(key=lambda seat: (seat != draft.banker, seat))
    events = tuple({"e": "chips", "seat": seat, "amount": low} for seat in out)
    text = Text("Anote los puntos de cada asiento que juega", "Note the points of each seat that plays")
    return (_join_prompt("chips", out, events, text),)


def _join_prompt(kind: str, seats: list[int], events: tuple[Event, ...], text: Text) -> Prompt:
    why = Text(
        "juegan la banca y un jugador al menos; después de la primera carta no entra nadie",
        "the bank and one player at least play; after the first card nobody comes in",
    )
    options = tuple(str(seat) for seat in seats)
    return Prompt(kind, options=options, events=events, text=text, why=why, rule="SYM-03")


def _card(draft: Draft, turn: Due) -> Prompt:
    opening = draft.drawing is None
    why = (
        Text(
            "reparto inicial: por turno desde la derecha de la banca, y la banca al final",
            "opening deal: in turn from the bank's right, and the bank last",
        )
        if opening
        else Text("pidió carta", "asked for a card")
    )
    rule = "SYM-03" if opening else "SYM-04" if turn.seat else "SYM-05"
    if not turn.seat:
        text = Text("Dé una carta a la banca", "Deal a card to the bank")
        return Prompt("card", "banca", events=({"e": "card", "to": "banca"},), text=text, why=why, rule=rule)
    event: Event = {"e": "card", "to": "seat", "seat": turn.seat}
    if turn.hand:
        event = {**event, "hand": turn.hand}
    text = Text("Dé una carta al {seat}", "Deal a card to {seat}").fill(seat=_named(draft, turn))
    return Prompt(
        "card", "seat", seat=turn.seat, hand=turn.hand, events=(event,), text=text, why=why, rule=rule
    )


def _named(draft: Draft, turn: Due) -> Text:
    """Whose hand: the seat, and which of its hands where it has opened some."""
    if (turn.seat, 1) not in draft.hands:
        return Text(f"asiento {turn.seat}", f"seat {turn.seat}")
    n = turn.hand + 1
    return Text(f"asiento {turn.seat}, mano {n}", f"seat {turn.seat}, hand {n}")


def _bet(draft: Draft, seat: int) -> Prompt:
    terms = draft.terms
    low = least(terms, "main")
    high = min(terms.limits["main"][1], most_bet(draft, seat))
    why = Text("de {low} a {high}", "from {low} to {high}").fill(
        low=money_words(low, terms.exponent), high=money_words(high, terms.exponent)
    )
    return Prompt(
        "bet",
        options=("main",),
        seat=seat,
        events=({"e": "bet", "seat": seat, "spot": "main", "amount": low},),
        text=Text("Apuesta del asiento {seat}", "Bet of seat {seat}").fill(seat=seat),
        why=why,
        rule="SYM-04",
    )


def _choice(draft: Draft, turn: Due) -> Prompt:
    seat = turn.seat or draft.banker
    options = ["draw", "stand"] if len(seen(draft)) < len(VALUES) else ["stand"]
    place = (turn.seat, turn.hand)
    if turn.seat and cannot_split(draft, place) is None:
        options.append("split")
    base: Event = {"e": "choice", "seat": seat}
    if turn.hand:
        base = {**base, "hand": turn.hand}
    lying = draft.hands[place] if turn.seat else draft.banca
    why = Text("tiene {total}", "has {total}").fill(total=said(halves(lying)))
    if turn.seat:
        asked = (
            Text("{seat}: ¿carta, se planta o abre?", "{seat}: draw, stand or split?")
            if "split" in options
            else Text("{seat}: ¿carta o se planta?", "{seat}: draw or stand?")
        )
        named = _named(draft, turn)
        text = asked.fill(seat=Text(named.es.capitalize(), named.en.capitalize()))
    else:
        text = Text("Banca: ¿carta o se planta?", "Bank: draw or stand?")
    return Prompt(
        "choice",
        options=tuple(options),
        seat=seat,
        hand=turn.hand,
        events=tuple({**base, "do": do} for do in options),
        text=text,
        why=why,
        rule="SYM-04" if turn.seat else "SYM-05",
    )


def _offers(draft: Draft) -> tuple[Prompt, ...]:
    """The least each seat may offer now; nothing where nobody may or can."""
    if draft.detail is not Detail.FULL:
        return ()
    last = draft.offers[-1].amount if draft.offers else 0
    amount = last + draft.terms.chip
    seats = [
        seat for seat in draft.players if may_offer_now(draft, seat) and amount <= most_offer(draft, seat)
    ]
    if not seats:
        return ()
    why = Text("más de {last}", "more than {last}").fill(last=money_words(last, draft.terms.exponent))
    return (
        Prompt(
            "offer",
            options=tuple(str(seat) for seat in seats),
            events=tuple({"e": "offer", "seat": seat, "amount": amount} for seat in seats),
            text=Text("Ofertas por la banca (opcional)", "Offers for the bank (optional)"),
            why=why,
            rule="SYM-08",
        ),
    )


def _sale(draft: Draft) -> Prompt:
    last = draft.offers[-1]
    amount = money_words(last.amount, draft.terms.exponent)
    options = ("sell", "keep") if cannot_sell(draft) is None else ("keep",)
    before = Text(
        "es la última oferta: se contesta antes de la primera carta",
        "it is the last offer: it is answered before the first card",
    )
    ended = Text(
        "es la última oferta, y la banca no cambió por regla",
        "it is the last offer, and no rule moved the bank",
    )
    return Prompt(
        "choice",
        options=options,
        seat=draft.banker,
        events=tuple({"e": "choice", "seat": draft.banker, "do": do} for do in options),
        text=Text(
            "¿Vende la banca al asiento {seat} por {amount}?", "Is the bank sold to seat {seat} for {amount}?"
        ).fill(seat=last.seat, amount=amount),
        why=ended if draft.hands else before,
        rule="SYM-08",
    )


def _settle(draft: Draft) -> Prompt:
    return Prompt(
        "settle",
        text=Text("Anuncie «{call}»; cobre y pague", "Announce “{call}”; take and pay").fill(
            call=announcement(draft)
        ),
        why=Text("todos jugaron", "everyone has played"),
        rule="SYM-06",
    )
