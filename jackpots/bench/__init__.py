"""The pools' figure: the nightly proof beside the bare sums over the same rows."""

from casino.bench import figures
from jackpots.bench import proof

figures.register("pools", proof.figure)
