"""The part of the access table (`casino/access_table.py`) about filings and the API of pools."""

from __future__ import annotations

POOLS: dict[str, dict[str, str]] = {
    # ---- filings ----
    "api:filings": {"GET": "audits.filing.read", "POST": "audits.filing.draft"},
    "api:filing": {"GET": "audits.filing.read"},
    "api:filing-present": {"POST": "audits.filing.present"},
    "api:filing-decide": {"POST": "audits.filing.decide"},
    "api:filing-due": {"POST": "audits.filing.draft"},
    "api:filing-files": {"POST": "audits.filing.draft"},
    "api:filing-file": {"GET": "audits.filing.read"},
    "api:filing-demands": {"GET": "audits.filing.read", "POST": "audits.filing.demand"},
    "api:rules-filing": {"POST": "audits.filing.draft"},
    "api:decks-homologation": {"POST": "audits.filing.draft"},
    "api:filing-revoke": {"POST": "audits.filing.decide"},
    "api:filing-withdraw": {"POST": "audits.filing.draft"},
    # ---- pools ----
    "api:pools": {"GET": "jackpots.pool.read", "POST": "jackpots.pool.set"},
    "api:pool-analysis": {"POST": "jackpots.version.draft"},
    "api:pool": {"GET": "jackpots.pool.read"},
    "api:pool-change": {"POST": "jackpots.pool.set"},
    "api:pool-start": {"POST": "jackpots.pool.run"},
    "api:pool-stop": {"POST": "jackpots.pool.stop"},
    "api:pool-suspend": {"POST": "jackpots.pool.run"},
    "api:pool-abandon": {"POST": "jackpots.pool.set"},
    "api:pool-plan": {"POST": "audits.filing.draft"},
    "api:pool-correct": {"POST": "jackpots.pool.run"},
    "api:pool-retire": {"POST": "jackpots.pool.run"},
    "api:pool-transfer": {"POST": "jackpots.pool.run"},
    "api:pool-moves": {"GET": "jackpots.pool.read"},
    "api:pool-meter": {"GET": "public"},  # the amounts of a public pool, as its display shows them
    "api:pool-versions": {"GET": "jackpots.pool.read", "POST": "jackpots.version.draft"},
    "api:pool-version": {"GET": "jackpots.pool.read"},
    "api:pool-version-approve": {"POST": "jackpots.version.approve"},
    "api:pool-version-withdraw": {"POST": "jackpots.version.draft"},
    "api:pool-version-ask": {"POST": "audits.filing.draft"},
    "api:pool-version-analysis": {"GET": "jackpots.pool.read"},
    "api:pool-members": {"GET": "jackpots.pool.read", "POST": "jackpots.pool.set"},
    "api:pool-member-unlink": {"POST": "jackpots.pool.set"},
    # ---- at the table ----
    "api:session-progressive": {"GET": "jackpots.pool.read"},
    "api:session-credits": {"GET": "jackpots.pool.read", "POST": "jackpots.credits.sell"},
    "api:session-credits-return": {"POST": "jackpots.credits.sell"},
    "api:session-progressive-bets": {"GET": "jackpots.pool.read", "POST": "jackpots.bet.place"},
    "api:progressive-bet-cancel": {"POST": "jackpots.bet.place"},
    # ---- prizes ----
    "api:prizes": {"GET": "jackpots.pool.read"},
    "api:prize": {"GET": "jackpots.pool.read"},
    "api:prize-checks": {"POST": "jackpots.prize.verify"},
    "api:prize-reject": {"POST": "jackpots.prize.verify"},
    "api:prize-pay": {"POST": "jackpots.prize.pay"},
    "api:session-prize-claim": {"GET": "jackpots.pool.read"},
    # ---- readings and proofs ----
    "api:pool-readings": {"GET": "jackpots.pool.read", "POST": "jackpots.meter.read"},
    "api:pool-proofs": {"GET": "jackpots.pool.read", "POST": "jackpots.pool.prove"},
    "api:pool-proof": {"GET": "jackpots.pool.read"},
    "api:pool-differences": {"GET": "jackpots.pool.read"},
    # ---- complementary prizes ----
    "api:pool-complementary": {"GET": "jackpots.pool.read", "POST": "jackpots.complementary.run"},
    "api:complementary": {"GET": "jackpots.pool.read"},
    "api:complementary-record": {"GET": "jackpots.pool.read"},
    "api:complementary-draw": {"POST": "jackpots.complementary.run"},
    "api:complementary-call-off": {"POST": "jackpots.complementary.run"},
    "api:complementary-credits": {"POST": "jackpots.complementary.run"},
    "api:complementary-chips": {"POST": "jackpots.prize.pay"},
}
