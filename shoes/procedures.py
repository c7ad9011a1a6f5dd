"""How each game's shoe is prepared, as data.

Pure. A game is added here, not in code: a `Procedure` is the decks it takes and its steps in order;
each step is a kind from `shoes.steps` with the rule's numbers. The numbers are those of
`casino/rulebook/cards.toml`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable

from casino.kernel.errors import Refused
from casino.kernel.words import Text
from shoes import actions
from shoes.ordering import Procedure, Step
from shoes.steps import (
    AddDecks,
    Burn,
    BurnByValue,
    Cut,
    Load,
    LoadBetween,
    Shuffle,
    ShuffleByHand,
    Times,
)

DECKS = Text("reunir las barajas inspeccionadas", "gather the inspected decks")
SHOWN = Text("presentar las barajas cara arriba y por palos", "show the decks face up and by suit")
WASHED = Text("lavar las cartas (chemin)", "wash the cards (chemin)")
CUT = Text("ofrecer el corte y cortar", "offer the cut and cut")


def _decks(rule: str, *more: str) -> Step:
    return Step(
        "decks",
        DECKS,
        tuple(dict.fromkeys((rule, "CARD-04", *more))),
        actions.DECKS_ADDED,
        "assembling",
        AddDecks(rule),
    )


def _washed_and_shuffled(rule: str) -> tuple[Step, Step]:
    shuffled = Text("barajar, doble o triple", "shuffle, double or triple")
    wash, shuffle = Times(at_least=1), Shuffle(rule=rule, at_least=1)
    return (
        Step("wash", WASHED, (rule,), actions.PACK_WASHED, "assembling", wash, repeats=True),
        Step("shuffle", shuffled, (rule,), actions.PACK_SHUFFLED, "shuffled", shuffle, repeats=True),
    )


def _punto_banca(seats: int) -> Procedure:
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6, 8),
        decks_rule="CARD-06",
        same_back_design=True,
        steps=(
            _decks("CARD-06"),
            Step("show", SHOWN, ("CARD-14",), actions.PACK_SHOWN, "assembling"),
            *_washed_and_shuffled("CARD-22"),
            Step(
                "cut",
                CUT,
                ("CARD-23", "CARD-25", "CARD-22"),
                actions.PACK_CUT,
                "cut",
                Cut(seats=seats, min_from_end=52),
            ),
            Step(
                "turn",
                Text(
                    "poner la carta de corte sobre el grupo cortado y pasar atrás la parte delantera",
                    "put the cut card on the cut group and move the front part to the back",
                ),
                ("CARD-28",),
                actions.PACK_TURNED,
                "cut",
            ),
            Step(
                "load",
                Text(
                    "poner la carta de detención sobre las 6 últimas y cargar el sabot",
                    "put the stop card over the last 6 and load the shoe",
                ),
                ("CARD-29",),
                actions.SHOE_LOADED,
                "loaded",
                Load(stop_from_end=6, rule="CARD-29"),
            ),
            Step(
                "burn",
                Text(
                    "descubrir la primera carta y quemar tantas como su valor",
                    "turn the first card and burn as many as its value",
                ),
                ("CARD-37",),
                actions.SHOE_BURNED,
                "ready",
                BurnByValue(rule="CARD-37"),
            ),
        ),
    )


def _black_jack(seats: int) -> Procedure:
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6,),
        decks_rule="CARD-05",
        same_back_design=True,
        stop_rule="CARD-39",
        deals_covered=True,
        steps=(
            _decks("CARD-05"),
            Step("show", SHOWN, ("CARD-14",), actions.PACK_SHOWN, "assembling"),
            *_washed_and_shuffled("CARD-16"),
            Step(
                "cut",
                CUT,
                ("CARD-23", "CARD-25", "CARD-24"),
                actions.PACK_CUT,
                "cut",
                Cut(seats=seats, min_from_end=52, centre_rule="CARD-24"),
            ),
            Step(
                "turn",
                Text(
                    "pasar adelante la carta de corte con lo que queda detrás de ella",
                    "bring the cut card and what lies behind it to the front",
                ),
                ("CARD-26",),
                actions.PACK_TURNED,
                "cut",
            ),
            Step(
                "load",
                Text(
                    "poner la carta de corte con 52 a 104 cartas detrás y cargar el sabot",
                    "put the cut card with 52 to 104 cards behind it and load the shoe",
                ),
                ("CARD-27",),
                actions.SHOE_LOADED,
                "loaded",
                LoadBetween(rule="CARD-27", least=52, most=104),
            ),
            Step(
                "burn",
                Text("quemar la primera carta", "burn the first card"),
                ("CARD-35",),
                actions.CARDS_BURNED,
                "ready",
                Burn(rule="CARD-35", cards=1),
            ),
        ),
    )


def _trente(seats: int) -> Procedure:
    return Procedure(
        deck_type="french52",
        decks_default=6,
        decks_allowed=(6, 7, 8),
        decks_rule="CARD-07",
        same_back_design=True,
        stop_rule="CARD-20",
        steps=(
            _decks("CARD-07", "CARD-09"),
            Step("show", SHOWN, ("CARD-10",), actions.PACK_SHOWN, "assembling"),
            Step(
                "expose",
                Text(
                    "dejar las cartas sobre la mesa para el jefe de mesa y los jugadores que lo pidan",
                    "leave the cards on the table for the supervisor and any player who asks",
                ),
                ("CARD-11",),
                actions.CARDS_EXPOSED,
                "assembling",
            ),
            Step(
                "shuffle",
                Text("barajar hasta que no quede secuencia alguna", "shuffle until no sequence remains"),
                ("CARD-19",),
                actions.PACK_SHUFFLED,
                "shuffled",
                Shuffle(rule="CARD-19", at_least=1),
                repeats=True,
            ),
            Step(
                "cut",
                Text(
                    "ofrecer el corte desde la derecha y cortar a la vista",
                    "offer the cut from the right and cut in plain view",
                ),
                ("CARD-30", "CARD-31"),
                actions.PACK_CUT,
                "cut",
                Cut(seats, 1, offers="down", offer_rule="CARD-30", min_rule="CARD-30", centre_rule="CARD-30"),
            ),
            Step(
                "load",
                Text(
                    "poner el separador, con una baraja al menos y medio mazo como mucho detrás, y cargar",
                    "put the separator, with one deck at least and half the pack at most behind it, and load",
                ),
                ("CARD-32",),
                actions.SHOE_LOADED,
                "loaded",
                LoadBetween(rule="CARD-32", least=52, most_percent=50, tolerance=13),
            ),
            Step(
                "burn",
                Text("quemar las 5 primeras cartas", "burn the first 5 cards"),
                ("CARD-36",),
                actions.CARDS_BURNED,
                "ready",
                Burn(rule="CARD-36", cards=5),
            ),
        ),
    )


def _one_deck(
    seats: int,
    *,
    decks_rule: str,
    show_rule: str,
    shuffle_rule: str,
    cut_rule: str,
    deck_type: str = "french52",
    decks: tuple[int, ...] = (1,),
    decks_default: int = 1,
) -> Procedure:
    """A pack dealt from the hand: shown, shuffled, cut. It is shuffled again after each round, so no stop
    card lies in it."""
    any_cut = Cut(
        seats, 1, centre_parts=0, offers="any", offer_rule=cut_rule, min_rule=cut_rule, centre_rule=cut_rule
    )
    return Procedure(
        deck_type=deck_type,
        decks_default=decks_default,
        decks_allowed=decks,
        decks_rule=decks_rule,
        same_back_design=True,
        stop_rule=cut_rule,
        deals_covered=True,
        steps=(
            _decks(decks_rule),
            Step("show", SHOWN, (show_rule,), actions.PACK_SHOWN, "assembling"),
            Step(
                "shuffle",
                Text("barajar", "shuffle"),
                (shuffle_rule,),
                actions.PACK_SHUFFLED,
                "shuffled",
                ShuffleByHand(rule=shuffle_rule),
                repeats=True,
            ),
            Step("cut", Text("cortar", "cut"), (cut_rule,), actions.PACK_CUT, "ready", any_cut),
        ),
    )


def _poker(seats: int) -> Procedure:
    return _one_deck(
        seats, decks_rule="CARD-08", show_rule="CARD-10", shuffle_rule="CARD-17", cut_rule="CARD-20"
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
    "poker.draw": _poker(seats=6),
    "poker.caribbean": _poker(seats=7),
    "poker.go": _poker(seats=7),
    "poker.three_card": _poker(seats=7),
    "poker.texas": _poker(seats=10),
    "poker.omaha": _poker(seats=10),
    "poker.five_card_stud": _poker(seats=10),
    "poker.seven_card_stud": _poker(seats=7),
    # Outside the Classifier: the book prescribes no preparation, so only what holds everywhere is asked.
    "blackjack.online": _one_deck(
        1, decks_rule="CARD-04", show_rule="CARD-15", shuffle_rule="CARD-46", cut_rule="CARD-44",
        decks=(1, 2, 6, 8), decks_default=6,
    ),
    "siete.medio": _one_deck(
        10, decks_rule="CARD-04", show_rule="CARD-15", shuffle_rule="CARD-46", cut_rule="CARD-44",
        deck_type="spanish40",
    ),
}  # fmt: skip


def procedure_of(game: str) -> Procedure:
    """The procedure of a game. Raises `Refused` (code `no_procedure`)."""
    try:
        return PROCEDURES[game]
    except KeyError:
        raise Refused(
            Text("no hay preparación de sabot para ese juego", "there is no shoe preparation for that game"),
            code="no_procedure",
            field="game",
        ) from None


def games_with_procedure() -> Iterable[str]:
    return PROCEDURES.keys()
