// What every page does: the clock, the line to the server, dialogs. Pages work without it, only less well.
(() => {
  "use strict";
  const body = document.body;

  const clock = document.querySelectorAll("[data-clock]");
  const zone = body.dataset.zone;
  const tick = () => {
    const now = new Intl.DateTimeFormat("es", { timeZone: zone || undefined, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(window.sabot.now()));
    document.querySelectorAll("[data-clock]").forEach((place) => { place.textContent = now; });
  };
  // A page that hears Sabot's own time shows that instead of the tablet's.
  window.sabot = { now: () => Date.now(), tick };
  if (clock.length && zone) { tick(); setInterval(tick, 5000); }

  // A form that was refused is shown at its own address, which answers no reading: the bar names the page it is on.
  const place = document.querySelector("[data-here]");
  if (place && place.dataset.here && location.pathname !== place.dataset.here) history.replaceState(null, "", place.dataset.here);

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
  window.sabot.line = say;
  addEventListener("offline", () => say(false));
  addEventListener("online", () => say(true));
  body.addEventListener("htmx:sendError", () => say(false));
  body.addEventListener("htmx:timeout", () => say(false));
  body.addEventListener("htmx:afterRequest", (e) => { if (e.detail.xhr && e.detail.xhr.status) say(e.detail.xhr.status < 500); });

  // A fragment that is polled sends the tag it has, so that an unchanged answer is 304 and nothing moves.
  const tags = new WeakMap();
  body.addEventListener("htmx:configRequest", (e) => { const tag = tags.get(e.detail.elt); if (tag && e.detail.verb === "get") e.detail.headers["If-None-Match"] = tag; });
  body.addEventListener("htmx:afterRequest", (e) => { const tag = e.detail.xhr && e.detail.xhr.getResponseHeader("ETag"); if (tag && e.detail.elt.isConnected) tags.set(e.detail.elt, tag); });

  // What somebody is typing in a part that is renewed while it is followed stays in its form: forms are told apart by
  // what they hide. `put` renews the part, `done` forgets what was typed.
  window.sabot.keeper = (place) => {
    const kept = new Map();
    const of = (field) => `${[...field.form.querySelectorAll("input[type=hidden]")].filter((one) => !["form", "csrfmiddlewaretoken"].includes(one.name)).map((one) => `${one.name}=${one.value}`).join("&")} ${field.name}`;
    const fields = () => [...place.querySelectorAll("input:not([type=hidden]), select")].filter((one) => one.form && one.name);
    const note = (e) => { if (e.target.form && e.target.name && e.target.matches("input:not([type=hidden]), select")) kept.set(of(e.target), e.target.value); };
    place.addEventListener("input", note);
    place.addEventListener("change", note);
    return {
      put: (content) => {
        const open = [...place.querySelectorAll("details[open]")].map((one) => one.id);
        place.replaceChildren(content);
        for (const id of open) if (id && place.querySelector(`#${id}`)) place.querySelector(`#${id}`).open = true;
        for (const field of fields()) if (kept.has(of(field))) field.value = kept.get(of(field));
        if (window.htmx) htmx.process(place);
      },
      done: () => kept.clear(),
      typing: () => place.contains(document.activeElement) && document.activeElement.matches("input, select"),
    };
  };

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
