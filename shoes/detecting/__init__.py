"""What the cards say against themselves: detectors that nobody has to ask (docs/detectors.md).

Plain Python over cards as they left the shoe: no Django, no database, no clock. A detector answers with a
`Finding` or with nothing. What is asked about a shoe is in `shoes.suspecting`, what follows in `shoes.watch`.

    order           a pack in factory order, or not shuffled enough (CARD-16)
    repeats         the order of an earlier shoe, or of a deck of the same one (CARD-16)
    distribution    faces that are too many, too few or too even for what the pack holds (CARD-42)
    regularity      a box or machine that goes to the tables by a pattern (CARD-46)

Each keeps its false alarms below `ALARM`, by a bound that is proven where it is computed.
"""
