"""The part of the access table (`casino/access_table.py`) about the bank of a table and its auctions."""

from __future__ import annotations

BANK: dict[str, dict[str, str]] = {
    # ---- API ----
    "api:session-bank": {"GET": "tables.bank.read", "POST": "tables.bank.run"},
    "api:session-banks": {"GET": "tables.bank.read"},
    "api:bank": {"GET": "tables.bank.read"},
    "api:bank-deposit": {"POST": "tables.bank.run"},
    "api:bank-add": {"POST": "tables.bank.run"},
    "api:bank-join": {"POST": "tables.bank.run"},
    "api:bank-set-aside": {"POST": "tables.bank.run"},
    "api:bank-pass": {"POST": "tables.bank.run"},
    "api:bank-return": {"POST": "tables.bank.run"},
    "api:bank-refuse": {"POST": "tables.bank.run"},
    "api:passage-take": {"POST": "tables.bank.run"},
    "api:passage-decline": {"POST": "tables.bank.run"},
    "api:passage-absent": {"POST": "tables.bank.run"},
    "api:passage-auction": {"POST": "tables.auction.open"},
    "api:auctions": {"GET": "tables.bank.read"},
    "api:auction": {"GET": "tables.bank.read"},
    "api:auction-bids": {"POST": "tables.bank.bid"},
    "api:auction-close": {"POST": "tables.auction.close"},
    "api:auction-act": {"GET": "tables.bank.read"},
    "api:auction-sign": {"POST": "tables.auction.sign"},
    # ---- pages ----
    "table-bank": {"GET": "tables.bank.read"},
    "table-bank-act": {"GET": "tables.bank.read", "POST": "tables.bank.run"},
    "round-bank": {"POST": "tables.bank.run"},
    "session-bank": {"GET": "tables.bank.read"},
    "auction": {"GET": "tables.bank.read"},
    "auction-live": {"GET": "tables.bank.read"},
    "auction-bid": {"GET": "tables.bank.read", "POST": "tables.bank.bid"},
    "auction-close": {"GET": "tables.bank.read", "POST": "tables.auction.close"},
    "auction-act": {"GET": "tables.bank.read"},
    "auction-act-json": {"GET": "tables.bank.read"},
    "auction-sign": {"GET": "tables.bank.read", "POST": "tables.auction.sign"},
}
