"""Hold every export against the trail, its signatures and delivery too, and read every byte of its files."""

from __future__ import annotations

from audits.export_proofs import all_faults
from audits.management.proving import ProvingCommand
from audits.models import Export
from casino.models import Casino


class Command(ProvingCommand):
    help = "Compara cada exportación con la auditoría y lee sus archivos; nombra lo que no es como fue."
    proof = staticmethod(all_faults)
    proved = "{casino}: exportaciones íntegras, {size}"

    def size(self, casino: Casino) -> str:
        return f"{Export.objects.filter(casino=casino, state=Export.State.DONE).count()} archivos"
