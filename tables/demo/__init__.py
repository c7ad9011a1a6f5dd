"""A casino to look at: made through the write functions alone, acting as its own people.

    house.py   the casino, its logins, staff, tables, rules and limits
    packs.py   inspected decks and prepared shoes, with the order of the cards that lie in them
    night.py   rounds dealt from those shoes, and who bets what
    guests.py  how guests play the games that ask for decisions
    make.py    the evening that is over, the tables that are open

Everything follows from a seed: the same clock makes the same casino.
"""

CODE = "demo"
PASSWORD = "sabot demostracion"  # noqa: S105
"""Of every demonstration login. It is printed, so the demo refuses to exist in production."""
