"""How each game's shoe is prepared, as data.

Pure. A game is added here, not in code: a `Procedure` is the decks it takes and its steps in order;
each step is a kind from `shoes.steps` with the rule's numbers. The numbers are those of
`casino/rulebook/cards.toml`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from shoes import actions, policies
from shoes.backs import BackRule
from shoes.ordering import REMOVE, Method, Procedure, Step
from shoes.steps import (
    AddDecks,
    Burn,
    BurnByValue,
    Check,
    Cut,
    Load,
    LoadBetween,
    LoadMachine,
    Remove,
    Shuffle,
    ShuffleByHand,
    Times,
)

MACHINE_SHOE = "machine_shoe"
BY_HAND = Method("", Text("a mano, en un sabot", "by hand, in a shoe"), ())
IN_MACHINE = Method(
    MACHINE_SHOE,
    Text("en una máquina barajadora que hace de sabot", "in a shuffling machine that serves as shoe"),
    ("CARD-33", "CARD-34", "CARD-46"),
)


# ---- steps that every game has, with the rules of each ---------------------------------------------


def _decks(rule: str, *more: str) -> Step:
    words = Text("reunir las barajas inspeccionadas y completas", "gather the inspected, complete decks")
    rules = tuple(dict.fromkeys((rule, "CARD-04", *more, "CARD-15")))
    return Step("decks", words, rules, actions.DECKS_ADDED, "assembling", AddDecks(rule))


def _shown(rule: str) -> Step:
    words = Text("presentar las barajas cara arriba y por palos", "show the decks face up and by suit")
    return Step("show", words, (rule,), actions.PACK_SHOWN, "assembling", new_cards_only=True)


def _washed(rule: str) -> Step:
    words = Text("lavar las cartas (chemin)", "wash the cards (chemin)")
    return Step("wash", words, (rule,), actions.PACK_WASHED, "assembling", Times(at_least=1), repeats=True)


def _shuffled(rule: str) -> Step:
    words = Text("barajar, doble o triple", "shuffle, double or triple")
    kind = Shuffle(rule=rule, at_least=1)
    return Step("shuffle", words, (rule,), actions.PACK_SHUFFLED, "shuffled", kind, repeats=True)


def _checked(shuffle_rule: str) -> Step:
    return Step(
        "check",
        Text(
            "comprobar que no queden secuencias: lo hace un jefe que no barajó",
            "check that no sequences are left: done by a chief who did not shuffle",
        ),
        (shuffle_rule, "GEN-10"),
        actions.PACK_CHECKED,
        "shuffled",
        Check(),
        signers=policies.CHIEFS,
        not_by=("wash", "shuffle"),
    )


def _removal(*rules: str) -> Step:
    words = Text("sacar barajas y empezar de nuevo", "take decks out and start again")
    return Step(REMOVE, words, rules, actions.DECK_REMOVED, "assembling", Remove())


def _offered_from_the_left(seats: int, centre_rule: str) -> Step:
    words = Text(
        "ofrecer el corte desde la izquierda del croupier y cortar; si nadie quiere, el croupier al centro",
        "offer the cut from the dealer's left and cut; if nobody wants to, the dealer at the centre",
    )
    kind = Cut(seats=seats, min_from_end=52, centre_rule=centre_rule)
    return Step("cut", words, ("CARD-23", "CARD-25", centre_rule), actions.PACK_CUT, "cut", kind)


def _burned(rule: str, number: int) -> Step:
    one = number == 1
    words = Text(
        "quemar la primera carta" if one else f"quemar las {number} primeras cartas",
        "burn the first card" if one else f"burn the first {number} cards",
    )
    return Step("burn", words, (rule,), actions.CARDS_BURNED, "ready", Burn(rule=rule, cards=number))


# ---- the games -------------------------------------------------------------------------------------


def _punto_banca(seats: int) -> Procedure:
    turn = Text(
        "poner la carta de corte sobre el grupo cortado y pasar atrás la parte delantera",
        "put the cut card on the cut group and move the front part to the back",
    )
    load = Text(
        "poner la carta de detención sobre las 6 últimas y cargar el sabot",
        "put the stop card over the last 6 and load the shoe",
    )
    burn = Text(
        "descubrir la primera carta y quemar tantas como su valor",
        "turn the first card and burn as many as its value",
    )
    stop_card = Load(stop_from_end=6, rule="CARD-29")
    by_value = BurnByValue(rule="CARD-37")
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6, 8),
        decks_rule="CARD-06",
        backs=BackRule("CARD-15"),
        methods=(BY_HAND,),
        removal=_removal("CARD-14", "CARD-15"),
        steps=(
            _decks("CARD-06", "CARD-14"),
            _shown("CARD-14"),
            _washed("CARD-22"),
            _shuffled("CARD-22"),
            _checked("CARD-22"),
            _offered_from_the_left(seats, "CARD-22"),
            Step("turn", turn, ("CARD-28",), actions.PACK_TURNED, "cut"),
            Step("load", load, ("CARD-29",), actions.SHOE_LOADED, "loaded", stop_card),
            Step("burn", burn, ("CARD-37",), actions.SHOE_BURNED, "ready", by_value),
        ),
    )


def _black_jack(seats: int) -> Procedure:
    turn = Text(
        "pasar adelante la carta de corte con lo que queda detrás de ella",
        "bring the cut card and what lies behind it to the front",
    )
    load = Text(
        "poner la carta de corte sin dividir el mazo, con 52 a 104 cartas detrás, y cargar el sabot",
        "put the cut card without dividing the pack, with 52 to 104 cards behind it, and load the shoe",
    )
    stop_card = LoadBetween(rule="CARD-27", least=52, most=104)
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6,),
        decks_rule="CARD-05",
        backs=BackRule("CARD-05", of_each_colour=3),
        methods=(BY_HAND, IN_MACHINE),
        removal=_removal("CARD-14", "CARD-15"),
        stop_rule="CARD-39",
        deals_covered=True,
        steps=(
            _decks("CARD-05", "CARD-14"),
            _shown("CARD-14"),
            _washed("CARD-16"),
            _shuffled("CARD-16"),
            _checked("CARD-16"),
            _offered_from_the_left(seats, "CARD-24"),
            Step("turn", turn, ("CARD-26",), actions.PACK_TURNED, "cut"),
            Step("load", load, ("CARD-27",), actions.SHOE_LOADED, "loaded", stop_card),
            _burned("CARD-35", 1),
        ),
    )


def _in_machine(by_hand: Procedure) -> Procedure:
    """The same preparation, but that all the cards go into a machine that serves as shoe."""
    load = Text(
        "mostrar vacía la máquina, meter en ella todas las cartas y dejar aparte la carta de corte",
        "show the machine empty, put all the cards into it and set the cut card aside",
    )
    rules = ("CARD-33", "CARD-46")
    machine = Step("load", load, rules, actions.MACHINE_LOADED, "loaded", LoadMachine("CARD-33"))
    return replace(
        by_hand,
        method=MACHINE_SHOE,
        holder_rule="CARD-34",
        holder_most=104,
        steps=tuple(machine if step.code == "load" else step for step in by_hand.steps),
    )


def _trente(seats: int) -> Procedure:
    expose = Text(
        "dejar las cartas sobre la mesa para el jefe de mesa y los jugadores que lo pidan",
        "leave the cards on the table for the supervisor and any player who asks",
    )
    shuffle = Text(
        "con un jugador presente al menos, barajar hasta que no quede secuencia y formar un solo mazo",
        "with one player present at least, shuffle until no sequence is left and form a single pack",
    )
    cut = Text(
        "ofrecer el corte desde la derecha del croupier y cortar a la vista; si nadie quiere, el croupier"
        " principal al centro",
        "offer the cut from the dealer's right and cut in plain view; if nobody wants to, the main dealer"
        " at the centre",
    )
    load = Text(
        "poner el separador, con una baraja al menos y medio mazo como mucho detrás, y cargar",
        "put the separator, with one deck at least and half the pack at most behind it, and load",
    )
    any_place = Cut(seats, 1, offers="down", offer_rule="CARD-30", min_rule="CARD-30", centre_rule="CARD-30")
    separator = LoadBetween(rule="CARD-32", least=52, most_percent=50, tolerance=13)
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6, 7, 8),
        decks_rule="CARD-07",
        backs=BackRule("CARD-07", one_colour=True),
        methods=(BY_HAND,),
        removal=_removal("CARD-09", "CARD-10", "CARD-15"),
        stop_rule="CARD-20",
        steps=(
            _decks("CARD-07", "CARD-09"),
            _shown("CARD-10"),
            Step("expose", expose, ("CARD-11",), actions.CARDS_EXPOSED, "assembling", new_cards_only=True),
            replace(_shuffled("CARD-19"), words=shuffle, rules=("CARD-19", "TYC-02")),
            _checked("CARD-19"),
            Step("cut", cut, ("CARD-30", "CARD-31", "CARD-20"), actions.PACK_CUT, "cut", any_place),
            Step("load", load, ("CARD-32",), actions.SHOE_LOADED, "loaded", separator),
            _burned("CARD-36", 5),
        ),
    )


def _from_the_hand(seats: int, *, cut_rule: str, shuffle: Step, decks: Step, shown: Step) -> tuple[Step, ...]:
    """A pack dealt from the hand: shown, shuffled, cut. It has no stop card, and no rule says who cuts."""
    any_cut = Cut(
        seats, 1, centre_parts=0, offers="any", offer_rule=cut_rule, min_rule=cut_rule, centre_rule=cut_rule
    )
    cut = Step("cut", Text("cortar", "cut"), (cut_rule,), actions.PACK_CUT, "ready", any_cut)
    return (decks, shown, shuffle, _checked(shuffle.rules[0]), cut)


def _shuffled_somehow(rules: tuple[str, ...], kind: ShuffleByHand) -> Step:
    words = Text("barajar, a mano o con una máquina", "shuffle, by hand or with a machine")
    return Step("shuffle", words, rules, actions.PACK_SHUFFLED, "shuffled", kind, repeats=True)


def _poker(seats: int, *, against_the_house: bool = False) -> Procedure:
    by_hand = ShuffleByHand(suggested="CARD-17", machine_rule="CARD-18")
    return Procedure(
        deck_type="french52",
        decks_default=1,
        decks_allowed=(1,),
        decks_rule="CARD-08",
        backs=BackRule("CARD-15"),
        methods=(BY_HAND,),
        removal=_removal("CARD-12", "CARD-13", "CARD-15"),
        stop_rule="CARD-20",
        deals_covered=True,
        shuffles_after_each_round="CARD-21" if against_the_house else "",
        steps=_from_the_hand(
            seats,
            cut_rule="CARD-20",
            shuffle=_shuffled_somehow(("CARD-17", "CARD-18", "CARD-46"), by_hand),
            decks=_decks("CARD-08", "CARD-09"),
            shown=_shown("CARD-10"),
        ),
    )


def _outside_the_classifier(seats: int, deck_type: str, decks: tuple[int, ...], usual: int) -> Procedure:
    """The book prescribes no preparation, so only what holds everywhere is asked."""
    return Procedure(
        deck_type=deck_type,
        decks_default=usual,
        decks_allowed=decks,
        decks_rule="CARD-04",
        backs=BackRule("CARD-15"),
        methods=(BY_HAND,),
        removal=_removal("CARD-15"),
        stop_rule="CARD-44",
        deals_covered=True,
        steps=_from_the_hand(
            seats,
            cut_rule="CARD-44",
            shuffle=_shuffled_somehow(("CARD-46",), ShuffleByHand()),
            decks=_decks("CARD-04"),
            shown=_shown("CARD-15"),
        ),
    )


PROCEDURES: dict[str, Procedure] = {
    "baccarat.punto_banca": _punto_banca(seats=14),
    "baccarat.midi": _punto_banca(seats=9),
    "baccarat.mini": _punto_banca(seats=7),
    "baccarat.banked": _punto_banca(seats=14),
    "blackjack.classic": _black_jack(seats=7),
    "blackjack.perfect_pairs": _black_jack(seats=7),
    "blackjack.challenge21": _black_jack(seats=7),
    "trente.classic": _trente(seats=20),
    "poker.draw": _poker(seats=6, against_the_house=True),
    "poker.caribbean": _poker(seats=7, against_the_house=True),
    "poker.go": _poker(seats=7, against_the_house=True),
    "poker.three_card": _poker(seats=7, against_the_house=True),
    "poker.texas": _poker(seats=10),
    "poker.omaha": _poker(seats=10),
    "poker.five_card_stud": _poker(seats=10),
    "poker.seven_card_stud": _poker(seats=7),
    "blackjack.online": _outside_the_classifier(1, "french52", (1, 2, 6, 8), usual=6),
    "siete.medio": _outside_the_classifier(10, "spanish40", (1,), usual=1),
}
"""How each game is prepared by the usual method."""

_OTHER_METHODS: dict[tuple[str, str], Procedure] = {
    (game, MACHINE_SHOE): _in_machine(procedure)
    for game, procedure in PROCEDURES.items()
    if IN_MACHINE in procedure.methods
}


def procedure_of(game: str, method: str = "") -> Procedure:
    """The procedure of a game, by one of its methods. Raises `Refused` (`no_procedure`, `no_method`)."""
    if game not in PROCEDURES:
        raise Refused(
            Text("no hay preparación de sabot para ese juego", "there is no shoe preparation for that game"),
            code="no_procedure",
            field="game",
        )
    usual = PROCEDURES[game]
    if method == usual.method:
        return usual
    if (game, method) not in _OTHER_METHODS:
        known = [one.words for one in usual.methods]
        raise Refused(
            Text("este juego se prepara {how}", "this game is prepared {how}").fill(
                how=Text(" o ".join(one.es for one in known), " or ".join(one.en for one in known))
            ),
            code="no_method",
            field="method",
        )
    return _OTHER_METHODS[game, method]


def games_with_procedure() -> Iterable[str]:
    return PROCEDURES.keys()
