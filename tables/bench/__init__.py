"""The floor's figures: rounds recorded in full beside pgbench, and settlements of the pure engines."""

from casino.bench import figures
from tables.bench import detectors, engine, games, rounds

figures.register("detectors", detectors.figure)
figures.register("engine", engine.figure)
figures.register("games", games.figure)
figures.register("rounds", rounds.figure)
