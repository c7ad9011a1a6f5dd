from tests.journeys.conftest import *  # noqa
from tests.pages.test_count_slips import close
def test_shot(screens, floor):
    session = close(floor, floor.open())
    chief = screens(); chief.enter("norte-supervisor")
    chief.go(f"/sesiones/{session.pk}/"); chief.page.screenshot(path="/tmp/slip_session.png", full_page=True)
    chief.go(f"/sesiones/{session.pk}/cierre/"); chief.page.screenshot(path="/tmp/slip_closing.png", full_page=True)
    chief.page.pdf(path="/tmp/slip_closing.pdf")
    chief.go(f"/sesiones/{session.pk}/apertura/"); chief.page.screenshot(path="/tmp/slip_opening.png", full_page=True)
    chief.go("/mesas/PB-01/abrir/"); chief.page.screenshot(path="/tmp/slip_open.png", full_page=True)
    floor.sessions.clear()
    import re
    from tables.models import TableSession
