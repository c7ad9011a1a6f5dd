"""The subjects, in the order they are told. Importing this enters their faults."""

from casino.selftest import (  # noqa: F401
    on_cards,
    on_guards,
    on_money,
    on_people,
    on_pools,
    on_records,
    on_rounds,
    on_trail,
    sealed,
)

if sealed.THERE:
    from casino.selftest import on_seals  # noqa: F401

ORDER = ("trail", "seals", "guards", "cards", "rounds", "money", "pools", "people", "records")
