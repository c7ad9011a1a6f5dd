"""The plan of posts in the house: drafted from the rows of the floor, applied, mended and carried out.

The planner itself is plain Python next door (`tables.roster.rotation`). Here: `gathering` reads the floor
into a problem, `stored` keeps problem and draft, `drafting`, `applying`, `mending` and `carrying_out` write,
`asking` answers who goes where, `ledger` keeps the fairness of past days.
"""
