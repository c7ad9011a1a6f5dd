"""The seal of the gaming day: the tree over all chains, the keys, sealing, reading and checking.

Told for people in docs/proof.md; the formats are those of RFC 6962 (tree) and RFC 8032 (Ed25519).
"""
