"""Carry out the orders that two people gave: what is over becomes pseudonyms (docs/people_data.md)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from audits.persons import erasing


class Command(BaseCommand):
    help = "Pone seudónimos según las órdenes dadas por dos personas / carries out the orders for pseudonyms"

    def handle(self, *args: Any, **options: Any) -> None:
        done = erasing.carry_out_all()
        self.stdout.write(f"seudónimos puestos: {done} / pseudonyms put: {done}")
