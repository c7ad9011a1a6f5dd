"""Walk every chain of the trail and name the first broken event of each."""

from __future__ import annotations

from audits.management.proving import ProvingCommand
from audits.models import Event, Stream
from audits.verify import trail_faults
from casino.models import Casino


class Command(ProvingCommand):
    help = "Comprueba cada cadena de auditoría y nombra el primer evento roto."
    proof = staticmethod(trail_faults)
    proved = "{casino}: auditoría íntegra, {size}"

    def size(self, casino: Casino) -> str:
        events = Event.objects.filter(casino=casino).count()
        return f"{events} eventos en {Stream.objects.filter(casino=casino).count()} cadenas"
