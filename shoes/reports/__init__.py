"""The reports the cards register: inventory, moves, inspections, shoes, counts of the store, acts."""

from audits.reports.registry import register
from shoes.reports.acts import DestructionRegister
from shoes.reports.counts import StockCounts
from shoes.reports.destruction import Destruction
from shoes.reports.inspections import InspectionRegister
from shoes.reports.inventory import Inventory
from shoes.reports.log import ShoeLog
from shoes.reports.moves import MoveRegister

for _report in (
    Inventory,
    MoveRegister,
    InspectionRegister,
    Destruction,
    DestructionRegister,
    ShoeLog,
    StockCounts,
):
    register(_report)
