"""What somebody who owns the server could change in the pools of `test_pool_proofs`, and where it is found."""
# ruff: noqa: E501  (statements read better whole)

from __future__ import annotations

_POOL = "UPDATE jackpots_pool SET {0} WHERE id = {{pool}}"
_FUND = "UPDATE jackpots_fund SET {0} WHERE pool_id = {{pool}} AND code = '{1}'"
_BET = "UPDATE jackpots_bet SET {0} WHERE id = {{bet_{1}}}"
_PRIZE = "UPDATE jackpots_prize SET {0} WHERE id = {{prize_{1}}}"
_VERSION = "UPDATE jackpots_poolversion SET {0} WHERE id = {{{1}}}"
_MOVE = "UPDATE jackpots_poolmove SET {0} WHERE id = {{move_{1}}}"
_DRAW = "UPDATE jackpots_complementary SET {0} WHERE id = {{draw}}"
_READING = "UPDATE jackpots_meterreading SET {0} WHERE id = (SELECT min(id) FROM jackpots_meterreading WHERE pool_id = {{pool}})"
_POSTING = (
    "UPDATE audits_posting SET {0} WHERE id = (SELECT min(p.id) FROM audits_posting p JOIN audits_account a"
    " ON a.id = p.account_id JOIN audits_transfer t ON t.id = p.transfer_id WHERE a.code = '{1}' AND t.kind = '{2}')"
)
_RAISED = "debit = CASE debit WHEN 0 THEN 0 ELSE debit + 1 END, credit = CASE credit WHEN 0 THEN 0 ELSE credit + 1 END"
_MAIN, _EVENT = "pool:{pool}:main", "event "
_FILING = (
    "UPDATE audits_filing SET {0} WHERE id = (SELECT max(id) FROM audits_filing WHERE state = 'approved')"
)

