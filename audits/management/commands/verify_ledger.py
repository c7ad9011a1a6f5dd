"""Prove that every transfer sums to zero and every running total equals its postings."""

from __future__ import annotations

from audits.management.proving import ProvingCommand
from audits.models import Posting, Transfer
from audits.verify import ledger_faults
from casino.models import Casino


class Command(ProvingCommand):
    help = "Comprueba que cada asiento sume cero y que los acumulados coincidan con los apuntes."
    proof = staticmethod(ledger_faults)
    proved = "{casino}: libro cuadrado, {size}"

    def size(self, casino: Casino) -> str:
        transfers = Transfer.objects.filter(casino=casino).count()
        return f"{Posting.objects.filter(casino=casino).count()} apuntes en {transfers} asientos"
