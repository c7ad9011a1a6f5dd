"""The floor: every table at a glance and the day in figures, in a fixed number of queries.

Nothing here decides anything; what a screen shows as an alert is the flag a rule asks for. `sight` reads the
database, `standing` says what is to be attended to now, `sums` adds up the day, `stamp` tells whether
anything changed at all, `shown` is what screens get.
"""

from tables.overview.floor import Chosen, floor
from tables.overview.shown import Alert, Floor, Money, Tile, Uncounted
from tables.overview.sight import last_sessions
from tables.overview.stamp import stamp

__all__ = ["Alert", "Chosen", "Floor", "Money", "Tile", "Uncounted", "floor", "last_sessions", "stamp"]