UNNOTICED: dict[str, tuple[str, str, str]] = {
    # name: (statement, where it is found, what is named)
    "a pool's name": (_POOL.format("name = 'otro'"), "pool:{pool}", "set"),
    "whether the public sees it": (_POOL.format("public = NOT public"), "pool:{pool}", "set"),
    "a pool's state": (_POOL.format("state = 'suspended'"), "pool:{pool}", "state"),
    "a pool's version": (_POOL.format("version_id = {old}"), "pool:{pool}", "version"),
    "what was collected": (_POOL.format("collected = collected + 1"), "pool:{pool}", "collected"),
    "how many bets": (_POOL.format("bets = bets + 1"), "pool:{pool}", "bets"),
    "how many prizes": (_POOL.format("prizes = prizes + 1"), "pool:{pool}", "prizes"),
    "who took it over": (_POOL.format("retired_to_id = id"), "pool:{pool}", "retired_to"),
    "players' money": (_FUND.format("players = players + 1", "main"), "fund:{pool}:main", "players"),
    "the base": (_FUND.format("base = base + 1", "main"), "fund:{pool}:main", "base"),
    "a fund's last move": (_FUND.format("last_move_id = NULL", "main"), "fund:{pool}:main", "last_move"),
    "what kind of fund": (_FUND.format("reserve = false", "reserve"), "fund:{pool}:reserve", "reserve"),
    "the parameters": (
        _VERSION.format("params = jsonb_set(params, '{{commission_bp}}', '900')", "old"),
        "pool version:{old}",
        "params",
    ),
    "offsets": (
        _VERSION.format("offsets = offsets || '{{\"main\": 5}}'", "new"),
        "pool version:{new}",
        "begun",
    ),
    "who drafted it": (_VERSION.format("author_id = {cage}", "old"), "pool version:{old}", "drafted"),
    "a version's state": (
        _VERSION.format("state = 'over', ended_at = begun_at, collected = 0", "new"),
        "pool version:{new}",
        "state",
    ),
    "its filing": (
        _VERSION.format("filing_id = (SELECT min(id) FROM audits_filing)", "new"),
        "pool version:{new}",
        "filing",
    ),
    "when it ended": (
        _VERSION.format("ended_at = ended_at + interval '1 second'", "old"),
        "pool version:{old}",
        "ended",
    ),
    "what it collected": (
        _VERSION.format("collected = collected + 500", "old"),
        "pool version:{old}",
        "collected",
    ),
    "who approved": (
        "UPDATE jackpots_versionapproval SET actor_id = {cage} WHERE version_id = {old} AND department = 'compliance'",
        "pool version:{old} (approval",
        "who",
    ),
    "what was approved": (
        "UPDATE jackpots_versionapproval SET digest = repeat('0', 64) WHERE version_id = {old}",
        "pool version:{old} (approval",
        "digest",
    ),
    "since when a table feeds it": (
        "UPDATE jackpots_pooltable SET during = tstzrange(lower(during) - interval '1 hour', NULL) WHERE id = {member}",
        "pool:{pool} (table",
        "event",
    ),
    "until when a table feeds it": (
        "UPDATE jackpots_pooltable SET during = tstzrange(lower(during), now()) WHERE id = {member}",
        "pool:{pool} (table",
        "until",
    ),
    "why a fund moved": (
        _MOVE.format("kind = 'correction'", "overflow"),
        "pool:{pool} (move {move_overflow})",
        "kind",
    ),
    "how much moved": (_MOVE.format("players = players - 1", "overflow"), _EVENT, "moves"),
    "a void's movement gone": (
        "DELETE FROM jackpots_poolmove WHERE id = {move_void}",
        "event ",
        "move",
    ),
    "a draw's seed, to one that is none": (_DRAW.format("secret = 'zz', seed = 'zz'"), "draw:{draw}", "seed"),
    "how much a void took": (
        _MOVE.format("players = players - 1", "void"),
        "pool:{pool} (move {move_void})",
        "void",
    ),
    "what was left after": (
        _MOVE.format("after_players = after_players + 1", "overflow"),
        "pool:{pool} (move {move_overflow})",
        "after_players",
    ),
    "what base was left after": (
        _MOVE.format("after_base = after_base + 1", "rejected"),
        "pool:{pool} (move {move_rejected})",
        "after_base",
    ),
    "how many bets when it moved": (
        _MOVE.format("bets = bets + 1", "overflow"),
        "pool:{pool} (move {move_overflow})",
        "bets",
    ),
    "when it moved": (
        _MOVE.format("at = at + interval '1 second'", "overflow"),
        "pool:{pool} (move {move_overflow})",
        "at",
    ),
    "a move gone": ("DELETE FROM jackpots_poolmove WHERE id = {move_overflow}", _EVENT, "moves"),
    "a bet's amount": (
        _BET.format("amount = amount + 100", "counted"),
        "progressive bet:{bet_counted}",
        "amount",
    ),
    "a bet's seat": (_BET.format("seat = 6", "counted"), "progressive bet:{bet_counted}", "placed"),
    "a bet's place": (_BET.format("serial = 99", "counted"), "progressive bet:{bet_counted}", "counted"),
    "the total with a bet": (
        _BET.format("total = total + 1", "counted"),
        "progressive bet:{bet_counted}",
        "counted",
    ),
    "a bet's version": (
        _BET.format("version_id = {new}", "counted"),
        "progressive bet:{bet_counted}",
        "counted",
    ),
    "a bet's day": (_BET.format("day = day - 1", "counted"), "progressive bet:{bet_counted}", "day"),
    "a bet's round": (
        _BET.format("round_id = (SELECT max(id) FROM tables_round)", "void"),
        "progressive bet:{bet_void}",
        "round",
    ),
    "a bet's pool": (_BET.format("pool_id = {other}", "placed"), "progressive bet:{bet_placed}", "placed"),
    "when a bet was placed": (
        _BET.format("placed_at = placed_at + interval '1 second'", "placed"),
        "progressive bet:{bet_placed}",
        "noted",
    ),
    "a counted bet made void": (
        _BET.format("state = 'void'", "counted"),
        "progressive bet:{bet_counted}",
        "state",
    ),
    "a void bet counted": (_BET.format("state = 'counted'", "void"), "progressive bet:{bet_void}", "state"),
    "a cancelled bet given back": (
        _BET.format("state = 'returned'", "cancelled"),
        "progressive bet:{bet_cancelled}",
        "state",
    ),
    "a bet gone": ("DELETE FROM jackpots_bet WHERE id = {bet_cancelled}", "progressive bet:event", "row"),
    "a prize's amount": (
        _PRIZE.format("amount = amount + 1, house = house + 1", "pending"),
        "prize:{prize_pending}",
        "amount",
    ),
    "whose money it was": (
        _PRIZE.format("players = players - 1, base = base + 1", "pending"),
        "prize:{prize_pending}",
        "source",
    ),
    "the restart's money": (
        _PRIZE.format("reseed_house = reseed_house + 1", "rejected"),
        "prize:{prize_rejected}",
        "source",
    ),
    "the hand": (_PRIZE.format("hand = 'straight_flush'", "pending"), "prize:{prize_pending}", "hand"),
    "what there was": (_PRIZE.format("before = before + 1", "pending"), "prize:{prize_pending}", "amount"),
    "a prize's seat": (_PRIZE.format("seat = 6", "pending"), "prize:{prize_pending}", "bet"),
    "a prize's number": (_PRIZE.format("number = 77", "pending"), "prize:{prize_pending}", "number"),
    "a prize's order": (_PRIZE.format('"order" = 77', "pending"), "prize:{prize_pending}", "order"),
    "a prize's state": (
        _PRIZE.format("state = 'verified', decided_at = hit_at", "pending"),
        "prize:{prize_pending}",
        "state",
    ),
    "who noted it": (_PRIZE.format("noted_by_id = {cage}", "pending"), "prize:{prize_pending}", "noted"),
    "the winner": (_PRIZE.format("winner = 'Otra'", "paid"), "prize:{prize_paid}", "winner"),
    "the winner's document": (
        _PRIZE.format("document = '1234568'", "paid"),
        "prize:{prize_paid}",
        "document",
    ),
    "when it was paid": (
        _PRIZE.format("paid_at = paid_at + interval '1 second'", "paid"),
        "prize:{prize_paid}",
        "paid",
    ),
    "how it was paid": (_PRIZE.format("form = 'chips'", "paid"), "prize:{prize_paid}", "paid"),
    "where it was paid": (_PRIZE.format("desk_id = NULL", "paid"), "prize:{prize_paid}", "desk"),
    "when it was decided": (
        _PRIZE.format("decided_at = decided_at + interval '1 second'", "rejected"),
        "prize:{prize_rejected}",
        "decided",
    ),
    "who checked": (
        "UPDATE jackpots_prizecheck SET actor_id = {cage} WHERE id = (SELECT min(id) FROM jackpots_prizecheck WHERE prize_id = {prize_paid})",
        "prize:{prize_paid} (check",
        "event",
    ),
    "what was checked": (
        "UPDATE jackpots_prizecheck SET holds = NOT holds WHERE prize_id = {prize_paid}",
        "prize:{prize_paid} (check",
        "holds",
    ),
    "credits bought": (
        "UPDATE jackpots_creditmove SET amount = amount + 500 WHERE id = {credit}",
        "credits:session {session} (move {credit})",
        "amount",
    ),
    "credits bought, in the books": (
        "UPDATE jackpots_creditmove SET amount = amount + 500 WHERE id = {credit}",
        _EVENT,
        "credits",
    ),
    "credits returned, not bought": (
        "UPDATE jackpots_creditmove SET kind = 'returned' WHERE id = {credit}",
        "credits:session {session} (move {credit})",
        "kind",
    ),
    "whose credits": (
        "UPDATE jackpots_creditmove SET seat = 6 WHERE id = {credit}",
        "credits:session {session} (move {credit})",
        "seat",
    ),
    "what is on a meter": (
        "UPDATE jackpots_seatcredits SET amount = amount + 500 WHERE session_id = {session} AND seat = 2",
        "credits:{session} (2)",
        "amount",
    ),
    "a reading": (_READING.format("amount = amount + 1"), "reading:", "amount"),
    "what was shown": (_READING.format("shown = shown + 1"), "reading:", "shown"),
    "a reading's reason": (_READING.format("reason = 'porque sí'"), "reading:", "reason"),
    "a reading's day": (_READING.format("day = day - 1"), "reading:", "day"),
    "a proof's state": (
        "UPDATE jackpots_proof SET state = 'matched' WHERE id = {proof}",
        "proof:{pool}",
        "state",
    ),
    "a proof's figures": (
        "UPDATE jackpots_proof SET figures = figures || '{{\"bets\": 1}}' WHERE id = {proof}",
        "proof:{pool}",
        "figures",
    ),
    "a difference": (
        "UPDATE jackpots_difference SET found = expected WHERE id = {difference}",
        "difference:{difference}",
        "what",
    ),
    "a difference gone": (
        "DELETE FROM jackpots_difference WHERE id = {difference}",
        "difference:{difference}",
        "row",
    ),
    "its incident": (
        "UPDATE jackpots_difference SET incident_id = incident_id + 1 WHERE id = {difference}",
        "difference:{difference}",
        "incident",
    ),
    "what is drawn": (_DRAW.format("amount = amount + 1"), "draw:{draw}", "terms"),
    "a draw's seed": (_DRAW.format("seed = repeat('ab', 32)"), "draw:{draw}", "drawn"),
    "a draw's secret": (_DRAW.format("secret = repeat('ab', 32)"), "draw:{draw}", "hidden"),
    "a draw's winner": (_DRAW.format("winner_id = {bet_void}"), "draw:{draw}", "winner"),
    "who took part": (
        "DELETE FROM jackpots_complementaryplace WHERE draw_id = {draw}",
        "draw:{draw}",
        "places",
    ),
    "a score": (
        "UPDATE jackpots_complementaryplace SET score = repeat('0', 64) WHERE draw_id = {draw}",
        "draw:{draw}",
        "scores",
    ),
    "a contribution in the books": (_POSTING.format(_RAISED, _MAIN, "round"), _EVENT, "bets"),
    "the commission in the books": (_POSTING.format(_RAISED, "commission:{pool}", "round"), _EVENT, "bets"),
    "a prize in the books": (_POSTING.format(_RAISED, "pool:{pool}:pending", "prize"), _EVENT, "prizes"),
    "a payment in the books": (_POSTING.format(_RAISED, "house:{pool}", "prize_paid"), _EVENT, "prizes"),
    "a seed in the books": (_POSTING.format(_RAISED, "house:{pool}", "pool"), _EVENT, "house"),
    "the residue in the books": (_POSTING.format(_RAISED, "pool:{pool}:residue", "round"), _EVENT, "bets"),
    "credits in the books": (
        _POSTING.format(_RAISED, "credits:{session}", "pool_credits"),
        _EVENT,
        "credits",
    ),
    "a transfer's day": ("UPDATE audits_transfer SET day = day - 1 WHERE kind = 'prize'", "transfer ", "day"),
    "a transfer's cause": (
        "UPDATE audits_transfer SET kind = 'prize' WHERE kind = 'prize_paid'",
        "transfer ",
        "event",
    ),
    "a transfer's kind": (
        "UPDATE audits_transfer SET kind = 'fill' WHERE kind = 'prize_paid'",
        "transfer ",
        "kind",
    ),
    "a filing's text": (_FILING.format("text = 'otro'"), "filing:", "text"),
    "a filing's answer": (_FILING.format("reference = 'AJ/78'"), "filing:", "reference"),
    "a filing's validity": (_FILING.format("valid_until = valid_from"), "filing:", "valid"),
    "a filing's state": (_FILING.format("state = 'refused'"), "filing:", "state"),
    "who decided a filing": (_FILING.format("decided_by_id = {cage}"), "filing:", "decided"),
    "when a filing was used": (
        "UPDATE audits_filing SET ended_at = ended_at + interval '1 second' WHERE state = 'used'",
        "filing:",
        "ended",
    ),
    "a filing gone": (
        "DELETE FROM audits_filing WHERE id = (SELECT max(id) FROM audits_filing)",
        "filing:",
        "row",
    ),
}

GONE = {
    # action whose events go: where a row is missed
    "jackpots.pool.set": "pool:",
    "jackpots.version.drafted": "pool version:",
    "jackpots.version.approved": "pool version:",
    "jackpots.version.begun": "fund:",
    "jackpots.table.linked": "pool:",
    "jackpots.pool.contributed": "progressive bet:",
    "jackpots.pool.uncontributed": "progressive bet:",
    "jackpots.bet.placed": "progressive bet:",
    "jackpots.bet.cancelled": "progressive bet:",
    "jackpots.credits.bought": "credits:",
    "jackpots.prize.hit": "prize:",
    "jackpots.prize.verified": "prize:",
    "jackpots.prize.rejected": "prize:",
    "jackpots.prize.paid": "prize:",
    "jackpots.meter.read": "reading:",
    "jackpots.pool.proved": "proof:",
    "jackpots.complementary.announced": "draw:",
    "jackpots.complementary.drawn": "draw:",
    "audits.filing.drafted": "filing:",
    "audits.filing.approved": "filing:",
}
