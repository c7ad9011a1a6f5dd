"""Read every exported file and its kept rows, and name those that are not what was produced."""

from __future__ import annotations

from audits.export_proofs import file_faults
from audits.management.proving import ProvingCommand
from audits.models import Export
from casino.models import Casino


class Command(ProvingCommand):
    help = "Lee cada archivo exportado y sus filas guardadas, y nombra los que no son lo que se produjo."
    proof = staticmethod(file_faults)
    proved = "{casino}: exportaciones íntegras, {size}"

    def size(self, casino: Casino) -> str:
        return f"{Export.objects.filter(casino=casino, state=Export.State.DONE).count()} archivos"
