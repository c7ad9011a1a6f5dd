"""The part of the access table (`casino/access_table.py`) about the pages of pools and of filings."""

from __future__ import annotations

PUBLIC = "public"

POOL_PAGES: dict[str, dict[str, str]] = {
    # ---- filings with the AJ ----
    "filings": {"GET": "audits.filing.read"},
    "filing": {"GET": "audits.filing.read"},
    "filing-present": {"POST": "audits.filing.present"},
    "filing-decide": {"POST": "audits.filing.decide"},
    "filing-revoke": {"POST": "audits.filing.decide"},
    "filing-withdraw": {"POST": "audits.filing.draft"},
    # ---- pools ----
    "pools": {"GET": "jackpots.pool.read", "POST": "jackpots.pool.set"},
    "pool": {"GET": "jackpots.pool.read"},
    "pool-edit": {"GET": "jackpots.pool.set", "POST": "jackpots.pool.set"},
    "pool-ask": {"POST": "audits.filing.draft"},
    "pool-link": {"POST": "jackpots.pool.set"},
    "pool-unlink": {"POST": "jackpots.pool.set"},
    "pool-start": {"GET": "jackpots.pool.run", "POST": "jackpots.pool.run"},
    "pool-stop": {"GET": "jackpots.pool.stop", "POST": "jackpots.pool.stop"},
    "pool-suspend": {"GET": "jackpots.pool.run", "POST": "jackpots.pool.run"},
    "pool-abandon": {"GET": "jackpots.pool.set", "POST": "jackpots.pool.set"},
    "pool-plan": {"GET": "audits.filing.draft", "POST": "audits.filing.draft"},
    "pool-correct": {"GET": "jackpots.pool.run", "POST": "jackpots.pool.run"},
    "pool-retire": {"GET": "jackpots.pool.run", "POST": "jackpots.pool.run"},
    "pool-transfer": {"GET": "jackpots.pool.run", "POST": "jackpots.pool.run"},
    "pool-draft": {"GET": "jackpots.version.draft", "POST": "jackpots.version.draft"},
    "pool-version": {"GET": "jackpots.pool.read"},
    "pool-version-approve": {"POST": "jackpots.version.approve"},
    "pool-version-withdraw": {"POST": "jackpots.version.draft"},
    "pool-explain": {"GET": "jackpots.pool.read"},
    "pool-explain-day": {"GET": "jackpots.pool.read"},
    "pool-explain-round": {"GET": "jackpots.pool.read"},
    "pool-moves": {"GET": "jackpots.pool.read"},
    "pool-readings": {"GET": "jackpots.pool.read", "POST": "jackpots.meter.read"},
    "pool-proofs": {"GET": "jackpots.pool.read", "POST": "jackpots.pool.prove"},
    "pool-proof": {"GET": "jackpots.pool.read"},
    "pool-draws": {"GET": "jackpots.pool.read", "POST": "jackpots.complementary.run"},
    "pool-display": {"GET": PUBLIC},
    "pool-display-live": {"GET": PUBLIC},
    "draw": {"GET": "jackpots.pool.read"},
    "draw-now": {"POST": "jackpots.complementary.run"},
    "draw-call-off": {"POST": "jackpots.complementary.run"},
    "draw-credit": {"POST": "jackpots.complementary.run"},
    "draw-pay": {"POST": "jackpots.prize.pay"},
    "draw-record": {"GET": "jackpots.pool.read"},
    "prizes": {"GET": "jackpots.pool.read"},
    "prizes-owed": {"GET": "jackpots.pool.read"},
    "prize": {"GET": "jackpots.pool.read"},
    "prize-check": {"POST": "jackpots.prize.verify"},
    "prize-reject": {"POST": "jackpots.prize.verify"},
    "prize-pay": {"POST": "jackpots.prize.pay"},
    "prize-form": {"GET": "jackpots.prize.form"},
    # ---- beside the felt ----
    "round-progressive": {"POST": "jackpots.bet.place"},
}
