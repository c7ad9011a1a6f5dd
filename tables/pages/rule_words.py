"""What the parameters, rows and choices of rules are called on a form; a code nobody named reads as itself.

Codes are the engines' and the rulebook's (`casino/rulebook/paytables.toml`).
"""

from __future__ import annotations

from collections.abc import Mapping

from casino.kernel.words import Text, same

PARAMS: Mapping[str, Text] = {
    "seats": Text("Posiciones de una mesa nueva", "Positions of a new table"),
    "seats_max": Text("Posiciones, como máximo", "Positions, at most"),
    "decks": Text("Barajas", "Decks"),
    "prize_rounding": Text("Redondeo de los premios", "Rounding of prizes"),
    # Punto y Banca
    "commission_basis_points": Text(
        "Comisión sobre el premio de banca, en %", "Commission on the prize on banca, in %"
    ),
    "commission_collection": Text("Cobro de la comisión", "Collection of the commission"),
    "commission_rounding": Text("Redondeo de la comisión", "Rounding of the commission"),
    "banca_variant": Text("Variante de banca", "Variant of banca"),
    "punto_pays": Text("Punto paga", "Punto pays"),
    "banca_pays": Text("Banca paga", "Banca pays"),
    "banca_six_pays": Text("Banca con seis paga", "Banca with six pays"),
    "tie_pays": Text("Empate paga", "Tie pays"),
    # Black Jack
    "preset": Text("Plantilla en línea", "Online preset"),
    "hands_per_player": Text("Manos por jugador", "Hands a player"),
    "hands_to_start_min": Text("Manos para empezar", "Hands to start"),
    "hole_card": Text("Carta tapada del croupier", "The dealer's hole card"),
    "immediate_pay": Text(
        "El black jack se paga al momento salvo", "Black jack is paid at once except against"
    ),
    "dealer_hits_soft_17": Text("El croupier pide con 17 blando", "The dealer draws on soft 17"),
    "insurance": Text("Se ofrece seguro", "Insurance is offered"),
    "insurance_percent": Text("Seguro, en % de la apuesta inicial", "Insurance, in % of the initial bet"),
    "insurance_pays": Text("Seguro paga", "Insurance pays"),
    "even_money": Text("Se ofrece pago a la par", "Even money is offered"),
    "even_money_pays": Text("Pago a la par", "Even money pays"),
    "split_pair_by": Text("Se separan pares por", "Pairs are split by"),
    "splits_max": Text("Separaciones, como máximo", "Splits, at most"),
    "resplit_aces": Text("Los ases se separan otra vez", "Aces are split again"),
    "double_totals": Text("Se dobla con", "Doubling on"),
    "double_after_split": Text("Se dobla tras separar", "Doubling after a split"),
    "surrender": Text("Retiro", "Surrender"),
    "surrender_loss_percent": Text("Al retirarse se pierde, en %", "Surrendering loses, in %"),
    "charlie_cards": Text(
        "Cartas sin pasarse que ganan (0: ninguna)", "Cards without busting that win (0: none)"
    ),
    "dealer_blackjack_takes": Text("El black jack del croupier se lleva", "The dealer's black jack takes"),
    "split_21_pushes": Text(
        "21 de dos cartas tras separar empata con black jack",
        "Two-card 21 after a split stays against black jack",
    ),
    "win_pays": Text("Ganar paga", "Winning pays"),
    "blackjack_pays": Text("Black jack paga", "Black jack pays"),
    "perfect_pairs_pays": Text("Perfect Pairs", "Perfect Pairs"),
    "dealer_base_card": Text("Carta base del croupier", "The dealer's base card"),
    "decision_applies_to": Text("Una decisión vale para", "A decision holds for"),
    # Treinta y Cuarenta, ruleta
    "bets": Text("Suertes que se toman", "Chances that are taken"),
    "even_chance_pays": Text("Las suertes pagan", "The chances pay"),
    "insurance_min_stake_units": Text(
        "Seguro desde, en unidades de la moneda", "Insurance from, in units of the currency"
    ),
    "inside_outside_pays": Text("Paga", "Pays"),
    "zero_again": Text("Si el cero sale otra vez", "If zero comes again"),
    "refait_policy": Text("Refait de treinta y uno", "Refait of thirty-one"),
    "insurance_basis_points": Text("Prima del seguro, en %", "Insurance premium, in %"),
    "zero_policy": Text("Suertes sencillas con el cero", "Even chances on zero"),
    # poker contra la casa
    "bet_ante_multiple": Text("BET, en veces el ANTE", "BET, in times the ANTE"),
    "play_ante_multiple": Text("PLAY, en veces el ANTE", "PLAY, in times the ANTE"),
    "change_max_cards": Text("Cartas que cambia el jugador", "Cards a player changes"),
    "dealer_opens_with": Text("El croupier abre con", "The dealer opens with"),
    "dealer_draws": Text("El croupier cambia cartas", "The dealer changes cards"),
    "dealer_change_max_cards": Text("Cartas que cambia el croupier", "Cards the dealer changes"),
    "dealer_changes": Text("El croupier cambia con", "The dealer changes with"),
    "equal_bets": Text("Apuestas iguales", "Equal bets"),
    "withdrawable_bets": Text("Apuestas que se retiran", "Bets that may be withdrawn"),
    "fold_loses_pair_plus": Text("Al retirarse se pierde Pair Plus", "Folding loses Pair Plus"),
    "ante_pays": Text("ANTE", "ANTE"),
    "bet_pays": Text("BET", "BET"),
    "play_pays": Text("PLAY", "PLAY"),
    "ante_bonus_pays": Text("Bono del ANTE", "ANTE bonus"),
    "pair_plus_pays": Text("Pair Plus", "Pair Plus"),
    "pays": Text("Paga", "Pays"),
    # poker entre jugadores
    "structure": Text("Límite de las apuestas", "Betting limit"),
    "rake_unit": Text("El porcentaje se redondea a", "The rake is rounded to"),
    "rake_free_up_to": Text("Sin porcentaje en pozos hasta", "No rake from pots up to"),
    "rake_from": Text("El porcentaje sale", "The rake comes from"),
    "no_flop_no_drop": Text(
        "Sin porcentaje si la mano acaba en la primera ronda", "No rake if the hand ends in the first round"
    ),
    "bets_max": Text("Apuestas y subidas por ronda (0: sin tope)", "Bets and raises a round (0: no cap)"),
    "blind_is_a_bet": Text("La ciega grande cuenta como apuesta", "The big blind counts as a bet"),
    "heads_up_uncapped": Text("Sin tope entre dos jugadores", "No cap between two players"),
    "burn_log": Text("Cartas quemadas", "Burned cards"),
    "small_blind_percent_of_big": Text("Ciega chica, en % de la grande", "Small blind, in % of the big one"),
    "fixed_early_big_blinds": Text(
        "Límite fijo: primeras rondas, en ciegas grandes", "Fixed limit: early rounds, in big blinds"
    ),
    "fixed_late_big_blinds": Text(
        "Límite fijo: últimas rondas, en ciegas grandes", "Fixed limit: late rounds, in big blinds"
    ),
    "free_stakes": Text("Ciegas y apuestas fijas sin proporción", "Blinds and fixed bets without proportion"),
    # siete y medio
    "main_pays": Text("Paga", "Pays"),
    "initial_cards": Text("Cartas iniciales", "Initial cards"),
    "takes_bank": Text("Con siete y medio se toma la banca", "Seven and a half takes the bank"),
    "offer_time": Text("La banca se ofrece", "Offers for the bank"),
    "offer_max_percent_of_rest": Text("Oferta, en % de lo que quedaría", "Offer, in % of what would be left"),
    "split_court_cards": Text("Se abren las figuras", "Court cards are opened"),
    "rake_basis_points": Text("Porcentaje de la casa, en %", "Rake, in %"),
    "rake_percent": Text("Porcentaje de la casa, en %", "Rake, in %"),
    "rake_cap": Text("Tope del porcentaje por pase", "Cap of the rake a round"),
    "rake_rounding": Text("Redondeo del porcentaje", "Rounding of the rake"),
    "rake_rounding_unit": Text("Unidad del redondeo, en centavos", "Unit of the rounding, in hundredths"),
    "odd_chip_to": Text("La ficha sobrante va", "The odd chip goes"),
    "dealer_qualifies_with": Text("El croupier califica con", "The dealer qualifies with"),
    # banco de jugador
    "deduction_basis_points": Text("Deducción de la casa, en %", "House deduction, in %"),
    "deduction_rounding_unit": Text(
        "La deducción se redondea a múltiplos de tantos centavos, y luego a fichas enteras",
        "The deduction is rounded to multiples of so many hundredths, and then to whole chips",
    ),
    "punto_free_choice": Text("Puntos con los que se elige pedir", "Totals on which punto may choose"),
    "deduction_rounding": Text("Redondeo de la deducción", "Rounding of the deduction"),
    "rotation": Text("El banco pasa hacia", "The bank passes to"),
    "retired_banker_barred_same_shoe": Text(
        "Quien pasó el banco no lo toma otra vez en el mismo sabot",
        "Who passed the bank may not take it again in the same shoe",
    ),
    "set_aside_minimums": Text(
        "Lo ganado se aparta por encima de tantos mínimos de mesa (0: nunca)",
        "Winnings are set aside above so many table minimums (0: never)",
    ),
    "bid_increment": Text(
        "Incremento de las pujas, en unidades menores (0: la ficha menor)",
        "Increment of bids, in smallest units (0: the smallest chip)",
    ),
    "auction_seconds": Text("La subasta dura, en segundos", "An auction lasts, in seconds"),
    "auction_window_seconds": Text(
        "Una puja prorroga en los últimos, en segundos", "A bid prolongs it within the last, in seconds"
    ),
    "auction_extension_seconds": Text(
        "Tras una puja tardía quedan, en segundos", "After a late bid there remain, in seconds"
    ),
}

