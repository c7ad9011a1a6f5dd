// What every page does: the clock, the line to the server, dialogs. Pages work without it, only less well.
(() => {
  "use strict";
  const body = document.body;

  const clock = document.querySelectorAll("[data-clock]");
  const zone = body.dataset.zone;
  const tick = () => {
    const now = new Intl.DateTimeFormat("es", { timeZone: zone || undefined, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date());
    document.querySelectorAll("[data-clock]").forEach((place) => { place.textContent = now; });
  };
  if (clock.length && zone) { tick(); setInterval(tick, 5000); }

  // On a narrow screen the places scroll sideways: the one we are at is brought into view.
  const here = document.querySelector(".nav [aria-current]");
  if (here) here.parentElement.scrollLeft = here.offsetLeft + here.offsetWidth / 2 - here.parentElement.clientWidth / 2;

  const line = document.getElementById("line");
  const say = (ok) => {
    if (!line || (line.dataset.now || "ok") === (ok ? "ok" : "bad")) return;
    line.dataset.now = ok ? "ok" : "bad";
    line.className = ok ? "chip" : "chip bad";
    line.querySelector(".dot").className = ok ? "dot open" : "dot bad";
    line.querySelector("span").textContent = ok ? line.dataset.ok : line.dataset.bad;
    line.querySelector("span").classList.toggle("wide", ok);
  };
  window.sabot = { line: say };
  addEventListener("offline", () => say(false));
  addEventListener("online", () => say(true));
  body.addEventListener("htmx:sendError", () => say(false));
  body.addEventListener("htmx:timeout", () => say(false));
  body.addEventListener("htmx:afterRequest", (e) => { if (e.detail.xhr && e.detail.xhr.status) say(e.detail.xhr.status < 500); });

  // A fragment that is polled sends the tag it has, so that an unchanged answer is 304 and nothing moves.
  const tags = new WeakMap();
  body.addEventListener("htmx:configRequest", (e) => { const tag = tags.get(e.detail.elt); if (tag && e.detail.verb === "get") e.detail.headers["If-None-Match"] = tag; });
  body.addEventListener("htmx:afterRequest", (e) => { const tag = e.detail.xhr && e.detail.xhr.getResponseHeader("ETag"); if (tag && e.detail.elt.isConnected) tags.set(e.detail.elt, tag); });

  const dialog = document.getElementById("dialog");
  if (dialog) {
    body.addEventListener("htmx:afterSwap", (e) => { if (e.detail.target === dialog && !dialog.open) dialog.showModal(); });
    dialog.addEventListener("click", (e) => { if (e.target === dialog || e.target.closest("[data-close]")) dialog.close(); });
  }
  document.addEventListener("click", (e) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => { if (!menu.contains(e.target)) menu.open = false; });
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "Escape") document.querySelectorAll("details.menu[open]").forEach((menu) => { menu.open = false; menu.querySelector("summary").focus(); });
  });
  document.querySelectorAll("select[data-go]").forEach((select) => select.addEventListener("change", () => select.form.requestSubmit()));
})();
