"""Pages about the cards: decks, their inspection, the guided preparation of a shoe."""
