"""Who plays: guests, exclusion lists, seats, the waiting list (GEN-11, BANK-20 to BANK-23)."""
