"""Plans of limits under attack."""
import datetime as dt
from casino.kernel.permissions import Role
from tables import planning
from tables.models import BetLimits
from tests.builders import House, NIGHT
from tests.tables.test_plans import *  # noqa
from tests.tables.test_plans import published, run, lowest, window, limits, EVENING, MINUTE, DAY, HIGH

def test_att_shift(house: House) -> None:
    table = house.table()
    published(house)
    run(NIGHT)
    run(EVENING - 20*MINUTE)  # 20:00 published ahead
    # plan changed at 19:45: window 19:00-21:00 of 500
    at = EVENING - 15*MINUTE
    published(house, at=at, windows=[window("19:00","21:00", limits(500,5000))])
    run(at)
    print([ (str(b.effective_from), b.spots["punto"], b.reason) for b in BetLimits.objects.filter(table=table).order_by("version")])
    assert lowest(table, at+MINUTE) == 500
    run(EVENING)
    assert lowest(table, EVENING) == 500
    assert lowest(table, EVENING+MINUTE) == 500
    run(EVENING+60*MINUTE)
    assert lowest(table, EVENING+61*MINUTE) == 25


def test_att_by_hand_ahead(house: House) -> None:
    table = house.table()
    published(house)
    run(NIGHT)
    ten = EVENING + 120*MINUTE
    with clock.standing_at(NIGHT):
        settings.publish_limits(table=table, chip=HIGH.chip, spots=HIGH.spots, effective_from=ten, by=house.by(Role.PIT_BOSS, NIGHT, "noche"))
    run(EVENING)
    at = EVENING + 60*MINUTE
    published(house, at=at, windows=[window("20:00","04:00", limits(500, 4000))])
    run(at)
    assert lowest(table, at) == 500
    run(ten-MINUTE)
    assert lowest(table, ten) == 500
    assert not planning.due(table, ten)