ROWS: Mapping[str, Text] = {
    "surrender": Text("retiro", "surrender"),
    "player_bust": Text("el jugador se pasa", "player busts"),
    "even_money_taken": Text("pago a la par", "even money taken"),
    "blackjack_both": Text("black jack de ambos", "both have black jack"),
    "player_blackjack": Text("black jack del jugador", "player's black jack"),
    "dealer_blackjack": Text("black jack del croupier", "dealer's black jack"),
    "no_dealer_blackjack": Text("el croupier no tiene black jack", "dealer has no black jack"),
    "dealer_bust": Text("el croupier se pasa", "dealer busts"),
    "dealer_bust_split_two_card_21": Text(
        "el croupier se pasa contra 21 de dos cartas tras separar",
        "dealer busts against a two-card 21 of a split",
    ),
    "split_two_card_21_higher": Text(
        "21 de dos cartas tras separar, mayor", "two-card 21 of a split, higher"
    ),
    "total_higher": Text("total mayor", "higher total"),
    "total_equal": Text("total igual", "equal total"),
    "total_lower": Text("total menor", "lower total"),
    "perfect_pair": Text("par perfecto", "perfect pair"),
    "colour_pair": Text("par de color", "colour pair"),
    "mixed_pair": Text("par mixto", "mixed pair"),
    "no_pair": Text("sin par", "no pair"),
    "punto_wins": Text("gana punto", "punto wins"),
    "banca_wins": Text("gana banca", "banca wins"),
    "banca_wins_with_six": Text("gana banca con seis", "banca wins with six"),
    "tie": Text("empate", "tie"),
    "no_tie": Text("sin empate", "no tie"),
    "refait_31": Text("refait de 31", "refait at 31"),
    "no_refait": Text("sin refait", "no refait"),
    "rows_equal": Text("filas iguales", "rows equal"),
    "black_wins": Text("gana negro", "black wins"),
    "black_loses": Text("pierde negro", "black loses"),
    "red_wins": Text("gana rojo", "red wins"),
    "red_loses": Text("pierde rojo", "red loses"),
    "colour_wins": Text("gana color", "colour wins"),
    "colour_loses": Text("pierde color", "colour loses"),
    "inverse_wins": Text("gana inverso", "inverse wins"),
    "inverse_loses": Text("pierde inverso", "inverse loses"),
    "folded": Text("se retira", "folded"),
    "dealer_not_open": Text("el croupier no abre", "dealer does not open"),
    "dealer_not_qualified": Text("el croupier no califica", "dealer does not qualify"),
    "player_higher": Text("el jugador supera", "player is higher"),
    "player_lower": Text("el jugador queda por debajo", "player is lower"),
    "hands_equal": Text("manos iguales", "hands equal"),
    "royal_flush": Text("escalera real", "royal flush"),
    "straight_flush": Text("escalera de color", "straight flush"),
    "four_of_a_kind": Text("póquer", "four of a kind"),
    "full_house": Text("full", "full house"),
    "flush": Text("color", "flush"),
    "straight": Text("escalera", "straight"),
    "three_of_a_kind": Text("trío", "three of a kind"),
    "two_pair": Text("doble par", "two pair"),
    "pair": Text("par", "pair"),
    "low_pair": Text("par bajo", "low pair"),
    "high_card": Text("carta alta", "high card"),
    "pair_tens_or_better": Text("par de dieces o mejor", "pair of tens or better"),
    "ace_king": Text("as y rey", "ace and king"),
    "not_listed": Text("mano sin premio", "hand not listed"),
    "player_seven_and_half": Text("siete y medio del jugador", "player's seven and a half"),
    "bank_seven_and_half": Text("siete y medio de la banca", "bank's seven and a half"),
    "bank_bust": Text("la banca se pasa", "bank busts"),
    "equal": Text("igual", "equal"),
    "straight_one_number": Text("pleno", "straight up"),
    "split_two_numbers": Text("caballo", "split"),
    "street_three_numbers": Text("transversal", "street"),
    "corner_four_numbers": Text("cuadro", "corner"),
    "trio_with_zero": Text("trío con el cero", "trio with zero"),
    "first_four": Text("primeros cuatro", "first four"),
    "six_line": Text("seisena", "six line"),
    "dozen_or_column": Text("docena o columna", "dozen or column"),
    "two_dozens_or_columns": Text("dos docenas o columnas", "two dozens or columns"),
    "even_chance": Text("suerte sencilla", "even chance"),
    "even_chance_on_zero": Text("suerte sencilla con el cero", "even chance on zero"),
}

