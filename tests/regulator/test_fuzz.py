"""Whatever is altered at random in whichever file, by who has no key: an exit code, its name, no traceback.

Seeded, so that what fails once fails again. A longer run: more of `SEEDS`.
"""

from __future__ import annotations

import pytest

from tests.regulator.fuzzing import WAYS, wrong

pytestmark = pytest.mark.rule("REC-06")

SEEDS = range(2)
WITH_ROUNDS = ("emptied", "removed")
"""Ways in which the rounds are to be settled as well: that takes longer."""
KINDS = [
    "manifest.json", "manifest.sig", "keys.json", "seals.jsonl", "leaves.jsonl", "events/00001.jsonl",
    "ledger/transfers.jsonl", "ledger/accounts.jsonl", "rounds/rounds.jsonl", "rounds/versions.jsonl",
    "reports/001-tables-day.csv", "reports/001-tables-day.rows.jsonl", "code/tables/games/registry.py",
    "verify_bundle.py", "leame.txt",
]  # fmt: skip


def test_every_kind_of_file_is_among_them(bundle):
    """A bundle that gets files of a new kind gets them altered too."""

    def kind(name):
        return name.partition("/")[0], name.rpartition(".")[2]

    assert {kind(name) for name in bundle.files} == {kind(name) for name in KINDS}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_altered_in_every_way(bundle, name):
    found = [wrong(bundle, name, way, seed, "--no-rounds") for way in WAYS for seed in SEEDS]
    found += [wrong(bundle, name, way, 0) for way in WITH_ROUNDS]
    assert not any(found), "\n".join(filter(None, found))
