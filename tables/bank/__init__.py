"""The bank in a player's hands (Baccarat with a player's bank, rules BANK-01 to BANK-28).

Who has it, for how much, how it passes on, and the auction nobody can dispute. `order`, `bidding` and
`draw` are plain values; `opening`, `handing`, `passing` and `auctions` write; `rounds` takes part in every
settled round.
"""
