// An auction followed on a tablet: asked again within a second, the time left counted by Sabot's clock alone, bids by
// keyboard. Digits choose the seat, Enter leads to the amount and then bids, + and - move it by an increment.
(() => {
  "use strict";
  const page = document.getElementById("auction"), place = document.getElementById("auction-now"), rest = document.getElementById("auction-rest");
  const form = document.getElementById("bid"), close = document.getElementById("close"), said = document.getElementById("said");
  const POLL_MS = 700, HIDDEN_MS = 5000, OVER_MS = 3000, DIGITS_MS = 700, CLOSE_MS = 400, AGAIN_MS = 1500;
  const live = () => document.getElementById("live").dataset;
  const open = () => live().stage === "open";
  const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
  const uuid = () => (crypto.randomUUID ? crypto.randomUUID() : "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (c) => (+c ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (+c / 4)))).toString(16)));
  let etag = null, ahead = null, best = Infinity, next = 0, busy = false, asked = 0;

  // ---- the server's time -------------------------------------------------------------------------

  // performance.now() runs evenly whatever is done to the tablet's clock; the quickest answer tells best how far ahead Sabot is.
  const hear = (answer, began) => {
    const now = Number(answer.headers.get("X-Sabot-Now")), took = performance.now() - began;
    if (!now || took > best + 250) return;
    best = Math.min(best * 1.02 + 2, took);
    ahead = now - began - took / 2;
    window.sabot.now = () => performance.now() + ahead;
    window.sabot.tick();
  };
  const left = () => (ahead === null ? null : Number(live().closes) - (performance.now() + ahead));
  const clock = () => {
    const shown = document.getElementById("left"), bar = document.getElementById("left-bar"), ms = left();
    if (!shown || ms === null) return;
    const s = Math.max(0, Math.ceil(ms / 1000));
    shown.textContent = ms <= 0 ? page.dataset.over : `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
    shown.classList.toggle("soon", ms > 0 && ms <= 10000);
    shown.classList.toggle("over", ms <= 0);
    if (bar) bar.setAttribute("width", String(Math.max(0, Math.min(1000, Math.round((1000 * ms) / Number(live().lasts))))));
    if (close) close.hidden = ms > 0;
    if (form) form.querySelectorAll("button, input").forEach((one) => { one.disabled = ms <= 0 || !seats().length; });
    if (ms < -CLOSE_MS && page.dataset.close && open()) finish();
  };

  // ---- what is shown -----------------------------------------------------------------------------

  const parser = document.createElement("div");
  const show = (html, quiet = false) => {
    parser.innerHTML = html;
    const now = parser.querySelector("#for-now");
    if (!now) return false;
    const before = live().stage, least = live().least, no = now.content.querySelector("#refused");
    // A refusal stays beside the amount until the next bid or Esc, whatever the others bid meanwhile.
    if (no) no.remove();
    if (no && said && !quiet) { said.replaceChildren(no); if (window.htmx) htmx.process(said); }
    place.replaceChildren(now.content.cloneNode(true));
    rest.replaceChildren(parser.querySelector("#for-rest").content.cloneNode(true));
    if (window.htmx) { htmx.process(place); htmx.process(rest); }
    // The award, its deposit and the act are forms of the page itself.
    if (live().stage !== before && !(document.activeElement && document.activeElement.matches("#award input"))) { location.reload(); return true; }
    if (form && !touched && live().least !== least) form.elements.amount.value = say(read(live().least));
    paint();
    clock();
    return true;
  };
  const poll = async () => {
    clearTimeout(next);
    const began = performance.now(), at = asked;
    try {
      const answer = await fetch(page.dataset.live, { headers: etag ? { "If-None-Match": etag } : {}, credentials: "same-origin" });
      hear(answer, began);
      window.sabot.line(answer.status < 500);
      if (answer.status === 401 || answer.redirected) { location.reload(); return; }
      // An answer to a bid that was sent meanwhile knows better.
      if (answer.status === 200) { const html = await answer.text(); if (at === asked && !busy) { etag = answer.headers.get("ETag"); show(html); } }
    } catch { window.sabot.line(false); }
    clearTimeout(next);
    next = setTimeout(poll, document.hidden ? HIDDEN_MS : open() ? POLL_MS : OVER_MS);
  };

  // ---- a write: sent again with its number until it is answered, done once --------------------------

  const send = async (url, fields, quiet = false) => {
    const body = new URLSearchParams({ ...fields, form: uuid() });
    busy = true;
    asked += 1;
    let lost = false;
    for (let wait = 300; ; wait = Math.min(wait * 2, 4000)) {
      try {
        const began = performance.now();
        const answer = await fetch(url, { method: "POST", body, headers: { "X-CSRFToken": token(), "HX-Request": "true", "HX-Current-URL": location.href }, credentials: "same-origin" });
        if (answer.status >= 500) throw new Error(String(answer.status));
        hear(answer, began);
        window.sabot.line(true);
        if (lost && said) said.textContent = "";
        busy = false;
        etag = null;
        if (answer.status === 401) { location.reload(); return false; }
        if (!show(await answer.text(), quiet)) { location.reload(); return false; }
        return answer.ok;
      } catch {
        window.sabot.line(false);
        lost = !quiet;
        if (lost && said) said.textContent = page.dataset.lost;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  };
  let closing = 0;
  const finish = async () => {
    if (busy || performance.now() < closing) return;
    closing = performance.now() + AGAIN_MS + Math.random() * 500;
    await send(page.dataset.close, {}, true);
  };

  // ---- bidding -----------------------------------------------------------------------------------

  let chosen = [], touched = false, together = false, digits = "", digitsAt = 0;
  const seats = () => [...place.querySelectorAll("[data-seat]")].map((one) => one.dataset.seat);
  const paint = () => place.querySelectorAll("[data-seat]").forEach((one) => one.setAttribute("aria-pressed", String(chosen.includes(one.dataset.seat))));
  const choose = (seat) => {
    if (!seats().includes(seat)) return false;
    chosen = together ? (chosen.includes(seat) ? chosen.filter((one) => one !== seat) : [...chosen, seat]) : [seat];
    paint();
    return true;
  };
  // Amounts are counted in hundredths of hundredths so that no rounding of the browser's shows.
  const read = (text) => Math.round(Number(text) * 10000);
  const es = document.documentElement.lang.startsWith("es");
  const say = (units) => {
    const said = (units / 10000).toFixed(live().least.includes(".") ? live().least.split(".")[1].length : 0);
    return es ? said.replace(".", ",") : said;
  };
  const written = () => {
    const text = form.elements.amount.value.trim();
    const plain = /^\d+\.\d{1,2}$/.test(text) ? text : es ? text.replace(/\./g, "").replace(",", ".") : text.replace(/,/g, "");
    return read(plain);
  };
  const move = (by) => {
    const now = written(), least = read(live().least), step = read(live().increment);
    const to = Number.isFinite(now) ? Math.max(least, now + by * step) : least;
    form.elements.amount.value = say(to);
    touched = to !== least;
  };
  const anew = () => { chosen = []; touched = false; digits = ""; form.elements.amount.value = say(read(live().least)); form.elements.amount.blur(); paint(); };
  const mode = (on) => {
    const button = document.getElementById("together");
    if (!button) return;
    together = on;
    button.setAttribute("aria-pressed", String(on));
    if (!on) chosen = chosen.slice(0, 1);
    paint();
  };
  if (form) {
    const field = form.elements.amount;
    place.addEventListener("click", (e) => { const one = e.target.closest("button[data-seat]"); if (one) choose(one.dataset.seat); });
    field.addEventListener("input", () => { touched = true; });
    document.getElementById("more").addEventListener("click", () => move(1));
    document.getElementById("less").addEventListener("click", () => move(-1));
    if (document.getElementById("together")) document.getElementById("together").addEventListener("click", () => mode(!together));
    form.addEventListener("submit", async (e) => {
      e.preventDefault();
      if (busy) return;
      said.textContent = "";
      if (await send(form.getAttribute("action"), { seats: chosen.join(" "), amount: field.value.trim() })) { mode(false); anew(); }
    });
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.getElementById("dialog").open || !open()) return;
      const typing = e.target.matches("input:not(#amount), textarea, select");
      if (typing) return;
      if (e.key === "+" || e.key === "-") { e.preventDefault(); move(e.key === "+" ? 1 : -1); return; }
      if (e.key === "Escape") { e.preventDefault(); said.textContent = ""; mode(false); anew(); return; }
      if (e.key.toLowerCase() === "a" && e.target !== field) { e.preventDefault(); mode(!together); return; }
      if (e.target === field) return;
      if (/^[0-9]$/.test(e.key)) {
        e.preventDefault();
        const both = performance.now() - digitsAt < DIGITS_MS ? digits + e.key : e.key;
        // Two digits in a row are a seat of two digits where there is one; the first was then no seat of its own.
        if (both.length === 2 && seats().includes(both) && together) chosen = chosen.filter((one) => one !== digits);
        digits = both.length === 2 && seats().includes(both) ? both : e.key;
        digitsAt = performance.now();
        choose(digits);
        return;
      }
      // Enter leads to the amount, and there it bids: nobody bids by one key struck by chance.
      if (e.key === "Enter" && chosen.length && !e.target.matches("button:not([data-seat]), a, summary")) { e.preventDefault(); field.focus(); field.select(); }
    });
  }
  if (close) close.addEventListener("submit", (e) => { e.preventDefault(); closing = 0; finish(); });

  setInterval(clock, 100);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
  poll();
})();
