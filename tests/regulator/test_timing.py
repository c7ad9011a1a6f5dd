"""The yardstick of the verifier works: its made-up bundle is sound, and it answers with a figure."""

from __future__ import annotations

from audits.bundles import timing
from casino.bench.figures import Effort, table
from tests.regulator.tampering import proven


def test_the_made_up_bundle_is_sound(tmp_path):
    path = tmp_path / "b.zip"
    timing.made_up(path, 1_700)  # three chains whole and a part of a fourth
    code, said = proven(path)
    assert code == 0, said
    assert "1700 sucesos en 4 cadenas; 4 llegan a la raíz sellada" in said


def test_the_figure_tells_of_both_sides():
    found = table(timing.verifier(Effort(seconds=0.004, runs=1, clients=(1,))))
    assert "verify_bundle.py" in found and "unpack and SHA-256" in found
    assert "aim is under 60" in found
