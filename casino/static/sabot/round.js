// One round by keyboard. What is typed becomes entries in a queue; one request at a time, each naming the round and
// step the table is at by then. The server reads and judges every entry; here only its end is recognised.
(() => {
  "use strict";
  const round = document.getElementById("round");
  const field = document.getElementById("typed");
  const main = document.getElementById("board-main"), side = document.getElementById("board-side"), acts = document.getElementById("board-acts");
  const bank = document.getElementById("board-bank"), banks = bank && window.sabot.keeper(bank);
  const panels = document.getElementById("board-panels");
  const offers = document.getElementById("board-offers"), pad = document.getElementById("pad");
  const loud = document.getElementById("loud"), polite = document.getElementById("polite");
  const detail = round.dataset.detail;
  const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
  const now = () => document.getElementById("now").dataset;
  let etag = null, sent = 0;
  // What was refused stays where the prompt is until the next entry or Esc, whatever the board does meanwhile.
  let refusal = null;

  // ---- the board ---------------------------------------------------------------------------------

  const parser = document.createElement("div");
  const put = (place, part) => {
    const open = [...place.querySelectorAll("details[open]")].map((one) => one.id);
    if (place.contains(document.activeElement) && document.activeElement.matches("input, select")) return;
    place.replaceChildren(part.content.cloneNode(true));
    for (const id of open) if (place.querySelector(`#${id}`)) place.querySelector(`#${id}`).open = true;
    if (window.htmx) htmx.process(place);
  };
  const show = (html, unsent) => {
    parser.innerHTML = html;
    if (!parser.querySelector("#for-main")) return false;
    put(main, parser.querySelector("#for-main"));
    put(side, parser.querySelector("#for-side"));
    put(acts, parser.querySelector("#for-acts"));
    if (bank && !banks.typing()) banks.put(parser.querySelector("#for-bank").content.cloneNode(true));
    if (panels) put(panels, parser.querySelector("#for-panels"));
    if (offers) put(offers, parser.querySelector("#for-offers"));
    // A panel's line that was refused is there to be corrected.
    const wrong = now().refused && panels && panels.querySelector("input[data-summon][aria-invalid=true]");
    if (wrong) wrong.select();
    const place = main.querySelector("#prompt > section");
    if (now().refused) {
      if (unsent && unsent.length) {
        const note = document.createElement("p");
        note.append(`${round.dataset.unsent}: `, Object.assign(document.createElement("span"), { className: "mono", textContent: unsent.join(" ") }));
        place.append(note);
      }
      refusal = place;
      say(place);
    } else if (refusal) {
      const follows = refusal.querySelector("#follows"), next = place.querySelector("#follows") || place.querySelector("[data-say=polite]");
      if (follows && next) follows.textContent = next.textContent;
      place.replaceWith(refusal);
    } else say(place);
    settle();
    return true;
  };
  const say = (place) => {
    const said = place.querySelector("[data-say]"), rule = place.querySelector(".rule");
    const text = said.textContent + (rule ? ` (${rule.textContent.trim()})` : "");
    const [by, other] = said.dataset.say === "loud" ? [loud, polite] : [polite, loud];
    if (by.textContent !== text || by === loud) by.textContent = text;
    other.textContent = "";
  };
  const settle = () => {
    const beads = side.querySelector(".beads");
    if (beads) beads.scrollLeft = beads.scrollWidth;
    label();
  };
  const dismiss = () => { refusal = null; etag = null; refresh().catch(() => window.sabot.line(false)); };
  const label = () => {
    const { enters, blocked } = now(), go = document.getElementById("go");
    if (!go) return;
    const word = go.querySelector("span");
    word.textContent = (!field.value.trim() && word.dataset[enters]) || word.dataset.send;
    for (const one of [go, ...document.querySelectorAll("#pad button:not([role=tab])")]) one.disabled = Boolean(blocked);
    open();
  };
  // The pad that what comes next needs; the tabs lead to the other one.
  const NEEDS = { bet: "bets", close: "bets", chips: "bets", bank: "bets", in: "cards", card: "cards", show: "cards" };
  let shown = null;
  const open = () => {
    const { kind, takes } = now(), asks = (what) => offers.querySelector(`[data-${what}]`);
    const decides = asks("cards") ? "cards" : asks("amount") ? "bets" : "none";
    const needs = NEEDS[kind] || (kind === "choice" ? (takes === "card" ? "cards" : decides) : kind === "settle" ? "none" : offers.querySelector("button") ? "none" : "");
    pad.dataset.kind = kind;
    if (`${needs} ${kind}` !== shown && needs) tab(needs);
    shown = `${needs} ${kind}`;
    const laid = now().spots.split(" ");
    pad.querySelectorAll("[data-pick=side] button").forEach((one) => { one.hidden = kind === "bet" && !laid.includes(one.dataset.value); });
  };
  const refresh = async () => {
    const at = sent;
    const answer = await fetch(round.dataset.board, { headers: etag ? { "If-None-Match": etag } : {}, credentials: "same-origin" });
    window.sabot.line(true);
    if (answer.status === 200) {
      const html = await answer.text();
      // An entry sent meanwhile knows better than an answer asked for before it.
      if (at === sent && !busy && !queue.length && !asking()) { etag = answer.headers.get("ETag"); show(html); }
    }
    return answer.status;
  };

  // ---- the queue ---------------------------------------------------------------------------------

  const queue = [];
  let busy = false, slow = 0;
  const places = document.getElementById("queue"), form = document.getElementById("entry");
  const draw = () => { if (places) places.replaceChildren(...queue.slice(0, 6).map((item) => Object.assign(document.createElement("i"), { textContent: item.said }))); };
  const uuid = () => (crypto.randomUUID ? crypto.randomUUID() : "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (c) => (+c ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (+c / 4)))).toString(16)));
  const add = (url, fields, said, suffix = false) => { queue.push({ url, fields, said, suffix, request: uuid() }); draw(); send(); };

  const send = async () => {
    if (busy || !queue.length) return;
    busy = true;
    sent += 1;
    slow = setTimeout(() => form.classList.add("slow"), 400);
    let wait = 500;
    while (queue.length) {
      const item = queue[0];
      // A scanner's Enter ends its code. Once the cards before it are in, it may settle a whole round, and nothing else.
      if (item.suffix && now().enters !== "settle") { queue.shift(); draw(); continue; }
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
      refusal = null;
      if (answer.ok && banks && item.fields.do) banks.done();
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

  const { ranks, suits, aims, words } = round.dataset;
  const known = words.split(" "), one = `(?:${ranks})[${suits}]`;
  const CARD = ranks ? new RegExp(`^[\\s,]*((?:${aims || "-"})(?=${one}))?${one}`, "iu") : null;
  const BEGUN = ranks ? new RegExp(`^(?:${aims || "-"})?(?:${one})*(?:1|${ranks})?$`, "iu") : /^$/;
  // Where a card may come next, one that is whole is sent at once, unless a word of the game begins like it.
  const atOnce = (text) => now().takes === "card" && !(now().kind === "choice" && known.some((word) => word.startsWith(plain(text))));
  const type = (text, suffix = false) => add(round.dataset.enter, { typed: text }, text || "⏎", suffix);
  // Nobody's fingers follow a card with Enter as fast as a scanner does.
  const SCANNER_MS = 80;
  let cardAt = -Infinity, enterAt = -Infinity;
  const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]/g, "");
  const readable = (text) => {
    const first = text.trim().split(/\s/)[0], letters = plain(first.match(/^\p{L}*/u)[0]);
    return BEGUN.test(first) || /^[\d*]/.test(first) || (letters && known.some((word) => word.startsWith(letters) || letters.startsWith(word)));
  };
  const read = (e) => {
    if (detail === "result") return label();
    if (CARD) for (let found; (found = CARD.exec(field.value)) && atOnce(found[0]);) { type(found[0].replace(/[\s,]/g, "")); field.value = field.value.slice(found[0].length); if (e) cardAt = e.timeStamp; }
    // What cannot become an entry stays, whole, until it is corrected or Enter has it refused as one word.
    const odd = field.value.trim() !== "" && !readable(field.value);
    if (odd && !field.classList.contains("odd")) polite.textContent = round.dataset.odd;
    mark(odd);
    label();
  };
  const mark = (odd) => { field.classList.toggle("odd", odd); field.setAttribute("aria-invalid", String(odd)); field.title = odd ? round.dataset.odd : ""; };
  const why = document.getElementById("why");
  const asking = () => why && !why.hidden;
  let of = "";
  const what = document.getElementById("what"), other = document.getElementById("other");
  // Letters choose what to strike out, digits why. While entries are on their way it is the last of them.
  const choose = (entry) => {
    of = entry ? entry.dataset.of : "";
    what.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.of === of)));
    why.querySelectorAll("[data-for]").forEach((li) => { li.hidden = Boolean(entry) && !li.dataset.for.split(" ").some((kind) => kind === "any" || kind === entry.dataset.kind); });
  };
  const ask = () => {
    const waiting = busy || queue.length, entries = waiting ? [] : [...main.querySelectorAll("#undoable li")];
    if (!waiting && !entries.length) return;
    document.getElementById("what-one").textContent = entries.length === 1 ? entries[0].textContent : "";
    what.hidden = entries.length < 2;
    what.replaceChildren(...entries.slice(0, 26).map((entry, i) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "btn" }), li = document.createElement("li");
      button.dataset.of = entry.dataset.of;
      button.append(Object.assign(document.createElement("kbd"), { textContent: String.fromCharCode(97 + i) }), ` ${entry.textContent}`);
      button.addEventListener("click", () => choose(entry));
      li.append(button);
      return li;
    }));
    choose(entries[0]);
    why.hidden = false;
    why.querySelector("li:not([hidden]) > [data-why]").focus();
  };
  const answerWhy = (key, words = "") => {
    why.hidden = true;
    other.reset();
    field.focus();
    if (key || words) add(round.dataset.undo, { of, why: key, other: words }, "⌫");
  };
  const rule = () => { if (now().rule && window.htmx) htmx.ajax("GET", `/reglas/${now().rule}/`, { target: "#dialog", swap: "innerHTML" }); };

  if (field) {
    field.addEventListener("input", read);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const text = field.value.trim();
      field.value = "";
      mark(false);
      type(text, !text && enterAt >= cardAt && enterAt - cardAt < SCANNER_MS);
      field.focus();
    });
    field.addEventListener("keydown", (e) => {
      if (e.key === "Enter") enterAt = e.timeStamp;
      if (e.key === "Backspace" && field.value === "") { e.preventDefault(); ask(); }
      if (e.key === "?") { e.preventDefault(); rule(); }
    });
    document.getElementById("undo").addEventListener("click", ask);
    other.addEventListener("submit", (e) => { e.preventDefault(); answerWhy("", other.elements.other.value.trim()); });
    why.addEventListener("click", (e) => { const button = e.target.closest("[data-why]"); if (button) answerWhy(button.dataset.why); });
    document.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || document.getElementById("dialog").open) return;
      if (asking()) {
        if (e.key === "Escape") { e.preventDefault(); answerWhy(""); }
        if (e.target === other.elements.other || e.key.length !== 1) return;
        const picked = why.querySelector(`li:not([hidden]) > [data-why="${CSS.escape(e.key)}"]`);
        const chosen = what.hidden ? null : what.querySelectorAll("button")[e.key.toLowerCase().charCodeAt(0) - 97];
        if (picked) { e.preventDefault(); answerWhy(e.key); }
        else if (e.key === "0") { e.preventDefault(); other.elements.other.focus(); }
        else if (chosen) { e.preventDefault(); chosen.click(); }
        return;
      }
      // A panel's own line is called up by its key, and left by Esc.
      const summoned = panels && !field.value && !e.target.matches("input:not(#typed)") && panels.querySelector(`[data-summon="${CSS.escape(e.key)}"]`);
      if (summoned) { e.preventDefault(); summoned.focus(); return; }
      // A key of a panel that does one thing, as its button does.
      const pressed = panels && !field.value && !e.target.matches("input:not(#typed)") && panels.querySelector(`[data-press="${CSS.escape(e.key)}"]:enabled`);
      if (pressed) { e.preventDefault(); pressed.click(); return; }
      if (e.key === "Escape" && panels && panels.contains(e.target)) { e.preventDefault(); field.focus(); return; }
      if (e.key === "Escape" && !e.target.matches("input:not(#typed)")) {
        if (field.value) { field.value = ""; read(); }
        if (refusal) dismiss();
      }
      const empty = document.getElementById("empty");
      if (e.key === "Delete" && empty && !field.value && !e.target.matches("input:not(#typed)")) { e.preventDefault(); empty.requestSubmit(); }
      // Wherever the focus went, keys for the table reach its line: none is lost.
      if (document.activeElement !== field && !e.target.matches("input, textarea, select, button, a, summary") && (e.key.length === 1 || e.key === "Backspace" || e.key === "Enter")) field.focus();
    });
    document.getElementById("dialog").addEventListener("close", () => { if (!asking()) field.focus(); });
    // The browser's own autofocus comes late; the first key may be sooner. Not under a finger: see below.
    if (matchMedia("(hover: hover)").matches && document.activeElement === document.body) field.focus();
  }

  // ---- touch -------------------------------------------------------------------------------------

  const tab = (name) => ["bets", "cards"].forEach((one) => {
    const head = document.getElementById(`tab-${one}`), panel = document.getElementById(`pad-${one}`);
    if (head) head.setAttribute("aria-selected", String(one === name));
    if (panel) panel.hidden = one !== name;
  });
  const kindOf = (head) => pad.querySelectorAll(".kinds button").forEach((one) => {
    one.setAttribute("aria-selected", String(one === head));
    document.getElementById(one.getAttribute("aria-controls")).hidden = one !== head;
  });
  const picked = { seat: "", side: "", stake: 0 }, unit = Number(round.dataset.unit);
  const paint = () => {
    pad.querySelectorAll("[data-pick]").forEach((row) => row.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(picked[row.dataset.pick] === b.dataset.value))));
    const total = pad.querySelector("output");
    if (total) total.textContent = String(picked.stake / unit);
  };
  const staked = () => { const stake = String(picked.stake / unit); picked.stake = 0; paint(); return stake; };
  const lay = () => {
    const sides = pad.querySelectorAll("[data-pick=side] button:not([hidden])"), bare = ["chips", "bank"].includes(now().kind);
    if (sides.length === 1) picked.side = sides[0].dataset.value;
    if (picked.seat && picked.stake && (bare || picked.side)) type(`${bare ? "" : `${picked.side} `}${picked.seat} ${staked()}`);
  };
  // A decision that takes cards waits for them on the line; one that takes an amount takes what was put together.
  const offer = ({ types, cards, amount }) => {
    if (cards) { field.value = `${types} `; tab("cards"); label(); }
    else type(amount && picked.stake ? `${types} ${staked()}` : types);
  };
  // Cards that are told together wait on the line until there are as many as are due.
  const gather = (card) => {
    field.value = `${field.value.trim()} ${card}`.trim();
    const due = offers.querySelector("[data-cards]"), there = field.value.split(" ").filter((word) => CARD.test(word)).length;
    if (due && there === Number(due.dataset.cards)) form.requestSubmit();
    else read();
  };
  const total = (button) => {
    const { side: which, n, key } = button.dataset;
    pad.querySelectorAll(`[data-side=${which}]`).forEach((b) => b.setAttribute("aria-pressed", String(b === button)));
    totals.set(which, { key, n: Number(n) });
    if (totals.size < 2) return;
    const [high, low] = [...totals.values()].sort((a, b) => b.n - a.n);
    type(high.n === low.n ? `${document.getElementById("points").dataset.level} ${high.n}` : `${high.key} ${high.n} ${low.n}`);
    totals.clear();
    pad.querySelectorAll("#points [aria-pressed=true]").forEach((b) => b.setAttribute("aria-pressed", "false"));
  };
  const totals = new Map();
  if (pad) pad.addEventListener("click", (e) => {
    const button = e.target.closest("button");
    if (!button) return;
    const { card, chip, types, side: which } = button.dataset;
    if (card && (field.value.trim() || now().kind === "show")) gather(card);
    else if (card) type(card);
    else if (types !== undefined) offer(button.dataset);
    else if (button.id.startsWith("tab-")) tab(button.id.slice(4));
    else if (button.id.startsWith("kind-")) kindOf(button);
    else if (chip) { picked.stake += Math.round(Number(chip) * unit); paint(); }
    else if (button.id === "stake-clear") { picked.stake = 0; paint(); }
    else if (button.id === "stake-go") lay();
    else if (button.closest("[data-pick]")) { picked[button.closest("[data-pick]").dataset.pick] = button.dataset.value; paint(); }
    else if (which) total(button);
    // A finger on the pad must not call up the tablet's keyboard.
    if (matchMedia("(hover: hover)").matches) field.focus();
  });
  round.addEventListener("submit", (e) => {
    const given = e.target.closest("[data-board-form]");
    if (!given) return;
    e.preventDefault();
    const fields = Object.fromEntries([...new FormData(given)].filter(([name]) => name !== "csrfmiddlewaretoken"));
    if (e.submitter && e.submitter.name) fields[e.submitter.name] = e.submitter.value;
    if (document.activeElement) document.activeElement.blur();
    add(given.getAttribute("action"), fields, "…");
  });

  // What was typed before this script was there counts too.
  settle();
  if (field) read();
  // 409: the table closed meanwhile; what stands here is past, and the page itself leads on.
  const look = () => refresh().then((status) => { if (status === 409 && !busy && !queue.length) location.reload(); });
  setInterval(() => { if (!document.hidden && !busy && !queue.length && !asking()) look().catch(() => window.sabot.line(false)); }, 4000);
})();
