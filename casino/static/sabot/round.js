// One round by keyboard. What is typed becomes entries in a queue; one request at a time, each naming the round and
// step the table is at by then. The server reads and judges every entry; here only its end is recognised.
(() => {
  "use strict";
  const round = document.getElementById("round");
  const field = document.getElementById("typed");
  const main = document.getElementById("board-main"), side = document.getElementById("board-side");
  const loud = document.getElementById("loud"), polite = document.getElementById("polite");
  const detail = round.dataset.detail;
  const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
  const now = () => document.getElementById("now").dataset;
  let etag = null;

  // ---- the board ---------------------------------------------------------------------------------

  const parser = document.createElement("div");
  const show = (html, unsent) => {
    parser.innerHTML = html;
    const [mainPart, sidePart] = [parser.querySelector("#for-main"), parser.querySelector("#for-side")];
    if (!mainPart) return false;
    main.replaceChildren(mainPart.content.cloneNode(true));
    const open = side.querySelector("details[open]"), typedIn = side.contains(document.activeElement) && document.activeElement.matches("input");
    if (!typedIn) {
      side.replaceChildren(sidePart.content.cloneNode(true));
      const again = side.querySelector("details");
      if (open && again) again.open = true;
    }
    if (window.htmx) { htmx.process(main); htmx.process(side); }
    if (unsent && unsent.length) {
      const note = document.createElement("p");
      note.append(`${round.dataset.unsent}: `, Object.assign(document.createElement("span"), { className: "mono", textContent: unsent.join(" ") }));
      const place = main.querySelector(".next");
      if (place) place.append(note);
    }
    const said = main.querySelector("[data-say]");
    if (said) { const rule = main.querySelector("#prompt .rule"); const text = said.textContent + (rule ? ` (${rule.textContent.trim()})` : ""); (said.dataset.say === "loud" ? loud : polite).textContent = text; (said.dataset.say === "loud" ? polite : loud).textContent = ""; }
    label();
    return true;
  };
  const label = () => {
    const go = document.querySelector("#go span");
    if (go) go.textContent = now().kind === "settle" ? go.dataset.settle : now().kind === "bet" || now().kind === "close" ? go.dataset.close : go.dataset.send;
    const bets = document.getElementById("tab-bets");
    if (bets && now().kind !== shownKind) { shownKind = now().kind; tab(shownKind === "bet" || shownKind === "close" ? "bets" : "cards"); }
  };
  let shownKind = null;
  const refresh = async () => {
    const answer = await fetch(round.dataset.board, { headers: etag ? { "If-None-Match": etag } : {}, credentials: "same-origin" });
    window.sabot.line(true);
    if (answer.status === 200) { etag = answer.headers.get("ETag"); if (!busy && !queue.length) show(await answer.text()); }
    return answer.status;
  };

  // ---- the queue ---------------------------------------------------------------------------------

  const queue = [];
  let busy = false, slow = 0;
  const places = document.getElementById("queue"), form = document.getElementById("entry");
  const draw = () => { if (places) places.replaceChildren(...queue.slice(0, 6).map((item) => Object.assign(document.createElement("i"), { textContent: item.said }))); };
  const uuid = () => (crypto.randomUUID ? crypto.randomUUID() : "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (c) => (+c ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (+c / 4)))).toString(16)));
  const add = (url, fields, said) => { queue.push({ url, fields, said, request: uuid() }); draw(); send(); };

  const send = async () => {
    if (busy || !queue.length) return;
    busy = true;
    slow = setTimeout(() => form.classList.add("slow"), 400);
    let wait = 500;
    while (queue.length) {
      const item = queue[0];
      const body = new URLSearchParams({ ...item.fields, number: item.number ?? now().number, step: item.step ?? now().step, request: item.request });
      // A repeated entry names the same round and step: the server knows it by its request id.
      [item.number, item.step] = [body.get("number"), body.get("step")];
      let answer;
      try {
        answer = await fetch(item.url, { method: "POST", body, headers: { "X-CSRFToken": token(), "HX-Request": "true", "HX-Current-URL": location.href }, credentials: "same-origin" });
        if (answer.status >= 500) throw new Error(String(answer.status));
      } catch {
        window.sabot.line(false);
        polite.textContent = round.dataset.lost;
        form.classList.add("slow");
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, 8000);
        continue;
      }
      window.sabot.line(true);
      wait = 500;
      if (answer.status === 401) { location.assign(answer.headers.get("HX-Redirect") || "/"); return; }
      queue.shift();
      // After a refusal what follows was typed for another state of things: it is shown, not sent.
      const unsent = answer.ok ? [] : queue.splice(0).map((left) => left.said);
      if (!show(await answer.text(), unsent)) { location.reload(); return; }
      etag = null;
      draw();
    }
    busy = false;
    clearTimeout(slow);
    form.classList.remove("slow");
  };

  // ---- the keyboard ------------------------------------------------------------------------------

  const CARD = /^[\s,]*([pb](?=(?:10|[2-9atjqk])[shdc♠♥♦♣]))?(10|[2-9atjqk])([shdc♠♥♦♣])/i;
  const MAYBE = /^[\s,]*([pb]?(1|10|[2-9atjqk])?|[pber][\s\d].*|[pbex])$/i;
  const type = (text) => add(round.dataset.enter, { typed: text }, text || "⏎");
  const read = () => {
    if (detail === "result") return;
    for (let found; (found = CARD.exec(field.value));) { type(found[0].replace(/[\s,]/g, "")); field.value = field.value.slice(found[0].length); }
    const left = field.value.trim();
    if (left && !MAYBE.test(field.value)) { field.value = ""; type(left); }
  };
  const why = document.getElementById("why");
  const asking = () => why && !why.hidden;
  const ask = () => { if (+now().step || busy) { why.hidden = false; why.querySelector("button").focus(); } };
  const answerWhy = (key) => { why.hidden = true; field.focus(); if (key) add(round.dataset.undo, { why: key }, "⌫"); };
  const rule = () => { if (now().rule && window.htmx) htmx.ajax("GET", `/reglas/${now().rule}/`, { target: "#dialog", swap: "innerHTML" }); };

  if (field) {
    field.addEventListener("input", read);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const text = field.value.trim();
      field.value = "";
      type(text);
      field.focus();
    });
    field.addEventListener("keydown", (e) => {
      if (e.key === "Backspace" && field.value === "") { e.preventDefault(); ask(); }
      if (e.key === "?") { e.preventDefault(); rule(); }
    });
    document.getElementById("undo").addEventListener("click", ask);
    why.addEventListener("click", (e) => { const button = e.target.closest("[data-why]"); if (button) answerWhy(button.dataset.why); });
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.getElementById("dialog").open) return;
      if (asking()) {
        if (e.key === "Escape") { e.preventDefault(); answerWhy(""); }
        const picked = why.querySelector(`[data-why="${CSS.escape(e.key)}"]`);
        if (picked && e.key.length === 1) { e.preventDefault(); answerWhy(e.key); }
        return;
      }
      // Wherever the focus went, keys for the table reach its line: none is lost.
      if (document.activeElement !== field && !e.target.matches("input, textarea, select, button, a, summary") && (e.key.length === 1 || e.key === "Backspace")) field.focus();
    });
    document.getElementById("dialog").addEventListener("close", () => field.focus());
  }

  // ---- touch -------------------------------------------------------------------------------------

  const tab = (name) => ["bets", "cards"].forEach((one) => {
    const head = document.getElementById(`tab-${one}`);
    if (!head) return;
    head.setAttribute("aria-selected", String(one === name));
    document.getElementById(`pad-${one}`).hidden = one !== name;
  });
  const pad = document.getElementById("pad");
  const picked = { seat: "", side: "", stake: 0 };
  const paint = () => {
    pad.querySelectorAll("[data-pick]").forEach((row) => row.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(picked[row.dataset.pick] === b.dataset.value))));
    const total = pad.querySelector("output");
    if (total) total.textContent = String(picked.stake / 100);
  };
  if (pad) pad.addEventListener("click", (e) => {
    const button = e.target.closest("button");
    if (!button) return;
    const { card, chip, side: which, n } = button.dataset;
    if (card) type(card);
    else if (button.id.startsWith("tab-")) tab(button.id.slice(4));
    else if (chip) { picked.stake += Math.round(Number(chip) * 100); paint(); }
    else if (button.id === "stake-clear") { picked.stake = 0; paint(); }
    else if (button.id === "stake-go") { if (picked.seat && picked.side && picked.stake) { type(`${picked.side} ${picked.seat} ${picked.stake / 100}`); picked.stake = 0; paint(); } }
    else if (button.closest("[data-pick]")) { picked[button.closest("[data-pick]").dataset.pick] = button.dataset.value; paint(); }
    else if (which) {
      pad.querySelectorAll(`[data-side=${which}]`).forEach((b) => b.setAttribute("aria-pressed", String(b === button)));
      picked[which] = Number(n);
      if ("punto" in picked && "banca" in picked) {
        const { punto, banca } = picked;
        type(punto === banca ? `e ${punto}` : punto > banca ? `p ${punto} ${banca}` : `b ${banca} ${punto}`);
        delete picked.punto; delete picked.banca;
        pad.querySelectorAll("[aria-pressed=true]").forEach((b) => b.setAttribute("aria-pressed", "false"));
      }
    }
    // A finger on the pad must not call up the tablet's keyboard.
    if (matchMedia("(hover: hover)").matches) field.focus();
  });
  side.addEventListener("submit", (e) => {
    const given = e.target.closest("[data-board-form]");
    if (!given) return;
    e.preventDefault();
    const fields = Object.fromEntries([...new FormData(given)].filter(([name]) => name !== "csrfmiddlewaretoken"));
    if (document.activeElement) document.activeElement.blur();
    add(given.getAttribute("action"), fields, "…");
  });

  if (field) label();
  setInterval(() => { if (!document.hidden && !busy && !queue.length && !asking()) refresh().catch(() => window.sabot.line(false)); }, 4000);
})();