_ROUNDINGS: Mapping[str, Text] = {
    "up": Text("hacia arriba, a favor de la casa", "up, for the house"),
    "down": Text("hacia abajo, a favor del jugador", "down, for the player"),
    "nearest": Text("al más cercano; la mitad, hacia arriba", "to the nearest; half goes up"),
    "exact": Text("exacto: sólo apuestas que no dejan resto", "exact: only stakes that leave no rest"),
}
CHOICES: Mapping[str, Mapping[str, Text]] = {
    "commission_rounding": _ROUNDINGS,
    "deduction_rounding": _ROUNDINGS,
    "rake_rounding": _ROUNDINGS,
    "prize_rounding": {
        "down": Text("hacia abajo, a favor de la casa", "down, for the house"),
        "exact": _ROUNDINGS["exact"],
    },
    "immediate_pay": {
        "not_ace_ten_court": Text("contra as, diez o figura", "an ace, a ten or a court card"),
        "not_ace": Text("contra as", "an ace"),
    },
    "rotation": {
        "right": Text("la derecha, contra el reloj", "the right, counter-clockwise"),
        "left": Text("la izquierda, con el reloj", "the left, clockwise"),
    },
    "banca_variant": {
        "commission": Text("con comisión", "with commission"),
        "no_commission": Text("sin comisión", "without commission"),
    },
}
"""The values of a parameter, where they are a closed list of words."""

