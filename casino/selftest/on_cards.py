"""The cards: what is missing from a shoe, comes out twice, lies in two places or was never shuffled."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from casino.kernel.words import Text
from casino.selftest import floor
from casino.selftest.catching import Guard, Night, Refused
from casino.selftest.faults import fault
from casino.selftest.hands import OWNER, PERSON, PROGRAM, past_the_guards, sql
from shoes import decks, examining, moving, shoes
from shoes.cards import FRENCH52
from shoes.models import Deck, Device, Shoe
from shoes.procedures import procedure_of
from tables import chips, openings, rounds
from tables.games.baccarat import draws
from tables.models import ChipCount, Table

ONE_DECK = "poker.caribbean"
CARDS_ALONE = "PB-04"
"""A table that logs cards and no bets, with most of its shoe still to come."""
ENOUGH_ROUNDS = 6


@fault(
    "cards.card_removed", "una carta retirada del sabot", "a card removed from a shoe",
    hand=PROGRAM, caught=Guard("shoes_shoe", "shoe_conserves_cards"),
)  # fmt: skip
def card_removed() -> None:
    sql("UPDATE shoes_shoe SET remaining = remaining - 1 WHERE id = %s", [floor.in_play("PB-01").shoe_id])


@fault(
    "cards.card_removed_as_burned",
    "una carta retirada y anotada como quemada",
    "a card removed and noted as burned",
    hand=OWNER, caught=Night("verify_trail", "count_differs", "S-", says="burned"),
)  # fmt: skip
def card_removed_as_burned() -> None:
    past_the_guards(
        (
            "UPDATE shoes_shoe SET remaining = remaining - 1, burned = burned + 1 WHERE id = %s",
            [floor.in_play("PB-01").shoe_id],
        )
    )


@fault(
    "cards.card_twice", "la misma carta sale dos veces de un mazo", "the same card comes out of a pack twice",
    hand=PERSON, caught=Refused("duplicate_card", "CARD-42"),
)  # fmt: skip
def card_twice() -> None:
    """The last hand of a table that plays with one deck, again, a card of the dealer's in a player's hand."""
    session = floor.in_play("CP-01")
    events = floor.said(session.rounds.filter(state="settled").latest("number").log)
    dealer, player = [one for one in events if one["e"] == "show"][:2]
    player["cards"] = [dealer["cards"][0], *player["cards"][1:]]
    rounds.log(session=session, number=None, events=events, by=floor.by("pitboss"))


@fault(
    "cards.withdrawn_deck_used",
    "una baraja retirada por faltarle una carta, en otro sabot",
    "a deck withdrawn for a missing card, in another shoe",
    hand=PERSON, caught=Refused("deck_withdrawn", "CARD-12"), given=lambda: _shoe_started(),
)  # fmt: skip
def withdrawn_deck_used(shoe: Shoe) -> None:
    _gather(shoe, Deck.objects.filter(state=Deck.State.WITHDRAWN).earliest("pk"))


@fault(
    "cards.destroyed_deck_used", "una baraja destruida, en otro sabot", "a destroyed deck, in another shoe",
    hand=PERSON, caught=Refused("deck_destroyed", "CARD-45"), given=lambda: _shoe_started(),
)  # fmt: skip
def destroyed_deck_used(shoe: Shoe) -> None:
    _gather(shoe, Deck.objects.filter(state=Deck.State.DESTROYED).earliest("pk"))


@fault(
    "cards.deck_in_two_shoes", "una baraja en dos sabots", "a deck in two shoes",
    hand=PERSON, caught=Refused("deck_elsewhere", "CARD-04"), given=lambda: _shoe_started(),
)  # fmt: skip
def deck_in_two_shoes(shoe: Shoe) -> None:
    _gather(shoe, Deck.objects.filter(shoe=floor.in_play("PB-01").shoe).earliest("pk"))


@fault(
    "cards.deck_moved_by_hand", "una baraja en juego llevada a otro lugar", "a deck in play taken elsewhere",
    hand=PROGRAM, caught=Guard("shoes_deck", "sabot_deck_moves"),
)  # fmt: skip
def deck_moved_by_hand() -> None:
    deck = Deck.objects.filter(shoe=floor.in_play("PB-01").shoe).earliest("pk")
    sql("UPDATE shoes_deck SET state = 'passed', shoe_id = NULL WHERE id = %s", [deck.pk])


@fault(
    "cards.deck_back_from_the_shredder",
    "una baraja destruida vuelve al depósito",
    "a destroyed deck back in the store",
    hand=OWNER, caught=Night("verify_trail", "trail_differs", "deck:"),
)  # fmt: skip
def deck_back_from_the_shredder() -> None:
    deck = Deck.objects.filter(state=Deck.State.DESTROYED).earliest("pk")
    past_the_guards(("UPDATE shoes_deck SET state = 'store' WHERE id = %s", [deck.pk]))


@fault(
    "cards.unshuffled", "un sabot cortado sin barajar", "a shoe cut and not shuffled",
    hand=PERSON, caught=Refused("step_out_of_order", "CARD-17"), given=lambda: _shoe_gathered(),
)  # fmt: skip
def unshuffled(shoe: Shoe) -> None:
    data = {"declined": [1], "cut_by": 2, "position": 120}
    shoes.take_step(shoe=shoe, step="cut", data=data, by=floor.by("croupier"))


@fault(
    "cards.dealt_in_factory_order",
    "un sabot que reparte en el orden de fábrica",
    "a shoe that deals in the order of the factory",
    hand=PERSON, caught=Refused("table_frozen", "GEN-08"),
    leaves=Text("el incidente que detiene la mesa", "the incident that stops the table"),
)  # fmt: skip
def dealt_in_factory_order() -> None:
    """Each card is one that may come out; that they come in order is what the watch over the shoes sees."""
    session = floor.in_play(CARDS_ALONE)
    pack = itertools.cycle(FRENCH52.cards)
    for _ in range(ENOUGH_ROUNDS):
        rounds.log(session=session, number=None, events=_from(pack), by=floor.by("tablet1"))


def _from(pack: Iterator[str]) -> list[dict[str, str]]:
    """A round of Punto y Banca with the next cards of a pack."""
    values: dict[str, list[int]] = {"punto": [], "banca": []}
    events = []
    while to := draws.next_hand(tuple(values["punto"]), tuple(values["banca"])):
        card = next(pack)
        values[to].append(draws.VALUES[card])
        events.append({"e": "card", "to": to, "card": card})
    return events


@fault(
    "cards.unready_shoe_opened",
    "una mesa abierta con un sabot a medio preparar",
    "a table opened on a shoe half prepared",
    hand=PERSON, caught=Refused("shoe_not_ready", "CARD-23"),
)  # fmt: skip
def unready_shoe_opened() -> None:
    shoe = Shoe.objects.filter(state=Shoe.State.SHUFFLED).latest("pk")
    table = (
        Table.objects.filter(game=shoe.game)
        .exclude(sessions__state__in=("open", "paused", "opening"))
        .earliest("pk")
    )
    openings.open_session(
        table=table,
        shoe=shoe,
        chips_counted=chips.loaded(ChipCount.objects.filter(session__table=table).latest("pk").chips),
        dealer=floor.free(table.game),
        supervisor=floor.free(table.game, supervises=True),
        by=floor.by("pitboss"),
    )


@fault(
    "cards.seal_used_again", "el precinto de una caja puesto en otra", "the seal of one box put on another",
    hand=PERSON, caught=Refused("seal_taken", "CARD-03"),
)  # fmt: skip
def seal_used_again() -> None:
    used = Deck.objects.exclude(seal="").earliest("pk")
    decks.register_decks(
        serials=["ND-90001"],
        seals=[used.seal],
        maker=used.maker,
        batch="L-2026-99",
        back_design=used.back_design,
        back_colour=used.back_colour,
        homologation=used.homologation,
        received_with=floor.actor("compliance"),
        declared=1,
        by=floor.by("pitboss"),
    )


@fault(
    "cards.seal_of_another_box",
    "una caja entregada con otro precinto",
    "a box handed out under another seal",
    hand=PERSON, caught=Refused("seal_mismatch", "CARD-03"),
)  # fmt: skip
def seal_of_another_box() -> None:
    one, other = Deck.objects.filter(state=Deck.State.STORE).exclude(seal="").order_by("pk")[:2]
    decks.issue_decks(
        seals={one.serial: other.seal},
        place="PB-01",
        received_by=floor.actor("croupier"),
        by=floor.by("supervisor"),
    )


def _free_box() -> str:
    """A physical shoe of the inventory with nothing in it."""
    held = Shoe.objects.exclude(state=Shoe.State.ENDED).values("device")
    return (
        Device.objects.filter(kind=Device.Kind.SHOE, active=True)
        .exclude(number__in=held)
        .earliest("pk")
        .number
    )


def _shoe_started() -> Shoe:
    return shoes.start_shoe(game=ONE_DECK, device=_free_box(), by=floor.by("croupier"))


def _gather(shoe: Shoe, wrong: Deck) -> Shoe:
    """The step in which the decks of a shoe come together, `wrong` being one of them."""
    return shoes.take_step(shoe=shoe, step="decks", data={"serials": [wrong.serial]}, by=floor.by("croupier"))


def _shoe_gathered() -> Shoe:
    """A pack of one deck, handed out, inspected, gathered and shown: the next thing is to shuffle it."""
    croupier, chief = floor.by("croupier"), floor.by("supervisor")
    deck = Deck.objects.filter(state=Deck.State.STORE).exclude(seal="").earliest("pk")
    decks.issue_decks(seals={deck.serial: deck.seal}, place=moving.DESK, received_by=croupier.actor, by=chief)
    examining.inspect_deck(
        deck=deck,
        inspector=chief.actor,
        witness=croupier.actor,
        by=chief,
        counted=52,
        by_suit_shown=True,
        backs_checked=True,
    )
    shoe = shoes.start_shoe(game=ONE_DECK, device=_free_box(), by=croupier)
    for step in itertools.takewhile(lambda one: one.code != "shuffle", procedure_of(ONE_DECK).steps):
        data = {"serials": [deck.serial]} if step.code == "decks" else {}
        shoe = shoes.take_step(shoe=shoe, step=step.code, data=data, by=floor.by("croupier"))
    return shoe
