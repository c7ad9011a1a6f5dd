"""The floor's figures: rounds recorded in full beside pgbench, and settlements of the pure engine."""

from casino.bench import figures
from tables.bench import engine, rounds

figures.register("engine", engine.figure)
figures.register("rounds", rounds.figure)
