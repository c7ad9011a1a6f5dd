"""The floor's figures: rounds in full beside pgbench, the pure engines, plans of posts, the floor page."""

from casino.bench import figures
from tables.bench import detectors, engine, games, rotation, rounds, screens

figures.register("detectors", detectors.figure)
figures.register("engine", engine.figure)
figures.register("games", games.figure)
figures.register("rotation", rotation.figure)
figures.register("rounds", rounds.figure)
figures.register("screens", screens.figure)
