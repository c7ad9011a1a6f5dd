"""Rounds that another program wrote down, brought into an open session from a CSV file.

    source.py    the file as bytes: is it usable, its digest, its lines
    columns.py   which column is which, whatever it is called
    judging.py   what the rules say of one row: sound, sound with a leftover, or refused and why
    standing.py  whether its rounds are there already, in another session
    batches.py   what is written: rounds by the hundred under the session's lock, one summary event
    outcome.py   what a run comes to, counted and reported
    run.py       all of it, from a path to an outcome

The engine of the game is the judge; nothing here knows the table of draws.
"""
