"""Who may do what on the ground floor."""

from __future__ import annotations

from casino.kernel.permissions import Role, declare
from casino.kernel.words import Text

OFFICE = (Role.COMPLIANCE, Role.INSPECTOR)
FLOOR_CHIEFS = (Role.SUPERVISOR, Role.PIT_BOSS)

READ_TRAIL = declare(
    "audits.trail.read",
    (*OFFICE, Role.PIT_BOSS, Role.ADMINISTRATOR),
    Text("leer la auditoría", "read the audit trail"),
)
READ_REPORTS = declare(
    "audits.report.read",
    (*OFFICE, Role.PIT_BOSS, Role.CAGE, Role.ADMINISTRATOR),
    Text("ver los reportes", "see the reports"),
)
MAKE_REPORTS = declare(
    "audits.report.make",
    (Role.COMPLIANCE, Role.INSPECTOR, Role.PIT_BOSS, Role.CAGE, Role.SYSTEM),
    Text("pedir un reporte", "ask for a report"),
)
SIGN_REPORT = declare(
    "audits.report.sign",
    (Role.COMPLIANCE, Role.PIT_BOSS, Role.ADMINISTRATOR),
    Text("firmar un reporte que se entrega", "sign a report that is delivered"),
)
DELIVER_REPORT = declare(
    "audits.report.deliver",
    (Role.COMPLIANCE,),
    Text("entregar un reporte a la AJ", "deliver a report to the AJ"),
)
SCHEDULE_REPORT = declare(
    "audits.report.schedule",
    (Role.COMPLIANCE, Role.SYSTEM),
    Text("programar reportes", "schedule reports"),
)
MAKE_BUNDLE = declare(
    "audits.bundle.make",
    OFFICE,
    Text("pedir un paquete para el regulador", "ask for a bundle for the regulator"),
)
CLOSE_DAY = declare(
    "audits.day.close", (Role.SYSTEM, Role.COMPLIANCE), Text("cerrar el día de juego", "close the gaming day")
)
SEAL_DAY = declare(
    "audits.day.seal", (Role.SYSTEM, Role.COMPLIANCE), Text("sellar el día de juego", "seal the gaming day")
)
KEEP_SEAL_KEYS = declare(
    "audits.seal_key.keep",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("crear y rotar las llaves de sello", "make and rotate the seal keys"),
)
SECOND_SEAL_KEY = declare(
    "audits.seal_key.second",
    (Role.COMPLIANCE,),
    Text(
        "responder por una llave de sello que reemplaza a la perdida",
        "answer for a seal key in place of a lost one",
    ),
)
MANAGE_USERS = declare(
    "audits.user.manage", (Role.ADMINISTRATOR, Role.SYSTEM), Text("administrar usuarios", "manage users")
)
SET_CASINO = declare(
    "audits.casino.set",
    (Role.ADMINISTRATOR, Role.SYSTEM),
    Text("cambiar los datos del casino", "change the casino's particulars"),
)
READ_INCIDENTS = declare(
    "audits.incident.read",
    (*FLOOR_CHIEFS, *OFFICE, Role.CAGE, Role.ADMINISTRATOR),
    Text("ver los incidentes", "see the incidents"),
)
REPORT_INCIDENT = declare(
    "audits.incident.report",
    (*FLOOR_CHIEFS, Role.COMPLIANCE),
    Text("abrir un incidente", "open an incident"),
)
NOTE_INCIDENT = declare(
    "audits.incident.note",
    (*FLOOR_CHIEFS, Role.COMPLIANCE, Role.CAGE),
    Text("anotar en un incidente", "add a note to an incident"),
)
NOTICE = declare(
    "audits.incident.notice",
    (Role.COMPLIANCE,),
    Text("preparar y enviar el aviso a la AJ", "prepare and send the notice to the AJ"),
)
RESOLVE_INCIDENT = declare(
    "audits.incident.resolve",
    (*FLOOR_CHIEFS, Role.COMPLIANCE),
    Text("resolver un incidente", "resolve an incident"),
)
READ_FILINGS = declare(
    "audits.filing.read",
    (*OFFICE, Role.PIT_BOSS, Role.ADMINISTRATOR),
    Text("ver los trámites", "see the filings"),
)
DRAFT_FILING = declare(
    "audits.filing.draft",
    (Role.COMPLIANCE, Role.PIT_BOSS, Role.ADMINISTRATOR),
    Text("redactar trámites", "draft filings"),
)
PRESENT_FILING = declare(
    "audits.filing.present",
    (Role.COMPLIANCE,),
    Text("presentar trámites a la AJ", "present filings to the AJ"),
)
DECIDE_FILING = declare(
    "audits.filing.decide",
    (Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("anotar lo que respondió la AJ", "note what the AJ answered"),
)
DEMAND_FILING = declare(
    "audits.filing.demand",
    (Role.COMPLIANCE, Role.ADMINISTRATOR, Role.SYSTEM),
    Text("decir qué trámites exige la casa", "say which filings the house asks for"),
)
HOLD_VIDEO = declare(
    "audits.incident.hold_video",
    (*FLOOR_CHIEFS, Role.COMPLIANCE),
    Text("retener el video de un incidente", "hold the video of an incident"),
)
SET_COMPLAINT_TERMS = declare(
    "audits.complaint.set_terms",
    (Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("fijar los plazos de los reclamos", "set the terms of complaints"),
)
SIGN_IN = declare("audits.session.sign_in", tuple(Role), Text("entrar al sistema", "sign in"))
READ_COVERAGE = declare(
    "audits.coverage.read",
    (*OFFICE, Role.PIT_BOSS, Role.ADMINISTRATOR),
    Text("ver cómo se cumple cada regla", "see how each rule is kept"),
)
READ_LOOKS = declare(
    "audits.look.read", OFFICE, Text("ver quién vio datos de quién", "see who looked at whom")
)
READ_PEOPLE_DATA = declare(
    "audits.people_data.read",
    (*OFFICE, Role.ADMINISTRATOR),
    Text("ver plazos y retenciones de datos personales", "see periods and holds of people's data"),
)
SET_RETENTION = declare(
    "audits.retention.set",
    (Role.COMPLIANCE,),
    Text("fijar plazos de conservación", "set retention periods"),
)
PUT_HOLD = declare(
    "audits.hold.put", (Role.COMPLIANCE,), Text("poner una retención legal", "put a legal hold")
)
LIFT_HOLD = declare(
    "audits.hold.lift", (Role.COMPLIANCE,), Text("levantar una retención legal", "lift a legal hold")
)
ORDER_ERASURE = declare(
    "audits.erasure.order", (Role.COMPLIANCE,), Text("ordenar seudonimizar", "order pseudonyms")
)
SIGN_PEOPLE_DATA = declare(
    "audits.people_data.sign",
    (Role.COMPLIANCE, Role.ADMINISTRATOR),
    Text("firmar sobre datos personales", "sign about people's data"),
)
CARRY_OUT_ERASURE = declare(
    "audits.erasure.carry_out",
    (Role.SYSTEM,),
    Text("poner seudónimos", "put pseudonyms in place"),
)
