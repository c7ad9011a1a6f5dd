"""The roster of the floor's people: who is to stand where, and when."""