VALUES: Mapping[str, Text] = {
    "deducted": Text("se descuenta del premio", "deducted from the prize"),
    "marked": Text("se marca y se cobra al irse", "marked and collected on leaving"),
    "european": Text("europea: sin carta tapada", "European: no hole card"),
    "american": Text("americana: con carta tapada", "American: with a hole card"),
    "early": Text("antes de ver si hay black jack", "early"),
    "all": Text("todas las apuestas", "every bet"),
    "late": Text("después de ver si hay black jack", "late"),
    "off": Text("no", "off"),
    "shared": Text("una para las tres manos", "one for the three hands"),
    "per_hand": Text("una por mano", "one a hand"),
    "ace_king": Text("as y rey", "ace and king"),
    "pair_of_eights": Text("par de ochos", "pair of eights"),
    "jack_high": Text("jota", "jack high"),
    "queen_high": Text("dama", "queen high"),
    "king_high": Text("rey", "king high"),
    "proportional": Text("de cada pozo en proporción", "each pot in proportion"),
    "main_first": Text("del pozo principal primero", "the main pot first"),
    "first_left_of_button": Text("al primero a la izquierda del botón", "to the first left of the button"),
    "high_card_by_suit": Text("a la carta más alta por palo", "to the highest card by suit"),
    "prompt": Text("se piden", "asked for"),
    "required": Text("se exigen", "required"),
    "lose": Text("pierden", "lose"),
    "half": Text("pierden la mitad", "lose half"),
    "prison": Text("quedan en prisión", "stay in prison"),
    "half_or_prison": Text("mitad o prisión, a elección", "half or prison, as chosen"),
    "stay": Text("siguen en prisión", "stay in prison"),
    "double": Text("doble prisión", "double prison"),
    "before_hand": Text("antes de la mano", "before the hand"),
    "after_bet": Text("después de apostar", "after the bets"),
    "all_bets": Text("todas las apuestas", "every bet"),
    "original": Text("sólo la apuesta inicial", "only the initial bet"),
    "original_only": Text("sólo la apuesta inicial", "only the initial bet"),
    "each_live_bet": Text("cada apuesta en juego", "each live bet"),
    "true": Text("sí", "yes"),
    "false": Text("no", "no"),
    "value": Text("valor", "value"),
    "rank": Text("índice", "rank"),
    "any": Text("cualquier total", "any total"),
    "9_10_11": Text("9, 10 u 11", "9, 10 or 11"),
    "no_limit": Text("sin límite", "no limit"),
    "pot_limit": Text("límite de pozo", "pot limit"),
    "fixed_limit": Text("límite fijo", "fixed limit"),
}
"""Words of values that mean the same under any parameter."""

PAYS: Mapping[str, Text] = {
    "lose": Text("pierde", "loses"),
    "push": Text("nula", "push"),
    "lose_half": Text("pierde la mitad", "loses half"),
    "half_or_prison": Text("mitad o prisión", "half or prison"),
}
"""What a row of a pay table may say instead of a ratio."""

HELP: Mapping[str, Text] = {
    "banca_six_pays": Text("Sólo en la variante sin comisión.", "Only in the variant without commission."),
}
RATIO = Text(
    "Ganancia por apuesta, como 8:1; la apuesta se devuelve aparte.",
    "What is won on the stake, such as 8:1; the stake goes back besides.",
)


def readable(code: str) -> Text:
    """A code nobody named, as near to words as it comes."""
    words = code.replace("_", " ")
    return same(words[:1].upper() + words[1:])
