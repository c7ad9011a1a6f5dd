"""What pools put on the trail."""

from __future__ import annotations

from audits.vocabulary import register, say_codes
from casino.kernel.words import Text, same
from jackpots import saying, scheme
from tables.games.house_poker.kinds import CATEGORY_WORDS

STATES = {
    "draft": Text("en preparación", "being prepared"),
    "running": Text("en marcha", "running"),
    "stopped": Text("detenido por falla", "stopped for a failure"),
    "suspended": Text("suspendido", "suspended"),
    "retired": Text("retirado", "retired"),
}
HANDS = {hand: CATEGORY_WORDS[hand] for hand in scheme.HANDS}
FORMS = {
    "cash": Text("efectivo", "cash"),
    "chips": Text("fichas", "chips"),
    "credits": Text("créditos promocionales", "promotional credits"),
}

say_codes("pool_state", lambda code: STATES.get(code, same(code)))
say_codes("poker_hand", lambda code: HANDS.get(code, same(code)))
say_codes("pool_fund", saying.account)
say_codes("department", lambda code: saying.DEPARTMENTS.get(code, same(code)))
say_codes("prize_form", lambda code: FORMS.get(code, same(code)))

register("jackpots.pool.set", "se definió el pozo {subject}", "pool {subject} was set")
register(
    "jackpots.version.drafted",
    "se redactó la versión {version} de {subject}",
    "version {version} of {subject} was drafted",
)
register(
    "jackpots.version.approved",
    "{department:department} aprueba la versión {version} de {subject}",
    "{department:department} approves version {version} of {subject}",
)
register(
    "jackpots.version.withdrawn",
    "se retira la versión {version} de {subject}",
    "version {version} of {subject} is withdrawn",
)
register(
    "jackpots.version.begun",
    "rige la versión {version} de {subject}",
    "version {version} of {subject} is in force",
)
register(
    "jackpots.table.linked",
    "{table} alimenta {subject}",
    "{table} feeds {subject}",
    kind=Text("una mesa alimenta un pozo", "a table feeds a pool"),
)
register(
    "jackpots.table.unlinked",
    "{table} deja {subject}",
    "{table} leaves {subject}",
    kind=Text("una mesa deja un pozo", "a table leaves a pool"),
)
register(
    "jackpots.pool.moved",
    "{subject}: {before:pool_state} → {after:pool_state}",
    "{subject}: {before:pool_state} → {after:pool_state}",
    kind=Text("un pozo cambió de estado", "a pool changed its state"),
)
register(
    "jackpots.pool.corrected",
    "{subject}, {fund:pool_fund}: se corrige en {amount:money}",
    "{subject}, {fund:pool_fund}: corrected by {amount:money}",
    kind=Text("se corrigió un pozo", "a pool was corrected"),
)
register(
    "jackpots.pool.transferred",
    "{amount:money} pasan de {subject} a {target}",
    "{amount:money} go from {subject} to {target}",
    kind=Text("saldo que pasa de un pozo a otro", "balance that goes from a pool to another"),
)
register(
    "jackpots.pool.received",
    "{subject} recibe {amount:money} de {origin}",
    "{subject} receives {amount:money} from {origin}",
    kind=Text("un pozo recibió de otro", "a pool received from another"),
)
register(
    "jackpots.credits.bought",
    "posición {seat}: {amount:money} en créditos",
    "position {seat}: {amount:money} in credits",
)
register(
    "jackpots.credits.returned",
    "posición {seat}: se devuelven {amount:money} en créditos",
    "position {seat}: {amount:money} in credits are returned",
)
register(
    "jackpots.credits.promoted",
    "posición {seat}: {amount:money} en créditos promocionales",
    "position {seat}: {amount:money} in promotional credits",
)
register(
    "jackpots.credits.expired",
    "posición {seat}: {amount:money} en créditos promocionales no se apostaron y vuelven a la casa",
    "position {seat}: {amount:money} in promotional credits were not bet and go back to the house",
)
register(
    "jackpots.bet.placed",
    "pase {round}, posición {seat}: {amount:money} al progresivo",
    "round {round}, position {seat}: {amount:money} on the progressive",
)
register(
    "jackpots.bet.cancelled",
    "pase {round}, posición {seat}: retira {amount:money} del progresivo",
    "round {round}, position {seat}: takes {amount:money} off the progressive",
)
register(
    "jackpots.bet.returned",
    "pase {round}: vuelven las apuestas progresivas de {seats}",
    "round {round}: the progressive bets of {seats} go back",
)
register(
    "jackpots.pool.contributed",
    "{table}, pase {round}: {amount:money} al pozo, comisión {commission:money}",
    "{table}, round {round}: {amount:money} into the pool, commission {commission:money}",
)
register(
    "jackpots.pool.uncontributed",
    "{table}, pase {round} anulado: salen {amount:money} del pozo",
    "{table}, round {round} voided: {amount:money} come out of the pool",
)
register(
    "jackpots.prize.hit",
    "{label}: {table}, posición {seat}, {hand:poker_hand}: {amount:money} (había {before:money},"
    " quedan {after:money})",
    "{label}: {table}, position {seat}, {hand:poker_hand}: {amount:money} (there was {before:money},"
    " {after:money} left)",
    kind=Text("se ganó un premio progresivo", "a progressive prize was hit"),
)
register(
    "jackpots.prize.verified",
    "{subject} verificado",
    "{subject} verified",
    kind=Text("se verificó un premio progresivo", "a progressive prize was verified"),
)
register("jackpots.prize.checked", "{subject}: lo verifica una persona", "{subject}: checked by one person")
register("jackpots.prize.rejected", "{subject} no se confirma", "{subject} is not confirmed")
register(
    "jackpots.prize.paid",
    "{subject}: {amount:money} pagados a {winner} ({form:prize_form})",
    "{subject}: {amount:money} paid to {winner} ({form:prize_form})",
    kind=Text("se pagó un premio progresivo", "a progressive prize was paid"),
)
register(
    "jackpots.prize.held_back",
    "{subject} no se pagó: quien cobra se parece a {exclusion}",
    "{subject} was not paid: whoever came for it is like {exclusion}",
)
register(
    "jackpots.meter.read",
    "{subject}, {level:pool_fund}: el contador muestra {amount:money}",
    "{subject}, {level:pool_fund}: the meter shows {amount:money}",
)
register(
    "jackpots.pool.proved",
    "prueba de {subject}, {day}: {differences} diferencias",
    "proof of {subject}, {day}: {differences} differences",
)
register(
    "jackpots.complementary.announced",
    "{subject}: se sorteará {name}, {amount:money}",
    "{subject}: {name}, {amount:money}, will be drawn",
)
register(
    "jackpots.complementary.drawn",
    "{subject}: {name} es de {table}, posición {seat}, pase {round}",
    "{subject}: {name} goes to {table}, position {seat}, round {round}",
    kind=Text("se sorteó un premio complementario", "a complementary prize was drawn"),
)
register(
    "jackpots.complementary.paid",
    "{subject}: {name}, {amount:money}, pagado ({form:prize_form})",
    "{subject}: {name}, {amount:money}, paid ({form:prize_form})",
    kind=Text("se pagó un premio complementario", "a complementary prize was paid"),
)
register(
    "jackpots.complementary.called_off",
    "{subject}: nadie participó en {name}",
    "{subject}: nobody took part in {name}",
)
