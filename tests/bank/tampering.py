"""What somebody who owns the server could change in the banks of `test_bank_proofs`, and where it is found."""
# ruff: noqa: E501  (statements read better whole)

from __future__ import annotations

_BANK = "UPDATE tables_bank SET {0} WHERE id = {{{1}}}"
_AUCTION = "UPDATE tables_auction SET {0} WHERE id = {{{1}}}"
_BID = "UPDATE tables_bid SET {0} WHERE auction_id = {{{1}}} AND number = {2}"
_DEPOSIT = "(SELECT min(id) FROM tables_bankdeposit WHERE bank_id = {passed})"
_ANSWER = "(SELECT min(id) FROM tables_bankanswer WHERE passage_id = {offer} AND answer = 'decline')"
_SIGNATURE = "(SELECT min(id) FROM tables_auctionsignature WHERE auction_id = {tied})"
_TRANSFER = (
    "(SELECT min(t.id) FROM audits_transfer t JOIN audits_posting p ON p.transfer_id = t.id"
    " JOIN audits_account a ON a.id = p.account_id WHERE a.code = 'bank:{passed}' AND t.kind = '%s')"
)

UNNOTICED: dict[str, tuple[str, str, str]] = {
    # name: (statement, where it is found, what is named)
    "a bank's holder": (
        _BANK.format("holder_id = (SELECT holder_id FROM tables_bank WHERE id = {taken})", "passed"),
        "bank:{passed}",
        "holder",
    ),
    "a bank's associate": (_BANK.format("associate_id = NULL", "taken"), "bank:{taken}", "associate"),
    "a bank's number": (_BANK.format("number = 99", "passed"), "bank:{passed}", "number"),
    "how a bank was got": (_BANK.format("how = 'retake'", "taken"), "bank:{taken}", "how"),
    "what a bank was awarded for": (_BANK.format("required = required - 100", "bought"), "bank:{bought}", "required"),
    "what it had to begin with": (_BANK.format("required = required - 100", "taken"), "bank:{taken}", "required"),
    "what it began with": (_BANK.format("opening = opening + 100", "passed"), "bank:{passed}", "opening"),
    "when it was awarded": (
        _BANK.format("begun_at = begun_at - interval '1 second'", "bought"), "bank:{bought}", "begun_at"
    ),
    "when it was deposited": (
        _BANK.format("held_at = held_at + interval '1 second'", "bought"), "bank:{bought}", "opening"
    ),
    "how it ended": (_BANK.format("ending = 'lost'", "passed"), "bank:{passed}", "ended"),
    "what was given back": (_BANK.format("left_with = left_with - 100", "passed"), "bank:{passed}", "ended"),
    "what was given back, against what was won": (
        _BANK.format("left_with = left_with - 100", "passed"), "bank:{passed}", "amount"
    ),
    "what was set aside": (_BANK.format("aside = aside - 100", "passed"), "bank:{passed}", "aside"),
    "how often it dealt": (_BANK.format("deals = deals + 1", "passed"), "bank:{passed}", "deals"),
    "whose it was before": (_BANK.format("previous_id = NULL", "taken"), "bank:{taken}", "previous"),
    "a bank deleted": ("DELETE FROM tables_bank WHERE id = {taken}", "bank:{taken}", "row"),
    "a deposit": (f"UPDATE tables_bankdeposit SET amount = amount + 100 WHERE id = {_DEPOSIT}", "bank:{passed} (d", "amount"),
    "who deposited": (
        "UPDATE tables_bankdeposit SET taking_id = (SELECT holder_id FROM tables_bank WHERE id = {taken})"
        f" WHERE id = {_DEPOSIT}",
        "bank:{passed} (d",
        "who",
    ),
    "a deposit deleted": (f"DELETE FROM tables_bankdeposit WHERE id = {_DEPOSIT}", "bank:{passed} (d", "row"),
    "a deposit deleted, in the sum": (f"DELETE FROM tables_bankdeposit WHERE id = {_DEPOSIT}", "bank:{passed}", "amount"),
    "what an offer was for": ("UPDATE tables_bankpassage SET least = least - 100 WHERE id = {offer}", "passage:{offer}", "least"),
    "how an offer ended": (
        "UPDATE tables_bankpassage SET result = 'vacant', to_id = NULL WHERE id = {offer}", "passage:{offer}", "result"
    ),
    "an offer that goes on": (
        "UPDATE tables_bankpassage SET step = 'rotation', result = '', to_id = NULL, ended_at = NULL"
        " WHERE id = {offer}",
        "passage:{offer}",
        "result",
    ),
    "who left the bank": ("UPDATE tables_bankpassage SET left_id = {bought} WHERE id = {offer}", "passage:{offer}", "left"),
    "an answer": (f"UPDATE tables_bankanswer SET answer = 'absent' WHERE id = {_ANSWER}", "passage:{offer} (a", "answer"),
    "whose answer": (
        "UPDATE tables_bankanswer SET taking_id = (SELECT holder_id FROM tables_bank WHERE id = {passed})"
        f" WHERE id = {_ANSWER}",
        "passage:{offer} (a",
        "taking",
    ),
    "an answer deleted": (f"DELETE FROM tables_bankanswer WHERE id = {_ANSWER}", "passage:{offer} (a", "row"),
    "what a round left": ("UPDATE tables_bankround SET after = after + 100 WHERE round_id = {won}", "bank round:{won}", "figures"),
    "what a round began with": (
        "UPDATE tables_bankround SET before = before + 100 WHERE round_id = {won}", "bank round:{won}", "before"
    ),
    "a round's deduction": (
        "UPDATE tables_bankround SET deduction = 0 WHERE round_id = {won}", "bank round:{won}", "figures"
    ),
    "a round that left the bank": ("DELETE FROM tables_bankround WHERE round_id = {won}", "bank round:{won}", "row"),
    "a round of another bank": (
        "UPDATE tables_bankround SET bank_id = {bought} WHERE round_id = {won}", "bank round:{won}", "bank"
    ),
    "an auction's number": (_AUCTION.format("number = 90", "tied"), "auction:{tied}", "label"),
    "the numbers of auctions": (_AUCTION.format("number = 90", "tied"), "2026", "the numbers of auctions have gaps: 1, 90"),
    "an auction's opening bid": (_AUCTION.format("minimum = minimum - 100", "tied"), "auction:{tied}", "figures"),
    "an auction's maximum": (_AUCTION.format("most = most + 100", "tied"), "auction:{tied}", "figures"),
    "an auction's prolongation": (_AUCTION.format("extension_s = 60", "tied"), "auction:{tied}", "extension"),
    "an auction's form": (_AUCTION.format("form = 'sealed'", "empty"), "auction:{empty}", "form"),
    "the hash of a seed": (_AUCTION.format("seed_hash = repeat('0', 64)", "tied"), "auction:{tied}", "seed_hash"),
    "a seed": (_AUCTION.format("seed = repeat('0', 64)", "tied"), "auction:{tied}", "seed"),
    "a seed kept back": (
        "UPDATE tables_auctionsecret SET seed = repeat('0', 64) WHERE auction_id = {open}", "auction:{open} (seed)", "announced"
    ),
    "a seed thrown away": (
        "DELETE FROM tables_auctionsecret WHERE auction_id = {open}", "auction:{open} (seed)", "announced"
    ),
    "an auction's close": (
        _AUCTION.format("closes_at = closes_at + interval '1 second'", "open"), "auction:{open}", "closes_at"
    ),
    "when it was closed": (
        _AUCTION.format("closed_at = closed_at + interval '1 second'", "tied"), "auction:{tied}", "closed_at"
    ),
    "how many bid": (_AUCTION.format("last_bid = last_bid + 1", "tied"), "auction:{tied}", "last_bid"),
    "who won": (
        _AUCTION.format("winner_id = (SELECT id FROM tables_bid WHERE auction_id = {tied} AND number = 1)", "tied"),
        "auction:{tied}",
        "winner",
    ),
    "an auction opened again": (
        _AUCTION.format("state = 'open', closed_at = NULL, seed = '', winner_id = NULL, bank_id = NULL", "tied"),
        "auction:{tied}",
        "state",
    ),
    "an auction deleted": ("DELETE FROM tables_auction WHERE id = {empty}", "auction:{empty}", "row"),
    "who was out": (
        "UPDATE tables_auctionseat SET rule = '' WHERE auction_id = {tied} AND rule <> ''", "auction:{tied}", "places"
    ),
    "why somebody was out": (
        "UPDATE tables_auctionseat SET why_es = 'otra' WHERE auction_id = {tied} AND rule <> ''", "auction:{tied}", "places"
    ),
    "a place at the auction": (
        "DELETE FROM tables_auctionseat WHERE auction_id = {tied} AND rule <> ''", "auction:{tied}", "places"
    ),
    "a bid": (_BID.format("amount = amount + 100", "tied", 2), "auction:{tied} (bid 2)", "amount"),
    "a bid, in the act": (_BID.format("amount = amount + 100", "tied", 2), "SUB-2026-00001", "the digest of the bids"),
    "when a bid came": (_BID.format("at = at + interval '1 second'", "tied", 2), "auction:{tied} (bid 2)", "noted"),
    "whose bid": (
        _BID.format("taking_id = (SELECT taking_id FROM tables_bid WHERE auction_id = {tied} AND number = 1)", "tied", 2),
        "auction:{tied} (bid 2)",
        "who",
    ),
    "bids at one time": (_BID.format("together_id = NULL", "tied", 4), "auction:{tied} (bid 4)", "together"),
    "a bid deleted": (
        "DELETE FROM tables_bid WHERE auction_id = {tied} AND number = 2", "auction:{tied} (bid 2)", "row"
    ),
    "a sealed bid": (_BID.format("amount = amount + 100", "sealed", 2), "auction:{sealed} (bid 2)", "amount"),
    "a sealed bid with its seal": (
        _BID.format(
            "amount = 9500, seal = encode(sha256(convert_to(nonce || ':9500', 'UTF8')), 'hex')", "sealed", 2
        ),
        "auction:{sealed} (bid 2)",
        "unsealed",
    ),
    "who signed": (
        f"UPDATE tables_auctionsignature SET actor_id = {{cage}} WHERE id = {_SIGNATURE}",
        "auction:{tied} (signature",
        "signed",
    ),
    "what was signed": (
        f"UPDATE tables_auctionsignature SET digest = repeat('0', 64) WHERE id = {_SIGNATURE}",
        "auction:{tied} (signature",
        "digest",
    ),
    "a signature deleted": (
        f"DELETE FROM tables_auctionsignature WHERE id = {_SIGNATURE}", "auction:{tied} (signature -)", "row"
    ),
    "one alone signed": (
        f"DELETE FROM tables_auctionsignature WHERE id = {_SIGNATURE}", "SUB-2026-00001", "two different people sign"
    ),
    "a deposit doubled in the books": (
        f"UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id = {_TRANSFER % 'bank'}",
        "bank:{passed}",
        "balance",
    ),
    "a deposit of another amount in the books": (
        f"UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id = {_TRANSFER % 'bank'}",
        "event ",
        "debit",
    ),
    "a deposit on another day": (
        f"UPDATE audits_transfer SET day = day + 1 WHERE id = {_TRANSFER % 'bank'}", "event ", "day"
    ),
    "what a round won in the books": (
        f"UPDATE audits_posting SET debit = debit * 2, credit = credit * 2 WHERE transfer_id = {_TRANSFER % 'round'}",
        "event ",
        "won",
    ),
    "a bank's account": ("UPDATE audits_account SET code = 'bank:0' WHERE code = 'bank:{passed}'", "bank:0", "row"),
}  # fmt: skip
